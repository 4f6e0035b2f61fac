/* The points of a chart as CSV, a row a point. */
#ifndef BENCH_FIGURE_CSV_H
#define BENCH_FIGURE_CSV_H

#include "document.h"

/* How a style is called in the file: "measured", "secondary", "published", "ceiling". */
const char *series_style_name(SeriesStyle style);

/*
 * Comment lines with titles, axes and the reference, a header line, then x, y, low, high, colour,
 * style, series and label of each point, series by series: the numbers come first since gnuplot
 * miscounts the fields behind a text with a comma. STATUS_FILE.
 */
Status figure_csv_write(const DocChart *chart, const char *path);

#endif
