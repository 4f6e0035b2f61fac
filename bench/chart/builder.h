/* How rows and numbers become charts: one builder, and one table of what charts are about, for the
 * pages and files of runs, for papers, studies, histories and applications. */

#ifndef BENCH_CHART_BUILDER_H
#define BENCH_CHART_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "axis.h"
#include "chart.h"
#include "document.h"
#include "number.h"
#include "row.h"
#include "rows.h"

typedef struct CountChart CountChart; /* harness.h */

/* --- Subjects --------------------------------------------------------------------------------- */

/* What a chart is about. */
typedef enum ChartSubject {
    /* Of one answer point. */
    SUBJECT_SPEEDUP, /* over seq */
    SUBJECT_SPEEDUP_BEST_CPU,
    SUBJECT_TIME,
    SUBJECT_ROOFLINE,
    SUBJECT_STAGES,
    SUBJECT_EFFICIENCY, /* share of the roof */
    SUBJECT_CROSSOVER,  /* the fastest of each side, and where they meet */
    SUBJECT_SCALING,    /* over GPUs or threads */
    SUBJECT_THREADS,    /* the speedup over one thread alone */
    SUBJECT_RATIO,      /* of two runs */
    SUBJECT_TUNING,     /* against an axis of the tuning; of a file of one variant */
    /* Of all answer points of an input. */
    SUBJECT_ANSWERS_SPEEDUP,
    SUBJECT_ANSWERS_SPEEDUP_ALLOC,
    SUBJECT_ANSWERS_TIME,
    SUBJECT_ANSWERS_TIME_ALLOC,
    SUBJECT_ANSWERS_FASTEST,
    /* Of one size, against an axis of the answer. */
    SUBJECT_SWEEP,
    SUBJECT_SWEEP_SPEEDUP, /* over the best CPU */
    SUBJECT_SWEEP_OVER_SEQ,
    /* Of no rows. */
    SUBJECT_COMMITS, /* a history */
    SUBJECT_STUDY,
    SUBJECT_CURVES,    /* of an application */
    SUBJECT_COUNTS,    /* a matrix */
    SUBJECT_HISTOGRAM, /* of an answer */
    CHART_SUBJECTS
} ChartSubject;

/* What is drawn upwards. */
typedef enum ChartMeasure {
    CHART_TIME,
    CHART_OVER_BEST_CPU,
    CHART_OVER_SEQ,
    CHART_ROOF_SHARE, /* percent */
    CHART_B_OVER_A    /* of two runs */
} ChartMeasure;

/* Which rows a chart shows, of those of its algorithm and input. */
typedef enum ChartRows {
    ROWS_OF_ANSWER,  /* of one answer point */
    ROWS_OF_INPUT,   /* of all answer points */
    ROWS_OF_SIZE,    /* of one size, against an axis of the answer */
    ROWS_OF_VARIANT, /* of one variant and answer point, against an axis of the tuning */
    ROWS_NONE        /* Curves or counts instead */
} ChartRows;

/* Where a chart is shown: a file has room for notes and panels, a paper says much in its caption.
 */
typedef enum ChartPlace { PLACE_PAGE, PLACE_FILE, PLACE_PAPER } ChartPlace;

/* What a chart of a scaling shows; bits. */
typedef enum ScalingMeasure {
    SCALING_SPEEDUP = 1,
    SCALING_EFFICIENCY = 2, /* percent */
    SCALING_BOTH = SCALING_SPEEDUP | SCALING_EFFICIENCY
} ScalingMeasure;

enum { KERNEL_ALONE = 1 << TIME_KERNEL, BOTH_KINDS = KERNEL_ALONE | 1 << TIME_END_TO_END };

typedef struct Builder Builder;

