/*
 * Integral images side by side: entry (x, y) of 64 pictures is 64 numbers in a row, so that a
 * feature's value in all of them is a few vector additions.
 */
#ifndef CPU_ADABOOST_BLOCKS_H
#define CPU_ADABOOST_BLOCKS_H

#include "workload.h"

#include "haar_features.h"

enum { ADABOOST_LANES = 64 }; /* pictures in a block */

/* Numbers in a block. */
static inline size_t adaboost_block_entries(const ImageSet *set) {
    return (size_t)(set->width + 1) * (size_t)(set->height + 1) * ADABOOST_LANES;
}

/* Blocks of a set; the last one may be partly used. */
static inline int32_t adaboost_blocks(const ImageSet *set) {
    return (set->count - 1) / ADABOOST_LANES + 1;
}

/* Integral images of the pictures block × ADABOOST_LANES …; 0 where there are none. */
void adaboost_block_fill(const Workload *workload, int32_t block, int32_t *entries);

/* The values of a feature in `count` ≤ ADABOOST_LANES pictures of a block of pictures `width` wide.
 */
void adaboost_block_values(const int32_t *entries, int32_t width, HaarFeature feature,
                           int32_t count, int32_t *values);

#endif
