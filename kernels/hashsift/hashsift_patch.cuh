/* What kernels do with one keypoint: the pixels of its patch, and what they vote for. */
#ifndef KERNELS_HASHSIFT_HASHSIFT_PATCH_CUH
#define KERNELS_HASHSIFT_HASHSIFT_PATCH_CUH

#include <cfloat>
#include <cstddef>
#include <cstdint>

#include "hashsift.h"
#include "patch_map.h"

/* === Patch ==================================================================================== */

/*
 * The patch of a keypoint on the device: pixels are those of hashsift_plain.c, every operation
 * rounded by itself.
 *
 * Texels are where the image's pixels come from: width and height, and quad(x, y), the four
 * pixels from (x, y) on.
 */

enum { HASHSIFT_PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE };

#define HASHSIFT_PI 3.14159265358979F

struct HashsiftQuad {
    float upper[2], lower[2];
};

/* Pixels in global memory. */
struct HashsiftMemoryTexels {
    const uint8_t *pixels;
    size_t stride; /* bytes */
    int width, height;

    __device__ __forceinline__ HashsiftQuad quad(int x, int y) const {
        const uint8_t *upper = pixels + (size_t)y * stride + x;
        const uint8_t *lower = upper + stride;
        return {{(float)upper[0], (float)upper[1]}, {(float)lower[0], (float)lower[1]}};
    }
};

/* Sine and cosine by the definition, rounded from double precision: the last bit of a coordinate
 * decides whether a pixel on the border is inside. */
static __device__ __forceinline__ PatchMap hashsift_map(Keypoint keypoint, float scale) {
    double sine = 0;
    double cosine = 1;
    if (keypoint.angle >= 0) {
        sincos((double)(PATCH_MUL(HASHSIFT_PI, keypoint.angle) / 180), &sine, &cosine);
    }
    return patch_map(keypoint, scale, (float)cosine, (float)sine);
}

static __device__ __forceinline__ float hashsift_mix(float first, float second, float share) {
    return PATCH_ADD(PATCH_MUL(1 - share, first), PATCH_MUL(share, second));
}

template <typename Texels>
static __device__ __forceinline__ uint8_t hashsift_sample(const Texels &texels, float u, float v) {
    const bool inside =
        u >= 0 && u < (float)(texels.width - 1) && v >= 0 && v < (float)(texels.height - 1);
    if (!inside) {
        return 0;
    }
    const int x = (int)u;
    const int y = (int)v;
    const HashsiftQuad quad = texels.quad(x, y);
    const float du = u - (float)x;
    const float top = hashsift_mix(quad.upper[0], quad.upper[1], du);
    const float bottom = hashsift_mix(quad.lower[0], quad.lower[1], du);
    return (uint8_t)PATCH_ADD(hashsift_mix(top, bottom, v - (float)y), 0.5F);
}

/* Pixel (i, j) of the patch. */
template <typename Texels>
static __device__ __forceinline__ uint8_t hashsift_patch_pixel(const Texels &texels,
                                                               const PatchMap &map, int i, int j) {
    return hashsift_sample(texels, patch_map_x(&map, (float)i, (float)j),
                           patch_map_y(&map, (float)i, (float)j));
}

/* === Votes ==================================================================================== */

/* What a pixel of a patch votes for, the same in all variants; they differ in where votes go. */

/* A position among bins: `bin` and the share of a vote that the next one gets. */
struct HashsiftPlace {
    int bin;
    float next;
};

/* Rows and columns are of cells: −1 and HASHSIFT_CELLS are those beyond the patch. */
struct HashsiftVote {
    HashsiftPlace row, column, orientation;
    float magnitude;
};

static __device__ __forceinline__ HashsiftPlace hashsift_place(float position) {
    const float bin = floorf(position);
    return {(int)bin, position - bin};
}

static __device__ __forceinline__ HashsiftPlace hashsift_cell(int pixel) {
    return hashsift_place((float)(pixel - PATCH_HALF) / HASHSIFT_CELL_SIDE +
                          (HASHSIFT_CELLS / 2 - 0.5F));
}

/* Whether pixel (i, j) has all four neighbours. */
static __device__ __forceinline__ bool hashsift_is_inner(int i, int j) {
    return i > 0 && i < PATCH_SIDE - 1 && j > 0 && j < PATCH_SIDE - 1;
}

/* The vote of pixel (i, j), one that has all four neighbours. */
static __device__ __forceinline__ HashsiftVote hashsift_vote(const uint8_t *patch, int i, int j) {
    const float bins_per_radian = HASHSIFT_ORIENTATIONS / (2 * HASHSIFT_PI);
    const uint8_t *pixel = patch + j * PATCH_SIDE + i;
    const float dx = (float)(pixel[1] - pixel[-1]);
    const float dy = (float)(pixel[-PATCH_SIDE] - pixel[PATCH_SIDE]);
    const float x = (float)(i - PATCH_HALF);
    const float y = (float)(j - PATCH_HALF);
    HashsiftVote vote = {
        hashsift_cell(j), hashsift_cell(i), hashsift_place(bins_per_radian * atan2f(dy, dx)),
        expf(HASHSIFT_DISTANCE_SCALE * (x * x + y * y)) * sqrtf(dx * dx + dy * dy)};
    vote.orientation.bin += vote.orientation.bin < 0 ? HASHSIFT_ORIENTATIONS : 0;
    return vote;
}

/* Calls add(row, column, orientation, share) for the eight shares of a vote; orientation
 * HASHSIFT_ORIENTATIONS is 0 again. */
template <typename Add>
static __device__ __forceinline__ void hashsift_share(const HashsiftVote &vote, const Add &add) {
    const float lower = vote.row.next * vote.magnitude;
    const float upper = vote.magnitude - lower;
#pragma unroll
    for (int down = 0; down < 2; down++) {
        const float of_row = down == 0 ? upper : lower;
        const float right = vote.column.next * of_row;
#pragma unroll
        for (int across = 0; across < 2; across++) {
            const float of_cell = across == 0 ? of_row - right : right;
            const float next = vote.orientation.next * of_cell;
            const int row = vote.row.bin + down;
            const int column = vote.column.bin + across;
            add(row, column, vote.orientation.bin, of_cell - next);
            add(row, column, vote.orientation.bin + 1, next);
        }
    }
}

/* What values are multiplied by so that their norm, of which this is the square, becomes 1. */
static __device__ __forceinline__ float hashsift_unit_factor(float square) {
    return 1 / fmaxf(sqrtf(square), FLT_EPSILON);
}

/* A value of norm 1 as a whole number 0…255. */
static __device__ __forceinline__ float hashsift_whole(float value) {
    return fminf(rintf(HASHSIFT_FACTOR * value), (float)UINT8_MAX);
}

#endif
