/* Keypoint source: keypoints for a picture: found by the algorithm `fast`, and drawn at random
 * where more are wanted. */
#ifndef BENCH_KEYPOINT_SOURCE_H
#define BENCH_KEYPOINT_SOURCE_H

#include "algorithm.h"
#include "workload.h"

/* Keypoints that a workload lists, at most, and wants, where no file says which. */
enum { KEYPOINT_SOURCE_LISTED = 100000, KEYPOINT_SOURCE_WANTED = 10000 };

/* Those that are listed for a picture: no more than it has pixels. */
int32_t keypoints_listed(int32_t width, int32_t height);

/* The at most `most` strongest that `variant` of the algorithm `fast` (NULL: the best one of the
 * CPU) finds at that algorithm's default values: pixel (X, Y) of a level becomes
 * ((X + 0.5)·w0/wl − 0.5, …), with size 31·w0/wl and the angle of the intensity centroid, 0…360.
 * Scale 1; `wanted` is the count. Release with keypoints_free. */
Status keypoints_detect(const Image *image, const Variant *variant, int32_t most,
                        KeypointList *list);

/* The defaults of the algorithm `fast`, `detector`, but for how many keypoints are kept. */
Status keypoints_detector_point(const Algorithm *detector, const Workload *workload, int32_t most,
                                Point *point);

/* Appends keypoints at seeded places, sizes of FAST's levels and angles until there are `count`. */
Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list);

/* The rows of an answer of `fast` as keypoints, as above. */
Status keypoints_from_answer(const Image *image, const Output *answer, KeypointList *list);

#endif
