#include "sample_set.h"

#include <stdlib.h>
#include <string.h>

SampleSet sample_set_start(size_t class_count, size_t bins) {
    return (SampleSet){.class_count = class_count, .bins = bins};
}

void sample_set_release(SampleSet *set) {
    free(set->list);
    free(set->histograms);
    *set = (SampleSet){0};
}

static Status grow(SampleSet *set) {
    const size_t capacity = set->capacity > 0 ? 2 * set->capacity : 64;
    Sample *list = realloc(set->list, capacity * sizeof *list);
    if (list != NULL) {
        set->list = list;
    }
    uint64_t *histograms = realloc(set->histograms, capacity * set->bins * sizeof *histograms);
    if (histograms != NULL) {
        set->histograms = histograms;
    }
    if (list == NULL || histograms == NULL) {
        return status_skip("no memory left for the histograms of %zu samples", capacity);
    }
    set->capacity = capacity;
    return status_ok();
}

Status sample_set_add(SampleSet *set, Sample sample, uint64_t **histograms) {
    if (set->count == set->capacity) {
        STATUS_TRY(grow(set));
    }
    *histograms = set->histograms + set->count * set->bins;
    memset(*histograms, 0, set->bins * sizeof **histograms);
    set->list[set->count++] = sample;
    return status_ok();
}
