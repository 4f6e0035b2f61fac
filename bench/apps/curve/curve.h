/* Lacunarity against box side: `bench curve`. */

#ifndef BENCH_APPS_CURVE_CURVE_H
#define BENCH_APPS_CURVE_CURVE_H

#include <stdio.h>

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

int command_curve(const Invocation *given);
void command_curve_help(FILE *stream);

#endif