/* Numbers that no row has. All is borrowed. */
typedef struct Curves {
    ChartAxis x, y;
    ChartAxis *panels; /* of an application: the y axis of each */
    size_t panel_count;
    /* Of a history the times in seconds first, then a line of one point for each change. Of a study
     * what was measured or published; its panel is the line of the figure, and places are named by
     * the labels of points. */
    ChartSeries *lines;
    size_t count;
    bool ratios;     /* 1 is where nothing is gained */
    bool over_sizes; /* every place has its name */
} Curves;

/* What a chart is about: a row of the table in kinds.c. */
typedef struct ChartType {
    const char *word; /* the end of its name; of a file of one variant the axis says it */
    void (*build)(Builder *builder);
    ChartRows rows;
    ChartMeasure measure;
    bool with_alloc;               /* on a device allocation and transfers count */
    bool is_file;                  /* a run draws it by itself */
    bool both;                     /* kernel time and end to end can be asked for */
    bool (*needs)(const Row *row); /* some row has to have this; NULL: nothing */
    const char *page_word;         /* the same on a page, where it is another one */
    /* Of a figure for a paper. */
    const char *figure_word; /* that `bench figure --kind` takes; NULL: it draws none. Rows of one
                                word differ in their measure, and the first is usual */
    const char *caption;     /* NULL: by its measure */
    bool sides;              /* its lines are the fastest of each side */
    bool one_size;           /* of the largest size, and without intervals */
    bool one_run;
    unsigned scaling;     /* of a scaling: bits of ScalingMeasure */
    const char *scale_of; /* of a scaling over this axis alone; NULL: any, and with --weak */
    /* What it says where it has nothing to show: a figure against an axis that lacks it by
     * `--kind sweep needs <needed>, and the run has none for the question; <remedy>`, else `lack`,
     * where {run}, {of} and {axis} stand for the run, the question and the axis. */
    const char *needed, *remedy, *lack;
} ChartType;

extern const ChartType chart_types[CHART_SUBJECTS];

/* The words of figures, in the order that they are offered in; NULL behind the last. */
extern const char *const figure_words[];

/* The first row of this figure_word; NULL: there is none. */
const ChartType *figure_type(const char *word);

/* The row of the same figure_word that has the measure; `usual`, which has a word, without one. */
const ChartType *figure_type_with(const ChartType *usual, ChartMeasure measure);

/* Of more answer points there is no chart side by side. */
enum { TOGETHER_MAX = 64 };

/* New names of series, and which names there were. */
enum { RENAMES_MAX = 64 };

typedef struct Renames {
    const char *const *texts; /* "NAME=TEXT" */
    size_t count;
    const char *names[RENAMES_MAX]; /* that series have */
    size_t name_count;
    bool used[RENAMES_MAX]; /* by place in `texts` */
} Renames;

/* A chart that is asked for, and while it is built. Who asks says what, where and of which rows;
 * the rest is the builder's. */
struct Builder {
    Document *document;
    DocChart *chart;
    const ChartType *type;
    ChartPlace place;
    const Row *head;               /* whose algorithm, input and answer the chart is of */
    RunGroup runs[CHART_RUNS_MAX]; /* of each run the rows that may be shown */
    const char *run_names[CHART_RUNS_MAX];
    size_t run_count;
    RowAxis axis;
    unsigned kinds;      /* bits of TimeKind: which times have lines */
    TimeUnit unit;       /* of CHART_TIME */
    const Variant *only; /* whose lines are all of them; NULL: several are shown */
    /* What lines of several runs in a paper have in common, so that axes say it and not the names
     * of the lines: the variant, and the largest size; NULL: they differ. */
    const Variant *common;
    const char *common_size;
    const Variant *base; /* whose line is left out, since it would be at 1; NULL: none */
    size_t lacking;      /* the first run without data for the chart; run_count: none */
    /* Of a file. */
    const Axis *file_axis; /* of the answer or the tuning; NULL: none */
    bool alone;            /* of its input there is no other answer point */
    bool exponents;        /* names of lines have the exponent of the size */
    /* Of a page: a line for each kind of time of the fastest on the GPU, in the colour of a
     * machine, as in a paper of several machines. */
    bool best;
    unsigned scaling; /* of a scaling: bits of ScalingMeasure; 0: both */
    /* Of no rows; else NULL. */
    const Curves *curves;
    const CountChart *counts; /* of a histogram one row */
    /* Of a paper; else NULL. */
    const char *variants, *sizes; /* comma lists of those that are shown; NULL: all */
    Renames *renames;
    const char *weak; /* what grows over GPUs; NULL or "": nothing does */
};

