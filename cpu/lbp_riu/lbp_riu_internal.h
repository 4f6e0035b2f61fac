/* The interface of the kernels of lbp_riu, and the walk over a band that they share. */
#ifndef CPU_LBP_RIU_INTERNAL_H
#define CPU_LBP_RIU_INTERNAL_H

#include "lbp_riu.h"

/* === Kernels ================================================================================== */

/*
 * Bins and histogram of a band of rows, on one thread; what simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter
 * before the call.
 */

enum { LBP_RIU_SCRATCH_ALIGNMENT = 64 };

typedef struct LbpRiuBand {
    const Image *image;
    const LbpRiuPattern *pattern;
    int32_t first, last; /* rows first ≤ y < last */
    uint8_t *bins;       /* of the whole image, dense: only the band's rows are written; or NULL */
    uint64_t *histogram; /* points + 2 counts, to which the band's are added */
    void *scratch;       /* scratch_bytes(), aligned to LBP_RIU_SCRATCH_ALIGNMENT */
} LbpRiuBand;

typedef struct LbpRiuKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    size_t (*scratch_bytes)(int32_t width, const LbpRiuPattern *pattern);
    void (*process)(const LbpRiuBand *band);
} LbpRiuKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const LbpRiuKernel lbp_riu_kernel_avx512;
extern const LbpRiuKernel lbp_riu_kernel_avx2;
extern const LbpRiuKernel lbp_riu_kernel_plain;
extern const LbpRiuKernel *const lbp_riu_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const LbpRiuKernel *lbp_riu_kernel_best(void);

/* === Blocks =================================================================================== */

/*
 * The walk over a band that all kernels share.
 *
 * A band is cut into columns of blocks. For each block, the rows that one row of pixels reads are
 * kept in a ring in the form that the kernel's instructions want, an element per pixel, with a
 * margin of zeros where the image ends: each row is converted once and read by all points, and no
 * point needs a test whether it is inside the image. Blocks are narrow enough for the ring to stay
 * in the second-level cache, as far as the radius allows, and no narrower: rings that fit the first
 * level took up to a third longer at large radii, where each row costs as much as many of its
 * pixels.
 */

enum {
    LBP_RIU_GRAIN = 64,       /* pixels: rows of a block are worked on in whole multiples */
    LBP_RIU_BLOCK_MAX = 1920, /* pixels in a row of a block, at most */
    LBP_RIU_NO_BIN = 63       /* in place of the bin, behind the last pixel; never counted */
};

/* One row of a block. Pixels are counted from the block's first. */
typedef struct LbpRiuRow {
    const LbpRiuPattern *pattern;
    const void *prepared; /* what the kernel made of the pattern */
    /* rows[dy] is the element of pixel 0 in the row dy below. There are rows from the taps' least
     * dy or 0 to their greatest, and the one below it when a tap has weight there. Elements exist
     * from the taps' least dx to one more than their greatest, for each of `count` pixels. */
    const uint8_t *const *rows;
    int32_t count; /* pixels, a multiple of LBP_RIU_GRAIN */
    uint8_t *bins; /* count, aligned to LBP_RIU_SCRATCH_ALIGNMENT */
} LbpRiuRow;

/* What makes a kernel. */
typedef struct LbpRiuSteps {
    size_t element_bytes;
    bool with_below; /* an element also holds what it needs of the row below */
    size_t prepared_bytes;
    void (*prepare)(const LbpRiuPattern *pattern, void *prepared); /* NULL: nothing to prepare */
    /* Elements of `count` pixels, a multiple of LBP_RIU_GRAIN. Both rows of pixels have one more,
     * and memory for another LBP_RIU_GRAIN. */
    void (*make_elements)(const uint8_t *row, const uint8_t *below, int32_t count, void *elements);
    void (*make_bins)(const LbpRiuRow *row);
    /* Adds counts of `count` bins, a multiple of LBP_RIU_GRAIN and at most LBP_RIU_BLOCK_MAX;
     * LBP_RIU_NO_BIN is left out. */
    void (*count_bins)(const uint8_t *bins, int32_t count, int points, uint64_t *histogram);
} LbpRiuSteps;

size_t lbp_riu_blocks_scratch_bytes(const LbpRiuSteps *steps, int32_t width,
                                    const LbpRiuPattern *pattern);
void lbp_riu_blocks_process(const LbpRiuSteps *steps, const LbpRiuBand *band);

#endif
