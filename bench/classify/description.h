/*
 * Description: the histograms of a picture, one for each scale, by a variant of an algorithm whose
 * answer has a histogram and whose answer axes are `pr`, `interp` and `store`.
 */
#ifndef BENCH_DESCRIPTION_H
#define BENCH_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithm.h"

enum { SCALES_MAX = 12 };

typedef struct Scale {
    char pr[AXIS_TEXT_SIZE]; /* "24:3" */
    size_t bins;
    size_t offset; /* of its first bin in the histograms of a sample, which lie one after another */
} Scale;

typedef struct Scales {
    size_t count;
    Scale list[SCALES_MAX];
    size_t bins;                 /* of all scales */
    char interp[AXIS_TEXT_SIZE]; /* "bilinear" */
} Scales;

typedef struct Describer {
    const Algorithm *algorithm;
    const Variant *variant;
    Scales scales;
    Point answers[SCALES_MAX]; /* of each scale */
    bool proven;               /* the variant's first answers were those of the oracle */
} Describer;

/* The algorithm that textures are described with. */
const Algorithm *description_algorithm(void);

/* The variant of this name; NULL: the best CPU variant that can run here. STATUS_USAGE with the
 * nearest name, or STATUS_SKIP with the reason why it cannot run. */
Status description_variant(const char *name, const Variant **variant);

/* `pr` is a list; NULL: the axis's own. STATUS_USAGE says what would be right. */
Status describer_open(const Variant *variant, const char *pr, const char *interp,
                      Describer *describer);

/*
 * Fills scales.bins counts. The answers for the first picture are held against the oracle's, and
 * those for every picture must count each of its pixels once: STATUS_FAIL when one does not.
 */
Status describer_run(Describer *describer, const Image *picture, uint64_t *histograms);

#endif
