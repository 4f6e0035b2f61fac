/* Gathering: reads the pictures of a class tree one after the other and describes their samples. */
#ifndef BENCH_GATHER_H
#define BENCH_GATHER_H

#include <stdbool.h>
#include <stdio.h>

#include "class_tree.h"
#include "description.h"
#include "sample_set.h"
#include "sampling.h"

typedef struct GatherOptions {
    Sampling sampling;
    bool mixed_sizes;     /* whole pictures may differ in size */
    bool skip_unreadable; /* a picture that cannot be read is named in `notes` and left out */
    FILE *notes;          /* what was left out */
    FILE *progress;       /* a line every few seconds; NULL: none */
} GatherOptions;

/*
 * STATUS_FILE naming the file when a picture cannot be read, is of another size than the others, or
 * is smaller than a cell, or when a class is left without pictures; STATUS_INTERRUPTED after
 * interrupt_requested(). `set` is released by the caller in any case.
 */
Status gather_samples(const ClassTree *tree, const GatherOptions *options, Describer *describer,
                      SampleSet *set);

#endif
