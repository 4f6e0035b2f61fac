/* What algorithms on keypoints and on descriptors share, and what reads their answers. */
#ifndef CPU_COMMON_KEYPOINTS_H
#define CPU_COMMON_KEYPOINTS_H

#include <stdint.h>

#include "axis.h"
#include "output.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === Axes ===================================================================================== */

/* Answer axes that algorithms on keypoints and on their descriptors share. */

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

/* Adds the answer of an algorithm that describes keypoints: a row of bits for each. `kind`: the
 * weights that it needs, NULL for none. STATUS_SKIP as the two above. */
Status descriptors_layout(const Workload *workload, const Point *answer, const char *kind,
                          OutputLayout *layout);

/* What `bench verify` tries of such an algorithm with these bits: no keypoints, few, around a warp,
 * many. */
#define DESCRIPTOR_CASES(bits)                                                                     \
    "--wide --bits " bits " --keypoints 0,1,7,33,300 --scale 1,6.75 "                              \
    "--contents noise,extreme,texture,full "                                                       \
    "--shapes 1x1,5x3,33x33,64x64,130x97,257x131,640x480"

/* === Where corners of a pyramid are =========================================================== */

/* Where corners of a pyramid's levels are in the image. */

/* Pixels: the diameter of the disc whose intensity centroid gives a corner its direction. */
enum { PYRAMID_DISC_SIDE = 31 };

/* Pixels along a side of level `level`: round(side / 1.2^level), halves up. */
int32_t pyramid_side(int32_t side, int32_t level);

/* A corner as it is found, in pixels of its level. */
typedef struct PyramidCorner {
    uint64_t level, x, y;
    int64_t m10, m01; /* of the intensity centroid */
} PyramidCorner;

typedef struct PyramidPlace {
    double x, y;  /* pixels of the image; (0, 0) is the centre of the first one */
    double size;  /* pixels of the image: the diameter of the disc */
    double angle; /* degrees from 0 to below 360, from the x axis towards the y axis; -1: none */
} PyramidPlace;

/* In an image of width × height pixels whose pyramid has that level. The middles of pixels of a
 * level are at the middles of what they cover in the image. */
PyramidPlace pyramid_place(int32_t width, int32_t height, const PyramidCorner *corner);

/* === Matches ================================================================================== */

/* A row of the answer of the algorithm `matching`, for those that read it. */

typedef struct Match {
    uint64_t nearest, distance, mutual;
} Match;

enum { MATCH_COLUMNS = sizeof(Match) / sizeof(uint64_t) };

#ifdef __cplusplus
}
#endif

#endif
