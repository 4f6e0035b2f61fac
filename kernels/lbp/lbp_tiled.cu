/*
 * cuda_tiled: a block stages a tile and its halo in shared memory.
 *
 * As [lbp-2020 section 5.1]: blocks of TILE × TILE threads load (TILE + 2)² pixels, wait, and
 * compare from shared memory; outside the image the halo holds 0, so the comparison needs no bounds
 * checks. Unlike the study's, a block stays on its multiprocessor and walks over many tiles with
 * one histogram: the 256 global atomics are paid once per block instead of once per tile, which is
 * what makes this faster than cuda_naive; the staging itself only saves L1 hits.
 *
 * Narrow tiles lose twice: TILE = 4 fills half a warp, and its halo is 125 % of the tile (32: 13
 * %).
 */
#include "block_histogram.cuh"
#include "cuda_variant.h"
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_tiled);

/* The image as the kernel sees it: one row of tiles after the other. */
struct TiledImage {
    const uint8_t *pixels;
    size_t stride;
    int width, height;
    int tiles_across;
    long long tiles;
};

template <int TILE>
static __device__ void load_tile(const TiledImage &image, int x0, int y0,
                                 uint8_t (&tile)[TILE + 2][TILE + 2]) {
    constexpr int SIDE = TILE + 2;
    for (int i = (int)block_thread(); i < SIDE * SIDE; i += TILE * TILE) {
        const int x = x0 + i % SIDE - 1;
        const int y = y0 + i / SIDE - 1;
        const bool inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
        tile[i / SIDE][i % SIDE] = inside ? image.pixels[(size_t)y * image.stride + x] : 0;
    }
}

template <int TILE>
static __device__ unsigned int code_in_tile(const uint8_t (&tile)[TILE + 2][TILE + 2]) {
    const int x = (int)threadIdx.x + 1;
    const int y = (int)threadIdx.y + 1;
    const int centre = tile[y][x];
    unsigned int code = 0;
    code |= (tile[y - 1][x - 1] >= centre ? 1U : 0U) << 0;
    code |= (tile[y - 1][x] >= centre ? 1U : 0U) << 1;
    code |= (tile[y - 1][x + 1] >= centre ? 1U : 0U) << 2;
    code |= (tile[y][x - 1] >= centre ? 1U : 0U) << 3;
    code |= (tile[y][x + 1] >= centre ? 1U : 0U) << 4;
    code |= (tile[y + 1][x - 1] >= centre ? 1U : 0U) << 5;
    code |= (tile[y + 1][x] >= centre ? 1U : 0U) << 6;
    code |= (tile[y + 1][x + 1] >= centre ? 1U : 0U) << 7;
    return code;
}

template <int TILE>
static __global__ void __launch_bounds__(TILE *TILE)
    lbp_tiled(TiledImage image, uint8_t *codes, size_t codes_stride, LbpCount *histogram) {
    __shared__ unsigned int counts[LBP_BINS];
    __shared__ uint8_t tile[TILE + 2][TILE + 2];
    block_histogram_clear(counts);
    for (long long index = blockIdx.x; index < image.tiles; index += gridDim.x) {
        const int x0 = (int)(index % image.tiles_across) * TILE;
        const int y0 = (int)(index / image.tiles_across) * TILE;
        load_tile<TILE>(image, x0, y0, tile);
        __syncthreads();
        const int x = x0 + (int)threadIdx.x;
        const int y = y0 + (int)threadIdx.y;
        if (x < image.width && y < image.height) {
            const unsigned int code = code_in_tile<TILE>(tile);
            codes[(size_t)y * codes_stride + x] = (uint8_t)code;
            atomicAdd(&counts[code], 1U);
        }
        __syncthreads(); /* the next tile overwrites this one */
    }
    block_histogram_merge(counts, histogram);
}

template <int TILE> static Status run_tiled(LbpDevice *device) {
    const int tiles_across = (device->width + TILE - 1) / TILE;
    const int tiles_down = (device->height + TILE - 1) / TILE;
    const long long tiles = (long long)tiles_across * tiles_down;
    const TiledImage image = {device->image,  device->image_stride, device->width,
                              device->height, tiles_across,         tiles};
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)lbp_tiled<TILE>, TILE * TILE, 0, &blocks));
    const long long resident = (long long)blocks * cuda_multiprocessors();
    STATUS_TRY(coded_device_clear(device));
    lbp_tiled<TILE>
        <<<(unsigned int)(tiles < resident ? tiles : resident), dim3(TILE, TILE), 0,
           cuda_stream()>>>(image, device->codes, device->codes_stride, device->histogram);
    return CUDA_LAUNCHED();
}

Status lbp_cuda_tiled_open(const Request *request, void **state) {
    return lbp_device_open_state(request, 1, state);
}

Status lbp_cuda_tiled_run(void *state) {
    LbpDevice *device = (LbpDevice *)state;
    switch (atoi(point_text(device->request->tuning, tile_axis.name))) {
    case 1: return run_tiled<1>(device);
    case 2: return run_tiled<2>(device);
    case 4: return run_tiled<4>(device);
    case 8: return run_tiled<8>(device);
    case 16: return run_tiled<16>(device);
    default: return run_tiled<32>(device);
    }
}
