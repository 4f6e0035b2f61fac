/* The options of `bench train`. */
#ifndef BENCH_TRAIN_OPTIONS_H
#define BENCH_TRAIN_OPTIONS_H

#include <stdio.h>

#include "picture_set.h"
#include "training.h"

typedef struct TrainOptions {
    PictureSetRequest set;
    TrainRequest request;
    const char *pictures; /* folder; NULL: none */
    bool help;
} TrainOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status train_options_parse(int argc, char **argv, TrainOptions *options);

void train_options_print_help(FILE *stream);

#endif
