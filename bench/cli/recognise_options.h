/* The options of `bench recognise`. */
#ifndef BENCH_RECOGNISE_OPTIONS_H
#define BENCH_RECOGNISE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "picture_set.h"

typedef struct RecogniseOptions {
    const char *model; /* file */
    PictureSetRequest set;
    size_t rounds;                   /* 0: all */
    const char *csv, *matrix, *plot; /* files and folder; NULL: none */
    bool help;
} RecogniseOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status recognise_options_parse(int argc, char **argv, RecogniseOptions *options);

void recognise_options_print_help(FILE *stream);

#endif
