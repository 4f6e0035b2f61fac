/* What files of this room and tests share. */

#ifndef BENCH_REPORT_REPORT_INTERNAL_H
#define BENCH_REPORT_REPORT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "backend.h"
#include "gnuplot.h"
#include "machine.h"
#include "report.h"
#include "status.h"
#include "variant.h"

/* --- Document --------------------------------------------------------------------------------- */

/* Room for one more item in an array that the document owns. False, with the document failed,
 * without memory; false at once in a document that has failed. */
bool document_room(Document *document, void *items, size_t count, size_t *capacity, size_t size);
#define DOCUMENT_ROOM(document, items, count, capacity)                                            \
    document_room(document, &(items), count, &(capacity), sizeof *(items))

void table_columns(Document *document, DocTable *table, const DocColumn *columns, size_t count);
#define TABLE_COLUMNS(document, table, columns)                                                    \
    table_columns(document, table, columns, sizeof(columns) / sizeof((columns)[0]))

void table_number(Document *document, DocTable *table, double number, int digits);
/* A text that is sorted by a number. */
void table_value(Document *document, DocTable *table, const char *text, double number);
void table_count(Document *document, DocTable *table, size_t count);

/* The table behind a chart, a row a point: series, x, y, low, high. Owned by the document, but none
 * of its blocks. */
DocTable *chart_table(Document *document, const DocChart *chart);

/* Removes the document's last block, a chart. */
void document_drop_chart(Document *document);

/* A name as part of a file name or an id: lower case letters, digits, '.' and '-'. */
void document_slug(const char *text, char *slug, size_t size);

/* --- Writers of pages ------------------------------------------------------------------------- */

/* page.css and page.js, built into the program: texts with a NUL at their end. */
extern const char page_style[], page_script[];

/* A table with caption and note, in a box of its own that scrolls when the table is wide. */
void html_table_write(FILE *stream, const DocTable *table);

/* A chart with title, legend and the table of its data. STATUS_FAIL without memory. */
Status html_chart_write(FILE *stream, const DocChart *chart);

/* A chart as an <svg> element within an HTML page, coloured by the page's style sheet. Points can
 * be focused and carry their value and interval as <title> and data attributes. */
void svg_chart_write(FILE *stream, const DocChart *chart);

/* The rules of the style sheet that draw each series in its look. */
void svg_looks_write(FILE *stream);

/* A short piece of the series, for the legend. */
void svg_swatch(FILE *stream, const ChartSeries *series);

/* Where values lie in a chart's drawing. */
typedef struct SvgScale {
    bool log;
    double low, high;  /* the range shown; of the decimal logarithm when `log` */
    double start, end; /* where they lie */
} SvgScale;

enum { SVG_TICKS_MAX = 128, SVG_TICK_SIZE = 48 };

typedef struct SvgTick {
    double value;
    char label[SVG_TICK_SIZE]; /* empty: a minor tick, or one without room for its name */
    bool minor;
    bool roomy; /* the name fits only where the drawing is shown large */
} SvgTick;

/* The named places of the axis that lie in the range, else decades or round numbers. Returns their
 * number, ascending unless the axis names them otherwise. */
size_t svg_scale_ticks(const SvgScale *scale, const ChartAxis *axis, SvgTick ticks[SVG_TICKS_MAX]);

/* A value in a sentence: so many significant digits, and all of the whole part. */
void svg_value_text(double number, int digits, char text[SVG_TICK_SIZE]);

/* --- Writers of files ------------------------------------------------------------------------- */

/* One table as a `table` environment with caption and label "tab:<name>", to be \input, with the
 * rules of the package booktabs. STATUS_FILE when it cannot be written. */
Status latex_table_write(const DocTable *table, const char *path);

/* A document that inputs every table of `document` from the folder of `path`; pdflatex turns it
 * into a PDF as it is. */
Status latex_tables_write(const Document *document, const char *path);

/* One table with its caption and note. */
Status markdown_table_write(const DocTable *table, const char *path);

/* A header line, then the cells; group and title of a column are joined by ": ". In numeric columns
 * numbers are written in full where a cell has one; all else as its text. STATUS_FILE. */
