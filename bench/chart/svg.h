/* A chart as SVG within a page. */

#ifndef BENCH_CHART_SVG_H
#define BENCH_CHART_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "status.h"

typedef struct ChartSeries ChartSeries; /* chart.h */
typedef struct DocChart DocChart;       /* chart.h */

/* A chart as an <svg> element within an HTML page, coloured by the page's style sheet. Points can
 * be focused and carry their value and interval as <title> and data attributes. STATUS_FAIL without
 * memory. */
Status svg_chart_write(FILE *stream, const DocChart *chart);

/* One panel of a chart whose panels share their axes. */
Status svg_panel_write(FILE *stream, const DocChart *chart, size_t panel);

/* The rules of the style sheet that draw each series in its look. */
void svg_looks_write(FILE *stream);

/* A short piece of the series, for the legend. */
void svg_swatch(FILE *stream, const ChartSeries *series);

enum { SVG_VALUE_SIZE = 48 };

/* A value in a sentence: so many significant digits, and all of the whole part. */
void svg_value_text(double number, int digits, char text[SVG_VALUE_SIZE]);

#endif
