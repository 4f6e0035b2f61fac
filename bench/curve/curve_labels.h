/* What curves are called in a chart. */
#ifndef BENCH_CURVE_LABELS_H
#define BENCH_CURVE_LABELS_H

#include "curve_set.h"

/* Sets the labels of all curves and the title. */
void curve_labels_make(const PathList *paths, CurveSet *set);

#endif
