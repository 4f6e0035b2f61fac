/* Ceilings of a chart: thin lines with names instead of points. */
#ifndef BENCH_SVG_CEILINGS_H
#define BENCH_SVG_CEILINGS_H

#include "svg_scale.h"

/* A level line is named at its right end, a rising one below its left end, where few points are. */
void svg_ceilings_write(FILE *stream, const DocChart *chart, const SvgScale *x, const SvgScale *y);

#endif
