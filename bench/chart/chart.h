/*
 * Charts: what one shows, and its files. gnuplot draws everything but the charts within pages
 * (svg.h).
 */

#ifndef BENCH_CHART_CHART_H
#define BENCH_CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

/* --- Chart ------------------------------------------------------------------------------------ */

/* Everything is borrowed, as from a document (document.h). Texts are UTF-8. */

typedef struct ChartPoint {
    double x, y;
    double low, high;  /* interval of y; NAN: none */
    const char *label; /* what x is called: "4K"; NULL: the number */
} ChartPoint;

typedef enum SeriesStyle {
    SERIES_MEASURED,    /* line and points, with intervals */
    SERIES_SECONDARY,   /* dashed line and hollow points: end-to-end, another run */
    SERIES_PUBLISHED,   /* dotted line and crosses */
    SERIES_CEILING,     /* thin line without points, named at its end */
    SERIES_WORDS,       /* the labels of its points alone: the totals of bars */
    SERIES_EXTRAPOLATED /* dotted line without points, in no key: beyond what was measured */
} SeriesStyle;

/* So many runs may be in one chart. */
enum { CHART_RUNS_MAX = 8 };

typedef struct ChartSeries {
    const char *name;
    SeriesStyle style;
    const void *of; /* what its times are of: of a line with copies and that of the same kernel
                       times one and the same; NULL: not told */
    int colour;     /* 0…: its look_numbered */
    size_t panel;   /* which panel of the chart it is in */
    size_t run;     /* of several runs in one chart */
    int mark;       /* number, from 1, of the look whose marks it has; 0: those of its colour */
    size_t same_as; /* number, from 1, of an earlier series that it equals at every point; 0: of
                       none */
    ChartPoint *points;
    size_t count, capacity;
} ChartSeries;

typedef struct ChartTick {
    double value;
    const char *label;
    const char *note; /* of a bar, below its name; NULL: none */
} ChartTick;

typedef struct ChartAxis {
    const char *title; /* with the unit: "kernel time (ms)" */
    const char *unit;  /* of y, behind its values on a page: "ms"; NULL: none */
    bool log;          /* then values of 0 or less are not drawn */
    bool from_zero;    /* of y, not logarithmic: 0 is shown, such as of shares */
    ChartTick *ticks;  /* named places; none: decades or round numbers */
    size_t count, capacity;
} ChartAxis;

/* Panels share the x axis and the key. */
typedef struct ChartPanel {
    const char *title;
    ChartAxis y;      /* without a title: that of the chart, with the same range in all panels */
    double reference; /* as that of a chart */
} ChartPanel;

typedef enum ChartKind {
    CHART_LINES, /* a line for each series */
    CHART_BARS, /* a bar for each tick of x, put together from a part of each series: a point's x is
                   its bar, low and high are where the part begins and ends, SERIES_SECONDARY parts
                   are grey. Written by gnuplot alone */
    CHART_HEAT  /* a row of cells for each series: a point's x is its column, y the count in the
                   cell, which is the darker the larger its share of the row. Written by gnuplot
                   alone */
} ChartKind;

typedef struct DocChart {
    const char *name;        /* file name without suffix: "lbp-time"; unique in the document */
    const char *title;       /* a second line, for details, where it has a line end */
    const char *description; /* for those who cannot see it: what is drawn and what it shows */
    const char *note;        /* beside the key; NULL: none */
    const char *made;        /* machine, date and baseline, at the foot; NULL: unknown */
    ChartKind kind;
    bool ordered;        /* colours are steps from light to dark */
    bool ceilings_named; /* along their lines, which have two points, not in the key */
    bool labels_told;    /* the caption has the words of points: where they would lie on others,
                            they are left out */
    ChartAxis x, y;
    double reference;   /* a thin line at this y: 1 for speedups; NAN: none */
    const char *above;  /* what it means to be above the reference: "GPU faster"; NULL: the sides */
    const char *below;  /* are not shown to differ */
    ChartPanel *panels; /* none: one, with y and the reference of the chart. Written by gnuplot
                           alone */
    size_t panel_count, panel_capacity;
    ChartSeries *series;
    size_t count, capacity;
} DocChart;

/* The title of the panel that a series is in; "" without one. */
const char *chart_panel_of(const DocChart *chart, const ChartSeries *series);

/* --- Pictures --------------------------------------------------------------------------------- */

typedef enum FigureLegend {
    FIGURE_LEGEND_BELOW,
    FIGURE_LEGEND_INSIDE, /* below where it has no room */
    FIGURE_LEGEND_DIRECT, /* at the ends of the lines */
    FIGURE_LEGEND_NONE,
    FIGURE_LEGEND_USUAL /* at the ends where that leaves room for the lines, else below */
} FigureLegend;

/* Bits, in the order of their names on the command line. */
typedef enum FigureFormat {
    FIGURE_PDF = 1,
    FIGURE_SVG = 2,
    FIGURE_PNG = 4,
    FIGURE_PGF = 8,
    FIGURE_CAIROLATEX = 16
} FigureFormat;

enum { FIGURE_FORMATS = 5 };

/* NAN: as the points need it. */
typedef struct FigureRange {
    double least, most;
} FigureRange;

/* How gnuplot draws a chart. */
typedef struct FigureStyle {
    FigureLegend legend;
    double width;                 /* mm; charts that need more are wider */
    const char *font;             /* family; NULL: the usual one */
    double font_size;             /* pt */
    unsigned formats;             /* bits of FigureFormat */
    FigureRange x_range, y_range; /* of charts of lines */
} FigureStyle;

/* --- Files ---------------------------------------------------------------------------- */

/*
 * The points of a chart as CSV: comment lines with titles, axes and the reference, a header line,
 * then x, y, low, high, colour, style, series and label of each point, series by series. The
 * numbers come first since gnuplot miscounts the fields behind a text with a comma. STATUS_FILE.
 */
Status chart_csv_write(const DocChart *chart, const char *path);

/* Writes <folder>/<name>.csv, and .svg, .pdf and .png beside it, 9 cm wide, a column of a paper.
 * Ceilings are named in the key, but for a roofline. STATUS_SKIP with the reason when only the CSV
 * could be made, as without gnuplot; STATUS_FILE. */
Status chart_write(const DocChart *chart, const char *folder);

/* Whether it has a point that can be drawn. */
bool chart_is_drawable(const DocChart *chart);

/* Draws <name>.svg and <name>.png in a folder that exists, with plot/figure.gp; a chart without a
 * point that could be drawn has no files. A title of NULL or "" needs no room. STATUS_SKIP without
 * gnuplot; STATUS_FILE. */
Status chart_draw(const DocChart *chart, const char *folder);

/*
 * Writes <name>.csv, <name>.gp and the pictures that this script draws in a folder that exists, and
 * prints the path of each on `listing`. `gnuplot <name>.gp` in that folder draws them again.
 * STATUS_SKIP with the reason when only script and CSV could be made, as without gnuplot;
 * STATUS_USAGE for a name that is none for a script; STATUS_FILE.
 */
Status chart_publish(const FigureStyle *style, const DocChart *chart, const char *folder,
                     const char *name, FILE *listing);

/* Draws counts of bins 0, 1, … as <name>.svg and <name>.png in a folder that exists. STATUS_SKIP
 * without gnuplot. */
Status histogram_draw(const char *folder, const char *name, const uint64_t *counts, size_t bins);

#endif
