/* The kinds of weights that the program's own algorithms have. */
#ifndef TESTS_WEIGHTS_KINDS_H
#define TESTS_WEIGHTS_KINDS_H

#include <string.h>

#include "descriptor_weights.h"

static const WeightsKind *const test_kinds[] = {&hashsift_weights, &bad_weights, &orb_weights,
                                                NULL};

/* NULL: there is none of this name. */
static inline const WeightsKind *test_kind(const char *name) {
    const WeightsKind *const *kinds = test_kinds;
    while (*kinds != NULL && strcmp((*kinds)->name, name) != 0) {
        kinds++;
    }
    return *kinds;
}

#endif
