/*
 * fast: keypoints of an image: FAST-9 corners on a pyramid, the strongest first, with orientation.
 *
 * Definition, in whole numbers throughout, so that every variant finds the same keypoints in the
 * same order.
 *
 * Pyramid. Level 0 is the image. Level l has round(w / 1.2^l) × round(h / 1.2^l) pixels
 * (fast9_levels.h), sampled bilinearly from level l − 1 with 8 bits of fraction; levels of fewer
 * than FAST_SIDE_MIN pixels on a side, and those after them, are left out. At most --levels of
 * them.
 *
 * Corners. A pixel p at least FAST_BORDER pixels from each edge of its level is a corner when 9
 * neighbouring ones of the 16 pixels on the circle of radius 3 around it are all brighter than
 * p + t, or all darker than p − t, with t = --corner-threshold. Its FAST score is the largest t for
 * which it would be one. Its Harris score is 25 (ac − b²) − (a + c)², k = 0.04, with a, b, c the
 * sums of dx², dx·dy, dy² over the 7×7 pixels around it, dx and dy by Sobel's 3×3.
 *
 * Suppression. A corner stays when no corner of its level within --radius pixels (the larger of the
 * two distances) has a higher score (--score), or an equal one and comes earlier, rows first.
 *
 * Orientation. m10 = Σ x·p and m01 = Σ y·p over the pixels p of the disc x² + y² ≤ 15² around the
 * corner; the angle is atan2(m01, m10).
 *
 * Order: higher score, then lower level, y, x. The first --max-keypoints are the answer.
 *
 * Source: E. Rosten, T. Drummond, "Machine learning for high-speed corner detection" (2006); E.
 * Rublee et al., "ORB" (2011) for pyramid, Harris measure and intensity centroid. Against ORB: the
 * best of the whole pyramid instead of a share for each level.
 */
#ifndef CPU_FAST_H
#define CPU_FAST_H

#include "algorithm.h"

#ifdef __CUDACC__
#define FAST_INLINE static __host__ __device__ __forceinline__
#else
#define FAST_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FAST_LEVELS_MAX = 16,
    FAST_SIDE_MIN = 40, /* pixels: of a level */
    FAST_BORDER = 16,   /* of a level that has no keypoints */
    FAST_CIRCLE = 16,   /* pixels of the circle */
    FAST_ARC = 9,       /* of them that have to agree */
    FAST_DISC_RADIUS = 15,
    FAST_HARRIS_RADIUS = 3,
    FAST_RADIUS_MAX = 16
};

typedef enum FastScore { FAST_SCORE_FAST, FAST_SCORE_HARRIS } FastScore;

typedef struct FastPoint {
    int32_t max_keypoints, levels, corner_threshold, radius;
    FastScore score;
} FastPoint;

FastPoint fast_point(const Point *answer);

/* Parts of the answer: how many keypoints there are, and a row for each, strongest first; rows that
 * are not used are 0. */
enum { FAST_PART_COUNT, FAST_PART_KEYPOINTS };

typedef struct FastKeypoint {
    uint64_t level;
    uint64_t x, y; /* pixels of the level */
    int64_t score;
    int64_t m10, m01;
} FastKeypoint;

enum { FAST_COLUMNS = sizeof(FastKeypoint) / sizeof(uint64_t) };

static inline uint64_t *fast_count(const Output *output) {
    return (uint64_t *)output_part(output, FAST_PART_COUNT);
}
static inline FastKeypoint *fast_keypoints(const Output *output) {
    return (FastKeypoint *)output_part(output, FAST_PART_KEYPOINTS);
}

/* The circle, clockwise from the top: offsets of its pixels. */
#define FAST_CIRCLE_X                                                                              \
    { 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1 }
#define FAST_CIRCLE_Y                                                                              \
    { -3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3 }

/* The order of the answer: whether `a` comes before `b`. */
FAST_INLINE int fast_comes_before(const FastKeypoint *a, const FastKeypoint *b) {
    if (a->score != b->score) {
        return a->score > b->score;
    }
    if (a->level != b->level) {
        return a->level < b->level;
    }
    return a->y != b->y ? a->y < b->y : a->x < b->x;
}

#ifdef __cplusplus
}
#endif

#endif
