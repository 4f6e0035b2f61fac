/* Ceilings for people and for programs. */
#ifndef BENCH_CEILINGS_PRINT_H
#define BENCH_CEILINGS_PRINT_H

#include <stdio.h>

#include "ceilings.h"

/* The list as a JSON document. STATUS_FAIL when memory runs out. */
Status ceilings_print_json(FILE *stream, const Ceilings *ceilings);

/* "232.7 GB/s", "108.5 Gop/s", "4.3 µs". */
void ceiling_text(const Ceiling *ceiling, char *text, size_t size);

/* A table of all, with headings. */
void ceilings_print(FILE *stream, const Ceilings *ceilings);

#endif
