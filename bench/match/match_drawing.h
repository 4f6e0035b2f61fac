/*
 * Match drawing: both pictures side by side, a line from each inlier's place in A to that in B.
 *
 * Keypoints are small yellow rings. Lines are green; where the truth is known those of inliers that
 * are wrong by it are red. A picture of more than MATCH_DRAWING_WIDTH pixels is shrunk to that.
 */
#ifndef BENCH_MATCH_DRAWING_H
#define BENCH_MATCH_DRAWING_H

#include "canvas.h"
#include "picture_match.h"

enum { MATCH_DRAWING_WIDTH = 2400, MATCH_DRAWING_LINES = 200 };

/* Draws the inliers of one method, or MATCH_DRAWING_LINES of them chosen by `seed`. STATUS_SKIP
 * when memory runs out; on STATUS_OK release with canvas_release. */
Status match_draw(const PictureMatch *match, const MethodResult *method, uint64_t seed,
                  Canvas *canvas);

#endif
