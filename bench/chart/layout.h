/* Layout and script of a picture. */

#ifndef BENCH_CHART_LAYOUT_H
#define BENCH_CHART_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "chart.h"
#include "gnuplot.h"
#include "look.h"
#include "status.h"

/* --- Layout of a picture ---------------------------------------------------------------------- */

/* Lengths and places are points of 1/72 inch from the lower left corner. */

enum {
    FIGURE_NAMES_MAX = 128,
    FIGURE_MARKS_MAX = 128,
    FIGURE_MARK_SIZE = 64,
    FIGURE_LINES_MAX = 5
};

typedef struct FigureMark {
    double value;
    char name[FIGURE_MARK_SIZE]; /* as plain text; empty: without one */
    int power;                   /* the name is ten to it */
    bool is_power, minor;
    bool roomy; /* of a page: the name has room only where the page is wide */
} FigureMark;

/* An axis as it is drawn. */
typedef struct FigureScale {
    bool log;
    double least, most; /* at its ends */
    FigureMark marks[FIGURE_MARKS_MAX];
    size_t count;
} FigureScale;

typedef enum FigureNameKind {
    NAME_OF_LINE,    /* at its end */
    NAME_OF_CEILING, /* along it */
    NAME_OF_POINT    /* the label of a point of SERIES_WORDS */
} FigureNameKind;

/* A name within a plot or beside it. */
typedef struct FigureName {
    FigureNameKind kind;
    const ChartSeries *series;
    const char *label; /* of a point; NULL: the name of the series */
    double x, y;       /* its left end, `right`: its right end, in the middle of its height */
    double angle;      /* radians, rising */
    double size;       /* of its letters, relative to the usual ones */
    bool right;
} FigureName;

typedef struct FigurePanel {
    const ChartAxis *axis;
    double reference;
    FigureScale y;
    double left, bottom, wide, high;
    bool empty;                     /* nothing can be drawn */
    bool names_shown, values_named; /* on its x axis, and on its y axis */
    FigureName names[FIGURE_NAMES_MAX];
    size_t name_count;
} FigurePanel;

/* An entry of the key: its sample begins at x, in the middle of its height. */
typedef struct FigureKeyEntry {
    size_t series;
    bool joint; /* for all series with copies: "with copies", dashed, once */
    double x, y;
} FigureKeyEntry;

/* A text in lines. */
typedef struct FigureLines {
    double size; /* of its letters, relative to the usual ones */
    char lines[FIGURE_LINES_MAX][CHART_TEXT_SIZE];
    size_t count;
    bool cut; /* the last text had no room */
} FigureLines;

typedef struct FigureLayout {
    const FigureStyle *style;
    const DocChart *chart;
    double font, letter; /* size, and what a letter is wide on average */
    double width, height, left, right, top, bottom;
    double made_y, note_y, x_title_y; /* lower ends; of the title of x its middle */
    FigureLines title, note, made;
    FigureScale x;
    bool turned;       /* names of marks of x */
    bool page;         /* the drawing is within a page */
    size_t page_panel; /* which one of the chart it shows */
    FigurePanel *panels;
    size_t panel_count;
    bool beside; /* panels, with one title of y */
    FigureLegend legend;
    FigureKeyEntry key[FIGURE_NAMES_MAX]; /* below the axes or inside, column by column */
    size_t entries;                       /* series with a name in the key or at its end */
    double key_wide, key_high;
    bool key_right, key_below; /* of a key inside: in which corner */
    size_t crowded;            /* names in the plot that lie on others, or leave the picture */
    double heading_high;       /* of the words behind bars */
    bool cells_named;
    double cell_letters; /* of counts in cells, relative to the usual ones */
} FigureLayout;

/* Finds a place for everything; to be released in any case. STATUS_USAGE when no point can be
 * drawn, none is in the range that is asked for, or names leave no room. With
 * FIGURE_LEGEND_USUAL a picture grows until its key has room and may cut names; any other legend
 * refuses what does not fit and says what to leave out. */
Status figure_lay_out(const FigureStyle *style, const DocChart *chart, FigureLayout *layout);

/* The same for a chart within a page: lengths are units of its viewBox, whose letters are larger
 * where the page is narrow. Key and texts stand beside it, outside of the drawing. Of a chart with
 * panels, which share their axes, it shows one. */
Status figure_lay_out_page(const DocChart *chart, size_t panel, FigureLayout *layout);

void figure_layout_release(FigureLayout *layout);

/* How wide a text is at most. */
double figure_letters(const FigureLayout *layout, const char *text);

/* What a line of these takes of the height. */
double figure_line_high(const FigureLayout *layout, const FigureLines *lines);

/* How many bytes of a text fit, whole characters. */
size_t figure_bytes_that_fit(const FigureLayout *layout, const char *text, double room);

/* Cuts a text with an ellipsis to what there is room for. */
void figure_cut(const FigureLayout *layout, const char *text, double room,
                char cut[CHART_TEXT_SIZE]);

/* Whether the axis can show a value at all: a number, and above 0 where it is logarithmic. */
bool figure_shows(bool is_log, double value);

/* "10⁻⁷" */
void figure_power_text(int power, char text[FIGURE_MARK_SIZE]);

/* Where a value is on the axis: 0 at its lower end, 1 at the upper one. */
double figure_place(const FigureScale *scale, double value);

/* Whether an end of an interval is beyond the axis: 1 above it, -1 below, else 0. Such an interval
 * is cut, and an arrow shows it. */
int figure_end_beyond(const FigureScale *scale, double value);