/* What the page of a run asks for: the rows by size or along an axis, times of kernels and other
 * measures of both kinds. */
Builder page_builder(Document *document, ChartSubject subject, const RunGroup *rows,
                     const RowAxis *axis);

/* Builds the chart and adds it to the document. `intervals` says what its bars are; a paper says it
 * in its caption. NULL, with none added, where it has nothing to show, and without memory. */
DocChart *chart_build(Builder *builder, const char *name, const char *title, const char *intervals);

/* --- Lines: lines.c --------------------------------------------------------------------------- */

/* Of a line: every row by its kernel time. */
extern const RowChoice every_row;

RowLine builder_line(const Builder *builder, RowChoice choice);

/* Whether --variants allows it. */
bool builder_wants(const Builder *builder, const Variant *variant);

/* The rows of wanted variants alone; those with the tuning axis where it has a name. */
RunGroup builder_rows(const Builder *builder, size_t run, const char *axis);

/* Of the rows that of the greatest size; NULL: there is none. */
const Row *builder_largest(const Builder *builder, const RunGroup *rows);

/* The rows of all runs. */
RunGroup builder_all_rows(const Builder *builder);

/* The one variant of whose lines several runs in a paper have one each; NULL: there are several, or
 * none is named. `axis` as in builder_rows. */
const Variant *builder_common(const Builder *builder, const char *axis);

bool builder_has_devices(const Builder *builder);

/* The variant that speedups are over, and how it is called: "seq (1 thread)". NULL: none. */
const Variant *builder_base(const Builder *builder, const char **words);

/* "omp, simd": the variants that are the best CPU variant somewhere; "" when none is. */
void builder_best_cpus(const Builder *builder, char *text, size_t size);

/* The variants of these rows that are shown, in the order of --variants, else of the run. */
size_t builder_variants(const Builder *builder, const RunGroup *rows,
                        const Variant *variants[VARIANTS_MAX]);

/* The value of a row; y is NAN where it has none. */
ChartPoint builder_point(const Builder *builder, const Row *row, TimeKind kind);

/* The unit of the times of all rows that may be shown. */
TimeUnit builder_unit(const Builder *builder);

/* "speedup over the best CPU variant", "kernel time" */
const char *measure_words(const ChartType *type);

/* What the place of a row is called: "4K", "60000", "8:1". */
void builder_place_name(const Builder *builder, const Row *row, char text[REPORT_TEXT_SIZE]);

/* Makes the y axis that of the measure. */
void builder_name_measure(Builder *builder);

/* "image size (pixels, logarithmic)" */
const char *builder_size_title(const Builder *builder);

/* Names what lies along x: sizes, or the values of the axis. False where there are not two. */
bool builder_name_places(Builder *builder);

/* "4K", "60000 images": a size by itself. */
void size_name(const Row *row, char text[REPORT_TEXT_SIZE]);

/* The title of a file: "lbp on meadow.jpg" with `of` before " on", and a line of the axes of the
 * answer in `axes`. */
const char *builder_title(const Builder *builder, const char *of, const Point *answer,
                          unsigned axes);

/* The same of a chart of one size. */
const char *builder_title_at(const Builder *builder, const Row *size, const Point *answer);

/* A name as --rename has it. */
const char *builder_renamed(const Builder *builder, const char *name);

/* Whether a line is of times with copies beside one of kernel times, and so has to say it. */
bool builder_is_beside_kernel(const Builder *builder, TimeKind kind);