Status table_csv_write(const DocTable *table, const char *path);

/* --- Rows and groups -------------------------------------------------------------------------- */

/* The rows of a run by what is compared: algorithm, input and answer point. */
typedef struct RunGroups {
    RunGroup *groups;
    size_t count, capacity;
} RunGroups;

/* The document owns them, and has failed when not all are there. */
RunGroups run_groups_make(const Results *results, Document *document);

bool row_is_on_cpu(const Row *row);
bool row_has_stages(const Row *row);

/* The row of the greatest size that has a verified time; NULL when there is none. */
const Row *group_largest(const RunGroup *group);

/* Whether the variant has a verified time in some row. */
bool group_has_time(const RunGroup *group, const Variant *variant);

/* The most variants that a table or a chart shows. */
enum { VARIANTS_MAX = 64 };

/* The variants of the group, in their order, each once; returns their number. */
size_t run_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]);

/* Likewise, of those on a device. */
size_t device_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]);

/* --- Lines of rows ---------------------------------------------------------------------------- */

/* A value of an axis and where it stands along x. */
typedef struct PlacedValue {
    const char *name;
    double place;
} PlacedValue;

/* What lies along x: sizes, or the values of an axis of the tuning or of the answer. */
typedef struct RowAxis {
    const char *name; /* NULL: sizes */
    bool tuning;
    bool pixels;         /* a set's size is the number of pixels of all its images */
    PlacedValue *values; /* of an axis with a name: each once, ascending by place */
    size_t count;
    bool numbers; /* the values are numbers, and these are their places */
} RowAxis;

extern const RowAxis along_size;

/* The axis with the values of the rows that have a time; the document owns them. */
RowAxis row_axis(Document *document, const RunGroup *group, bool tuning, const char *name);

/* NAN: not on the axis. */
double row_place(const RowAxis *axis, const Row *row);

/* Which rows with a time of this kind make a line; a member that is zero allows all. */
typedef struct RowChoice {
    TimeKind kind;
    RowSide side;
    const Variant *variant;
    const Point *answer;
    const Row *size; /* of the size of this row */
    bool winners;    /* how the fastest were chosen is wanted too */
} RowChoice;

/* Rows, ascending by their place, each the fastest of its place. */
typedef struct RowLine {
    const Row **rows;
    WinnerChoice *winners; /* of each place; NULL: not asked for */
    size_t count;
} RowLine;

/* The document owns the rows' list. */
RowLine row_line(Document *document, const RunGroup *group, const RowAxis *axis, RowChoice choice);

/* Of each variant, in their order, the fastest row of the size of this row; none for NULL. */
RowLine variants_at(Document *document, const RunGroup *group, const Row *size);

/* The fastest rows of one size of a group, by RowSide and TimeKind; NULL where there is none. */
typedef struct SizeBest {
    const Row *of[SIDE_DEVICE + 1][TIME_END_TO_END + 1];
} SizeBest;

/* Sizes with a verified kernel time, ascending; the document owns the list. Returns their number.
 */
size_t size_best_find(Document *document, const RunGroup *group, SizeBest **list);

/* From which place on a variant on a device (NULL: the fastest of each place) is ahead of the
 * fastest one on the CPU. */
Crossover group_crossover(Document *document, const RunGroup *group, const RowAxis *axis,
                          const Variant *device, TimeKind kind);

/* --- Scaling over GPUs or threads: scaling.c -------------------------------------------------- */

/* Rows of one scaling (results.h) with a time, ascending by their number of workers. */
typedef struct Scaling {
    const Row **rows;
    size_t count;
    const Row *one; /* that of one worker; NULL: it has no time, and there is no efficiency */
} Scaling;

/* The scalings of two rows or more over "gpus" or "threads", ascending by the size of their
 * question, each at the variant's fastest other tuning. The document owns the list. */
size_t scalings_find(Document *document, const RunGroup *rows, const char *axis, Scaling **list);

/* "4K", "60000 images"; with --weak what one worker has: "1080p", "keypoints 1000". */
const char *scaling_name(Document *document, const Scaling *scaling);

