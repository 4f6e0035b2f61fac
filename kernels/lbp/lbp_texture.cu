/*
 * cuda_texture: neighbours are read through a texture object.
 *
 * The texture unit's border mode returns 0 outside the image, so that the kernel needs no bounds
 * checks, and its cache is laid out for reads that are near each other in both directions. Blocks
 * walk down a column of the image with one histogram, as in cuda_tiled. Nine fetches a pixel at a
 * quarter of the load rate is what bounds it.
 */
#include "block_histogram.cuh"
#include "cuda_texture.h"
#include "lbp_device.cuh"

VARIANT_FUNCTIONS(lbp_cuda_texture);

namespace {

constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

struct LbpTexture : LbpDevice {
    cudaTextureObject_t texture;
};

__device__ unsigned int fetch(cudaTextureObject_t texture, int x, int y) {
    return tex2D<unsigned char>(texture, (float)x, (float)y);
}

__device__ unsigned int code_at(cudaTextureObject_t texture, int x, int y) {
    const unsigned int centre = fetch(texture, x, y);
    unsigned int code = 0;
    code |= (fetch(texture, x - 1, y - 1) >= centre ? 1U : 0U) << 0;
    code |= (fetch(texture, x, y - 1) >= centre ? 1U : 0U) << 1;
    code |= (fetch(texture, x + 1, y - 1) >= centre ? 1U : 0U) << 2;
    code |= (fetch(texture, x - 1, y) >= centre ? 1U : 0U) << 3;
    code |= (fetch(texture, x + 1, y) >= centre ? 1U : 0U) << 4;
    code |= (fetch(texture, x - 1, y + 1) >= centre ? 1U : 0U) << 5;
    code |= (fetch(texture, x, y + 1) >= centre ? 1U : 0U) << 6;
    code |= (fetch(texture, x + 1, y + 1) >= centre ? 1U : 0U) << 7;
    return code;
}

__global__ void lbp_texture(cudaTextureObject_t texture, int width, int height, uint8_t *codes,
                            size_t codes_stride, LbpCount *histogram) {
    __shared__ unsigned int counts[LBP_BINS];
    block_histogram_clear(counts);
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int rows_at_once = (int)(gridDim.y * blockDim.y);
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < height && x < width;
         y += rows_at_once) {
        const unsigned int code = code_at(texture, x, y);
        codes[(size_t)y * codes_stride + x] = (uint8_t)code;
        atomicAdd(&counts[code], 1U);
    }
    block_histogram_merge(counts, histogram);
}

Status open_texture(LbpTexture *opened) {
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(lbp_device_open(alignment, opened));
    const CudaTextureImage image = {opened->image, opened->width, opened->height,
                                    opened->image_stride};
    return cuda_texture_open(opened, &image, CUDA_TEXTURE_BYTE, CUDA_TEXTURE_ANY_SIDE,
                             &opened->texture);
}

} // namespace

Status lbp_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<LbpTexture>(request, state, open_texture);
}

Status lbp_cuda_texture_run(void *state) {
    const LbpTexture *device = (const LbpTexture *)state;
    int blocks = 0;
    STATUS_TRY(
        cuda_resident_blocks((const void *)lbp_texture, BLOCK_WIDTH * BLOCK_HEIGHT, 0, &blocks));
    const int across = (device->width + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    const int down = (device->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT;
    const int share = (blocks * cuda_multiprocessors() + across - 1) / across;
    STATUS_TRY(coded_device_clear(device));
    const dim3 grid((unsigned int)across, (unsigned int)(share < down ? share : down));
    lbp_texture<<<grid, dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0, cuda_stream()>>>(
        device->texture, device->width, device->height, device->codes, device->codes_stride,
        device->histogram);
    return CUDA_LAUNCHED();
}
