/* Figures: a chart as CSV and, drawn from that CSV by gnuplot, as SVG, PDF and PNG. */
#ifndef BENCH_FIGURE_FILES_H
#define BENCH_FIGURE_FILES_H

#include "document.h"

/* Writes <folder>/<name>.csv, and .svg, .pdf and .png beside it with plot/figure.gp, 9 cm wide, a
 * column of a paper. In so narrow a figure ceilings are named in the key. STATUS_SKIP with the
 * reason when only the CSV could be made, as without gnuplot; STATUS_FILE. */
Status figure_write(const DocChart *chart, const char *folder);

#endif
