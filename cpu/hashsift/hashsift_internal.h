/* What the CPU variants of hashsift share: its steps as defined, and the interface of their
 * kernels. */
#ifndef CPU_HASHSIFT_INTERNAL_H
#define CPU_HASHSIFT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "blas.h"
#include "hashsift.h"
#include "patch_map.h"
#include "workload.h"

/* === As defined =============================================================================== */

/* The steps of hashsift for one keypoint, as plainly as hashsift.h defines them. */

/* Where the pixels of a keypoint's patch lie. */
PatchMap hashsift_map(Keypoint keypoint, float scale);

/* patch[PATCH_SIDE·j + i]. */
void hashsift_patch(const Image *image, Keypoint keypoint, float scale, uint8_t *patch);

/* The unnormalised votes of a patch, HASHSIFT_VALUES of them. */
void hashsift_votes(const uint8_t *patch, float *votes);

/* Votes become values, whole numbers 0…255. */
void hashsift_normalise(float *votes);

/* bits / 8 bytes from `bits` responses. */
void hashsift_signs(const float *responses, int32_t bits, uint8_t *descriptor);

/* === Reach ==================================================================================== */

/* Which part of an image a patch can touch, and what has to be watched for there.
 */

enum {
    HASHSIFT_CLOSE_SIDE = 64, /* columns and rows of pixels, with those right of and below them */
    HASHSIFT_CLOSE_STEP = 16  /* columns are a multiple of it */
};

typedef enum HashsiftSurroundings {
    HASHSIFT_CLOSE,   /* as inside, and at most HASHSIFT_CLOSE_SIDE columns and rows */
    HASHSIFT_INSIDE,  /* every pixel lies in the image, and four bytes can be read from it on */
    HASHSIFT_PARTIAL, /* pixels may lie outside */
    HASHSIFT_FAR      /* offsets do not fit 32 bits, or the image has no room for a pixel */
} HashsiftSurroundings;

typedef struct HashsiftReach {
    HashsiftSurroundings surroundings;
    const uint8_t *base; /* the first pixel of row y */
    int32_t y, stride;
    int32_t x, columns, rows; /* where close: those that can be read, from (x, y) on */
    int32_t last;             /* offset of the last place that four bytes can be read from */
    float right, bottom;      /* u and v of pixels are below these and at least 0 */
} HashsiftReach;

HashsiftReach hashsift_reach(const Image *image, const PatchMap *map);

/* === Shares =================================================================================== */

/*
 * How much of a gradient goes to which cells, by its row and by its column. The
 * Gaussian weight of a pixel is a product of one of its row and one of its column, and so are the
 * shares of cells: what depends on the place is the same for all keypoints.
 */

/* Columns that a cell has votes of, from 8·cell − 4 on; those outside the patch have share 0. */
enum { HASHSIFT_CELL_COLUMNS = 2 * HASHSIFT_CELL_SIDE };

typedef struct HashsiftShares {
    /* Of the two cells that a row votes for, the one above and the one below, in which it may not
     * be. */
    float above[PATCH_SIDE], below[PATCH_SIDE];
    float columns[HASHSIFT_CELLS][HASHSIFT_CELL_COLUMNS];
} HashsiftShares;

void hashsift_shares(HashsiftShares *shares);

/* === Kernels ================================================================================== */

/*
 * The work on one keypoint that simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

typedef struct HashsiftKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* patch[PATCH_SIDE·j + i]: whole numbers 0…255, those of hashsift_patch. */
    void (*patch)(const Image *image, Keypoint keypoint, float scale, float *patch);
    /* HASHSIFT_VALUES whole numbers 0…255 of such a patch. */
    void (*values)(const HashsiftShares *shares, const float *patch, float *values);
    /* Bit b of the descriptor is responses[b] > thresholds[b]; `bits` is a multiple of 64. */
    void (*signs)(const float *responses, const float *thresholds, int32_t bits,
                  uint8_t *descriptor);
} HashsiftKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const HashsiftKernel hashsift_kernel_avx512;
extern const HashsiftKernel hashsift_kernel_avx2;
extern const HashsiftKernel hashsift_kernel_plain;
extern const HashsiftKernel *const hashsift_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const HashsiftKernel *hashsift_kernel_best(void);

/* === simd and omp ============================================================================= */

/* What simd and omp have in common. Stage by stage, threads take keypoints by the
 * block. */

typedef struct HashsiftWork {
    const HashsiftKernel *kernel;
    const Workload *workload;
    const Output *output;
    const Weights *weights; /* NULL: the values are the descriptor */
    const Blas *blas;       /* where there are weights */
    int32_t keypoints, bits;
    float scale;
    int threads;
    HashsiftShares shares;
    float *values;    /* keypoints × HASHSIFT_VALUES */
    float *responses; /* keypoints × bits, without the bias */
} HashsiftWork;

/* Opens a variant that works with `threads` threads; the state is a HashsiftWork. */
Status hashsift_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is all of them; declared as the table does. */
VARIANT_EXTERN Status hashsift_work_sift(void *state);
VARIANT_EXTERN Status hashsift_work_product(void *state);
VARIANT_EXTERN Status hashsift_work_sign(void *state);
VARIANT_EXTERN Status hashsift_work_run(void *state);
VARIANT_EXTERN void hashsift_work_close(void *state);

#endif
