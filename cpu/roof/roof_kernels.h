/*
 * The loops that ceilings are measured with, once for each instruction set.
 *
 * Operations are counted on 32-bit elements: a multiply-add is two, an addition is one. Loops over
 * registers alone, with so many independent results that none has to wait for another.
 */
#ifndef CPU_ROOF_KERNELS_H
#define CPU_ROOF_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOF_LINE = 64 };

typedef struct RoofKernels {
    const char *name;
    bool (*supported)(void);
    double operations_fp32, operations_int32; /* of one round */

    /* Copies whole lines; both addresses are aligned to a line. */
    void (*copy)(uint8_t *to, const uint8_t *from, size_t bytes);
    /* The results are returned so that no compiler leaves the work out. */
    float (*fp32)(size_t rounds);
    uint32_t (*int32)(size_t rounds);
} RoofKernels;

extern const RoofKernels roof_kernels_avx512, roof_kernels_avx2, roof_kernels_plain;

/* NULL-terminated, the best first; the last is always supported. */
extern const RoofKernels *const roof_kernel_sets[];

/* The best that this processor has. */
const RoofKernels *roof_kernels_best(void);

#endif
