/*
 * cuda_texture: neighbours are read through a texture object.
 *
 * The texture unit's border mode returns 0 outside the image, so that the kernel needs no bounds
 * checks, and its cache is laid out for reads that are near each other in both directions. Blocks
 * walk down a column of the image with one histogram, as in cuda_tiled. Nine fetches a pixel at a
 * quarter of the load rate is what bounds it.
 *
 * Texture memory is limited in width, height and pitch (131,072 × 65,000 on current devices):
 * larger images are skipped with that reason.
 */
#include <limits>

#include "block_histogram.cuh"
#include "cuda_device.h"
#include "cuda_texture.h"
#include "lbp_device.h"

VARIANT_FUNCTIONS(lbp_cuda_texture);

namespace {

constexpr int BLOCK_WIDTH = 32;
constexpr int BLOCK_HEIGHT = 8;

/* The shared part comes first, so that lbp_cuda_upload and lbp_cuda_download serve this state. */
struct LbpTexture {
    LbpDevice device;
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

Status open_texture(const Request *request, LbpTexture *state) {
    LbpDevice *device = &state->device;
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(lbp_device_open(request, alignment, device));
    const CudaTextureImage image = {device->image, device->width, device->height,
                                    device->image_stride};
    return cuda_texture_create(&image, CUDA_TEXTURE_BYTE, std::numeric_limits<int>::max(),
                               &state->texture);
}

} // namespace

Status lbp_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<LbpTexture>(
        state, [&](LbpTexture *opened) { return open_texture(request, opened); },
        lbp_cuda_texture_close);
}

Status lbp_cuda_texture_run(void *state) {
    LbpTexture *opened = (LbpTexture *)state;
    LbpDevice *device = &opened->device;
    int blocks = 0;
    STATUS_TRY(
        cuda_resident_blocks((const void *)lbp_texture, BLOCK_WIDTH * BLOCK_HEIGHT, 0, &blocks));
    const int across = (device->width + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    const int down = (device->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT;
    const int share = (blocks * cuda_multiprocessors() + across - 1) / across;
    LbpCount *histogram = lbp_device_histogram(device, device->answer_set);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_BINS * sizeof *histogram, cuda_stream()));
    const dim3 grid((unsigned int)across, (unsigned int)(share < down ? share : down));
    lbp_texture<<<grid, dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0, cuda_stream()>>>(
        opened->texture, device->width, device->height, device->codes, device->codes_stride,
        histogram);
    return CUDA_LAUNCHED();
}

void lbp_cuda_texture_close(void *state) {
    if (state == NULL) {
        return;
    }
    LbpTexture *opened = (LbpTexture *)state;
    cuda_texture_destroy(opened->texture);
    lbp_device_close(&opened->device);
    free(opened);
}
