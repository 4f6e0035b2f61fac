/*
 * Integral images: a warp takes an image and goes down its rows. A row's running sum is a scan by
 * the warp, 32 pixels at a time, and each lane keeps the entries above its columns in registers, so
 * nothing is read back.
 *
 * Its floor is memory: a byte read for each pixel and four written for each entry.
 */
#include "adaboost_device.cuh"
#include "cuda_device.h"
#include "warp_scan.cuh"

namespace {

constexpr int LANES = 32;
constexpr int WARPS = 8;
constexpr int CHUNKS = (HAAR_SIDE_MAX + LANES - 1) / LANES; /* of the widest row */

__global__ void __launch_bounds__(WARPS *LANES)
    adaboost_integral(const uint8_t *__restrict__ pixels, int images, int width, int height,
                      int32_t *__restrict__ integrals) {
    const int warp = (int)threadIdx.x / LANES;
    const int lane = (int)threadIdx.x % LANES;
    const size_t image = (size_t)blockIdx.x * WARPS + (size_t)warp;
    if (image >= (size_t)images) {
        return;
    }
    const uint8_t *row = pixels + image * (size_t)(width * height);
    int32_t *entries = integrals + image * (size_t)((width + 1) * (height + 1));
    for (int x = lane; x <= width; x += LANES) {
        entries[x] = 0;
    }
    int32_t above[CHUNKS] = {};
    for (int y = 0; y < height; y++, row += width) {
        entries += width + 1;
        if (lane == 0) {
            entries[0] = 0;
        }
        int32_t left = 0;
#pragma unroll
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            const int x = chunk * LANES + lane;
            if (chunk * LANES < width) {
                const int sum = warp_running_sum(x < width ? row[x] : 0);
                above[chunk] += left + sum;
                left += warp_whole_sum(sum);
                if (x < width) {
                    entries[x + 1] = above[chunk];
                }
            }
        }
    }
}

} // namespace

Status adaboost_cuda_integral(void *state) {
    const AdaboostDevice *device = (const AdaboostDevice *)state;
    adaboost_integral<<<adaboost_blocks(device->images, WARPS), WARPS * LANES, 0, cuda_stream()>>>(
        device->pixels, device->images, device->width, device->height, device->integrals);
    return CUDA_LAUNCHED();
}