/* "weak scaling: N GPUs have N times the rows of one"; "" without --weak. */
const char *scaling_words(Document *document, const Scaling *scaling);

/* "cuda_multi was not measured on one GPU" */
const char *scaling_lack(Document *document, const Scaling *scaling);

/* Bits. */
typedef enum ScalingMeasure {
    SCALING_SPEEDUP = 1,
    SCALING_EFFICIENCY = 2, /* percent */
    SCALING_BOTH = SCALING_SPEEDUP | SCALING_EFFICIENCY
} ScalingMeasure;

typedef struct ScalingLine {
    const Scaling *scaling;
    const char *name;
    TimeKind kind;
    bool dashed;
    int colour;
    size_t run; /* of several in one chart */
    bool six;   /* bars are of six launches or more alone */
} ScalingLine;

/* Fills an empty chart: speedup over one worker with the ideal line, efficiency, or each in a panel
 * of its own. With --weak there is the efficiency alone. `whose`: the variant of all lines; NULL:
 * several. */
void scaling_chart(Document *document, DocChart *chart, const ScalingLine *lines, size_t count,
                   const char *whose, unsigned measures);

/* --- Words ------------------------------------------------------------------------------------ */

/* Numbers in texts: three significant digits, with the unit that fits. */
enum { OVERVIEW_TEXT_SIZE = NUMBER_WORDS_SIZE, OVERVIEW_DIGITS = NUMBER_DIGITS };

/* For one unit for all times of a table, so that they can be compared at a glance. Collects times
 * without those that are NAN. Starts zeroed. */
typedef struct TimeRange {
    double logarithms;
    size_t count;
} TimeRange;

void time_range_add(TimeRange *range, double seconds);
/* The unit in which the geometric mean is from 1 to 1000; milliseconds when there are no times. */
TimeUnit time_unit(const TimeRange *range);

#define ALL_AXES (~0U)

/* "pr 8:1, interp bilinear": the axes whose bit is set. */
void point_words(const Point *point, unsigned axes, char *text, size_t size);

/* Whether a name, which is not empty, is in the list "seq, simd". */
bool name_list_has(const char *list, const char *name);
/* Adds it unless it is in it. */
void name_list_add(char *list, size_t size, const char *name);

/* "gpu_memory_bytes" is "gpu memory bytes". */
void fact_key_words(const char *key, char words[FACT_KEY_SIZE]);

/* The value; a number of bytes in the unit that fits. */
void fact_value_words(const Fact *fact, char *text, size_t size);

/* --- Cells ------------------------------------------------------------------------------------ */

/* In all of these a row may be NULL: then there is none. */

/* "16K", with "16K (15360×8640)" as the note. */
void size_cell(Document *document, DocTable *table, const Row *row);

/* "omp/threads:16" */
void label_cell(Document *document, DocTable *table, const Row *row);

/* "simd, omp": the other variants of a side whose time at the size of the fastest row is within its
 * interval, so that which of them is faster is undecided; "" when there are none. Never NULL. */
const char *tied_variants(Document *document, const RunGroup *group, const Row *best, RowSide side,
                          TimeKind kind);
/* Whether a variant, other than that of the fastest row, is among them. */
bool variant_is_tied(const RunGroup *group, const Variant *variant, const Row *best, RowSide side,
                     TimeKind kind);

/* "omp", with the tuning as the note; the row is not NULL. */
void variant_cell(Document *document, DocTable *table, const Row *row);

/* The same of the fastest of a side: "omp (or simd)" where others are tied with it; then true. */
bool fastest_cell(Document *document, DocTable *table, const RunGroup *group, const Row *row,
                  RowSide side, TimeKind kind);

/* What the intervals of a row or a group are: "95% of 6 launches", as interval_words; "" without a
 * time. */
void row_interval_text(const Row *row, char words[NUMBER_WORDS_SIZE]);
const char *group_interval_words(Document *document, const RunGroup *group);
LaunchRange group_launches(const RunGroup *group);

/* The median, with its interval as the note. */
void time_cell(Document *document, DocTable *table, const Row *row, TimeKind kind,
               const TimeUnit *unit);

