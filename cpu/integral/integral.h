/*
 * integral: the summed-area table of an image.
 *
 * Definition. For an image I of w × h pixels the table S has (w + 1) × (h + 1) entries, of which
 * row 0 and column 0 are 0 and
 *
 *     S(x + 1, y + 1) = Σ I(i, j) over 0 ≤ i ≤ x, 0 ≤ j ≤ y
 *
 * so entry (x, y) is the sum of the pixels left of column x and above row y, and the sum of any
 * box x0 ≤ i < x1, y0 ≤ j < y1 is S(x1, y1) − S(x0, y1) − S(x1, y0) + S(x0, y0). There is no
 * border to choose: row and column 0 stand for it.
 *
 * Entries have 32 bits and are sums modulo 2^32, or 64 bits (--sum 64) and are exact for every
 * image there can be. Differences are modulo 2^32 too, so that with 32 bits the sum of a box of
 * fewer than 2^32 / 255 pixels is exact wherever the box lies and whatever the entries have wrapped
 * to. Arithmetic is on integers: every variant gives the same bytes.
 *
 * Source: F. Crow, "Summed-Area Tables for Texture Mapping", SIGGRAPH 1984; as "integral image" in
 * P. Viola, M. Jones, "Rapid Object Detection using a Boosted Cascade of Simple Features", CVPR
 * 2001.
 */
#ifndef CPU_INTEGRAL_H
#define CPU_INTEGRAL_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the answer, in layout order. */
enum { INTEGRAL_PART_TABLE = 0 };

extern const Algorithm integral_algorithm;

/* Bits of an entry: 32 or 64. */
static inline int integral_bits(const Point *answer) {
    return strcmp(point_text(answer, "sum"), "64") == 0 ? 64 : 32;
}

static inline size_t integral_entry_bytes(const Point *answer) {
    return (size_t)integral_bits(answer) / 8;
}

/* (width + 1) × (height + 1) entries of 32 or of 64 bits, dense rows: entry (x, y) at
 * [y * (width + 1) + x]. */
static inline void *integral_table(const Output *output) {
    return output_part(output, INTEGRAL_PART_TABLE);
}

#ifdef __cplusplus
}
#endif

#endif
