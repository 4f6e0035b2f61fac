/* A chart as SVG within a page. */

#ifndef BENCH_CHART_SVG_H
#define BENCH_CHART_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "chart.h"

/* A chart as an <svg> element within an HTML page, coloured by the page's style sheet. Points can
 * be focused and carry their value and interval as <title> and data attributes. */
void svg_chart_write(FILE *stream, const DocChart *chart);

/* The rules of the style sheet that draw each series in its look. */
void svg_looks_write(FILE *stream);

/* A short piece of the series, for the legend. */
void svg_swatch(FILE *stream, const ChartSeries *series);

/* Where values lie in a chart's drawing. */
typedef struct SvgScale {
    bool log;
    double low, high;  /* the range shown; of the decimal logarithm when `log` */
    double start, end; /* where they lie */
} SvgScale;

enum { SVG_TICKS_MAX = 128, SVG_TICK_SIZE = 48 };

typedef struct SvgTick {
    double value;
    char label[SVG_TICK_SIZE]; /* empty: a minor tick, or one without room for its name */
    bool minor;
    bool roomy; /* the name fits only where the drawing is shown large */
} SvgTick;

/* The named places of the axis that lie in the range, else decades or round numbers. Returns their
 * number, ascending unless the axis names them otherwise. */
size_t svg_scale_ticks(const SvgScale *scale, const ChartAxis *axis, SvgTick ticks[SVG_TICKS_MAX]);

/* A value in a sentence: so many significant digits, and all of the whole part. */
void svg_value_text(double number, int digits, char text[SVG_TICK_SIZE]);

#endif