/* "12800×", by kernel time; a loss stands out. The note names both sides and has the interval. */
void over_seq_cell(Document *document, DocTable *table, const Row *row);

/* "36.7× faster (36.2–37.1)" than the best CPU; being slower stands out. */
void gpu_is_cell(Document *document, DocTable *table, const Row *row, TimeKind kind);

/* --- One run ---------------------------------------------------------------------------------- */

typedef struct GroupColumns {
    bool algorithm, input, answer;
} GroupColumns;

/* One run of a report. */
typedef struct Overview {
    const OverviewRun *run;
    const Results *results;
    Document *document;
    RunGroups groups; /* all, the copies that are only roofs among them */
    Family *families; /* without those */
    size_t count, capacity;
    GroupColumns columns;     /* in which the families' groups differ */
    GroupColumns row_columns; /* in which all groups differ */
} Overview;

/* Of a family of many groups the first, the middle and the last stand for all. */
bool family_shows(const Family *family, size_t index);

/* "lbp on meadow.jpg"; and as part of a table's name. */
const char *family_name(Document *document, const Family *family);
const char *family_slug(Document *document, const Family *family);

/* "lbp_riu, texture, pr 8:1": a group within its family, for titles. */
const char *group_title(const Overview *overview, const Family *family, const RunGroup *group);

/* "pr 8:1, interp bilinear": the axes of the answer that differ within the family and its twin, or
 * those that do not within the family; "" when there are none. */
const char *answer_words(Document *document, const Family *family, const Point *answer,
                         bool differing);

/* The axes that differ but for one, which is given by its place. */
const char *answer_words_without(Document *document, const Family *family, const Point *answer,
                                 size_t axis);

/* The overview with the columns in which all rows differ, those of the copy that is only a roof
 * among them. It owns nothing. */
Overview overview_of_rows(const Overview *overview);

/* Columns in which the groups of this run differ, and their cells. */
void group_columns(const Overview *overview, DocTable *table);
void group_cells(const Overview *overview, DocTable *table, const Row *row);

/* The answer points of a family that differ in nothing but one axis, at their largest size. */
typedef struct AnswerSweep {
    RunGroup rows; /* those with a time */
    RowAxis axis;
    size_t place;          /* of the axis in the answer point */
    const RunGroup *first; /* its first group */
} AnswerSweep;

/* The sweeps of the family's answer axes that have three values or more; where the family has one
 * size and no such axis, so that there is nothing else to compare, also those of two numbers. The
 * document owns the list. */
size_t answer_sweeps(const Overview *overview, const Family *family, AnswerSweep **sweeps);

/* Sections; that of stages is left out where no kernel was timed in parts. */
/* Where a price is given or energy was measured. */
void cost_section(const Overview *overview);

void overview_charts(const Overview *overview);
/* Over GPUs and threads; left out where nothing was measured on several of them. */
void overview_scaling(const Overview *overview);
void overview_stages(const Overview *overview);
/* What a profiler counted; left out where the run has no profile. */
void profile_section(const Overview *overview);
void overview_rooflines(const Overview *overview);
void overview_cells(const Overview *overview);

/* --- One run or two --------------------------------------------------------------------------- */

/* A cell of both runs: the same algorithm, variant, input, size, answer and tuning point. */
typedef struct CellPair {
    const Row *of[2];
    RunDifference
        difference[TIME_KINDS]; /* B / A; its ratio is NAN without a time on either side */
} CellPair;

/* An algorithm, input and answer point of both runs. */
typedef struct RunPair {
    const RunGroup *of[2];
    RunGroup rows;    /* those of A, then those of B */
    bool other_input; /* of the same name, with other content: nothing of it is compared */
    CellPair *cells;  /* in the order of A; none where `other_input` */
    size_t count;
} RunPair;

/* What a report is about: one run, or two side by side. */
typedef struct RunReport {
    Document *document;
    size_t count;
    Overview of[2];
    RunPair *pairs; /* of two runs, in the order of A */
    size_t pair_count;
} RunReport;

/* What "or" in fastest_cell means, with a blank before it. */
extern const char or_note[];

extern const char *const run_letters[2]; /* "A", "B" */

