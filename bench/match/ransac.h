/* RANSAC: the homography that most of many partly wrong correspondences agree with. */
#ifndef BENCH_RANSAC_H
#define BENCH_RANSAC_H

#include "homography.h"

/* Samples at most: enough for one in 9 correspondences to be right. */
enum { RANSAC_SAMPLES_MAX = 50000 };

typedef struct RansacRequest {
    double inlier_px; /* how far from its place in B an inlier may be mapped, pixels */
    uint64_t seed;
} RansacRequest;

typedef struct RansacResult {
    bool found; /* false: too few correspondences, or no four that determine a homography */
    Homography homography;
    size_t inliers; /* 0 when none was found */
    size_t samples; /* of four that were drawn */
} RansacResult;

/* Draws samples of four until, with a probability of 99.9%, one was free of wrong ones (M.
 * Fischler, R. Bolles, 1981); then the homography is fitted to all its inliers, as long as that
 * gives more of them. `inlier` gets a word for each correspondence. The same seed gives the same
 * result. STATUS_SKIP when memory runs out. */
Status ransac_homography(const Correspondence *places, size_t count, const RansacRequest *request,
                         bool *inlier, RansacResult *result);

#endif
