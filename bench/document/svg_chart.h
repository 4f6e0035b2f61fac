/* A chart as an <svg> element within an HTML page, coloured by the page's style sheet. */
#ifndef BENCH_SVG_CHART_H
#define BENCH_SVG_CHART_H

#include "document.h"

/* Points can be focused and carry their value and interval as <title> and data attributes. */
void svg_chart_write(FILE *stream, const DocChart *chart);

#endif
