/* Keypoint input: what a picture with keypoints has besides its pixels. For workload_source only,
 * which see. */
#ifndef BENCH_KEYPOINT_INPUT_H
#define BENCH_KEYPOINT_INPUT_H

#include "workload_source.h"

/* Reads the list and the weights that a request names, and notes in `input` how many there are.
 * STATUS_FILE or STATUS_USAGE when they are not good. */
Status keypoint_input_check(const RunOptions *options, Input *input);

/* `workload` is described as a picture. */
void keypoint_input_describe(const Input *input, Workload *workload);

/* `workload` is described, and has its pixels. On anything but STATUS_OK only those are left. */
Status keypoint_input_load(const Input *input, Workload *workload);
void keypoint_input_release(Workload *workload);

#endif
