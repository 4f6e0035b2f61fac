/* Why cells have no time: one line for each reason, however many cells share it. */
#ifndef BENCH_CONSOLE_REASONS_H
#define BENCH_CONSOLE_REASONS_H

#include <stdio.h>

#include "result.h"

/* Lists the cells of `status` under `title`; prints nothing when there are none. */
void console_reasons_print(FILE *stream, const Results *results, CellStatus status,
                           const char *title);

#endif
