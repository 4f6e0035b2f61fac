/* Workload crop: a part of an input, to learn from how an algorithm does on the whole. */
#ifndef BENCH_WORKLOAD_CROP_H
#define BENCH_WORKLOAD_CROP_H

#include <stdbool.h>

#include "workload.h"

/* Of a picture the top left corner of at most `side` × `side` pixels; of a set the first `side`
 * pictures; of a picture with keypoints the first `side` of these; of two sets of descriptors the
 * last `side` of the one and the first of the other. All of it where there is no more. What is left
 * is shared with the workload, which outlives the crop. */
Workload workload_crop(const Workload *workload, int32_t side);

/* Whether nothing was left out. */
bool workload_crop_is_whole(const Workload *crop, const Workload *workload);

#endif
