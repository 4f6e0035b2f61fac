#include <stdlib.h>
#include <string.h>

#include "stats.h"

Status samples_add(Samples *samples, double seconds) {
    if (samples->count == samples->capacity) {
        const size_t capacity = samples->capacity == 0 ? 32 : 2 * samples->capacity;
        double *grown = realloc(samples->seconds, capacity * sizeof *grown);
        if (grown == NULL) {
            return status_skip("no memory left for sample %zu", samples->count + 1);
        }
        samples->seconds = grown;
        samples->capacity = capacity;
    }
    samples->seconds[samples->count++] = seconds;
    return status_ok();
}

Status samples_copy(const Samples *source, Samples *copy) {
    *copy = (Samples){0};
    if (source->count == 0) {
        return status_ok();
    }
    copy->seconds = malloc(source->count * sizeof *copy->seconds);
    if (copy->seconds == NULL) {
        return status_skip("no memory left for %zu samples", source->count);
    }
    memcpy(copy->seconds, source->seconds, source->count * sizeof *copy->seconds);
    copy->count = copy->capacity = source->count;
    return status_ok();
}

void samples_release(Samples *samples) {
    free(samples->seconds);
    *samples = (Samples){0};
}