/* The launches of a run's cells, without the copies that are only roofs; what its intervals are;
 * "A: …, B: …" where those of two differ. */
LaunchRange run_launches(const Overview *overview);
LaunchRange report_launches(const RunReport *report);
const char *run_interval_words(const Overview *overview);
const char *report_interval_words(const RunReport *report);

/* A warning about a run, a sentence without a full stop. */
void run_warn(const RunReport *report, size_t run, const char *text);

/* The machine section: warnings, facts and ceilings; of two runs also how they were measured, and
 * what differs first. */
void machine_section(const RunReport *report);
/* How one run was measured. */
void method_section(const RunReport *report);

/* From which size, or value of an answer axis, the GPU is ahead; of two runs also B of A. */
void crossover_section(const RunReport *report);

/* The pairs of two runs, which the document owns. */
void run_pairs_find(RunReport *report);

/* Parts of the report of two runs. */
/* The verdict: how many cells are faster and slower, and those that changed most. */
void diff_answer(const RunReport *report);
void diff_summary(const RunReport *report);
void diff_groups(const RunReport *report); /* a section each: charts and cells */
void diff_missing(const RunReport *report);

/* Times and speedups of both, and the ratio of their times, by size. */
void pair_charts(const RunReport *report, const RunPair *pair);
/* How B differs from A, not decided yet; the ratio is NAN where one of them has no verified time.
 */
RunDifference rows_difference(const Row *a, const Row *b, TimeKind kind, Document *document);

/* What the intervals of a pair's ratios rest on. */
const char *ratio_interval_words(const RunPair *pair, Document *document);

/* --- Charts of rows --------------------------------------------------------------------------- */

/* Draws the variants at the largest size below their roofs into an empty chart of the rows. Without
 * a point or without a roof the chart stays empty. */
void roofline_fill(Document *document, DocChart *chart, const RunGroup *rows, const Row *largest);

/* Likewise a bar for each variant: its upload, the stages of its kernel and its download. */
void stages_fill(Document *document, DocChart *chart, const RunGroup *rows, const Row *largest);

/*
 * The charts that a run draws as files.
 *
 * Where an algorithm and input have more than eight answer points, only the first, the middle and
 * the last have charts of their own, and beyond 64 no chart shows several side by side: then the
 * charts against an answer axis show them all.
 */
typedef enum RunChartKind {
    /* Of one answer point. */
    RUN_SPEEDUP,
    RUN_SPEEDUP_BEST_CPU,
    RUN_TIME,
    RUN_ROOFLINE,
    RUN_STAGES,
    RUN_TUNING, /* of one variant, against `axis` of its tuning */
    /* Of all answer points of an input. */
    RUN_ANSWERS_SPEEDUP,
    RUN_ANSWERS_SPEEDUP_ALLOC,
    RUN_ANSWERS_TIME,
    RUN_ANSWERS_TIME_ALLOC,
    RUN_ANSWERS_FASTEST,
    /* Of one size, against `axis` of the answer. */
    RUN_ANSWER_SWEEP,
    RUN_ANSWER_SWEEP_SPEEDUP
} RunChartKind;

enum { RUN_CHART_VALUES = 3 };

typedef struct RunChart {
    RunChartKind kind;
    const Row *row; /* the first that it shows */
    const Axis *axis;
    char name[CHART_NAME_SIZE]; /* of its files, without suffix */
    bool kept;                  /* neither one of too many nor with too few values */
    bool shared;                /* the name without a hash is that of another chart too */
    size_t value_count;         /* of RUN_ANSWER_SWEEP: its first values */
    double values[RUN_CHART_VALUES];
} RunChart;

typedef struct RunChartList {
    RunChart *charts;
    size_t count, capacity;
} RunChartList;

/* The charts borrow from the rows. STATUS_SKIP without memory. */
Status run_charts_list(const Results *results, RunChartList *list);

void run_charts_release(RunChartList *list);

/* Adds the chart to the document; without series where the rows have too little for it. NULL
 * without memory. */
DocChart *run_chart_build(const Results *results, const RunChart *chart, Document *document);

#endif
