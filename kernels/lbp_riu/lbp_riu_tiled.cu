/*
 * cuda_tiled: a block stages a tile and its border in shared memory. cuda_tiled_atomic: the same as
 * the study wrote it, a tile for each block and an atomic in global memory for each pixel.
 *
 * The study's kernel for shared memory [lbp-riu section 2.2]: a block of TILE × TILE threads loads
 * its tile and `reach` pixels round it, waits, and takes all samples from there. The border holds 0
 * outside the image, so that a sample is four loads without a check. The number of points is a
 * template parameter, which unrolls the loop over them, and the pattern is a kernel parameter:
 * weights are read from constant memory as operands of the multiplications. That is what makes this
 * faster than cuda_naive. Unlike the study's, a block walks over many tiles with one histogram in
 * shared memory.
 *
 * What bounds it are the loads from shared memory, four a point (one with `nearest`) at one warp
 * per cycle and multiprocessor, and beside them the multiplications. The border costs most where
 * tiles are small against the reach: at reach 4, tiles of 4 load nine pixels for each of theirs,
 * tiles of 32 one and a half; tiles of 4 fill half a warp besides.
 */
#include <algorithm>
#include <climits>
#include <cstdlib>

#include "block_histogram.cuh"
#include "cuda_variant.h"
#include "lbp_riu_device.cuh"

VARIANT_FUNCTIONS(lbp_riu_cuda_tiled);
VARIANT_FUNCTIONS(lbp_riu_cuda_tiled_atomic);

namespace {

constexpr int TILE_MAX = 32;

struct TiledImage {
    const uint8_t *pixels;
    size_t stride;
    int width, height;
    int tiles_across, tiles_down;
};

struct TiledTap {
    int offset; /* of the tap's first pixel from the centre, in the tile */
    int weight[4];
};

/* Where the samples lie in a tile with its border. */
struct TiledPattern {
    int reach;
    int side; /* of the tile and its border */
    TiledTap taps[LBP_RIU_POINTS_MAX];
};

/* Bytes before and behind the tile: a pixel of weight 0 may lie one row and one column beyond it.
 * It is read, its value does not matter. */
__host__ __device__ int tile_slack(int side) {
    return side + 1;
}

/* Walks over the cells of a grid, row by row, in steps of `step` cells, with a division only at the
 * start. */
struct GridWalk {
    int x, y;
    int step_x, step_y, across;

    __device__ GridWalk(int first, int step, int across_)
        : x(first % across_), y(first / across_), step_x(step % across_), step_y(step / across_),
          across(across_) {
    }

    __device__ void advance() {
        x += step_x;
        y += step_y;
        if (x >= across) {
            x -= across;
            y++;
        }
    }
};

/* `x0`, `y0`: the pixel of the image that is the first of the tile's border. */
__device__ void load_tile(const TiledImage &image, int x0, int y0, GridWalk walk, int side,
                          uint8_t *tile) {
    for (; walk.y < side; walk.advance()) {
        const int x = x0 + walk.x;
        const int y = y0 + walk.y;
        const bool inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
        tile[walk.y * side + walk.x] = inside ? image.pixels[(size_t)y * image.stride + x] : 0;
    }
}

template <int POINTS, bool BILINEAR>
__device__ uint32_t code_in_tile(const TiledPattern &pattern, const uint8_t *centre) {
    const int threshold = BILINEAR ? *centre * LBP_RIU_WEIGHT_SUM : *centre;
    const int below = pattern.side;
    uint32_t code = 0;
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        const TiledTap &tap = pattern.taps[p];
        const uint8_t *at = centre + tap.offset;
        int sample = at[0];
        if (BILINEAR) {
            sample = tap.weight[0] * at[0] + tap.weight[1] * at[1] + tap.weight[2] * at[below] +
                     tap.weight[3] * at[below + 1];
        }
        code |= (sample >= threshold ? 1U : 0U) << p;
    }
    return code;
}

