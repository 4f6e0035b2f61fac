/*
 * A recogniser by hand, for images of 4×2 pixels, and four of these.
 *
 *   digit 7   left half − right half ≥ 10   alpha 1
 *             top row − bottom row < 0      alpha 0.5
 *   digit 2   left half − right half < 10   alpha 0.75
 *
 *   image   columns   rows   score of 7   score of 2   label
 *   0         40        0      +1 −0.5      −0.75        7
 *   1         −40       0      −1 −0.5      +0.75        2
 *   2         10        10     +1 −0.5      −0.75        2
 *   3         9         −9     −1 +0.5      +0.75        5
 */
#ifndef TESTS_BENCH_TRAIN_FIXTURE_H
#define TESTS_BENCH_TRAIN_FIXTURE_H

#include "recognise_internal.h"
#include "test.h"

static Stump fixture_sevens[] = {
    {.candidate = 3,
     .type = 0,
     .w = 4,
     .h = 2,
     .threshold = 10,
     .polarity = 1,
     .alpha = 1,
     .error = 1,
     .misses = 1,
     .false_alarms = 2},
    {.candidate = 8, .type = 1, .w = 4, .h = 2, .threshold = 0, .alpha = 0.5, .error = 1u << 31},
};
static Stump fixture_twos[] = {
    {.candidate = 0, .type = 0, .w = 4, .h = 2, .threshold = 10, .alpha = 0.75, .error = 77},
};

/* Its stumps are not to be released. */
static inline Recogniser fixture_recogniser(void) {
    Recogniser recogniser = {
        .facts = {.width = 4,
                  .height = 2,
                  .input = "four \"images\"",
                  .hash = UINT64_C(0xFEDCBA9876543210),
                  .images = 4,
                  .seed = UINT64_MAX,
                  .rounds = 2,
                  .candidates = 9,
                  .min_side = 2,
                  .threshold = 5,
                  .variant = "seq",
                  .digit_count = 2,
                  .digits = {7, 2}},
        .count = 2,
        .classifiers = {{.digit = 7, .count = 2, .stumps = fixture_sevens},
                        {.digit = 2, .count = 1, .stumps = fixture_twos}},
    };
    return recogniser;
}

static uint8_t fixture_pixels[] = {
    10, 10, 0,  0,  10, 10, 0,  0,  /* 0 */
    0,  0,  10, 10, 0,  0,  10, 10, /* 1 */
    10, 0,  0,  0,  0,  0,  0,  0,  /* 2 */
    0,  0,  0,  0,  9,  0,  0,  0,  /* 3 */
};
static uint8_t fixture_labels[] = {7, 2, 2, 5};

/* Every member is the same. */
static inline void check_stump(const Stump *got, const Stump *want) {
    assert_int_equal(got->candidate, want->candidate);
    assert_int_equal(got->type, want->type);
    assert_int_equal(got->x, want->x);
    assert_int_equal(got->y, want->y);
    assert_int_equal(got->w, want->w);
    assert_int_equal(got->h, want->h);
    assert_int_equal(got->threshold, want->threshold);
    assert_int_equal(got->polarity, want->polarity);
    assert_true(got->alpha == want->alpha);
    assert_int_equal(got->error, want->error);
    assert_int_equal(got->misses, want->misses);
    assert_int_equal(got->false_alarms, want->false_alarms);
}

static inline Workload fixture_images(void) {
    return (Workload){.kind = WORKLOAD_IMAGE_SET,
                      .input = "hand",
                      .image = {4, 8, 4, fixture_pixels},
                      .set = {4, 4, 2, fixture_labels}};
}

#endif
