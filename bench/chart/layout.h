/* Layout and script of a picture. */

#ifndef BENCH_CHART_LAYOUT_H
#define BENCH_CHART_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "chart.h"
#include "gnuplot.h"
#include "status.h"

/* --- Layout of a picture -------------------------------------------------------------------------
 */

/* Lengths and places are points of 1/72 inch from the lower left corner. */

enum { FIGURE_MARKS_MAX = 64, FIGURE_MARK_SIZE = 64, FIGURE_LINES_MAX = 5 };

typedef struct FigureMark {
    double value;
    char name[FIGURE_MARK_SIZE]; /* as plain text; empty: without one */
    int power;                   /* the name is ten to it */
    bool is_power, minor;
} FigureMark;

/* An axis as it is drawn. */
typedef struct FigureScale {
    bool log;
    double least, most; /* at its ends */
    FigureMark marks[FIGURE_MARKS_MAX];
    size_t count;
} FigureScale;

typedef struct FigurePanel {
    const ChartAxis *axis;
    double reference;
    FigureScale y;
    double left, bottom, wide, high;
    bool empty;                     /* nothing can be drawn */
    bool names_shown, values_named; /* on its x axis, and on its y axis */
} FigurePanel;

/* A text in lines. */
typedef struct FigureLines {
    double size; /* of its letters, relative to the usual ones */
    char lines[FIGURE_LINES_MAX][CHART_TEXT_SIZE];
    size_t count;
} FigureLines;

typedef struct FigureLayout {
    const FigureStyle *style;
    const DocChart *chart;
    double font, letter; /* size, and what a letter is wide on average */
    double width, height, left, right, top, bottom;
    double made_y, note_y, key_y, x_title_y; /* lower ends; of the title of x its middle */
    FigureLines title, note, made;
    FigureScale x;
    bool turned; /* names of marks of x */
    FigurePanel *panels;
    size_t panel_count;
    bool beside; /* panels, with one title of y */
    size_t entries, key_rows;
    double key_high;
    FigureLegend legend;
    bool key_right, key_below; /* of a key inside: in which corner */
    double heading_high;       /* of the words behind bars */
    bool cells_named;
    double cell_letters; /* of counts in cells, relative to the usual ones */
} FigureLayout;

/* Finds a place for everything; to be released in any case. STATUS_USAGE when no point can be
 * drawn, none is in the range that is asked for, or names leave no room. */
Status figure_lay_out(const FigureStyle *style, const DocChart *chart, FigureLayout *layout);

void figure_layout_release(FigureLayout *layout);

/* Whether a point can be drawn. */
bool figure_drawable(const DocChart *chart);

/* How wide a text is at most. */
double figure_letters(const FigureLayout *layout, const char *text);

/* Cuts a text with an ellipsis to what there is room for. */
void figure_cut(const FigureLayout *layout, const char *text, double room,
                char cut[CHART_TEXT_SIZE]);

/* Where a value is on the axis: 0 at its lower end, 1 at the upper one. */
double figure_place(const FigureScale *scale, double value);

/* The name of a series as a key shows it; cut in its middle. */
void figure_series_name(const FigureLayout *layout, const ChartSeries *series,
                        char name[CHART_TEXT_SIZE]);

/* Whether a series has a name at its end or in the key: all but words and named ceilings. */
bool figure_is_named(const DocChart *chart, size_t index);

/* Whether it has an entry in the key: of the same series in several panels the first has. */
bool figure_in_key(const DocChart *chart, size_t index);

/* Writes the gnuplot script that draws the chart in every format of its style, to be run in the
 * folder of <name>.csv, the points (chart_csv_write). It needs no other file. STATUS_FILE. */
Status figure_script_write(const FigureLayout *layout, const char *path, const char *name);

/* What a format is called by gnuplot, and the endings of its files; the second one may be NULL. */
typedef struct FigureTerminal {
    FigureFormat bit;
    const char *terminal;
    const char *ending, *second;
    bool latex; /* texts are LaTeX's */
} FigureTerminal;

extern const FigureTerminal figure_terminals[FIGURE_FORMATS];

/* "-latex" where the second file of a format would have the name of another one, else "". */
const char *figure_infix(const FigureStyle *style, const FigureTerminal *format);

#endif
