/* The options of `bench match`. */
#ifndef BENCH_MATCH_OPTIONS_H
#define BENCH_MATCH_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "atomic_file.h"
#include "picture_match.h"

typedef struct MatchOptions {
    MatchRequest request; /* keypoint files point into the list below */
    char keypoint_files[2][ATOMIC_FILE_PATH_SIZE];
    int keypoint_file_count;
    const char *out; /* folder; NULL: none */
    bool help;
} MatchOptions;

/* Texts point into `argv` and into `options`, which must stay where it is. STATUS_USAGE is one
 * sentence that says what would be right. */
Status match_options_parse(int argc, char **argv, MatchOptions *options);

void match_options_print_help(FILE *stream);

#endif
