/* Computing curves: an algorithm's tables for several inputs, sizes and answer points, saved as
 * `bench run --save` does. */
#ifndef BENCH_CURVE_COMPUTE_H
#define BENCH_CURVE_COMPUTE_H

#include <stdio.h>

#include "options.h"
#include "path_list.h"

enum { CURVE_INPUTS_MAX = 64 };

typedef struct CurveRequest {
    const Algorithm *algorithm;
    const char *variant;    /* NULL: the best one of the CPU */
    size_t synthetic_count; /* kinds */
    const char *synthetic[CURVE_INPUTS_MAX];
    size_t input_count; /* files and folders */
    const char *inputs[CURVE_INPUTS_MAX];
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t axis_count; /* of the answer; others have their defaults */
    AxisRequest axes[OPTIONS_AXES_MAX];
    uint64_t seed;
    double density; /* of synthetic kinds; 0: their own */

    FILE *notes;    /* pictures of a folder that are left out */
    FILE *progress; /* what is being computed; NULL: nobody wants to know */
} CurveRequest;

/*
 * Computes every curve and saves it into the folder; `paths` gets the names of the files. The
 * variant is held against the oracle on a small image first. STATUS_USAGE when two inputs would be
 * saved under one name. What was saved before an error stays.
 */
Status curves_compute(const CurveRequest *request, const char *folder, PathList *paths);

#endif
