/*
 * cuda_texture: as cuda_pipeline, pixels through a texture object.
 *
 * A fetch takes the place of a load and its address: the texture unit turns a column and a row into
 * an address itself. Pixels are read as they are, unfiltered, so the answer is exact. It is the
 * rung that shows what the texture path gives this algorithm: no gain is to be expected where loads
 * go through the same L1 cache as fetches. A fetch is issued at a quarter of the rate of a load,
 * and that is what bounds it.
 */
#include "cuda_texture.h"
#include "lacunarity_device.cuh"
#include "lacunarity_pipeline.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_texture);

namespace {

struct LacunarityTexture : LacunarityDevice {
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

Status open_texture(LacunarityTexture *opened) {
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(lacunarity_device_open(alignment, opened));
    const CudaTextureImage image = {opened->image, opened->width, opened->height, opened->stride};
    return cuda_texture_open(opened, &image, CUDA_TEXTURE_BYTE, CUDA_TEXTURE_ANY_SIDE,
                             &opened->texture);
}

} // namespace

Status lacunarity_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<LacunarityTexture>(request, state, open_texture);
}

Status lacunarity_cuda_texture_run(void *state) {
    const LacunarityTexture *device = (const LacunarityTexture *)state;
    return lacunarity_each(device, [&](size_t t, size_t b) {
        const TexturePixels pixels = {device->texture, device->plan.thresholds[t]};
        return launch_pipeline(device, pixels, device->plan.boxes[b],
                               lacunarity_device_sums(device, t, b));
    });
}
