/* ViewDescriber: the rows of bytes that an algorithm of the registry makes of a view's keypoints.
 */
#ifndef BENCH_VIEW_DESCRIBER_H
#define BENCH_VIEW_DESCRIBER_H

#include "algorithm.h"

typedef struct ViewDescriber {
    const Algorithm *algorithm; /* hashsift or bad */
    const Variant *variant;
    int32_t bits; /* of a row, for each of the weights */
    /* Rows that are made with one of them after the other stand side by side. */
    const Weights *weights;
    int32_t weights_count; /* 0: without weights, one row */
} ViewDescriber;

/* By the best CPU variant. STATUS_FAIL when the program was built without the algorithm. */
Status view_describer_make(const char *algorithm, int32_t bits, const Weights *weights,
                           int32_t weights_count, ViewDescriber *describer);

/* Bytes of a row. */
size_t view_describer_row(const ViewDescriber *describer);

/* Writes row i to rows + i·stride; sizes of keypoints are the sides of their patches. */
Status view_describer_run(const ViewDescriber *describer, const Image *image, Keypoint *keypoints,
                          int32_t count, uint8_t *rows, size_t stride);

#endif
