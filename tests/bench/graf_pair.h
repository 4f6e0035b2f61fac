/* The Oxford graf pair with OpenCV's SIFT keypoints and its homography, as a request. */
#ifndef TESTS_BENCH_GRAF_PAIR_H
#define TESTS_BENCH_GRAF_PAIR_H

#include <unistd.h>

#include "match_images_internal.h"
#include "needs.h"
#include "test.h"

#define GRAF1 BENCH_SHARED_DATA "/homography/graf1.png"

/* hashsift and bad; `weights` NULL: the trained ones. */
static inline MatchRequest graf_request(const char *bits, const char *weights) {
    return (MatchRequest){
        .paths = {GRAF1, BENCH_SHARED_DATA "/homography/graf3.png"},
        .keypoint_files = {BENCH_SHARED_DATA "/oracles/sift_graf1.csv",
                           BENCH_SHARED_DATA "/oracles/sift_graf3.csv"},
        .keypoints = MATCH_KEYPOINTS_AUTO,
        .bits = bits,
        .weights = weights,
        .methods = 1 << METHOD_HASHSIFT | 1 << METHOD_BAD,
        .homography = BENCH_SHARED_DATA "/homography/H1to3p.txt",
        .ransac = {.inlier_px = 3, .seed = 1},
    };
}

/* Skips the test where the pair is not there. */
static inline void need_graf(void) {
    if (access(GRAF1, R_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, GRAF1);
    }
}

#endif
