/* The options of `bench compare`. */
#ifndef BENCH_COMPARE_OPTIONS_H
#define BENCH_COMPARE_OPTIONS_H

#include <stdio.h>

#include "compare_formats.h"

typedef struct CompareOptions {
    const char *before, *now; /* files or folders of runs */
    double alpha, threshold;
    const CompareFormat *format;
    const char *out; /* NULL: standard output */
    bool strict, force, help;
} CompareOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status compare_options_parse(int argc, char **argv, CompareOptions *options);

void compare_options_print_help(FILE *stream);

#endif
