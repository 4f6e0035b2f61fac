/*
 * cuda_naive: one thread per pixel, every neighbour read from global memory.
 *
 * This is [lbp-2020 Algorithm 2] on 8-bit pixels: a thread collects its eight comparisons, stores
 * the code and adds it to the block's histogram in shared memory; then the block adds all 256 bins
 * to the global histogram. A 16 × 16 block has as many bins as pixels, so every pixel pays one
 * shared and one global atomic: that, not the nine loads (they hit the L1 cache), is what the next
 * rungs of the ladder remove.
 */
#include "block_histogram.cuh"
#include "cuda_variant.h"
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_naive);

static __global__ void lbp_naive(const uint8_t *image, size_t stride, int width, int height,
                                 uint8_t *codes, size_t codes_stride, LbpCount *histogram) {
    __shared__ unsigned int counts[LBP_BINS];
    block_histogram_clear(counts);
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        const int centre = image[(size_t)y * stride + x];
        unsigned int code = 0;
        int bit = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (dx == 0 && dy == 0) {
                    continue;
                }
                const int nx = x + dx;
                const int ny = y + dy;
                const bool inside = nx >= 0 && nx < width && ny >= 0 && ny < height;
                const int neighbour = inside ? image[(size_t)ny * stride + nx] : 0;
                code |= (neighbour >= centre ? 1U : 0U) << bit;
                bit++;
            }
        }
        codes[(size_t)y * codes_stride + x] = (uint8_t)code;
        atomicAdd(&counts[code], 1U);
    }
    block_histogram_merge(counts, histogram);
}

static int block_width(const Request *request) {
    return atoi(point_text(request->tuning, block_axis.name));
}

Status lbp_cuda_naive_open(const Request *request, void **state) {
    STATUS_TRY(
        cuda_check_grid_rows(pieces_of(request->workload->image.height, block_width(request))));
    return lbp_device_open_state(request, 1, state);
}

Status lbp_cuda_naive_run(void *state) {
    LbpDevice *device = (LbpDevice *)state;
    const int side = block_width(device->request);
    const dim3 grid((unsigned int)pieces_of(device->width, side),
                    (unsigned int)pieces_of(device->height, side));
    const dim3 block((unsigned int)side, (unsigned int)side);
    STATUS_TRY(coded_device_clear(device));
    lbp_naive<<<grid, block, 0, cuda_stream()>>>(device->image, device->image_stride, device->width,
                                                 device->height, device->codes,
                                                 device->codes_stride, device->histogram);
    return CUDA_LAUNCHED();
}
