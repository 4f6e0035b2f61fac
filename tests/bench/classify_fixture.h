/*
 * A small classification by hand: two classes, two scales of two bins, seven samples.
 *
 *   class  cell  4:1    8:1
 *   cat    0     3 1    1 3     the model of `first`
 *   cat    0     2 2    2 2     shares pixels with it
 *   cat    1     3 1    3 1
 *   cat    2     1 3    1 3
 *   dog    3     1 3    3 1     the model of `first`
 *   dog    4     0 4    4 0
 *   dog    4     1 3    1 3
 */
#ifndef TESTS_BENCH_CLASSIFY_FIXTURE_H
#define TESTS_BENCH_CLASSIFY_FIXTURE_H

#include <string.h>

#include "textures_internal.h"

enum { FIXTURE_BINS = 4 };

static const Scales fixture_scales = {
    .count = 2,
    .list = {{.pr = "4:1", .bins = 2, .offset = 0}, {.pr = "8:1", .bins = 2, .offset = 2}},
    .bins = FIXTURE_BINS,
    .interp = "bilinear",
};

static const struct {
    Sample sample;
    uint64_t counts[FIXTURE_BINS];
} fixture_samples[] = {
    {{0, 0}, {3, 1, 1, 3}}, {{0, 0}, {2, 2, 2, 2}}, {{0, 1}, {3, 1, 3, 1}}, {{0, 2}, {1, 3, 1, 3}},
    {{1, 3}, {1, 3, 3, 1}}, {{1, 4}, {0, 4, 4, 0}}, {{1, 4}, {1, 3, 1, 3}},
};

static char fixture_cat[] = "cat";
static char fixture_dog[] = "dog";
static TextureClass fixture_classes[] = {{.name = fixture_cat, .images.count = 3},
                                         {.name = fixture_dog, .images.count = 2}};
static const ClassTree fixture_tree = {.count = 2, .classes = fixture_classes};

static inline SampleSet fixture_set(void) {
    SampleSet set = sample_set_start(2, FIXTURE_BINS);
    for (size_t i = 0; i < sizeof fixture_samples / sizeof fixture_samples[0]; i++) {
        uint64_t *histograms = NULL;
        if (sample_set_add(&set, fixture_samples[i].sample, &histograms).code == STATUS_OK) {
            memcpy(histograms, fixture_samples[i].counts, sizeof fixture_samples[i].counts);
        }
    }
    return set;
}

#endif
