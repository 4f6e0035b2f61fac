/* Whether a homography is the least-squares fit to its inliers. */
#ifndef TESTS_BENCH_LEAST_SQUARES_H
#define TESTS_BENCH_LEAST_SQUARES_H

#include "match_images_internal.h"
#include "test.h"

static inline double sum_of_squares(const Homography *homography, const Correspondence *places,
                                    const bool *inlier, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double distance = inlier[i] ? homography_error(homography, &places[i]) : 0;
        sum += distance * distance;
    }
    return sum;
}

/* No change of one of its numbers, by a hundredth of a pixel in 1000, brings it nearer to them. */
static inline void check_least_squares(const Homography *homography, const Correspondence *places,
                                       const bool *inlier, size_t count) {
    static const double steps[] = {1e-5, 1e-5, 1e-2, 1e-5, 1e-5, 1e-2, 1e-8, 1e-8};
    const double least = sum_of_squares(homography, places, inlier, count);
    for (int i = 0; i < 16; i++) {
        Homography other = *homography;
        other.h[i / 2] += (i % 2 == 0 ? 1 : -1) * steps[i / 2] * homography->h[8];
        assert_true(sum_of_squares(&other, places, inlier, count) > least);
    }
}

/* Its inliers are what it maps to within `px`, and it is fitted to them. */
static inline void check_fitted(const RansacResult *result, const Correspondence *places,
                                const bool *inlier, size_t count, double px) {
    size_t inliers = 0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(inlier[i], homography_error(&result->homography, &places[i]) <= px);
        inliers += inlier[i];
    }
    assert_int_equal(inliers, result->inliers);
    check_least_squares(&result->homography, places, inlier, count);
}

#endif
