/* hashsift for any processor: vectors of 4 pixels that the compiler makes what it can of. */
#include "cpu_features.h"
#include "hashsift_internal.h"

#include <math.h>

#define HASHSIFT_TARGET

enum { LANES = 4 };

typedef float Vector __attribute__((vector_size(16)));
typedef int32_t Index __attribute__((vector_size(16)));
typedef Index Mask; /* all bits of a lane, or none */

static inline Vector zero_floats(void) {
    return (Vector){0, 0, 0, 0};
}

static inline Vector spread_float(float value) {
    return (Vector){value, value, value, value};
}

static inline Vector load_floats(const float *from) {
    return (Vector){from[0], from[1], from[2], from[3]};
}

static inline void store_floats(float *to, Vector vector) {
    for (int lane = 0; lane < LANES; lane++) {
        to[lane] = vector[lane];
    }
}

/* Rounded towards 0. */
static inline Index whole(Vector vector) {
    return __builtin_convertvector(vector, Index);
}

static inline Vector numbers(Index index) {
    return __builtin_convertvector(index, Vector);
}

static inline int32_t four_bytes_at(const uint8_t *bytes) {
    return (int32_t)(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24);
}

static inline Index four_bytes(const uint8_t *base, Index offsets) {
    return (Index){four_bytes_at(base + offsets[0]), four_bytes_at(base + offsets[1]),
                   four_bytes_at(base + offsets[2]), four_bytes_at(base + offsets[3])};
}

static inline Index chosen(Mask mask, Index there, Index elsewhere) {
    return (mask & there) | (~mask & elsewhere);
}

static inline Index earlier(Index offsets, int32_t last) {
    return chosen(offsets < last, offsets, last - (Index){0, 0, 0, 0});
}

static inline Index later(Index index, int32_t first) {
    return chosen(index > first, index, first - (Index){0, 0, 0, 0});
}

static inline Index shifted(Index bytes, Index counts) {
    return bytes >> (counts & 31);
}

static inline Mask less(Vector a, Vector b) {
    return a < b;
}

static inline Mask not_less(Vector a, Vector b) {
    return a >= b;
}

static inline Vector smaller_float(Vector a, Vector b) {
    return (Vector)chosen(a < b, (Index)a, (Index)b);
}

static inline Vector larger_float(Vector a, Vector b) {
    return (Vector)chosen(a > b, (Index)a, (Index)b);
}

/* a·b + c. */
static inline Vector sum_of_product(Vector a, Vector b, Vector c) {
    return a * b + c;
}

static inline Vector quotient(Vector a, Vector b) {
    return a / b;
}

static inline Vector root(Vector vector) {
    return (Vector){sqrtf(vector[0]), sqrtf(vector[1]), sqrtf(vector[2]), sqrtf(vector[3])};
}

static inline Mask both(Mask a, Mask b) {
    return a & b;
}

/* a and not b. */
static inline Mask only(Mask a, Mask b) {
    return a & ~b;
}

static inline Mask neither(Mask a, Mask b) {
    return ~(a | b);
}

static inline uint64_t bits_of(Mask mask) {
    return (uint64_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

/* 0 elsewhere. */
static inline Vector where(Mask mask, Vector vector) {
    return (Vector)(mask & (Index)vector);
}

/* sum + a·b there. */
static inline Vector add_product_where(Mask mask, Vector sum, Vector a, Vector b) {
    return sum_of_product(where(mask, a), b, sum);
}

static inline float sum_of(Vector vector) {
    return (vector[0] + vector[2]) + (vector[1] + vector[3]);
}

/* Lane k is the sum of the lanes of vector k. */
static inline Vector sums_of(const Vector *vectors) {
    return (Vector){sum_of(vectors[0]), sum_of(vectors[1]), sum_of(vectors[2]), sum_of(vectors[3])};
}

#include "hashsift_patch_vector.h"
#include "hashsift_votes_vector.h"

const HashsiftKernel hashsift_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .patch = patch,
    .values = values,
    .signs = signs,
};

CPU_KERNELS(HashsiftKernel, hashsift_kernels, hashsift_kernel_best, &hashsift_kernel_avx512,
            &hashsift_kernel_avx2, &hashsift_kernel_plain)
