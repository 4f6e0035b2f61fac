/*
 * cuda_texture: corners through a texture object for each level.
 *
 * A fetch takes the place of a load and its address: the texture unit turns a column and a row into
 * an address itself. Pixels are read as they are, unfiltered, so the corners are the same. Rows of
 * a texture start at multiples of some bytes, which those of the pyramid do not: stage "pyramid"
 * also copies all levels to where they do. It is the rung that shows what the texture path gives
 * this algorithm; no gain is to be expected where loads go through the same L1 cache as fetches.
 *
 * Floors: the copies read and write each byte of the pyramid once more. A fetch is issued at a
 * quarter of the rate of a load, and five to seventeen of them a pixel are what bounds it.
 */
#include "cuda_texture.h"
#include "fast9_claim.cuh"
#include "fast9_device.cuh"

VARIANT_FUNCTIONS(fast9_cuda_texture);

namespace {

constexpr int COLUMNS = 32; /* of a block's threads */
constexpr int ROWS = 8;
constexpr int SIDE_MAX = UINT16_MAX;

struct Textures {
    uint8_t *memory; /* holds the copies of all levels */
    CudaTextureImage images[FAST9_LEVELS_MAX];
    cudaTextureObject_t objects[FAST9_LEVELS_MAX];
};

struct TexturePixels {
    cudaTextureObject_t texture;
    float x, y; /* centre of the pixel */

    __device__ __forceinline__ int operator()(int dx, int dy) const {
        return tex2D<unsigned char>(texture, x + (float)dx, y + (float)dy);
    }
};

__global__ void __launch_bounds__(COLUMNS *ROWS)
    fast9_texture(cudaTextureObject_t texture, const Fast9Level level, const Fast9List list) {
    const int x = FAST9_BORDER + (int)(blockIdx.x * COLUMNS + threadIdx.x);
    const int y = FAST9_BORDER + (int)(blockIdx.y * ROWS + threadIdx.y);
    if (!fast9_is_inside(level, x, y)) {
        return;
    }
    const TexturePixels pixel = {texture, (float)x + 0.5f, (float)y + 0.5f};
    if (fast9_is_corner(pixel, level.threshold)) {
        fast9_put(list, fast9_claim(list.cursor), level.number, x, y);
    }
}

/* Lays out the copies one after the other, each from where a texture may begin. Returns the bytes
 * of all. */
size_t lay_out(const Fast9Levels *levels, size_t row_alignment, size_t alignment,
               Textures *textures, size_t (&offsets)[FAST9_LEVELS_MAX]) {
    size_t bytes = 0;
    for (int level = 0; level < levels->count; level++) {
        const size_t stride = round_up((size_t)levels->width[level], row_alignment);
        offsets[level] = bytes;
        textures->images[level] = {NULL, levels->width[level], levels->height[level], stride};
        bytes += round_up(stride * (size_t)levels->height[level], alignment);
    }
    return bytes;
}

Status open(Fast9Device *device) {
    const Fast9Levels *levels = &device->levels;
    size_t offsets[FAST9_LEVELS_MAX];
    size_t row_alignment = 0;
    int alignment = 0;
    STATUS_TRY(cuda_state_part(device, sizeof(Textures), &device->search_state));
    Textures *textures = (Textures *)device->search_state;
    STATUS_TRY(cuda_texture_row_alignment(&row_alignment));
    STATUS_TRY(cuda_attribute(cudaDevAttrTextureAlignment, &alignment));
    const size_t step = (size_t)alignment;
    const size_t bytes = lay_out(levels, row_alignment, step, textures, offsets);
    const CudaBuffer table[] = {cuda_scratch(&textures->memory, bytes + step)};
    STATUS_TRY(cuda_open_buffers(device, table));
    uint8_t *first = (uint8_t *)round_up((size_t)textures->memory, step);
    for (int level = 0; level < levels->count; level++) {
        textures->images[level].pixels = first + offsets[level];
        STATUS_TRY(cuda_texture_open(device, &textures->images[level], CUDA_TEXTURE_BYTE, SIDE_MAX,
                                     &textures->objects[level]));
    }
    return status_ok();
}

Status pyramid(Fast9Device *device) {
    const Textures *textures = (const Textures *)device->search_state;
    STATUS_TRY(fast9_cuda_pyramid_levels(device));
    for (int level = 0; level < device->levels.count; level++) {
        const CudaTextureImage *image = &textures->images[level];
        const size_t width = (size_t)image->width;
        CUDA_TRY(cudaMemcpy2DAsync(image->pixels, image->stride,
                                   device->pyramid + device->levels.offset[level],
                                   (size_t)device->levels.stride[level], width,
                                   (size_t)image->height, cudaMemcpyDeviceToDevice, cuda_stream()));
    }
    return status_ok();
}

Status corners(Fast9Device *device) {
    const Textures *textures = (const Textures *)device->search_state;
    return fast9_each_level(device, COLUMNS, ROWS, [&](const Fast9Level &level, dim3 grid) {
        fast9_texture<<<grid, dim3(COLUMNS, ROWS), 0, cuda_stream()>>>(
            textures->objects[level.number], level, fast9_list(device));
        return CUDA_LAUNCHED();
    });
}

} // namespace

Status fast9_cuda_texture_open(const Request *request, void **state) {
    static const Fast9Search texture = {open, pyramid, corners, false};
    return fast9_cuda_open_with(request, &texture, state);
}
