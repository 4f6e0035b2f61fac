/*
 * lbp_riu: multiresolution, rotation-invariant uniform local binary patterns.
 *
 * Definition. P points lie on a circle of radius R round a pixel with value c: point p is at angle
 * 2πp/P, at (dx, dy) = (R·cos, −R·sin), both rounded to 5 decimals (y points down). Bit p is 1 when
 * the image there is ≥ c. The circular code b₀b₁…b₍P₋₁₎ has U places where neighbouring bits,
 * b₍P₋₁₎ and b₀ included, differ. The pixel's bin is
 *
 *     the number of ones   when U ≤ 2 (the pattern is uniform),
 *     P + 1                otherwise,
 *
 * so there are P + 2 bins. Outside the image is 0. The answer is the histogram of the bins and,
 * when asked for, the bin of every pixel.
 *
 * The image at a point is, with interpolation `nearest`, the pixel at the offset rounded to whole
 * pixels, halves away from 0. With `bilinear` it is Σ wᵢ·pixelᵢ over the four pixels round the
 * point, whose weights are integers of sum 2^14: the real weights (1−a)(1−b), a(1−b), (1−a)b, ab
 * times 2^14, rounded down, and the units that are left given to the largest remainders. Of equal
 * remainders the pixel further anticlockwise as seen from the centre comes first: so the weights
 * turn with the point, and turning an image by 90° turns its answer. The test is Σ ≥ c·2^14. Every
 * sum is below 2^22, exact in int32 and in float, so every variant gives the same bytes. Only
 * filtering by texture hardware, whose weights have 8 bits, differs.
 *
 * Offsets are whole multiples of 10^-5 and radii of 10^-3, so the weights are computed without
 * rounding, and no offset lies on the edge between two roundings: every machine has the same.
 *
 * Source: D. Bianda, "Multiresolution Gray-Scale and Rotation Invariant Texture Classification with
 * Local Binary Patterns con CUDA" (2018); after T. Ojala, M. Pietikäinen, T. Mäenpää, IEEE PAMI 24
 * (2002).
 */
#ifndef CPU_LBP_RIU_H
#define CPU_LBP_RIU_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LBP_RIU_POINTS_MAX = 32,
    LBP_RIU_RADIUS_MAX = 64, /* pixels */
    LBP_RIU_BINS_MAX = LBP_RIU_POINTS_MAX + 2,
    LBP_RIU_WEIGHT_BITS = 14,
    LBP_RIU_WEIGHT_SUM = 1 << LBP_RIU_WEIGHT_BITS
};

/* Parts of the answer, in layout order. The bins are there at store:bins only. */
enum { LBP_RIU_PART_HISTOGRAM = 0, LBP_RIU_PART_BINS = 1 };

extern const Algorithm lbp_riu_algorithm;

/* Where one point takes its value from: the four pixels at (dx, dy), (dx + 1, dy), (dx, dy + 1),
 * (dx + 1, dy + 1) from the centre, with these weights, of sum LBP_RIU_WEIGHT_SUM. A pixel of
 * weight 0 need not be read. */
typedef struct LbpRiuTap {
    int32_t dx, dy;
    int32_t weight[4];
    double x, y; /* the point itself: offsets in pixels, 5 decimals */
} LbpRiuTap;

typedef struct LbpRiuPattern {
    int points;
    int reach;     /* no pixel with a weight is further away than this in x or in y */
    bool bilinear; /* false: all weight is on pixel (dx, dy) of each tap */
    bool store;    /* the bin image is part of the answer */
    LbpRiuTap taps[LBP_RIU_POINTS_MAX];
} LbpRiuPattern;

/* Reads "P:R" ("24:3", "8:1.5"). STATUS_USAGE says what would be right. */
Status lbp_riu_parse_pr(const char *text, int *points, int *radius_thousandths);

/* The pattern of an answer point of this algorithm, which has been checked by its axes. */
Status lbp_riu_pattern(const Point *answer, LbpRiuPattern *pattern);

/* P + 2 counts; their sum is width × height. */
static inline uint64_t *lbp_riu_histogram(const Output *output) {
    return (uint64_t *)output_part(output, LBP_RIU_PART_HISTOGRAM);
}

/* width × height bytes, dense rows; NULL at store:none. */
static inline uint8_t *lbp_riu_bins(const Output *output) {
    return output->layout.count > LBP_RIU_PART_BINS
               ? (uint8_t *)output_part(output, LBP_RIU_PART_BINS)
               : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
