/*
 * fast9: keypoints of an image: FAST-9 corners on a pyramid, the strongest first, with
 * orientation. On the command line and in files it is called `fast`; `fast` at the end of a name in
 * the code is a rung of the ladder (cuda_fast).
 *
 * Definition, in whole numbers throughout, so that every variant finds the same keypoints in the
 * same order.
 *
 * Pyramid. Level 0 is the image. Level l has round(w / 1.2^l) × round(h / 1.2^l) pixels
 * (see Levels), sampled bilinearly from level l − 1 with 8 bits of fraction; levels of fewer
 * than FAST9_SIDE_MIN pixels on a side, and those after them, are left out. At most --levels of
 * them.
 *
 * Corners. A pixel p at least FAST9_BORDER pixels from each edge of its level is a corner when 9
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
#ifndef CPU_FAST9_H
#define CPU_FAST9_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __CUDACC__
#define FAST9_INLINE static __host__ __device__ __forceinline__
#else
#define FAST9_INLINE static inline
#endif

enum {
    FAST9_LEVELS_MAX = 16,
    FAST9_SIDE_MIN = 40, /* pixels: of a level */
    FAST9_BORDER = 16,   /* of a level that has no keypoints */
    FAST9_CIRCLE = 16,   /* pixels of the circle */
    FAST9_ARC = 9,       /* of them that have to agree */
    FAST9_DISC_RADIUS = 15,
    FAST9_HARRIS_RADIUS = 3,
    FAST9_RADIUS_MAX = 16
};

typedef enum Fast9Score { FAST9_SCORE_FAST, FAST9_SCORE_HARRIS } Fast9Score;

typedef struct Fast9Point {
    int32_t max_keypoints, levels, corner_threshold, radius;
    Fast9Score score;
} Fast9Point;

Fast9Point fast9_point(const Point *answer);

/* Parts of the answer: how many keypoints there are, and a row for each, strongest first; rows that
 * are not used are 0. */
enum { FAST9_PART_COUNT, FAST9_PART_KEYPOINTS };

typedef struct Fast9Keypoint {
    uint64_t level;
    uint64_t x, y; /* pixels of the level */
    int64_t score;
    int64_t m10, m01;
} Fast9Keypoint;

enum { FAST9_COLUMNS = sizeof(Fast9Keypoint) / sizeof(uint64_t) };

static inline uint64_t *fast9_count(const Output *output) {
    return (uint64_t *)output_part(output, FAST9_PART_COUNT);
}
static inline Fast9Keypoint *fast9_keypoints(const Output *output) {
    return (Fast9Keypoint *)output_part(output, FAST9_PART_KEYPOINTS);
}

/* The circle, clockwise from the top: offsets of its pixels. */
#define FAST9_CIRCLE_X                                                                             \
    { 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1 }
#define FAST9_CIRCLE_Y                                                                             \
    { -3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3 }

/* The order of the answer: whether `a` comes before `b`. */
FAST9_INLINE int fast9_comes_before(const Fast9Keypoint *a, const Fast9Keypoint *b) {
    if (a->score != b->score) {
        return a->score > b->score;
    }
    if (a->level != b->level) {
        return a->level < b->level;
    }
    return a->y != b->y ? a->y < b->y : a->x < b->x;
}

/* === Levels =================================================================================== */

/* The pyramid of fast9: sizes of levels, and how a pixel of one is made of the level below. */

typedef struct Fast9Levels {
    int32_t count; /* 0: the image is smaller than FAST9_SIDE_MIN */
    int32_t width[FAST9_LEVELS_MAX], height[FAST9_LEVELS_MAX];
    int32_t stride[FAST9_LEVELS_MAX]; /* bytes from a row to the next */
    size_t offset[FAST9_LEVELS_MAX];  /* of a level's first pixel */
    size_t pixels;                    /* of all levels, with the padding of their rows */
} Fast9Levels;

/* At most `levels` levels of an image, laid out without padding. Level 0 is the image itself and
 * has a place in the layout too. */
Fast9Levels fast9_levels(int32_t width, int32_t height, int32_t levels);

/* Where along a side of `to` pixels pixel i samples a side of `from` pixels: in units of 1/256
 * pixel, from 0 to 256 (from − 1). */
FAST9_INLINE int32_t fast9_sample_place(int32_t i, int32_t from, int32_t to) {
    const int64_t place = ((2 * (int64_t)i + 1) * from * 128) / to - 128;
    const int64_t last = 256 * ((int64_t)from - 1);
    return (int32_t)(place < 0 ? 0 : place > last ? last : place);
}

/* The pixel between four: fx and fy are fractions of 256 to the right and down. */
FAST9_INLINE uint8_t fast9_blend(int32_t a, int32_t b, int32_t c, int32_t d, int32_t fx,
                                 int32_t fy) {
    const int32_t top = (256 - fx) * a + fx * b;
    const int32_t bottom = (256 - fx) * c + fx * d;
    return (uint8_t)(((256 - fy) * top + fy * bottom + 32768) >> 16);
}

#ifdef __cplusplus
}
#endif

#endif
