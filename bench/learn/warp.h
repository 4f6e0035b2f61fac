/* Warp: a picture as another camera might see it, by a homography, and where its keypoints go. */
#ifndef BENCH_WARP_H
#define BENCH_WARP_H

#include "draw.h"
#include "image.h"
#include "keypoint.h"
#include "status.h"

typedef struct Warp {
    double matrix[3][3];   /* from the picture to the view */
    int32_t width, height; /* of the view, which holds all of the picture */
} Warp;

/* Any turn, up to WARP_SCALE larger or smaller, stretched in any direction, tilted. */
#define WARP_SCALE 1.82
#define WARP_STRETCH 2.46 /* longest by shortest side of what was a square, at most */
#define WARP_TILT 0.6     /* how much nearer one edge may be than the middle, at most */

enum { WARP_SIDE_MAX = 2200 }; /* of a view; a larger one is shrunk */

Warp warp_draw(int32_t width, int32_t height, Draw *draw);

/* Place, and size and angle by the similarity that is nearest to the warp there. */
Keypoint warp_keypoint(const Warp *warp, Keypoint keypoint);

/* The view, bilinear, beyond the picture its nearest pixel. Release with image_free. */
Status warp_render(const Warp *warp, const Image *picture, Image *view);

#endif
