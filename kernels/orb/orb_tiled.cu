/*
 * cuda_tiled: both passes of the blur on a tile in shared memory; a block for eight keypoints,
 * tests in shared memory, a bit per thread.
 *
 * The tile of 64×32 pixels is loaded with three more on each side, 1.3 bytes for each byte of the
 * image, and what is smoothed along rows never leaves the multiprocessor: the image is read and
 * written once, in one kernel. Of the tests there are 256 or 512 times as many threads as
 * cuda_naive has, and the pixels of a warp lie in one patch, whose lines stay in the L1 cache.
 * Cosine and sine, in double precision, are taken once per keypoint; a warp's 32 bits become a word
 * by a vote.
 */
#include "orb_device.cuh"

VARIANT_FUNCTIONS(orb_cuda_tiled);

namespace {

constexpr int TILE_WIDTH = 64;
constexpr int TILE_HEIGHT = 32;
constexpr int AROUND_WIDTH = TILE_WIDTH + 2 * ORB_REACH;
constexpr int AROUND_HEIGHT = TILE_HEIGHT + 2 * ORB_REACH;
constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS)
    smooth_tile(const uint8_t *__restrict__ image, int stride, int width, int height,
                uint8_t *blurred) {
    __shared__ uint8_t pixels[AROUND_HEIGHT][AROUND_WIDTH];
    __shared__ uint16_t rows[AROUND_HEIGHT][TILE_WIDTH];
    const int left = (int)blockIdx.x * TILE_WIDTH;
    const int top = (int)blockIdx.y * TILE_HEIGHT;
    for (int i = (int)threadIdx.x; i < AROUND_HEIGHT * AROUND_WIDTH; i += THREADS) {
        const int x = orb_mirrored(left + i % AROUND_WIDTH - ORB_REACH, width);
        const int y = orb_mirrored(top + i / AROUND_WIDTH - ORB_REACH, height);
        pixels[i / AROUND_WIDTH][i % AROUND_WIDTH] = image[(size_t)y * (size_t)stride + (size_t)x];
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < AROUND_HEIGHT * TILE_WIDTH; i += THREADS) {
        const uint8_t *p = &pixels[i / TILE_WIDTH][i % TILE_WIDTH];
        rows[i / TILE_WIDTH][i % TILE_WIDTH] = (uint16_t)orb_row_value(
            orb_sum(p[3], (uint32_t)p[2] + p[4], (uint32_t)p[1] + p[5], (uint32_t)p[0] + p[6]));
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE_HEIGHT * TILE_WIDTH; i += THREADS) {
        const int x = left + i % TILE_WIDTH;
        const int y = top + i / TILE_WIDTH;
        const uint16_t *p = &rows[i / TILE_WIDTH][i % TILE_WIDTH];
        const uint32_t sum = orb_sum(
            p[3 * TILE_WIDTH], (uint32_t)p[2 * TILE_WIDTH] + p[4 * TILE_WIDTH],
            (uint32_t)p[TILE_WIDTH] + p[5 * TILE_WIDTH], (uint32_t)p[0] + p[6 * TILE_WIDTH]);
        if (x < width && y < height) {
            blurred[(size_t)y * (size_t)stride + (size_t)x] = (uint8_t)orb_column_value(sum);
        }
    }
}

Status run_tests(const OrbDevice *device) {
    return keypoint_describe_tiled(device, orb_global_rule(device));
}

const OrbMethod method = {NULL, orb_cuda_blur_tiled, run_tests};

} // namespace

Status orb_cuda_blur_tiled(const OrbDevice *device) {
    const dim3 grid((unsigned)pieces_of(device->width, TILE_WIDTH),
                    (unsigned)pieces_of(device->height, TILE_HEIGHT));
    STATUS_TRY(cuda_check_grid_rows((int)grid.y));
    smooth_tile<<<grid, THREADS, 0, cuda_stream()>>>(
        device->image, (int)device->stride, device->width, device->height, device->blurred);
    return CUDA_LAUNCHED();
}

Status orb_cuda_tiled_open(const Request *request, void **state) {
    return orb_cuda_open_with<OrbDevice>(request, &method, state);
}
