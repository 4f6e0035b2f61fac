/*
 * cuda_tiled: a block stages a square of a level and its margin in shared memory.
 *
 * Against cuda_naive a pixel is read from global memory once by its block, and a second time by
 * those beside it as part of the margin of three pixels; circles are read from shared memory. The
 * threads of a warp that have found corners move the cursor of the list together. Tiles begin where
 * corners may: of the border of a level, only the margin is read.
 *
 * Narrow tiles lose twice: with --tile 4 a block fills half a warp, and ((4 + 6) / 4)² = 6.25
 * pixels are staged for each of its own; with 32 it is 1.41.
 *
 * Floors: each byte of the pyramid from memory once. What bounds it is instructions, as with
 * cuda_naive: staging adds some of its own and a wait, and loads from shared memory are no fewer
 * than those from the L1 cache were.
 */
#include <cstdlib>

#include "cuda_device.h"
#include "cuda_variant.h"
#include "fast9_claim.cuh"
#include "fast9_device.cuh"

VARIANT_FUNCTIONS(fast9_cuda_tiled);

namespace {

constexpr int MARGIN = 3; /* radius of the circle */

template <int TILE> struct Staged {
    static constexpr int SIDE = TILE + 2 * MARGIN;
    static constexpr int STRIDE = (SIDE + 3) / 4 * 4;
    uint8_t pixels[SIDE * STRIDE];
};

/* Beyond the level's edge lies nothing that a corner needs: there the last pixel is staged. */
template <int TILE>
__device__ __forceinline__ void stage(const Fast9Level &level, int x0, int y0,
                                      Staged<TILE> &staged) {
    constexpr int SIDE = Staged<TILE>::SIDE;
    for (int row = (int)threadIdx.y; row < SIDE; row += TILE) {
        const int y = min(y0 + row, level.height - 1);
        const uint8_t *from = level.pixels + (size_t)y * (size_t)level.stride;
        for (int column = (int)threadIdx.x; column < SIDE; column += TILE) {
            const int x = min(x0 + column, level.width - 1);
            staged.pixels[row * Staged<TILE>::STRIDE + column] = from[x];
        }
    }
    __syncthreads();
}

/* The pixels around a thread's own in the staged square. */
template <int TILE> struct StagedPixels {
    const uint8_t *centre;

    __device__ __forceinline__ int operator()(int dx, int dy) const {
        return centre[dy * Staged<TILE>::STRIDE + dx];
    }
};

template <int TILE>
__global__ void __launch_bounds__(TILE *TILE)
    fast9_tiled(const Fast9Level level, const Fast9List list) {
    __shared__ Staged<TILE> staged;
    const int x0 = FAST9_BORDER + (int)blockIdx.x * TILE;
    const int y0 = FAST9_BORDER + (int)blockIdx.y * TILE;
    stage<TILE>(level, x0 - MARGIN, y0 - MARGIN, staged);
    const int x = x0 + (int)threadIdx.x;
    const int y = y0 + (int)threadIdx.y;
    if (!fast9_is_inside(level, x, y)) {
        return;
    }
    const int own = ((int)threadIdx.y + MARGIN) * Staged<TILE>::STRIDE + (int)threadIdx.x + MARGIN;
    const StagedPixels<TILE> pixel = {staged.pixels + own};
    if (fast9_is_corner(pixel, level.threshold)) {
        fast9_put(list, fast9_claim(list.cursor), level.number, x, y);
    }
}

template <int TILE> Status find_corners(const Fast9Device *device) {
    return fast9_each_level(device, TILE, TILE, [&](const Fast9Level &level, dim3 grid) {
        fast9_tiled<TILE><<<grid, dim3(TILE, TILE), 0, cuda_stream()>>>(level, fast9_list(device));
        return CUDA_LAUNCHED();
    });
}

Status corners(Fast9Device *device) {
    switch (atoi(point_text(device->request->tuning, tile_axis.name))) {
    case 4: return find_corners<4>(device);
    case 8: return find_corners<8>(device);
    case 16: return find_corners<16>(device);
    default: return find_corners<32>(device);
    }
}

} // namespace

Status fast9_cuda_tiled_open(const Request *request, void **state) {
    static const Fast9Search tiled = {NULL, NULL, corners, false};
    return fast9_cuda_open_with(request, &tiled, state);
}
