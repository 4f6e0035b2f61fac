/*
 * cuda_naive: one thread per pixel, every sample read from global memory.
 *
 * This is the definition as it stands: a thread loops over the points, reads the four pixels round
 * each, outside the image 0, and compares. It beats one processor thread because all pixels are
 * computed at once and neighbours find theirs in the L1 cache. The pattern is a kernel parameter,
 * so it lies in constant memory and all threads of a warp read the same word of it at once.
 *
 * The study adds every pixel to one of P + 2 global counters, which then take all of the time
 * [lbp-riu]. Here, as in lbp's cuda_naive, each block counts in shared memory first: the ladder is
 * to show what sampling costs. What bounds it is the number of instructions: four bounds checks,
 * addresses and loads a point, which the next rung needs none of.
 */
#include "block_histogram.cuh"
#include "cuda_variant.h"
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_naive);

namespace {

struct NaiveImage {
    const uint8_t *pixels;
    size_t stride;
    int width, height;
};

__device__ int pixel_at(const NaiveImage &image, int x, int y) {
    const bool inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
    return inside ? image.pixels[(size_t)y * image.stride + x] : 0;
}

__device__ int sample_at(const NaiveImage &image, int x, int y, const LbpRiuTap &tap) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (tap.weight[i] != 0) { /* the same for all threads: nearest reads one pixel */
            sum += tap.weight[i] * pixel_at(image, x + tap.dx + i % 2, y + tap.dy + i / 2);
        }
    }
    return sum;
}

__global__ void lbp_riu_naive(const __grid_constant__ LbpRiuPattern pattern, NaiveImage image,
                              LbpRiuBins target, LbpRiuCount *histogram) {
    __shared__ unsigned int counts[LBP_RIU_BINS_MAX];
    block_histogram_clear(counts);
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < image.width && y < image.height) {
        const int centre = pixel_at(image, x, y) * LBP_RIU_WEIGHT_SUM;
        uint32_t code = 0;
        for (int p = 0; p < pattern.points; p++) {
            const bool bit = sample_at(image, x, y, pattern.taps[p]) >= centre;
            code |= (bit ? 1U : 0U) << p;
        }
        lbp_riu_answer(target, x, y, lbp_riu_bin(code, pattern.points), counts);
    }
    block_histogram_merge(counts, histogram);
}

int block_width(const Request *request) {
    return atoi(point_text(request->tuning, block_axis.name));
}

} // namespace

Status lbp_riu_cuda_naive_open(const Request *request, void **state) {
    STATUS_TRY(
        cuda_check_grid_rows(pieces_of(request->workload->image.height, block_width(request))));
    return lbp_riu_device_open_state(request, LbpRiuPlace{1, 0}, state);
}

Status lbp_riu_cuda_naive_run(void *state) {
    LbpRiuDevice *device = (LbpRiuDevice *)state;
    const int side = block_width(device->request);
    const dim3 grid((unsigned int)pieces_of(device->width, side),
                    (unsigned int)pieces_of(device->height, side));
    const dim3 block((unsigned int)side, (unsigned int)side);
    const NaiveImage image = {device->image, device->image_stride, device->width, device->height};
    STATUS_TRY(coded_device_clear(device));
    lbp_riu_naive<<<grid, block, 0, cuda_stream()>>>(device->pattern, image,
                                                     lbp_riu_bins_of(device), device->histogram);
    return CUDA_LAUNCHED();
}
