/*
 * lbp_riu_rows: bins and histogram of a band of rows, on one thread; what simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter
 * before the call.
 */
#ifndef CPU_LBP_RIU_ROWS_H
#define CPU_LBP_RIU_ROWS_H

#include "lbp_riu.h"

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

#endif
