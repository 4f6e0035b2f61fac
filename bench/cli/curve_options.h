/* The options of `bench curve`. */
#ifndef BENCH_CURVE_OPTIONS_H
#define BENCH_CURVE_OPTIONS_H

#include <stdbool.h>

#include "curve_compute.h"

enum { CURVE_FILES_MAX = 256 };

typedef struct CurveOptions {
    size_t file_count; /* saved curves, and folders of them */
    const char *files[CURVE_FILES_MAX];
    CurveRequest request; /* to compute; without inputs: nothing */
    const char *out;      /* NULL: "lacunarity-curve" */
    bool quiet, help;
} CurveOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status curve_options_parse(int argc, char **argv, CurveOptions *options);

void curve_options_print_help(FILE *stream);

#endif
