#include <stdio.h>
#include <stdlib.h>

#include "hashsift.h"

enum {
    BITS_PER_DIFFERENCE = 10000,
    VALUES_PER_DIFFERENCE = 2000,
    ALLOWED_OF_FEW = 2,
    VALUE_DIFFERENCE_MAX = 1
};

typedef struct Difference {
    size_t count;
    int largest;  /* of two values */
    size_t first; /* byte of the first one */
} Difference;

static void add(Difference *difference, size_t byte, int count, int size) {
    if (count > 0 && difference->count == 0) {
        difference->first = byte;
    }
    difference->count += (size_t)count;
    difference->largest = size > difference->largest ? size : difference->largest;
}

void hashsift_compare(const Output *got, const Output *want, Verdict *verdict) {
    const OutputPart *part = &want->layout.parts[0];
    const uint8_t *left = hashsift_descriptors(got);
    const uint8_t *right = hashsift_descriptors(want);
    const bool values = part->width == HASHSIFT_VALUES;
    const size_t elements = values ? part->bytes : 8 * part->bytes;
    Difference difference = {0};
    for (size_t i = 0; i < part->bytes; ++i) {
        const int size = abs(left[i] - right[i]);
        add(&difference, i, values ? size > 0 : __builtin_popcount(left[i] ^ right[i]), size);
    }
    const size_t share = elements / (values ? VALUES_PER_DIFFERENCE : BITS_PER_DIFFERENCE);
    const size_t allowed = share > ALLOWED_OF_FEW ? share : ALLOWED_OF_FEW;
    verdict->agreement = elements == 0 ? 1 : 1 - (double)difference.count / (double)elements;
    verdict->accepted =
        difference.count <= allowed && (!values || difference.largest <= VALUE_DIFFERENCE_MAX);
    if (difference.count > 0) {
        snprintf(verdict->why, sizeof verdict->why,
                 "%zu of %zu %s differ (at most %zu may), first in byte %zu of keypoint %zu",
                 difference.count, elements, values ? "values" : "bits", allowed,
                 difference.first % part->width, difference.first / part->width);
    }
}
