/*
 * The loops for vectors of ROOF_VECTOR bytes, compiled with the attribute ROOF_TARGET. Included
 * once by each roof_kernels_<instruction set>.c.
 */
#include "roof_internal.h"

typedef uint8_t Bytes __attribute__((vector_size(ROOF_VECTOR)));
typedef float Floats __attribute__((vector_size(ROOF_VECTOR)));
typedef uint32_t Words __attribute__((vector_size(ROOF_VECTOR)));

enum {
    LANES = ROOF_VECTOR / 4,
    /* Results in flight: enough for two multiply-adds a cycle of four cycles each and more; with
     * the two factors they fit the 16 registers of the smallest instruction set. */
    CHAINS = 12
};

ROOF_TARGET static void copy_lines(uint8_t *to, const uint8_t *from, size_t bytes) {
    enum { STEP = 4 * ROOF_LINE, PARTS = STEP / ROOF_VECTOR };
    size_t done = 0;
    for (; done + STEP <= bytes; done += STEP) {
        const Bytes *source = (const Bytes *)(const void *)(from + done);
        Bytes *target = (Bytes *)(void *)(to + done);
        for (int part = 0; part < PARTS; part++) {
            target[part] = source[part];
        }
    }
    for (; done < bytes; done += ROOF_VECTOR) {
        *(Bytes *)(void *)(to + done) = *(const Bytes *)(const void *)(from + done);
    }
}

/* x = x·factor + step in every chain; the limit of the sequence is 2, far from numbers that
 * processors are slow with. */
ROOF_TARGET static float multiply_add(size_t rounds) {
    Floats chain[CHAINS], factor = {0}, step = {0};
    factor = factor + 0.5F;
    step = step + 1.0F;
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = step + (float)i;
    }
    for (size_t round = 0; round < rounds; round++) {
        for (int i = 0; i < CHAINS; i++) {
            chain[i] = chain[i] * factor + step;
        }
    }
    Floats sum = {0};
    for (int i = 0; i < CHAINS; i++) {
        sum += chain[i];
    }
    float total = 0.0F;
    for (int lane = 0; lane < LANES; lane++) {
        total += sum[lane];
    }
    return total;
}

/* Every chain adds its neighbour, so that no compiler can replace additions by one multiplication,
 * and none waits for more than one other. */
ROOF_TARGET static uint32_t add(size_t rounds) {
    Words chain[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = (Words){0} + (uint32_t)(i + 1);
    }
    for (size_t round = 0; round < rounds; round++) {
        for (int i = 0; i < CHAINS; i++) {
            chain[i] += chain[(i + 1) % CHAINS];
        }
    }
    Words sum = {0};
    for (int i = 0; i < CHAINS; i++) {
        sum += chain[i];
    }
    uint32_t total = 0;
    for (int lane = 0; lane < LANES; lane++) {
        total += sum[lane];
    }
    return total;
}
