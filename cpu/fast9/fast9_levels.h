/* The pyramid of fast9: sizes of levels, and how a pixel of one is made of the level below. */
#ifndef CPU_FAST9_LEVELS_H
#define CPU_FAST9_LEVELS_H

#include "fast9.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Fast9Levels {
    int32_t count; /* 0: the image is smaller than FAST9_SIDE_MIN */
    int32_t width[FAST9_LEVELS_MAX], height[FAST9_LEVELS_MAX];
    size_t offset[FAST9_LEVELS_MAX]; /* of a level's first pixel, levels laid out without padding */
    size_t pixels;                   /* of all levels */
} Fast9Levels;

/* At most `levels` levels of an image. Level 0 is the image itself and has a place in the layout
 * too. */
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
