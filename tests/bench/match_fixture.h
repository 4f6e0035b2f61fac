/* A match of two small grey images made by hand: three mutual matches of one method, the first
 * two inliers, the first of them correct. */
#ifndef TESTS_BENCH_MATCH_FIXTURE_H
#define TESTS_BENCH_MATCH_FIXTURE_H

#include <math.h>
#include <string.h>

#include "match_images_internal.h"

enum { FIXTURE_WIDTH = 40, FIXTURE_HEIGHT = 30, FIXTURE_MATCHES = 3 };

typedef struct MatchFixture {
    uint8_t pixels[FIXTURE_WIDTH * FIXTURE_HEIGHT];
    Keypoint keypoints[FIXTURE_MATCHES];
    KeypointMatch matches[FIXTURE_MATCHES];
    Correspondence places[FIXTURE_MATCHES];
    bool inlier[FIXTURE_MATCHES];
    Variant describer, matcher, detector;
    ImageMatch match; /* not to be released */
} MatchFixture;

static inline void match_fixture(MatchFixture *of) {
    static const Correspondence places[FIXTURE_MATCHES] = {
        {10, 5, 10, 5}, {10, 15, 10.5, 15}, {10, 25, 10, 25}};
    memset(of, 0, sizeof *of);
    memset(of->pixels, 128, sizeof of->pixels);
    memcpy(of->places, places, sizeof places);
    for (int i = 0; i < FIXTURE_MATCHES; i++) {
        of->keypoints[i] = (Keypoint){.x = (float)places[i].xa, .y = (float)places[i].ya};
        of->matches[i] =
            (KeypointMatch){.a = i, .b = i, .distance = (uint64_t)i + 7, .correct = i == 0};
        of->inlier[i] = i < 2;
    }
    of->describer.name = "omp";
    of->matcher.name = "seq";
    of->detector.name = "simd";
    of->match.detector = &of->detector;
    for (int i = 0; i < 2; i++) {
        MatchInput *input = &of->match.inputs[i];
        strcpy(input->name, i == 0 ? "one.png" : "two.png");
        input->image = (Image){FIXTURE_WIDTH, FIXTURE_HEIGHT, FIXTURE_WIDTH, of->pixels};
        input->keypoints.keypoints = of->keypoints;
        input->keypoints.count = FIXTURE_MATCHES - i;
        input->detect_seconds = 0.001 * (i + 1);
    }
    of->match.has_truth = true;
    of->match.seeds = 1;
    of->match.ransac = (RansacRequest){.inlier_px = 3, .seed = 5};
    of->match.count = 1;
    of->match.methods[0] = (MethodResult){
        .method = METHOD_BAD,
        .bits = 256,
        .describer = &of->describer,
        .matcher = &of->matcher,
        .matches = of->matches,
        .places = of->places,
        .inlier = of->inlier,
        .count = FIXTURE_MATCHES,
        .correct = 1,
        .ransac = {.found = true, .homography = {{1, 0, 0.25, 0, 1, 0, 0, 0, 1}}, .inliers = 2},
        .seed = 5,
        .inliers_low = 2,
        .inliers_high = 2,
        .corner_error = 0.25,
        .describe_seconds = {0.003, 0.004},
        .match_seconds = 0.005,
        .ransac_seconds = 0.006,
    };
}

#endif