template <int POINTS, bool BILINEAR, bool ATOMIC>
__global__ void __launch_bounds__(TILE_MAX *TILE_MAX)
    lbp_riu_tiled(const __grid_constant__ TiledPattern pattern, TiledImage image, LbpRiuBins target,
                  LbpRiuCount *histogram) {
    __shared__ unsigned int counts[POINTS + 2];
    extern __shared__ uint8_t memory[];
    uint8_t *tile = memory + tile_slack(pattern.side);
    if constexpr (!ATOMIC) {
        block_histogram_clear(counts);
    }
    const int width = (int)blockDim.x;
    const int column = (int)threadIdx.x;
    const int row = (int)threadIdx.y;
    const GridWalk pixels((int)block_thread(), width * width, pattern.side);
    const uint8_t *centre = tile + (row + pattern.reach) * pattern.side + column + pattern.reach;
    GridWalk tiles((int)blockIdx.x, (int)gridDim.x, image.tiles_across);
    for (; tiles.y < image.tiles_down; tiles.advance()) {
        const int x0 = tiles.x * width;
        const int y0 = tiles.y * width;
        load_tile(image, x0 - pattern.reach, y0 - pattern.reach, pixels, pattern.side, tile);
        __syncthreads();
        if (x0 + column < image.width && y0 + row < image.height) {
            const uint32_t code = code_in_tile<POINTS, BILINEAR>(pattern, centre);
            const unsigned int bin = lbp_riu_bin(code, POINTS);
            if constexpr (ATOMIC) {
                lbp_riu_answer(target, x0 + column, y0 + row, bin, histogram);
            } else {
                lbp_riu_answer(target, x0 + column, y0 + row, bin, counts);
            }
        }
        __syncthreads(); /* the next tile overwrites this one */
    }
    if constexpr (!ATOMIC) {
        block_histogram_merge(counts, histogram);
    }
}

template <bool BILINEAR, bool ATOMIC> struct TiledKernels {
    typedef void (*Kernel)(TiledPattern, TiledImage, LbpRiuBins, LbpRiuCount *);
    template <int POINTS> static Kernel kernel() {
        return lbp_riu_tiled<POINTS, BILINEAR, ATOMIC>;
    }
};

TiledPattern place_in_tile(const LbpRiuPattern &pattern, int tile) {
    TiledPattern placed = {};
    placed.reach = pattern.reach;
    placed.side = tile + 2 * pattern.reach;
    for (int p = 0; p < pattern.points; p++) {
        const LbpRiuTap &tap = pattern.taps[p];
        placed.taps[p].offset = tap.dy * placed.side + tap.dx;
        std::copy(tap.weight, tap.weight + 4, placed.taps[p].weight);
    }
    return placed;
}

int tile_width(const Request *request) {
    return atoi(point_text(request->tuning, tile_axis.name));
}

template <bool ATOMIC> Status run_tiled(LbpRiuDevice *device) {
    const LbpRiuPattern &pattern = device->pattern;
    const int tile = tile_width(device->request);
    const TiledPattern placed = place_in_tile(pattern, tile);
    const TiledImage image = {
        device->image,  device->image_stride,           device->width,
        device->height, pieces_of(device->width, tile), pieces_of(device->height, tile)};
    const auto kernel = pattern.bilinear
                            ? lbp_riu_kernel<TiledKernels<true, ATOMIC>>(pattern.points)
                            : lbp_riu_kernel<TiledKernels<false, ATOMIC>>(pattern.points);
    const size_t shared = (size_t)(placed.side * placed.side + 2 * tile_slack(placed.side));
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)kernel, tile * tile, shared, &blocks));
    const long long tiles = (long long)image.tiles_across * image.tiles_down;
    const long long resident = (long long)blocks * cuda_multiprocessors();
    const long long grid = ATOMIC ? std::min(tiles, (long long)INT_MAX) : std::min(tiles, resident);
    STATUS_TRY(coded_device_clear(device));
    kernel<<<(unsigned int)grid, dim3((unsigned int)tile, (unsigned int)tile), shared,
             cuda_stream()>>>(placed, image, lbp_riu_bins_of(device), device->histogram);
    return CUDA_LAUNCHED();
}

} // namespace

Status lbp_riu_cuda_tiled_open(const Request *request, void **state) {
    return lbp_riu_device_open_state(request, LbpRiuPlace{1, 0}, state);
}

Status lbp_riu_cuda_tiled_run(void *state) {
    return run_tiled<false>((LbpRiuDevice *)state);
}

Status lbp_riu_cuda_tiled_atomic_run(void *state) {
    return run_tiled<true>((LbpRiuDevice *)state);
}
