/*
 * What variants with a buffer for the worst case have in common: a block for each image, room for
 * all features of each, the whole buffer copied back.
 *
 * Every image has a counter of its own, so nothing can overflow, and few images fit: they go in
 * batches whose buffer is about 3 GB, as the study's was. How much of it was used is spread over
 * all of it, so that after each batch the whole buffer is copied to host memory, and the host
 * gathers the records from there. The next batch needs the buffer again: the copies are part of the
 * run, not a download after it, and the kernel times of these variants include transfers.
 *
 * A Record is what the kernel writes of a feature: uint64_t, as the answer has it, or HaarWide.
 */
#ifndef KERNELS_HAAR_HAAR_WORST_CASE_CUH
#define KERNELS_HAAR_HAAR_WORST_CASE_CUH

#include <algorithm>
#include <cstring>

#include "haar_device.cuh"
#include "haar_unpack.h"

namespace {

constexpr int WORST_CASE_THREADS = 256;
constexpr size_t WORST_CASE_BYTES = 3000000000; /* of a batch's buffer */

template <typename Record> struct HaarWorstCase : HaarDevice {
    size_t room;               /* records of an image in the worst case; 0: no rectangle */
    int batch;                 /* images */
    Record *buffer;            /* room × batch on the device */
    Record *copy;              /* as many in host memory */
    HaarWide *wide;            /* as many, unpacked, in host memory; NULL: they are not */
    int32_t *integrals;        /* of a batch; NULL: they are in shared memory */
    unsigned long long *found; /* records of each image of a batch */
    unsigned long long *found_copy;
};

/* One batch, passed to the kernel by value. */
template <typename Record> struct WorstCaseJob {
    const uint8_t *pixels; /* of the batch's first image */
    uint32_t first;        /* its number */
    int width, height;
    HaarRectangles rectangles;
    HaarPacking packing;
    int32_t threshold;
    int32_t *integrals;
    Record *buffer;
    size_t room;
    unsigned long long *found;
};

/* === On the device ============================================================================ */

__device__ __forceinline__ void write_record(uint64_t *record, const HaarPacking &packing,
                                             uint32_t image, HaarFeature feature, int32_t value) {
    *record = haar_pack(&packing, image, feature, value);
}

__device__ __forceinline__ void write_record(HaarWide *record, const HaarPacking & /*packing*/,
                                             uint32_t /*image*/, HaarFeature feature,
                                             int32_t value) {
    *record = HaarWide{value, feature};
}

template <typename Record>
__device__ __forceinline__ const uint8_t *block_pixels(const WorstCaseJob<Record> &job) {
    return job.pixels + blockIdx.x * ((size_t)job.width * (size_t)job.height);
}

/* All features of the block's image, each by its definition. */
template <typename Record>
__device__ __forceinline__ void search_block_image(const WorstCaseJob<Record> &job,
                                                   const int32_t *integral, int stride) {
    Record *records = job.buffer + blockIdx.x * job.room;
    const uint32_t across = job.rectangles.across;
    const uint32_t count = across * job.rectangles.down;
    for (uint32_t i = threadIdx.x; i < count; i += WORST_CASE_THREADS) {
        const uchar2 columns = job.rectangles.columns[i % across];
        const uchar2 rows = job.rectangles.rows[i / across];
        for (uint8_t type = 0; type < HAAR_TYPES; type++) {
            const HaarFeature feature = {type, columns.x, rows.x, columns.y, rows.y};
            const int32_t value = haar_value(integral, stride, feature);
            if (abs(value) > job.threshold) {
                const unsigned long long at = atomicAdd(&job.found[blockIdx.x], 1ULL);
                write_record(&records[at], job.packing, job.first + blockIdx.x, feature, value);
            }
        }
    }
}

/* === On the host ============================================================================== */

/* Images whose buffers are WORST_CASE_BYTES, or what memory allows, and at least one. `host_bytes`:
 * of a record, in host memory. */
template <typename Record>
int worst_case_batch(const HaarWorstCase<Record> *state, size_t host_bytes) {
    const uint64_t records = std::min<uint64_t>(
        std::min<uint64_t>(cuda_backend.available() / 4 * 3, WORST_CASE_BYTES) / sizeof(Record),
        cpu_backend.available() / 2 / host_bytes);
    const uint64_t images = std::min<uint64_t>(records / state->room, state->images);
    return (int)std::max<uint64_t>(images, 1);
}

template <typename Record> Status worst_case_buffers(HaarWorstCase<Record> *state, bool unpacked) {
    const size_t records = (size_t)state->batch * state->room;
    const size_t found = (size_t)state->batch * sizeof *state->found;
    const CudaBuffer table[] = {
        cuda_scratch(&state->buffer, records * sizeof(Record)),
        cuda_scratch(&state->found, found),
        cuda_on_host(&state->copy, records * sizeof(Record)),
        cuda_on_host(&state->found_copy, found),
        cuda_where(unpacked, cuda_on_host(&state->wide, records * sizeof *state->wide)),
    };
    return cuda_open_buffers(state, table);
}

/* All but the integral images. `unpacked`: the host makes HaarWide of the records. */
template <typename Record> Status worst_case_open(bool unpacked, HaarWorstCase<Record> *state) {
    STATUS_TRY(haar_device_size(state));
    STATUS_TRY(haar_device_open_pixels(state));
    STATUS_TRY(haar_rectangles_open(state));
    state->room = (size_t)state->rectangles.across * state->rectangles.down * HAAR_TYPES;
    if (state->room == 0) {
        return status_ok();
    }
    state->batch = worst_case_batch(state, sizeof(Record) + (unpacked ? sizeof *state->wide : 0));
    return worst_case_buffers(state, unpacked);
}

/* For a kernel that has its integral images in global memory. */
template <typename Record>
Status worst_case_open_integrals(HaarWorstCase<Record> *state, size_t entries) {
    const CudaBuffer table[] = {
        cuda_scratch(&state->integrals, (size_t)state->batch * entries * sizeof *state->integrals)};
    return cuda_open_buffers(state, table);
}

template <typename Record>
WorstCaseJob<Record> worst_case_job(const HaarWorstCase<Record> *state, int first) {
    WorstCaseJob<Record> job = {};
    job.pixels = state->pixels + (size_t)first * (size_t)state->width * (size_t)state->height;
    job.first = (uint32_t)first;
    job.width = state->width;
    job.height = state->height;
    job.rectangles = state->rectangles;
    job.packing = state->packing;
    job.threshold = state->point.threshold;
    job.integrals = state->integrals;
    job.buffer = state->buffer;
    job.room = state->room;
    job.found = state->found;
    return job;
}

/* Searches `images` images from number `first` on, and copies what there is of them. `launch` is
 * given the job and the number of blocks. */
template <typename Record, typename Launch>
Status worst_case_batch_run(const HaarWorstCase<Record> *state, int first, int images,
                            const Launch &launch) {
    const size_t found_bytes = (size_t)images * sizeof *state->found;
    CUDA_TRY(cudaMemsetAsync(state->found, 0, found_bytes, cuda_stream()));
    launch(worst_case_job(state, first), (unsigned int)images);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(state->found_copy, state->found, found_bytes, cudaMemcpyDeviceToHost,
                             cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(state->copy, state->buffer,
                             (size_t)images * state->room * sizeof *state->copy,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

/* `count` records of an image, as the answer has them. */
inline void take_records(const uint64_t *from, size_t count, const HaarPacking * /*packing*/,
                         uint32_t /*image*/, uint64_t *to) {
    memcpy(to, from, count * sizeof *to);
}

inline void take_records(const HaarWide *from, size_t count, const HaarPacking *packing,
                         uint32_t image, uint64_t *to) {
    for (size_t i = 0; i < count; i++) {
        to[i] = haar_pack(packing, image, from[i].feature, from[i].value);
    }
}

/* Appends the records of a batch, which are at `records` in host memory, to the answer: those for
 * which it has room. */
template <typename Record, typename OnHost>
void worst_case_gather(const HaarWorstCase<Record> *state, int first, int images,
                       const OnHost *records) {
    const Output *output = state->request->output;
    const size_t capacity = haar_capacity(output);
    for (int i = 0; i < images; i++) {
        const size_t found = (size_t)state->found_copy[i];
        const size_t before = (size_t)std::min<uint64_t>(*haar_count(output), capacity);
        take_records(records + (size_t)i * state->room, std::min(found, capacity - before),
                     &state->packing, (uint32_t)(first + i), haar_records(output) + before);
        *haar_count(output) += found;
    }
}

/* All batches. `gather` is given the first image and the number of each that was copied. */
template <typename Record, typename Launch, typename Gather>
Status worst_case_run(const HaarWorstCase<Record> *state, const Launch &launch,
                      const Gather &gather) {
    const int images = state->images;
    *haar_count(state->request->output) = 0;
    if (state->room == 0) {
        return status_ok();
    }
    for (int first = 0; first < images;) {
        const int count = std::min(state->batch, images - first);
        STATUS_TRY(worst_case_batch_run(state, first, count, launch));
        gather(first, count);
        first += count;
    }
    return status_ok();
}

} // namespace

#endif
