/* The options of `bench report`. */
#ifndef BENCH_REPORT_OPTIONS_H
#define BENCH_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

enum { REPORT_RUNS_MAX = 64 };

typedef enum ReportFormat {
    REPORT_HTML = 1,
    REPORT_MARKDOWN = 2,
    REPORT_LATEX = 4,
    REPORT_CSV = 8
} ReportFormat;

typedef struct ReportOptions {
    size_t run_count; /* at least one */
    const char *runs[REPORT_RUNS_MAX];
    const char *out;   /* file or folder; NULL: beside the run */
    const char *title; /* NULL: made of the runs' names */
    unsigned formats;  /* bits of ReportFormat; 0: not given */
    bool diff, help;
} ReportOptions;

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
Status report_options_parse(int argc, char **argv, ReportOptions *options);

void report_options_print_help(FILE *stream);

#endif
