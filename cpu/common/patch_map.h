/*
 * Patch map: from the 32×32 pixels of a keypoint's patch to the image.
 *
 * Patch pixel (i, j) lies at (c·i − n·j + x0, n·i + c·j + y0), so that the keypoint falls on patch
 * pixel (16, 16). float32 throughout, in the order written and without contraction: a coordinate
 * that differs in its last bit gives another pixel value often enough to matter. Hosts compile this
 * with -ffp-contract=off; devices use the rounding operations.
 */
#ifndef CPU_COMMON_PATCH_MAP_H
#define CPU_COMMON_PATCH_MAP_H

#include <math.h>

#include "workload.h"

#ifdef __CUDACC__
#define PATCH_INLINE static __host__ __device__ __forceinline__
#else
#define PATCH_INLINE static inline
#endif

#ifdef __CUDA_ARCH__
#define PATCH_ADD(a, b) __fadd_rn(a, b)
#define PATCH_MUL(a, b) __fmul_rn(a, b)
#else
#define PATCH_ADD(a, b) ((a) + (b))
#define PATCH_MUL(a, b) ((a) * (b))
#endif

enum { PATCH_SIDE = 32, PATCH_HALF = 16 };

typedef struct PatchMap {
    float c, n;   /* s·cos, s·sin: pixels of the image per pixel of the patch */
    float x0, y0; /* where patch pixel (0, 0) lies */
    float s;      /* scale·size / 32 */
} PatchMap;

/* cosine and sine are those of the keypoint's angle; 1 and 0 where it has none. */
PATCH_INLINE PatchMap patch_map(Keypoint keypoint, float scale, float cosine, float sine) {
    PatchMap map;
    map.s = PATCH_MUL(scale, keypoint.size) / (float)PATCH_SIDE;
    map.c = PATCH_MUL(map.s, cosine);
    map.n = PATCH_MUL(map.s, sine);
    map.x0 = PATCH_ADD(PATCH_MUL(PATCH_ADD(map.n, -map.c), (float)PATCH_HALF), keypoint.x);
    map.y0 = PATCH_ADD(PATCH_MUL(PATCH_ADD(-map.n, -map.c), (float)PATCH_HALF), keypoint.y);
    return map;
}

PATCH_INLINE float patch_map_x(const PatchMap *map, float i, float j) {
    return PATCH_ADD(PATCH_ADD(PATCH_MUL(map->c, i), -PATCH_MUL(map->n, j)), map->x0);
}

PATCH_INLINE float patch_map_y(const PatchMap *map, float i, float j) {
    return PATCH_ADD(PATCH_ADD(PATCH_MUL(map->n, i), PATCH_MUL(map->c, j)), map->y0);
}

#endif
