/* What the CPU variants of bad share, and the interface of their kernels. */
#ifndef CPU_BAD_INTERNAL_H
#define CPU_BAD_INTERNAL_H

#include <stdbool.h>

#include "bad.h"
#include "integral_bands.h"

/* === Boxes ==================================================================================== */

/* One test after the other on an integral image in host memory, as bad.h defines it. */

/* (width + 1) × (height + 1) entries modulo 2^32: entry (x, y), at y · stride + x, is the sum of
 * the pixels left of column x and above row y. */
typedef struct BadIntegral {
    uint32_t *entries;
    size_t stride;
    int32_t width, height; /* of the image */
} BadIntegral;

/* What all tests of a keypoint share. */
typedef struct BadPlace {
    PatchMap map;
    int near_border; /* averages are compared */
} BadPlace;

static inline int32_t bad_box_sum(const BadIntegral *integral, const BadBox *box) {
    const uint32_t *top = integral->entries + (size_t)box->top * integral->stride;
    const uint32_t *bottom = integral->entries + (size_t)box->bottom * integral->stride;
    return (int32_t)(bottom[box->right] - bottom[box->left] - top[box->right] + top[box->left]);
}

static inline int bad_test(const BadIntegral *integral, const BadPlace *place,
                           const BadTest *test) {
    const int32_t radius = bad_radius(&place->map, test->radius);
    const BadBox box1 =
        bad_box(&place->map, test->x1, test->y1, radius, integral->width, integral->height);
    const BadBox box2 =
        bad_box(&place->map, test->x2, test->y2, radius, integral->width, integral->height);
    return bad_bit(place->near_border, bad_box_sum(integral, &box1), &box1,
                   bad_box_sum(integral, &box2), &box2, radius, test->threshold);
}

/* All tests of a keypoint. */
static inline void bad_describe(const BadIntegral *integral, const BadPlace *place,
                                const BadTest *tests, int32_t bits, uint8_t *descriptor) {
    for (int32_t b = 0; b < bits; b += 8) {
        unsigned byte = 0;
        for (int32_t i = b; i < b + 8; i++) {
            byte = byte << 1 | (unsigned)bad_test(integral, place, &tests[i]);
        }
        descriptor[b / 8] = (uint8_t)byte;
    }
}

/* === Kernels ================================================================================== */

/*
 * The work on a keypoint that simd and omp are made of, on one thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

enum { BAD_BITS_MAX = 512 };

/* Columns of the weights. Those of a byte's tests stand in reverse: the first test is the most
 * significant bit of its byte, the first lane the least significant bit of a vector's mask. */
typedef struct BadColumns {
    float x1[BAD_BITS_MAX], y1[BAD_BITS_MAX], x2[BAD_BITS_MAX], y2[BAD_BITS_MAX];
    float radius[BAD_BITS_MAX], threshold[BAD_BITS_MAX];
} BadColumns;

typedef struct BadTests {
    const BadColumns *columns;
    const BadTest *rows;
    int32_t bits;
} BadTests;

typedef struct BadKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* All bits of a keypoint. `inside`: none of its boxes leaves the image. */
    void (*describe)(const BadIntegral *integral, const BadTests *tests, const BadPlace *place,
                     bool inside, uint8_t *descriptor);
} BadKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const BadKernel bad_kernel_avx512;
extern const BadKernel bad_kernel_avx2;
extern const BadKernel bad_kernel_plain;
extern const BadKernel *const bad_kernels[]; /* NULL-terminated */

/* The first that this processor can run, and that reaches an integral image of so many entries. */
const BadKernel *bad_kernel_best(size_t entries);

/* === simd and omp ============================================================================= */

/*
 * What simd and omp have in common. The integral image is made as those of integral are
 * (integral_bands.h). Keypoints are then taken some at a time, cell by cell of the image: in the
 * order of their strength each would find its part of the integral image in memory that all threads
 * share, where its neighbour's part is in the thread's own cache.
 */

typedef struct BadWork {
    const BadKernel *kernel;
    const Image *image;
    const Keypoint *keypoints;
    int32_t count; /* keypoints to describe */
    float scale;
    const Weights *weights;
    const Output *output;
    int threads;

    BadIntegral integral; /* its entries are in `memory` */
    uint32_t *memory;
    BadColumns *columns; /* of the weights */
    int32_t *order;      /* keypoints, those that are near each other together */
    IntegralTeam team;   /* makes the integral image */
} BadWork;

/* Opens a variant that works with `threads` threads; the state is a BadWork. */
Status bad_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is both of them; declared as the table does. */
VARIANT_EXTERN Status bad_work_integral(void *state);
VARIANT_EXTERN Status bad_work_tests(void *state);
VARIANT_EXTERN Status bad_work_run(void *state);
VARIANT_EXTERN void bad_work_close(void *state);

#endif