/* "cuda_fast, 4K, H200, with copies"; without a name the machine alone: "H200, with copies".
 * `detail` may be NULL. */
const char *builder_series_name(const Builder *builder, const char *name, const char *detail,
                                TimeKind kind, size_t run);

/* Adds the size that all lines have to what lies along x. */
void builder_name_common_size(const Builder *builder);

bool builder_has_kind(const Builder *builder, TimeKind kind);

/* The colour of the variant's lines. */
int variant_colour(const Variant *variant);

/* How a line is called and looks. */
typedef struct LineLook {
    const char *name;
    SeriesStyle style;
    int colour;
    size_t run;
    const void *of; /* as of a ChartSeries */
} LineLook;

/* That of a line of rows, of times of `of`, called as builder_series_name says; dashed where the
 * kernel is shown too. */
LineLook builder_look(const Builder *builder, const void *of, const char *name, const char *detail,
                      TimeKind kind, int colour, size_t run);

/* Adds a point that has a y to the series, which is made with the first. */
void builder_add_at(const Builder *builder, ChartPoint point, LineLook look, ChartSeries **series);

/* The same at the place of the row. */
void builder_add_point(const Builder *builder, const Row *row, ChartPoint point, LineLook look,
                       ChartSeries **series);

void builder_add_line(const Builder *builder, const RowLine *line, TimeKind kind, LineLook look);

/* The fastest of a side at each place, of one answer point or, for NULL, of all. False where it has
 * no time of the kind. */
bool builder_add_fastest(const Builder *builder, size_t run, RowSide side, TimeKind kind,
                         const Point *answer, const char *name, int colour);

/* A line for each variant, kind of time and run, of one answer point or, for NULL, of all. On a CPU
 * both kinds are one. In a paper several runs have a line each of the fastest of every place, on
 * the GPU where the run has one, in the colour of the machine, unless variants are named. On a page
 * two runs have a line each of every variant, the second dashed, or one line of their ratio. */
void builder_add_variants(const Builder *builder, const Point *answer);

/* Adds to the note; NULL and "" add nothing. */
void builder_note(const Builder *builder, const char *words);

/* Which tuning the lines show: "fastest threads of omp, tile of cuda_tiled"; "" where no variant
 * has several. Names of lines are short enough for their ends without it. */
const char *builder_tuning_words(const Builder *builder);

/* --- Scaling over GPUs or threads: scaling.c -------------------------------------------------- */

/* Rows of one scaling (scaling.h) with a time, ascending by their number of workers. */
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

/* What grows with the workers: "rows", "images", "keypoints". */
const char *scaling_grows(const Row *row);

/* "cuda_multi was not measured on one GPU" */
const char *scaling_lack(Document *document, const Scaling *scaling);

/* Speedup over one worker with the ideal line, and efficiency, each in a panel of its own. */
void build_scaling(Builder *builder);

/* --- Of no rows: curves.c --------------------------------------------------------------------- */

/* Times over commits, and where they change. */
void build_commits(Builder *builder);

/* What was measured beside what was published. */
void build_study(Builder *builder);

void build_curves(Builder *builder);
void build_counts(Builder *builder);
void build_histogram(Builder *builder);

/* --- Other kinds that are large --------------------------------------------------------------- */

/* The variants at the largest size below their roofs; of several machines the fastest variant of
 * each side and the roofs above them, in the colour of the machine. */
void build_roofline(Builder *builder);

/* A bar for each variant at the largest size: its upload, the stages of its kernel and its
 * download. */
void build_stages(Builder *builder);

enum { STAGE_NAMES_MAX = 64 };

/* Names of stages over several rows, in the order they come up. */
typedef struct StageNames {
    const char *names[STAGE_NAMES_MAX];
    size_t count;
} StageNames;

/* Whether parts of its kernel were timed. */
bool row_has_stages(const Row *row);

/* NAN where the row has no stage of this name. */
double row_stage_seconds(const Row *row, const char *name);

void stage_names_add(StageNames *stages, const Row *row);

#endif