/* The name of a series as a key shows it; cut in its middle. */
void figure_series_name(const FigureLayout *layout, const ChartSeries *series,
                        char name[CHART_TEXT_SIZE]);

/* The name of a series in the CSV: behind the words that tell its panel from others, by its title
 * or its axis, "kernel time (ms): cuda_fast". */
enum { FIGURE_CSV_NAME_SIZE = 2 * CHART_TEXT_SIZE };
void figure_csv_name(const DocChart *chart, const ChartSeries *series,
                     char name[FIGURE_CSV_NAME_SIZE]);

/* Whether a series has a name at its end or in the key: all but words and named ceilings. */
bool figure_is_named(const DocChart *chart, size_t index);

/* Whether it has an entry in the key: of the same series in several panels the first has. */
bool figure_in_key(const DocChart *chart, size_t index);

/* --- Key: key.c ------------------------------------------------------------------------------- */

/* The longest name of a series, in points. */
double figure_widest_entry(const FigureLayout *layout);

/* Lays the entries out for `wide` points, as many columns as fit; places are from the lower left
 * corner of the key. */
void figure_key_measure(FigureLayout *layout, double wide);

/* Moves the key there. */
void figure_key_move(FigureLayout *layout, double x, double y);

/* Chooses the emptiest corner of a panel of this size; where none is empty the axis becomes longer
 * at its end. False where the key would take more than half of the plot. */
bool figure_key_inside(FigureLayout *layout, double wide, double high);

/* Moves it there, once the panel has its place. */
void figure_key_into_corner(FigureLayout *layout);

/* Finds a place for every name of a chart of lines: the last step of a layout. */
void figure_place_names(FigureLayout *layout);

void figure_name_text(const FigureLayout *layout, const FigureName *name,
                      char text[CHART_TEXT_SIZE]);

/* --- Looks of series: series_look.c ----------------------------------------------------------- */

/* Lines that guide the eye, and names of ceilings. */
#define FIGURE_GUIDE "#202020"

/* --- Texts: texts.c --------------------------------------------------------------------------- */

typedef enum TextAlign { TEXT_CENTRED, TEXT_LEFT, TEXT_RIGHT } TextAlign;

/* A text at a place, in the middle of its height. */
typedef struct FigureText {
    const char *text;
    double x, y; /* from the lower left corner */
    TextAlign align;
    double size;        /* of its letters, relative to the usual ones; 0: the usual ones */
    double angle;       /* degrees, rising */
    const char *colour; /* "#202020"; NULL: that of the axes */
} FigureText;

typedef void FigureTextWriter(const void *writer, const FigureText *text);

/* Calls `write` for each line of the title, the note and the origin, and for the title of x, which
 * lies below all panels; of bars it is that of their values. */
void figure_outer_texts_write(const FigureLayout *layout, FigureTextWriter *write,
                              const void *writer);
/* The same for the titles of a panel of lines, and the names within it. */
void figure_panel_texts_write(const FigureLayout *layout, size_t index, FigureTextWriter *write,
                              const void *writer);
/* The same for names of bars with their notes, shares within them and totals behind them. */
void figure_bar_texts_write(const FigureLayout *layout, FigureTextWriter *write,
                            const void *writer);
/* The same for a title, in smaller letters where there is less room. */
void figure_title_write(const FigureLayout *layout, const FigureText *title, double room,
                        FigureTextWriter *write, const void *writer);

enum { SERIES_NO_MARK = -1, SERIES_CROSS = MARKER_COUNT };

/* How a series is drawn. */
typedef struct SeriesLook {
    const char *colour; /* "#0072B2" */
    int marker;         /* a LookMarker, SERIES_CROSS or SERIES_NO_MARK */
    bool hollow;        /* its marks */
    const char *dash;   /* "7, 4"; "": solid */
    double width;       /* of a line of 1/96 inch */
} SeriesLook;

SeriesLook figure_look(const DocChart *chart, size_t index);

/* The colour alone; parts of bars have it too. */
const char *figure_colour(const DocChart *chart, const ChartSeries *series);

/* Of many points a mark at each would be a band. */
bool figure_has_many(const ChartSeries *series);

/* Series by series what a panel shows: begin with {0}. False when there is none left. */
typedef struct FigureShown {
    const ChartSeries *series;
    SeriesLook look;
    size_t index, first; /* of the chart's series; of the points in the CSV, from 0 */
    size_t next, points; /* where the walk goes on */
} FigureShown;

bool figure_next(const FigureLayout *layout, size_t panel, FigureShown *shown);

/* What stands before a name in the key: of bars a box, else a line with its mark in the middle. */
typedef struct FigureSample {
    SeriesLook look;
    bool box, line; /* without a line there is the mark alone */
    double from, to, y;
} FigureSample;

typedef void FigureSampleWriter(const void *writer, const FigureSample *sample);

/* Calls `draw` for each sample of the key and `write` for its name; nothing without a key. */
void figure_key_write(const FigureLayout *layout, FigureSampleWriter *draw, FigureTextWriter *write,
                      const void *writer);

/* --- Writers ---------------------------------------------------------------------------------- */

/* Writes a Python script that draws the chart from <name>.csv with matplotlib, as SciencePlots has
 * it where it is installed. STATUS_FILE. */
Status figure_python_write(const FigureLayout *layout, const char *path, const char *name);

/* Writes a picture for \input, drawn by pgfplots; from <name>.csv where its names are plain, else
 * the numbers stand in it. STATUS_FILE. */
Status figure_pgfplots_write(const FigureLayout *layout, const char *path, const char *name);

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
