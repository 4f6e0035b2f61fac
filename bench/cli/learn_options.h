/* The options of `bench train-hashsift` and `bench train-bad`. */
#ifndef BENCH_LEARN_OPTIONS_H
#define BENCH_LEARN_OPTIONS_H

#include "learn_request.h"

typedef enum LearnKind { LEARN_HASHSIFT, LEARN_BAD } LearnKind;

typedef struct LearnOptions {
    LearnRequest request;
    const char *verify;  /* folder of pictures; NULL: nothing is verified */
    const char *against; /* file of weights; NULL: none */
    bool help;
} LearnOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status learn_options_parse(LearnKind kind, int argc, char **argv, LearnOptions *options);

void learn_options_print_help(LearnKind kind, FILE *stream);

#endif
