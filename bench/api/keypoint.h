/* Keypoint: a place in a picture with a size and a direction, to be described. */
#ifndef BENCH_API_KEYPOINT_H
#define BENCH_API_KEYPOINT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Keypoint {
    float x, y;  /* pixels; (0, 0) is the centre of the first pixel. Finite, perhaps outside */
    float size;  /* pixels: the diameter of what was found there. Finite, at least 0 */
    float angle; /* degrees; negative: none */
} Keypoint;

typedef struct KeypointList {
    Keypoint *keypoints; /* the strongest first; owned by whoever made the list */
    int32_t count;
    /* What a keypoint's size is multiplied by to get the side of the patch that describes it, for
     * keypoints of this detector: 1 for FAST's, 6.75 for SIFT's. */
    float scale;
    int32_t wanted; /* keypoints to describe where nobody says how many */
} KeypointList;

enum { KEYPOINTS_MAX = 1000000 };  /* in a list */
enum { DESCRIPTORS_MAX = 100000 }; /* of a point, in each of two sets */

#ifdef __cplusplus
}
#endif

#endif
