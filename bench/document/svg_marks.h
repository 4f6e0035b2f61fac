/* How a series looks: classes for the page's style sheet and the shapes of its points. */
#ifndef BENCH_SVG_MARKS_H
#define BENCH_SVG_MARKS_H

#include "document.h"

/* Classes of a series: its colour and its style, "c3 measured". */
void svg_classes(FILE *stream, const ChartSeries *series);

/* Path data of a point around the origin. Series of different colours have different shapes as far
 * as there are some, and published ones crosses. */
const char *svg_shape(const ChartSeries *series);

/* A short piece of the series, for the legend. */
void svg_swatch(FILE *stream, const ChartSeries *series);

#endif
