/*
 * cuda_naive: one thread per pixel, a kernel launch for each level.
 *
 * A thread reads the top, right, bottom and left pixels of its circle and is done when they rule a
 * corner out, which is so for most pixels; else it reads the other twelve. Each corner moves the
 * cursor of the list by itself. The pyramid below and all stages behind are those that the variants
 * share.
 *
 * Floors: each byte of the pyramid comes from memory once, and five to seventeen times from the L1
 * cache. What bounds it is instructions: loads of single bytes with their addresses, comparisons,
 * and warps that go on for the sake of one lane. On small images it is the kernel launches.
 */
#include "cuda_device.h"
#include "fast9_device.cuh"

VARIANT_FUNCTIONS(fast9_cuda_naive);

namespace {

constexpr int COLUMNS = 32; /* of a block's threads */
constexpr int ROWS = 8;

__global__ void __launch_bounds__(COLUMNS *ROWS)
    fast9_naive(const Fast9Level level, const Fast9List list) {
    const int x = FAST9_BORDER + (int)(blockIdx.x * COLUMNS + threadIdx.x);
    const int y = FAST9_BORDER + (int)(blockIdx.y * ROWS + threadIdx.y);
    if (!fast9_is_inside(level, x, y)) {
        return;
    }
    const Fast9GlobalPixels pixel = {level.pixels + (size_t)y * (size_t)level.stride + x,
                                     level.stride};
    if (fast9_is_corner(pixel, level.threshold)) {
        fast9_put(list, atomicAdd(list.cursor, 1U), level.number, x, y);
    }
}

} // namespace

Status fast9_cuda_naive_corners(Fast9Device *device) {
    return fast9_each_level(device, COLUMNS, ROWS, [&](const Fast9Level &level, dim3 grid) {
        fast9_naive<<<grid, dim3(COLUMNS, ROWS), 0, cuda_stream()>>>(level, fast9_list(device));
        return CUDA_LAUNCHED();
    });
}

Status fast9_cuda_naive_open(const Request *request, void **state) {
    static const Fast9Search naive = {NULL, NULL, NULL, false};
    return fast9_cuda_open_with(request, &naive, state);
}
