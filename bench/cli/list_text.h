/* What there is to choose from, as text for people. */
#ifndef BENCH_LIST_TEXT_H
#define BENCH_LIST_TEXT_H

#include <stdio.h>

#include "options.h"

/* The selected algorithms (all when none is) with axes, variants and why one is not available;
 * devices, sizes and synthetic kinds of pictures and of sets. At most 100 columns. */
void list_print(FILE *stream, const RunOptions *options);

#endif
