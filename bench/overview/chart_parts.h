/* What the charts of an overview have in common. */
#ifndef BENCH_CHART_PARTS_H
#define BENCH_CHART_PARTS_H

#include "overview_parts.h"
#include "overview_table.h"

/* What is drawn upwards. */
typedef enum ChartMeasure { CHART_TIME, CHART_OVER_BEST_CPU, CHART_OVER_SEQ } ChartMeasure;

/* "time", "speedup-best-cpu": the end of a chart's name. */
const char *measure_slug(ChartMeasure measure);
/* "kernel time", "speedup over the best CPU variant" */
const char *measure_words(ChartMeasure measure);

/* An empty chart whose y axis is that of the measure, logarithmic. */
DocChart *measure_chart(Document *document, const char *name, const char *title,
                        ChartMeasure measure, const TimeUnit *unit);
/* What a row is worth on that axis: a time in the unit, or a ratio. y is NAN where that is not
 * known. */
ChartPoint measure_point(const Row *row, ChartMeasure measure, TimeKind kind, const TimeUnit *unit);
/* The series of a variant: solid for the kernel, dashed and named "…, end to end" otherwise. */
ChartSeries *measure_series(Document *document, DocChart *chart, const Row *row, TimeKind kind);

/* Sets the description from what is in the chart: against what, how many lines, and who is lowest
 * and highest at the right end. */
void describe_chart(Document *document, DocChart *chart, const char *against);

#endif
