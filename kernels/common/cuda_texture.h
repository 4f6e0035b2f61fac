/*
 * Texture objects on images in device memory. Textures are limited in width, height and pitch
 * (131,072 × 65,000 on current devices), far below where a float can no longer distinguish pixels:
 * variants skip larger images with that reason.
 */
#ifndef KERNELS_COMMON_CUDA_TEXTURE_H
#define KERNELS_COMMON_CUDA_TEXTURE_H

#include <cuda_runtime_api.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_state.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a fetch gives. Outside the image all give 0; coordinates are in pixels, centres at .5. */
typedef enum CudaTextureFetch {
    CUDA_TEXTURE_BYTE,     /* tex2D<unsigned char>: the pixel */
    CUDA_TEXTURE_POINT,    /* tex2D<float>: the pixel, 255 as 1 */
    CUDA_TEXTURE_BILINEAR, /* tex2D<float>: between the four pixels round it, weights of 8 bits */
    CUDA_TEXTURE_WORD      /* tex2D<unsigned int>: the pixel, of 32 bits; all others have 8 */
} CudaTextureFetch;

typedef struct CudaTextureImage {
    void *pixels;      /* in device memory, rows aligned as cuda_texture_row_alignment says */
    int width, height; /* pixels */
    size_t stride;     /* bytes */
} CudaTextureImage;

/* What rows must start at multiples of, in bytes. */
Status cuda_texture_row_alignment(size_t *alignment);

enum { CUDA_TEXTURE_ANY_SIDE = INT_MAX }; /* that the device allows */

/* STATUS_SKIP where the image is wider, higher or has a larger stride than a texture can, or is
 * wider or higher than `side_max` pixels. The state owns it. */
Status cuda_texture_open(CudaState *state, const CudaTextureImage *image, CudaTextureFetch fetch,
                         int side_max, cudaTextureObject_t *texture);

/* Has a texture object destroyed when the state is closed. */
Status cuda_texture_own(CudaState *state, cudaTextureObject_t texture);

#ifdef __cplusplus
}
#endif

#endif
