/*
 * The circle around a pixel: whether it makes the pixel a corner.
 *
 * Pixels are read through an object: pixel(dx, dy) is the one dx to the right of and dy below the
 * centre, wherever the variant has it.
 */
#ifndef KERNELS_FAST9_FAST9_CIRCLE_CUH
#define KERNELS_FAST9_FAST9_CIRCLE_CUH

#include "fast9.h"

/* Pixels of a level in global memory. */
struct Fast9GlobalPixels {
    const uint8_t *centre;
    int stride;

    __device__ __forceinline__ int operator()(int dx, int dy) const {
        return centre[dy * stride + dx];
    }
};

/* Whether the 16 bits, taken as a circle, have nine set in a row. */
static __device__ __forceinline__ bool fast9_has_arc(uint32_t bits) {
    const uint32_t twice = bits | bits << FAST9_CIRCLE; /* the circle's end goes on at its start */
    const uint32_t two = twice & twice >> 1;
    const uint32_t four = two & two >> 2;
    const uint32_t eight = four & four >> 4;
    return (eight & twice >> 8) != 0;
}

/* Whether the top, right, bottom and left pixels allow an arc: nine neighbours have at least one of
 * two opposite pixels among them. */
static __device__ __forceinline__ bool fast9_may_have_arc(uint32_t bits) {
    return (bits & 0x0101) != 0 && (bits & 0x1010) != 0;
}

/* The four pixels that can rule a corner out come first; most pixels need no more. */
template <typename Pixels>
__device__ __forceinline__ bool fast9_is_corner(const Pixels &pixel, int threshold) {
    constexpr int xs[FAST9_CIRCLE] = FAST9_CIRCLE_X;
    constexpr int ys[FAST9_CIRCLE] = FAST9_CIRCLE_Y;
    const int centre = pixel(0, 0);
    uint32_t brighter = 0;
    uint32_t darker = 0;
    const auto compare = [&](int i) {
        const int difference = pixel(xs[i], ys[i]) - centre;
        brighter |= (difference > threshold ? 1U : 0U) << i;
        darker |= (difference < -threshold ? 1U : 0U) << i;
    };
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i += 4) {
        compare(i);
    }
    if (!fast9_may_have_arc(brighter) && !fast9_may_have_arc(darker)) {
        return false;
    }
#pragma unroll
    for (int i = 0; i < FAST9_CIRCLE; i++) {
        if (i % 4 != 0) {
            compare(i);
        }
    }
    return fast9_has_arc(brighter) || fast9_has_arc(darker);
}

#endif
