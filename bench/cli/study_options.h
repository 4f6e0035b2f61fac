/* The options of `bench study`. */
#ifndef BENCH_STUDY_OPTIONS_H
#define BENCH_STUDY_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

typedef struct StudyOptions {
    const char *name;   /* NULL only with `list` or `help` */
    const char *device; /* "all", "cpu" or a number */
    const char *data;   /* NULL: the folder that datasets/fetch fills */
    const char *out;    /* NULL: reports/runs/<time>-<study>; never with `render` */
    const char *steps;  /* names with commas between; NULL: all */
    bool quick, render, dry_run, quiet, list, help;
} StudyOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status study_options_parse(int argc, char **argv, StudyOptions *options);

void study_options_print_help(FILE *stream);

#endif
