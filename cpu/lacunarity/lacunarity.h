/*
 * lacunarity: gliding-box lacunarity of a thresholded image, for lists of thresholds and boxes.
 *
 * Definition. A pixel belongs to the object when it is ≥ the threshold. For a box side r, every
 * position of the r × r box that lies wholly inside the image, (w − r + 1)·(h − r + 1) of them,
 * gives a mass s: the number of object pixels in the box. With n(s, r) the number of positions of
 * mass s, Q = n / Σn, Z1 = Σ s·Q, Z2 = Σ s²·Q,
 *
 *     Λ(r) = Z2 / Z1² = positions · Σs² / (Σs)²,
 *
 * the sums on the right being over positions. The answer is Σs and Σs², exact: Σs² passes 64 bits
 * at 16K with large boxes. Λ is undefined where there is no object pixel. Λ(r)/Λ(1) is called
 * normalised here; Λ(1) is the number of pixels over the number of object pixels.
 *
 * Source: P. Mazurek, "Estymacja lakunarności obiektu 2D z wykorzystaniem GPGPU" (2012), whose
 * variants count the pixels of every box (seq, cuda_naive) or update row sums going down a column
 * (seq_pipeline, cuda_pipeline); after C. Allain, M. Cloitre, Phys. Rev. A 44 (1991).
 */
#ifndef CPU_LACUNARITY_H
#define CPU_LACUNARITY_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LACUNARITY_BOX_MAX = 65535, /* the mass of a box fits 32 bits */
    LACUNARITY_THRESHOLDS_MAX = 256
};

/* The only part of the answer: a row for each threshold and box, thresholds outermost, both in the
 * order of the plan. Sums of squares have 128 bits, in two halves. */
typedef struct LacunarityRow {
    uint64_t threshold, box; /* grey value; side in pixels */
    uint64_t positions;
    uint64_t sum_s;
    uint64_t sum_s2_low, sum_s2_high;
} LacunarityRow;
enum { LACUNARITY_COLUMNS = sizeof(LacunarityRow) / sizeof(uint64_t) };

extern const Algorithm lacunarity_algorithm;

/* What one cell computes. */
typedef struct LacunarityPlan {
    size_t threshold_count, box_count;
    int thresholds[LACUNARITY_THRESHOLDS_MAX]; /* 0…255 */
    int32_t *boxes;                            /* sides in pixels; owned by the plan */
} LacunarityPlan;

/* Resolves the words of an answer point ("log", "paper", "otsu") for an image. Where its pixels are
 * absent, otsu stands as 0. STATUS_SKIP when a box is larger than the image. Release with
 * lacunarity_plan_release, also after an error. */
Status lacunarity_plan_make(const Image *image, const Point *answer, LacunarityPlan *plan);
void lacunarity_plan_release(LacunarityPlan *plan);

static inline uint64_t lacunarity_positions(const Image *image, int32_t box) {
    return (uint64_t)(image->width - box + 1) * (uint64_t)(image->height - box + 1);
}

/* plan.threshold_count × plan.box_count rows. */
static inline LacunarityRow *lacunarity_rows(const Output *output) {
    return (LacunarityRow *)output_part(output, 0);
}

/* Fills the row of one threshold and box. */
static inline void lacunarity_set_row(LacunarityRow *row, const Image *image, int threshold,
                                      int32_t box, uint64_t sum_s, uint64_t sum_s2_low,
                                      uint64_t sum_s2_high) {
    row->threshold = (uint64_t)threshold;
    row->box = (uint64_t)box;
    row->positions = lacunarity_positions(image, box);
    row->sum_s = sum_s;
    row->sum_s2_low = sum_s2_low;
    row->sum_s2_high = sum_s2_high;
}

/* Λ of a row; NAN where it is undefined. */
double lacunarity_value(const LacunarityRow *row);

/* Threshold that best parts the grey values in two classes [Otsu 1979]: the least value of the
 * upper class, 0…255, so that pixel ≥ threshold is that class. Of equal ones the lowest. An image
 * of one grey value gives that value. */
int lacunarity_otsu(const Image *image);

/* n(s, box) for s = 0 … box²: `counts` has box² + 1 elements. STATUS_SKIP without memory. */
Status lacunarity_table(const Image *image, int threshold, int32_t box, uint64_t *counts);

#ifdef __cplusplus
}
#endif

#endif
