/* hashsift_reach: which part of a picture a patch can touch, and what has to be watched for there.
 */
#ifndef CPU_HASHSIFT_REACH_H
#define CPU_HASHSIFT_REACH_H

#include <stdbool.h>

#include "patch_map.h"
#include "workload.h"

enum {
    HASHSIFT_CLOSE_SIDE = 64, /* columns and rows of pixels, with those right of and below them */
    HASHSIFT_CLOSE_STEP = 16  /* columns are a multiple of it */
};

typedef enum HashsiftSurroundings {
    HASHSIFT_CLOSE,   /* as inside, and at most HASHSIFT_CLOSE_SIDE columns and rows */
    HASHSIFT_INSIDE,  /* every pixel lies in the picture, and four bytes can be read from it on */
    HASHSIFT_PARTIAL, /* pixels may lie outside */
    HASHSIFT_FAR      /* offsets do not fit 32 bits, or the picture has no room for a pixel */
} HashsiftSurroundings;

typedef struct HashsiftReach {
    HashsiftSurroundings surroundings;
    const uint8_t *base; /* the first pixel of row y */
    int32_t y, stride;
    int32_t x, columns, rows; /* where close: those that can be read, from (x, y) on */
    int32_t last;             /* offset of the last place that four bytes can be read from */
    float right, bottom;      /* u and v of pixels are below these and at least 0 */
} HashsiftReach;

HashsiftReach hashsift_reach(const Image *image, const PatchMap *map);

#endif
