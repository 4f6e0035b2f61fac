/* Answer axes that algorithms on keypoints and on their descriptors share. */
#ifndef CPU_COMMON_KEYPOINT_AXES_H
#define CPU_COMMON_KEYPOINT_AXES_H

#include "axis.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --keypoints N: the first N of the list, or of each set of descriptors. "auto": as many as the
 * workload wants; "all": those that there are. */
extern const Axis keypoints_axis;
extern const Axis descriptors_axis; /* the same, of sets of descriptors */

/* --bits 256|512: of a descriptor. */
extern const Axis descriptor_bits_axis;

/* --scale F: what a keypoint's size is multiplied by. "auto": the workload's. */
extern const Axis keypoint_scale_axis;

/* The values of these axes at a point. */
int32_t point_keypoints(const Point *answer);
int32_t point_bits(const Point *answer);
float point_scale(const Point *answer);

/* STATUS_SKIP when the list is shorter than the point asks for. */
Status keypoints_check(const Workload *workload, const Point *answer);

/* The weights of this kind that the point asks for. STATUS_SKIP when the workload has none of this
 * number of bits. */
Status keypoints_weights(const Workload *workload, const Point *answer, const char *kind,
                         const Weights **weights);

#ifdef __cplusplus
}
#endif

#endif
