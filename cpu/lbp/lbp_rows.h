/*
 * lbp_rows: codes and histogram of a band of rows, on one thread; what simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter
 * before the call.
 */
#ifndef CPU_LBP_ROWS_H
#define CPU_LBP_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

enum { LBP_SCRATCH_ALIGNMENT = 64 };

typedef struct LbpBand {
    const Image *image;
    int32_t first, last; /* rows first ≤ y < last */
    uint8_t *codes;      /* of the whole image, dense: only the band's rows are written */
    uint64_t *histogram; /* 256 counts, to which the band's are added */
    void *scratch;       /* scratch_bytes(width), aligned to LBP_SCRATCH_ALIGNMENT */
} LbpBand;

typedef struct LbpKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    size_t (*scratch_bytes)(int32_t width);
    void (*process)(const LbpBand *band);
} LbpKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const LbpKernel lbp_kernel_avx512;
extern const LbpKernel lbp_kernel_avx2;
extern const LbpKernel lbp_kernel_plain;
extern const LbpKernel *const lbp_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const LbpKernel *lbp_kernel_best(void);

#endif
