#include "likelihood.h"

#include <math.h>

double log_likelihood(const uint64_t *sample, const uint64_t *model, size_t bins) {
    uint64_t total = 0;
    for (size_t i = 0; i < bins; i++) {
        total += model[i];
    }
    double sum = 0;
    for (size_t i = 0; i < bins; i++) {
        const uint64_t count = model[i] > 0 ? model[i] : 1;
        sum += (double)sample[i] * log((double)count / (double)total);
    }
    return sum;
}

size_t most_likely(const double *values, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (values[i] > values[best]) {
            best = i;
        }
    }
    return best;
}
