/* Pyramid place: where corners of a pyramid's levels are in the image. */
#ifndef CPU_COMMON_PYRAMID_PLACE_H
#define CPU_COMMON_PYRAMID_PLACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
