/* What a comparison is written as. */
#ifndef BENCH_COMPARE_FORMATS_H
#define BENCH_COMPARE_FORMATS_H

#include <stdio.h>

#include "comparison.h"

typedef struct CompareFormat {
    const char *name;
    const char *summary;
    /* STATUS_FAIL when memory runs out; whether everything was written is for the stream to say. */
    Status (*print)(FILE *stream, const Comparison *comparison, bool strict);
} CompareFormat;

/* The first is the default. */
extern const CompareFormat compare_formats[];
extern const size_t compare_format_count;

/* NULL when there is no such format. */
const CompareFormat *compare_format_find(const char *name);

/* Writes a file, beside and renamed. STATUS_FILE when it cannot be written. */
Status compare_format_write(const char *path, const CompareFormat *format,
                            const Comparison *comparison, bool strict);

Status compare_print_table(FILE *stream, const Comparison *comparison, bool strict);
Status compare_print_markdown(FILE *stream, const Comparison *comparison, bool strict);
Status compare_print_github(FILE *stream, const Comparison *comparison, bool strict);
Status compare_print_junit(FILE *stream, const Comparison *comparison, bool strict);
Status compare_print_json(FILE *stream, const Comparison *comparison, bool strict);

#endif
