/*
 * lbp: 3×3 local binary patterns.
 *
 * Definition. For a pixel with value c and its eight neighbours, taken row by row from the top left
 * with the centre left out,
 *
 *     p:  0 1 2        dx: -1  0 +1      dy: -1 -1 -1
 *         3 . 4            -1    +1           0     0
 *         5 6 7            -1  0 +1          +1 +1 +1
 *
 * bit p of the code (weight 2^p) is 1 when the neighbour is ≥ c. Pixels outside the image are 0, so
 * a neighbour outside sets its bit only where c = 0. The answer is the code image and its 256-bin
 * histogram. Arithmetic is on integers: every variant gives the same bytes.
 *
 * Source: F. Del Lungo, M. Petrone, "LBP Descriptor" (2020), Algorithm 1 (sequential), Algorithm 2
 * (CUDA naive) and section 5.1 (CUDA tiling); after T. Ojala, M. Pietikäinen, D. Harwood, "A
 * comparative study of texture measures", Pattern Recognition 29 (1996).
 */
#ifndef CPU_LBP_H
#define CPU_LBP_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LBP_BINS = 256, LBP_NEIGHBOURS = 8 };

/* Parts of the answer, in layout order. */
enum { LBP_PART_CODES = 0, LBP_PART_HISTOGRAM = 1 };

extern const Algorithm lbp_algorithm;

/* width × height bytes, dense rows: code of pixel (x, y) at [y * width + x]. */
static inline uint8_t *lbp_codes(const Output *output) {
    return (uint8_t *)output_part(output, LBP_PART_CODES);
}

/* LBP_BINS counts; their sum is width × height. */
static inline uint64_t *lbp_histogram(const Output *output) {
    return (uint64_t *)output_part(output, LBP_PART_HISTOGRAM);
}

#ifdef __cplusplus
}
#endif

#endif
