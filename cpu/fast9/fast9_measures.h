/*
 * What fast9 computes of single pixels, written as it is defined. A pixel is given by its address,
 * `stride` bytes from row to row, and is FAST9_BORDER pixels from each edge at least.
 */
#ifndef CPU_FAST9_MEASURES_H
#define CPU_FAST9_MEASURES_H

#include <stdbool.h>

#include "fast9.h"

/* Whether 9 neighbours on the circle are all brighter than the pixel + t or darker than it − t. */
bool fast9_is_corner(const uint8_t *pixel, size_t stride, int32_t t);

/* The largest t for which the pixel is a corner; negative when it is none for t = 0. */
int32_t fast9_score(const uint8_t *pixel, size_t stride);

int64_t fast9_harris(const uint8_t *pixel, size_t stride);

/* 25 (ac − b²) − (a + c)²: the Harris score of the three sums. */
static inline int64_t fast9_harris_of_sums(int64_t a, int64_t b, int64_t c) {
    return 25 * (a * c - b * b) - (a + c) * (a + c);
}

void fast9_moments(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01);

#endif
