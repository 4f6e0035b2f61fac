/*
 * Patch pixels for hashsift_fast: four pixels of the picture by one gathering fetch, and the
 * oracle's mixture of them, operation by operation, so that every byte is the oracle's.
 *
 * Conversions go through the exponent instead of the conversion unit, which does a quarter as many:
 * 2^23 + v has v in its low bits, and the sum's rounding mode is the conversion's.
 */
#ifndef KERNELS_HASHSIFT_FAST_SAMPLE_CUH
#define KERNELS_HASHSIFT_FAST_SAMPLE_CUH

#include <cstdint>

#include "hashsift_patch.cuh"

#define HASHSIFT_MAGIC 8388608.0F /* 2^23 */
#define HASHSIFT_MAGIC_BITS 0x4B000000U

/* The picture as a texture that can be gathered from. */
typedef struct HashsiftTexture {
    cudaTextureObject_t texture;
    float width_less_1, height_less_1;
} HashsiftTexture;

typedef struct HashsiftTexels {
    uint32_t upper_left, upper_right, lower_left, lower_right;
} HashsiftTexels;

/* The pixels (x, y) to (x + 1, y + 1). */
static __device__ __forceinline__ HashsiftTexels hashsift_gather(cudaTextureObject_t texture,
                                                                 float x, float y) {
    HashsiftTexels texels;
    asm("tld4.r.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=r"(texels.lower_left), "=r"(texels.lower_right), "=r"(texels.upper_right),
          "=r"(texels.upper_left)
        : "l"(texture), "f"(x + 1.0F), "f"(y + 1.0F));
    return texels;
}

/* 0…255 as a float. */
static __device__ __forceinline__ float hashsift_byte_to_float(uint32_t byte) {
    return __uint_as_float(byte | HASHSIFT_MAGIC_BITS) - HASHSIFT_MAGIC;
}

/* The pixel at (u, v), which is inside. */
static __device__ __forceinline__ float hashsift_sample_inside(cudaTextureObject_t texture, float u,
                                                               float v) {
    const float x = __fadd_rd(u, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
    const float y = __fadd_rd(v, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
    const HashsiftTexels texels = hashsift_gather(texture, x, y);
    const float du = u - x;
    const float dv = v - y;
    const float top = hashsift_mix(hashsift_byte_to_float(texels.upper_left),
                                   hashsift_byte_to_float(texels.upper_right), du);
    const float bottom = hashsift_mix(hashsift_byte_to_float(texels.lower_left),
                                      hashsift_byte_to_float(texels.lower_right), du);
    const float mixed = __fadd_rn(hashsift_mix(top, bottom, dv), 0.5F);
    return __fadd_rz(mixed, HASHSIFT_MAGIC) - HASHSIFT_MAGIC;
}

/* The pixel at (u, v), wherever that is: 0 outside. */
template <bool INSIDE>
static __device__ __forceinline__ float hashsift_sample_at(const HashsiftTexture &picture, float u,
                                                           float v) {
    if (INSIDE) {
        return hashsift_sample_inside(picture.texture, u, v);
    }
    const bool inside =
        u >= 0.0F && u < picture.width_less_1 && v >= 0.0F && v < picture.height_less_1;
    return inside ? hashsift_sample_inside(picture.texture, u, v) : 0.0F;
}

/* Whether all of a patch is inside by a margin that covers rounding. */
static __device__ __forceinline__ bool hashsift_all_inside(const HashsiftTexture &picture,
                                                           const PatchMap &map) {
    const float last = PATCH_SIDE - 1;
    const float low_x = map.x0 + fminf(map.c * last, 0.0F) - fmaxf(map.n * last, 0.0F);
    const float high_x = map.x0 + fmaxf(map.c * last, 0.0F) - fminf(map.n * last, 0.0F);
    const float low_y = map.y0 + fminf(map.n * last, 0.0F) + fminf(map.c * last, 0.0F);
    const float high_y = map.y0 + fmaxf(map.n * last, 0.0F) + fmaxf(map.c * last, 0.0F);
    return low_x >= 1.0F && high_x < picture.width_less_1 - 1.0F && low_y >= 1.0F &&
           high_y < picture.height_less_1 - 1.0F;
}

#endif
