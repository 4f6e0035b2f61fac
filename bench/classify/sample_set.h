/* Samples: the histograms of every piece of every picture, in memory. */
#ifndef BENCH_SAMPLE_SET_H
#define BENCH_SAMPLE_SET_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct Sample {
    size_t class_index;
    size_t cell; /* samples of one cell share pixels; numbered over all pictures */
} Sample;

typedef struct SampleSet {
    size_t class_count;
    size_t bins; /* of one sample, all scales */
    size_t count, capacity;
    Sample *list;         /* owned; by class, and within a class by cell */
    uint64_t *histograms; /* owned; count × bins */
} SampleSet;

SampleSet sample_set_start(size_t class_count, size_t bins);
void sample_set_release(SampleSet *set);

/* Appends a sample whose histograms are all 0, and points to them until the next call. */
Status sample_set_add(SampleSet *set, Sample sample, uint64_t **histograms);

static inline const uint64_t *sample_histograms(const SampleSet *set, size_t index) {
    return set->histograms + index * set->bins;
}

#endif
