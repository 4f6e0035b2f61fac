/* What the CPU variants of orb share, and the interface of their kernels. */
#ifndef CPU_ORB_INTERNAL_H
#define CPU_ORB_INTERNAL_H

#include <stdbool.h>

#include "cpu_memory.h"
#include "orb.h"

/* === Tests ==================================================================================== */

/* The smoothed image: pixel (x, y) is pixels[y · stride + x]. */
typedef struct OrbBlurred {
    uint8_t *pixels;
    size_t stride; /* bytes */
    int32_t width, height;
} OrbBlurred;

static inline uint8_t orb_pixel(const OrbBlurred *blurred, const OrbPlace *place, float px,
                                float py) {
    const int32_t x = orb_inside(place->x + orb_turned_x(place, px, py), blurred->width);
    const int32_t y = orb_inside(place->y + orb_turned_y(place, px, py), blurred->height);
    return blurred->pixels[(size_t)y * blurred->stride + (size_t)x];
}

/* All tests of a keypoint. */
static inline void orb_describe(const OrbBlurred *blurred, const OrbPlace *place,
                                const OrbTest *tests, int32_t bits, uint8_t *descriptor) {
    for (int32_t b = 0; b < bits; b += 8) {
        unsigned byte = 0;
        for (int32_t i = 0; i < 8; i++) {
            const OrbTest *test = &tests[b + i];
            const unsigned first = orb_pixel(blurred, place, test->x1, test->y1);
            const unsigned second = orb_pixel(blurred, place, test->x2, test->y2);
            byte |= (unsigned)(first < second) << i;
        }
        descriptor[b / 8] = (uint8_t)byte;
    }
}

/* === Kernels ================================================================================== */

/*
 * The work on rows of pixels and on keypoints that simd and omp are made of, on one thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

enum { ORB_BITS_MAX = 512, ORB_ROWS = 2 * ORB_REACH + 1 };

/* Bytes that may be read behind the last pixel of a smoothed image. */
enum { ORB_BLURRED_SPARE = 3 };

/* Columns of the weights. */
typedef struct OrbColumns {
    float x1[ORB_BITS_MAX], y1[ORB_BITS_MAX], x2[ORB_BITS_MAX], y2[ORB_BITS_MAX];
} OrbColumns;

typedef struct OrbTests {
    const OrbColumns *columns;
    const OrbTest *rows;
    int32_t bits;
} OrbTests;

typedef struct OrbKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* Smooths `width` pixels along their row. `pixels` begins ORB_REACH pixels before the first,
     * and has as many behind the last. */
    void (*smooth_row)(const uint8_t *pixels, int32_t width, uint16_t *row);
    /* Smooths `width` columns of ORB_ROWS such rows. */
    void (*smooth_columns)(const uint16_t *const *rows, int32_t width, uint8_t *pixels);
    /* All bits of a keypoint. `inside`: none of its pixels leaves the image. */
    void (*describe)(const OrbBlurred *blurred, const OrbTests *tests, const OrbPlace *place,
                     bool inside, uint8_t *descriptor);
} OrbKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const OrbKernel orb_kernel_avx512;
extern const OrbKernel orb_kernel_avx2;
extern const OrbKernel orb_kernel_plain;
extern const OrbKernel *const orb_kernels[]; /* NULL-terminated */

/* The first that this processor can run, and that reaches a smoothed image of so many bytes. */
const OrbKernel *orb_kernel_best(size_t bytes);

/* The rows of the AVX2 kernel, which that of AVX-512 has as well: the image, not the processor,
 * bounds them. */
void orb_avx2_smooth_row(const uint8_t *pixels, int32_t width, uint16_t *row);
void orb_avx2_smooth_columns(const uint16_t *const *rows, int32_t width, uint8_t *pixels);

/* From pixel `first` on, as any processor does it. */
void orb_plain_smooth_row(const uint8_t *pixels, int32_t first, int32_t width, uint16_t *row);
void orb_plain_smooth_columns(const uint16_t *const *rows, int32_t first, int32_t width,
                              uint8_t *pixels);

/* === simd and omp ============================================================================= */

/* What simd and omp have in common. Each thread smooths a band of the image, a row of pixels at a
 * time; the last ORB_ROWS that are smoothed along the row are all that it keeps. Keypoints are then
 * taken some at a time. */

typedef struct OrbWork {
    const OrbKernel *kernel;
    const Image *image;
    const Keypoint *keypoints;
    int32_t count; /* keypoints to describe */
    float scale;
    const Weights *weights;
    const Output *output;
    int threads;

    OrbBlurred blurred;  /* owns its pixels */
    OrbColumns *columns; /* of the weights */
    ThreadMemory bands;  /* of each: a row of pixels with its mirrored ends, and ORB_ROWS rows */
} OrbWork;

/* Opens a variant that works with `threads` threads; the state is an OrbWork. */
Status orb_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is both of them; declared as the table does. */
VARIANT_EXTERN Status orb_work_blur(void *state);
VARIANT_EXTERN Status orb_work_tests(void *state);
VARIANT_EXTERN Status orb_work_run(void *state);
VARIANT_EXTERN void orb_work_close(void *state);

#endif
