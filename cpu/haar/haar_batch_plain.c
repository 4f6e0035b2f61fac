/* haar batches in plain C, for any processor: vectors are short arrays, for the compiler. */
#include "cpu_features.h"
#include "haar_internal.h"

#define HAAR_TARGET

enum { LANES = 8 };

typedef struct Vector {
    int32_t lane[LANES];
} Vector;

typedef unsigned Mask;

static inline Vector load_aligned(const int32_t *from) {
    Vector vector;
    for (int i = 0; i < LANES; i++) {
        vector.lane[i] = from[i];
    }
    return vector;
}

static inline void store_aligned(int32_t *to, Vector vector) {
    for (int i = 0; i < LANES; i++) {
        to[i] = vector.lane[i];
    }
}

static inline Vector spread_32(int32_t number) {
    Vector vector;
    for (int i = 0; i < LANES; i++) {
        vector.lane[i] = number;
    }
    return vector;
}

static inline Vector widen_pixels(const uint8_t *pixels) {
    Vector vector;
    for (int i = 0; i < LANES; i++) {
        vector.lane[i] = pixels[i];
    }
    return vector;
}

static inline Vector add_32(Vector a, Vector b) {
    for (int i = 0; i < LANES; i++) {
        a.lane[i] += b.lane[i];
    }
    return a;
}

static inline Vector subtract_32(Vector a, Vector b) {
    for (int i = 0; i < LANES; i++) {
        a.lane[i] -= b.lane[i];
    }
    return a;
}

static inline Mask at_least(Vector a, Vector b) {
    Mask mask = 0;
    for (int i = 0; i < LANES; i++) {
        mask |= (Mask)((uint32_t)a.lane[i] >= (uint32_t)b.lane[i]) << i;
    }
    return mask;
}

static inline uint64_t *append(const HaarBatch *batch, Mask mask, Vector raised, uint64_t bits,
                               uint64_t *at) {
    for (; mask != 0; mask &= mask - 1) {
        const int i = __builtin_ctz(mask);
        *at++ = bits + (uint64_t)(int64_t)raised.lane[i] +
                ((uint64_t)(uint32_t)(batch->first + i) << batch->packing.image_shift);
    }
    return at;
}

#include "haar_batch_vector.h"

const HaarKernel haar_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .lanes = LANES,
    .collect = collect,
    .count = count,
};
