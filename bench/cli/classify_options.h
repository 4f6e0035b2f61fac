/* The options of `bench classify`. */
#ifndef BENCH_CLASSIFY_OPTIONS_H
#define BENCH_CLASSIFY_OPTIONS_H

#include <stdio.h>

#include "classify.h"

typedef struct ClassifyOptions {
    ClassifyRequest request;
    const char *save_model; /* file; NULL: none */
    const char *csv;        /* file; NULL: none */
    const char *plot;       /* folder; NULL: none */
    bool quiet, help;
} ClassifyOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status classify_options_parse(int argc, char **argv, ClassifyOptions *options);

void classify_options_print_help(FILE *stream);

#endif
