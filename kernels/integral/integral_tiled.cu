/*
 * cuda_tiled: rows are added up in shared memory, a tile at a time.
 *
 * A block has TILE rows and walks along them: it loads TILE × TILE pixels, a thread each, adds them
 * up along the rows, and stores the sums. Loads and stores are of whole rows of the tile, so that
 * warps touch neighbouring addresses, which is what cuda_naive lacks; the sums of the rows so far
 * stay in the block. The steps of a tile are log2 TILE instead of TILE, by a scan of the lanes.
 * The columns are added up as in cuda_naive.
 */
#include "cuda_variant.h"
#include "integral_device.cuh"

VARIANT_FUNCTIONS(integral_cuda_tiled);

namespace {

/* What a kernel launch works on. */
template <typename Sum> struct TiledImage {
    const uint8_t *image;
    size_t image_stride;
    int width, height;
    Sum *entries;
    size_t stride;
};

template <int TILE, typename Sum>
__global__ void __launch_bounds__(TILE *TILE) sum_tiles(TiledImage<Sum> work) {
    __shared__ Sum tile[TILE][TILE + 1];
    const int x = (int)threadIdx.x;
    const int y = (int)(blockIdx.x * TILE + threadIdx.y);
    const uint8_t *pixels = work.image + (size_t)y * work.image_stride;
    Sum *row = work.entries + ((size_t)y + 1) * work.stride;
    Sum before = 0;
    for (int left = 0; left < work.width; left += TILE) {
        const bool inside = y < work.height && left + x < work.width;
        tile[threadIdx.y][x] = inside ? pixels[left + x] : 0;
        __syncthreads();
#pragma unroll
        for (int step = 1; step < TILE; step *= 2) {
            const Sum other = x >= step ? tile[threadIdx.y][x - step] : 0;
            __syncthreads();
            tile[threadIdx.y][x] += other;
            __syncthreads();
        }
        if (inside) {
            row[left + x] = before + tile[threadIdx.y][x];
        }
        before += tile[threadIdx.y][TILE - 1];
        __syncthreads(); /* the next tile overwrites this one */
    }
}

template <int TILE> struct Rows {
    template <typename Sum> Status run(const IntegralDevice *device) const {
        const TiledImage<Sum> work = {device->image,
                                      device->image_stride,
                                      device->width,
                                      device->height,
                                      integral_device_entries<Sum>(device),
                                      device->stride};
        sum_tiles<TILE, Sum>
            <<<(unsigned int)pieces_of(device->height, TILE), dim3(TILE, TILE), 0, cuda_stream()>>>(
                work);
        return CUDA_LAUNCHED();
    }
};

Status sum_rows(const IntegralDevice *device) {
    switch (atoi(point_text(device->request->tuning, tile_axis.name))) {
    case 4: return integral_device_run(device, Rows<4>{});
    case 8: return integral_device_run(device, Rows<8>{});
    case 16: return integral_device_run(device, Rows<16>{});
    default: return integral_device_run(device, Rows<32>{});
    }
}

} // namespace

Status integral_cuda_tiled_open(const Request *request, void **state) {
    return integral_device_open_state(request, state);
}

Status integral_cuda_tiled_run(void *state) {
    const IntegralDevice *device = (const IntegralDevice *)state;
    STATUS_TRY(sum_rows(device));
    return integral_device_columns(device);
}
