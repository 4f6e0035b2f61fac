/*
 * cuda_naive: a block for each image, and a buffer for the worst case of each.
 *
 * It beats one processor thread because the rectangles of an image are searched by the threads of
 * a block at once, and many images beside each other. A thread adds up a row of the integral
 * image, then a column, which lie in global memory; each feature is computed by itself from the
 * eight to sixteen entries that its cells have at their corners.
 *
 * What bounds it are the copies of the whole buffer (haar_worst_case.cuh): 40 bytes for each
 * rectangle, kept or not, into pageable memory.
 */
#include "haar_worst_case.cuh"

VARIANT_FUNCTIONS(haar_cuda_naive);

namespace {

typedef HaarWorstCase<uint64_t> HaarNaive;

__host__ __device__ constexpr size_t integral_entries(int width, int height) {
    return (size_t)(width + 1) * (size_t)(height + 1);
}

__device__ void make_integral(const uint8_t *pixels, int width, int height, int32_t *integral) {
    const int stride = width + 1;
    for (int y = (int)threadIdx.x; y <= height; y += WORST_CASE_THREADS) {
        int32_t sum = 0;
        integral[y * stride] = 0;
        for (int x = 0; x < width; x++) {
            sum += y > 0 ? pixels[(y - 1) * width + x] : 0;
            integral[y * stride + x + 1] = sum;
        }
    }
    __syncthreads();
    for (int x = (int)threadIdx.x; x <= width; x += WORST_CASE_THREADS) {
        int32_t sum = 0;
        for (int y = 1; y <= height; y++) {
            sum += integral[y * stride + x];
            integral[y * stride + x] = sum;
        }
    }
    __syncthreads();
}

__global__ void __launch_bounds__(WORST_CASE_THREADS) haar_naive(const WorstCaseJob<uint64_t> job) {
    int32_t *integral = job.integrals + blockIdx.x * integral_entries(job.width, job.height);
    make_integral(block_pixels(job), job.width, job.height, integral);
    search_block_image(job, integral, job.width + 1);
}

Status open_naive(HaarNaive *naive) {
    STATUS_TRY(worst_case_open(false, naive));
    const size_t entries = integral_entries(naive->width, naive->height);
    return naive->room > 0 ? worst_case_open_integrals(naive, entries) : status_ok();
}

} // namespace

Status haar_cuda_naive_open(const Request *request, void **state) {
    return cuda_open_state<HaarNaive>(request, state, open_naive);
}

Status haar_cuda_naive_run(void *state) {
    const HaarNaive *naive = (const HaarNaive *)state;
    return worst_case_run(
        naive,
        [](const WorstCaseJob<uint64_t> &job, unsigned int blocks) {
            haar_naive<<<blocks, WORST_CASE_THREADS, 0, cuda_stream()>>>(job);
        },
        [&](int first, int images) { worst_case_gather(naive, first, images, naive->copy); });
}
