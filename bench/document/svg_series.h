/* The series of a chart as SVG elements. */
#ifndef BENCH_SVG_SERIES_H
#define BENCH_SVG_SERIES_H

#include "svg_scale.h"

/* A coordinate with at most one decimal. */
void svg_coordinate(FILE *stream, double value);

/* All but the ceilings: a group each, with its line and its points. */
void svg_series_write(FILE *stream, const DocChart *chart, const SvgScale *x, const SvgScale *y);

/* The line from point to point, with a gap where one is missing; nothing without a point. */
void svg_line(FILE *stream, const ChartSeries *series, const SvgScale *x, const SvgScale *y);

#endif
