/*
 * cuda_scans, cuda_scans_packed: what the study began with, and what it tried next and left. Both
 * copy back a buffer for the worst case of every image (haar_worst_case.cuh).
 *
 * Against cuda_naive the integral image is made by scans, first of the rows, then of the columns,
 * as the study has it: a warp a row, 32 entries in five steps, in shared memory. Features are
 * computed each by itself as there. A record of cuda_scans has the study's 12 bytes, 5.4 MB for an
 * image with 450,000 features.
 *
 * cuda_scans_packed writes 8 bytes a record, a third less to reserve and to copy, and the host
 * unpacks them into the same 12 with OpenMP. The study could not tell how much of the buffer was
 * used, so that all of it is unpacked, which for each record reads 8 bytes of host memory and
 * writes
 * 12. There this took longer than computation and transfer together. Of an image's records the
 * counter says how many there are; it serves for the answer alone, which the study did not gather.
 *
 * What bounds both is what becomes of the buffer: 60 bytes for each rectangle through the bus into
 * pageable memory, or 40 and then 100 through host memory.
 */
#include "haar_integral.cuh"
#include "haar_worst_case.cuh"
#include "resources.h"

VARIANT_FUNCTIONS(haar_cuda_scans);
VARIANT_FUNCTIONS(haar_cuda_scans_packed);

namespace {

template <typename Record> struct HaarScans : HaarWorstCase<Record> {
    size_t shared_bytes; /* of the integral image; 0: it is in global memory */
    int threads;         /* that unpack */
};

template <typename Record, bool SHARED>
__global__ void __launch_bounds__(WORST_CASE_THREADS) haar_scans(const WorstCaseJob<Record> job) {
    extern __shared__ int32_t shared_integral[];
    const size_t entries = haar_entries(job.width, job.height);
    int32_t *integral = SHARED ? shared_integral : job.integrals + blockIdx.x * entries;
    block_integral<WORST_CASE_THREADS>(block_pixels(job), job.width, job.height, integral);
    search_block_image(job, integral, haar_stride(job.width));
}

/* Integral images larger than a block's shared memory are in global memory. */
template <typename Record> Status place_integrals(HaarScans<Record> *scans) {
    const void *kernel = (const void *)haar_scans<Record, true>;
    const size_t entries = haar_entries(scans->width, scans->height);
    const size_t bytes = entries * sizeof(int32_t);
    size_t most = 0;
    STATUS_TRY(haar_shared_limit(kernel, &most));
    if (bytes > most) {
        return worst_case_open_integrals(scans, entries);
    }
    scans->shared_bytes = bytes;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return status_ok();
}

template <typename Record> Status open_scans(const Request *request, bool unpacked, void **state) {
    return cuda_open_state<HaarScans<Record>>(request, state, [&](HaarScans<Record> *opened) {
        STATUS_TRY(worst_case_open(unpacked, opened));
        opened->threads = thread_team_default();
        return opened->room > 0 ? place_integrals(opened) : status_ok();
    });
}

template <typename Record, typename Gather>
Status run_scans(const HaarScans<Record> *scans, const Gather &gather) {
    return worst_case_run(
        scans,
        [&](const WorstCaseJob<Record> &job, unsigned int blocks) {
            const auto kernel =
                scans->shared_bytes > 0 ? haar_scans<Record, true> : haar_scans<Record, false>;
            kernel<<<blocks, WORST_CASE_THREADS, scans->shared_bytes, cuda_stream()>>>(job);
        },
        gather);
}

} // namespace

/* === 12 bytes a record ======================================================================== */

Status haar_cuda_scans_open(const Request *request, void **state) {
    return open_scans<HaarWide>(request, false, state);
}

Status haar_cuda_scans_run(void *state) {
    const HaarScans<HaarWide> *scans = (const HaarScans<HaarWide> *)state;
    return run_scans(scans, [&](int first, int images) {
        worst_case_gather(scans, first, images, scans->copy);
    });
}

/* === 8 bytes, unpacked by the host ============================================================ */

Status haar_cuda_scans_packed_open(const Request *request, void **state) {
    return open_scans<uint64_t>(request, true, state);
}

Status haar_cuda_scans_packed_run(void *state) {
    const HaarScans<uint64_t> *scans = (const HaarScans<uint64_t> *)state;
    return run_scans(scans, [&](int first, int images) {
        haar_unpack_all(&scans->packing, scans->copy, (size_t)images * scans->room, scans->threads,
                        scans->wide);
        worst_case_gather(scans, first, images, scans->wide);
    });
}
