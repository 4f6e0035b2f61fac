/* What plot/figure.gp has to know besides the points: a gnuplot script of assignments. */
#ifndef BENCH_FIGURE_SETTINGS_H
#define BENCH_FIGURE_SETTINGS_H

#include "document.h"

/*
 * Writes to `path`, not beside it: the file is read once and removed. False in `*drawable` when no
 * point can be drawn, as with only zeros on a logarithmic axis. STATUS_FILE.
 */
Status figure_settings_write(const DocChart *chart, const char *path, bool *drawable);

#endif
