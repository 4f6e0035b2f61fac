/*
 * The patch of a keypoint on the device: pixels are those of hashsift_plain.c, every operation
 * rounded by itself.
 *
 * Texels are where the picture's pixels come from: width and height, and quad(x, y), the four
 * pixels from (x, y) on.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_PATCH_CUH
#define KERNELS_HASHSIFT_HASHSIFT_PATCH_CUH

#include <cstddef>
#include <cstdint>

#include "patch_map.h"

enum { HASHSIFT_PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE };

#define HASHSIFT_PI 3.14159265358979F

struct HashsiftQuad {
    float upper[2], lower[2];
};

/* Pixels in global memory. */
struct HashsiftMemoryTexels {
    const uint8_t *pixels;
    size_t stride; /* bytes */
    int width, height;

    __device__ __forceinline__ HashsiftQuad quad(int x, int y) const {
        const uint8_t *upper = pixels + (size_t)y * stride + x;
        const uint8_t *lower = upper + stride;
        return {{(float)upper[0], (float)upper[1]}, {(float)lower[0], (float)lower[1]}};
    }
};

/* Sine and cosine by the definition, rounded from double precision: the last bit of a coordinate
 * decides whether a pixel on the border is inside. */
static __device__ __forceinline__ PatchMap hashsift_map(Keypoint keypoint, float scale) {
    double sine = 0;
    double cosine = 1;
    if (keypoint.angle >= 0) {
        sincos((double)(PATCH_MUL(HASHSIFT_PI, keypoint.angle) / 180), &sine, &cosine);
    }
    return patch_map(keypoint, scale, (float)cosine, (float)sine);
}

static __device__ __forceinline__ float hashsift_mix(float first, float second, float share) {
    return PATCH_ADD(PATCH_MUL(1 - share, first), PATCH_MUL(share, second));
}

template <typename Texels>
static __device__ __forceinline__ uint8_t hashsift_sample(const Texels &texels, float u, float v) {
    const bool inside =
        u >= 0 && u < (float)(texels.width - 1) && v >= 0 && v < (float)(texels.height - 1);
    if (!inside) {
        return 0;
    }
    const int x = (int)u;
    const int y = (int)v;
    const HashsiftQuad quad = texels.quad(x, y);
    const float du = u - (float)x;
    const float top = hashsift_mix(quad.upper[0], quad.upper[1], du);
    const float bottom = hashsift_mix(quad.lower[0], quad.lower[1], du);
    return (uint8_t)PATCH_ADD(hashsift_mix(top, bottom, v - (float)y), 0.5F);
}

/* Pixel (i, j) of the patch. */
template <typename Texels>
static __device__ __forceinline__ uint8_t hashsift_patch_pixel(const Texels &texels,
                                                               const PatchMap &map, int i, int j) {
    return hashsift_sample(texels, patch_map_x(&map, (float)i, (float)j),
                           patch_map_y(&map, (float)i, (float)j));
}

#endif
