/*
 * matching: which descriptors of two sets belong to each other: mutual nearest neighbours.
 *
 * Definition, in whole numbers. A workload of descriptors has rows of bytes: the first `queries`
 * are set A, the others set B. Of each set the first --keypoints are taken (all, where there are
 * fewer), and of each row the first --bits / 8 bytes. The distance of two rows is the number of
 * bits that differ (--distance hamming), or the sum of the squared differences of their bytes (l2).
 *
 * The answer has a row of three numbers for each of A: the nearest of B, of several the one with
 * the lowest index; its distance; and 1 if, by the same rule, the nearest of A to that one is this
 * row again, else 0. Where B is empty: 0, MATCHING_NONE, 0.
 */
#ifndef CPU_MATCHING_H
#define CPU_MATCHING_H

#include "algorithm.h"
#include "keypoints.h"

#ifdef __cplusplus
extern "C" {
#endif

/* More than any distance: 128 bytes that differ by 255 have 2^23 less a little. */
enum { MATCHING_NONE = 1 << 30 };

typedef enum MatchingDistance { MATCHING_HAMMING, MATCHING_L2 } MatchingDistance;

/* What a cell works on. Rows start `stride` bytes after each other. */
typedef struct MatchingSets {
    const uint8_t *a, *b;
    int32_t a_count, b_count; /* rows taken */
    size_t stride;
    int32_t bytes; /* of a row that count: 32, 64 or 128 */
    MatchingDistance distance;
} MatchingSets;

MatchingSets matching_sets(const Workload *workload, const Point *answer);

/* The one part of the answer: a row for each of A. */
static inline Match *matching_matches(const Output *output) {
    return (Match *)output_part(output, 0);
}

#ifdef __cplusplus
}
#endif

#endif
