/*
 * cuda_texture: as cuda_tiled, the patch sampled through a texture object.
 *
 * A fetch takes the place of a load and its address. Texels are fetched as they are, four for each
 * sample, and mixed as the definition says: the texture unit's own mixture has weights of 8 bits,
 * which is not enough for the pixels of the oracle. (Gathering four texels at once needs an array
 * made for it and not rows in memory.) What it may win: a turned patch crosses rows of the image,
 * which the texture path's cache serves as well as others; what it cannot win: most of the time of
 * cuda_tiled is in the votes. A fetch is issued at a quarter of the rate of a load.
 */
#include "cuda_texture.h"
#include "hashsift_block.cuh"
#include "hashsift_product.cuh"

VARIANT_FUNCTIONS(hashsift_cuda_texture);

namespace {

struct TextureState : HashsiftDevice {
    cudaTextureObject_t texture;
};

struct TextureTexels {
    cudaTextureObject_t texture;
    int width, height;

    __device__ __forceinline__ float at(float x, float y) const {
        return (float)tex2D<unsigned char>(texture, x, y);
    }

    __device__ __forceinline__ HashsiftQuad quad(int x, int y) const {
        const float left = (float)x + 0.5F;
        const float upper = (float)y + 0.5F;
        return {{at(left, upper), at(left + 1, upper)},
                {at(left, upper + 1), at(left + 1, upper + 1)}};
    }
};

Status sift(HashsiftDevice *device) {
    const TextureState *opened = (const TextureState *)device;
    const TextureTexels texels = {opened->texture, device->width, device->height};
    return hashsift_queue_block_sift<HASHSIFT_STUDY_WARPS>(device, texels);
}

Status open(TextureState *opened) {
    static const HashsiftMethods methods = {sift, hashsift_product_queue};
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(hashsift_device_open(&methods, alignment,
                                    HASHSIFT_WITH_VALUES | HASHSIFT_WITH_PRODUCT, opened));
    const CudaTextureImage image = {opened->image, opened->width, opened->height,
                                    opened->image_stride};
    STATUS_TRY(cuda_texture_open(opened, &image, CUDA_TEXTURE_BYTE, CUDA_TEXTURE_ANY_SIDE,
                                 &opened->texture));
    return hashsift_product_open(opened);
}

} // namespace

Status hashsift_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<TextureState>(request, state, open);
}
