/*
 * The work of cuda_fast on one image, laid out on the host: its lines.
 *
 * A line is two or three cells of one size side by side, at one place across and as long as the
 * image along: its number D(i) is the white sum less the black one of the pixels before i. The
 * value of a feature that reaches from a to b along the line is D(b) − D(a), whatever the
 * rectangle's size across: two or three sizes have the same cells. Columns of cells lead down, rows
 * of cells lead across. The checker is a line of two columns, whose cells along it change their
 * sign: D(a) − 2 D(a + c) + D(a + 2c), negated.
 */
#ifndef KERNELS_HAAR_HAAR_PLAN_H
#define KERNELS_HAAR_HAAR_PLAN_H

#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Images up to so many pixels: every sum, also four times one, is a whole number that a float
     * holds. They have fewer than so many lines. */
    HAAR_PLAN_PIXELS_MAX = (1 << 24) / 4 / 255,
    HAAR_PLAN_LINES_MAX = 1 << 16
};

/* Lengths along the line; 0 where nothing so long as the image can pass the threshold. */
typedef struct HaarLine {
    uint8_t rows;        /* 1: cells below each other, the line leads across; 0: it leads down */
    uint8_t cells;       /* 2 or 3 */
    uint8_t place, size; /* of the first cell, across the line; pixels */
    uint8_t least;       /* least length of a feature that can pass */
    uint8_t least_cell;  /* the same of a checker's cell */
    uint8_t side, sides; /* the rectangle's least side across, and how many there are */
} HaarLine;

/* For images of a size, all lines with rectangles of both sides at least `min_side` whose value can
 * be above `threshold`, the widest cells first. STATUS_SKIP when memory runs out. The caller frees
 * *lines, which may be NULL, whatever was returned. */
Status haar_plan_lines(int32_t width, int32_t height, int32_t min_side, int32_t threshold,
                       HaarLine **lines, int32_t *count);

#ifdef __cplusplus
}
#endif

#endif
