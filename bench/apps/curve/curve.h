/* Lacunarity against box side: `bench curve`. */

#ifndef BENCH_APPS_CURVE_CURVE_H
#define BENCH_APPS_CURVE_CURVE_H

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_curve;

#endif
