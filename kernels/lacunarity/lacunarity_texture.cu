/*
 * cuda_texture: as cuda_pipeline, pixels through a texture object.
 *
 * A fetch takes the place of a load and its address: the texture unit turns a column and a row into
 * an address itself. Pixels are read as they are, unfiltered, so the answer is exact. It is the
 * rung that shows what the texture path gives this algorithm: no gain is to be expected where loads
 * go through the same L1 cache as fetches. A fetch is issued at a quarter of the rate of a load,
 * and that is what bounds it.
 *
 * Textures are limited in width, height and pitch (131,072 × 65,000 on current devices), far below
 * where a float can no longer distinguish pixels: larger images are skipped with that reason.
 */
#include <cstdlib>
#include <limits>

#include "cuda_device.h"
#include "cuda_texture.h"
#include "lacunarity_device.cuh"
#include "lacunarity_pipeline.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_texture);

namespace {

/* The shared part comes first, so that lacunarity_cuda_upload and _download serve this state. */
struct LacunarityTexture {
    LacunarityDevice device;
    cudaTextureObject_t texture;
};

struct TexturePixels {
    cudaTextureObject_t texture;
    int threshold;

    __device__ uint32_t row_sum(int x, int y, int box) const {
        const float row = (float)y + 0.5f;
        float column = (float)x + 0.5f;
        uint32_t sum = 0;
#pragma unroll 8
        for (int i = 0; i < box; i++) {
            sum += tex2D<unsigned char>(texture, column, row) >= threshold ? 1 : 0;
            column += 1.0f; /* exact, and cheaper than converting x + i */
        }
        return sum;
    }
};

Status open_texture(const Request *request, LacunarityTexture *state) {
    LacunarityDevice *device = &state->device;
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(lacunarity_device_open(request, alignment, device));
    const CudaTextureImage image = {device->image, device->width, device->height, device->stride};
    return cuda_texture_create(&image, CUDA_TEXTURE_BYTE, std::numeric_limits<int>::max(),
                               &state->texture);
}

} // namespace

Status lacunarity_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<LacunarityTexture>(
        state, [&](LacunarityTexture *opened) { return open_texture(request, opened); },
        lacunarity_cuda_texture_close);
}

Status lacunarity_cuda_texture_run(void *state) {
    const LacunarityTexture *opened = (const LacunarityTexture *)state;
    const LacunarityDevice *device = &opened->device;
    return lacunarity_each(device, [&](size_t t, size_t b) {
        const TexturePixels pixels = {opened->texture, device->plan.thresholds[t]};
        return launch_pipeline(device, pixels, device->plan.boxes[b],
                               lacunarity_device_sums(device, t, b));
    });
}

void lacunarity_cuda_texture_close(void *state) {
    if (state == NULL) {
        return;
    }
    LacunarityTexture *opened = (LacunarityTexture *)state;
    cuda_texture_destroy(opened->texture);
    lacunarity_device_close(&opened->device);
    free(opened);
}
