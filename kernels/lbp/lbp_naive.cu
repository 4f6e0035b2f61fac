/*
 * cuda_naive: one thread per pixel, every neighbour read from global memory.
 *
 * This is [lbp-2020 Algorithm 2] on 8-bit pixels: a thread collects its eight comparisons, stores
 * the code and adds it to the block's histogram in shared memory; then the block adds all 256 bins
 * to the global histogram. A 16 × 16 block has as many bins as pixels, so every pixel pays one
 * shared and one global atomic: that, not the nine loads (they hit the L1 cache), is what the next
 * rungs of the ladder remove.
 */
#include "cuda_check.h"
#include "cuda_device.h"
#include "lbp_block_histogram.cuh"

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

static int block_width(const LbpDevice *device) {
    return atoi(point_text(device->request->tuning, "block"));
}

static dim3 grid_of(const LbpDevice *device) {
    const int side = block_width(device);
    return dim3((unsigned int)((device->width + side - 1) / side),
                (unsigned int)((device->height + side - 1) / side));
}

Status lbp_cuda_naive_open(const Request *request, void **state) {
    STATUS_TRY(lbp_device_open_state(request, 1, state));
    int rows_max = 0;
    const Status status = cuda_attribute(cudaDevAttrMaxGridDimY, &rows_max);
    const unsigned int rows = grid_of((const LbpDevice *)*state).y;
    if (!status_is_ok(&status) || rows > (unsigned int)rows_max) {
        lbp_cuda_close(*state);
        *state = NULL;
        STATUS_TRY(status);
        return status_skip("the image needs %u rows of blocks and a grid has %d", rows, rows_max);
    }
    return status_ok();
}

Status lbp_cuda_naive_run(void *state) {
    LbpDevice *device = (LbpDevice *)state;
    LbpCount *histogram = lbp_device_histogram(device, device->answer_set);
    const unsigned int side = (unsigned int)block_width(device);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_BINS * sizeof *histogram, cuda_stream()));
    lbp_naive<<<grid_of(device), dim3(side, side), 0, cuda_stream()>>>(
        device->image, device->image_stride, device->width, device->height, device->codes,
        device->codes_stride, histogram);
    return CUDA_LAUNCHED();
}
