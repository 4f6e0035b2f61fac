#include "cuda_texture.h"

#include <stdbool.h>

#include "cuda_device.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

Status cuda_texture_row_alignment(size_t *alignment) {
    int bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrTexturePitchAlignment, &bytes));
    *alignment = (size_t)bytes;
    return status_ok();
}

static Status check_limits(const CudaTextureImage *image, int side_max) {
    int width = 0;
    int height = 0;
    int pitch = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DLinearWidth, &width));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DLinearHeight, &height));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxTexture2DLinearPitch, &pitch));
    width = smaller(width, side_max);
    height = smaller(height, side_max);
    if (image->width > width || image->height > height || image->stride > (size_t)pitch) {
        return status_skip("the image is larger than a texture can be (%d×%d)", width, height);
    }
    return status_ok();
}

static void destroy(void *texture) {
    (void)cudaDestroyTextureObject((cudaTextureObject_t)(uintptr_t)texture);
}

Status cuda_texture_own(CudaState *state, cudaTextureObject_t texture) {
    return cuda_state_own(state, (void *)(uintptr_t)texture, destroy);
}

Status cuda_texture_open(CudaState *state, const CudaTextureImage *image, CudaTextureFetch fetch,
                         int side_max, cudaTextureObject_t *texture) {
    STATUS_TRY(check_limits(image, side_max));
    const struct cudaResourceDesc resource = {
        .resType = cudaResourceTypePitch2D,
        .res.pitch2D = {.devPtr = image->pixels,
                        .desc = {.x = fetch == CUDA_TEXTURE_WORD ? 32 : 8,
                                 .f = cudaChannelFormatKindUnsigned},
                        .width = (size_t)image->width,
                        .height = (size_t)image->height,
                        .pitchInBytes = image->stride},
    };
    const bool as_stored = fetch == CUDA_TEXTURE_BYTE || fetch == CUDA_TEXTURE_WORD;
    const struct cudaTextureDesc description = {
        .addressMode = {cudaAddressModeBorder, cudaAddressModeBorder},
        .filterMode = fetch == CUDA_TEXTURE_BILINEAR ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = as_stored ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
    };
    CUDA_TRY(cudaCreateTextureObject(texture, &resource, &description, NULL));
    return cuda_texture_own(state, *texture);
}
