/*
 * Views: a picture and what other cameras would have made of it, with keypoints of which is known
 * that they show the same place.
 *
 * Keypoints are found in the picture by the algorithm `fast`, and their sizes drawn anew, from half
 * a patch of FAST's to one and a half, so that patches are as small as those of SIFT's keypoints.
 * In the other views they are where the warp takes them, moved, resized and turned a little, as a
 * detector would find them.
 */
#ifndef BENCH_VIEWS_H
#define BENCH_VIEWS_H

#include "image.h"
#include "keypoint.h"
#include "status.h"

enum { VIEWS_MAX = 8 };

typedef struct ViewRequest {
    int32_t points; /* of a picture, at most */
    int32_t views;  /* with the picture itself, 2 … VIEWS_MAX */
    uint64_t seed;  /* of this picture */
} ViewRequest;

typedef struct Views {
    int32_t points, views;
    Image images[VIEWS_MAX]; /* the first is the picture, owned by whoever has it */
    Keypoint *keypoints; /* those of view v from v·points on, at the same index the same place */
} Views;

/* Keypoints whose patch leaves the picture, or whose place leaves a view, are left out; there may
 * be none. Release with views_release, whatever was returned. */
Status views_make(const Image *picture, const ViewRequest *request, Views *views);
void views_release(Views *views);

#endif
