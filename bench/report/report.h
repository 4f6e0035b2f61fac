/*
 * Reports: documents of headings, tables and charts, their writers, and the sections about
 * runs.
 */

#ifndef BENCH_REPORT_REPORT_H
#define BENCH_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "claims.h"
#include "plot.h"
#include "status.h"
#include "stored_run.h"

/* --- Document --------------------------------------------------------------------------------- */

/*
 * Document: a report as a list of blocks, independent of the format it is written in. Writers are
 * html.c, markdown.c, latex.c, figure.c and svg.c.
 *
 * Building never fails half-way: when memory runs out the document remembers it, further calls do
 * nothing (those that return a pointer return NULL, which every function here accepts), and
 * document_status and every writer report it. All texts are UTF-8, copied, and owned by the
 * document.
 */

typedef enum BlockKind {
    BLOCK_HEADING,   /* text, level 2…4, id */
    BLOCK_PARAGRAPH, /* text */
    BLOCK_ITEM,      /* of a list: neighbouring items are one list */
    BLOCK_CODE,      /* text, in lines */
    BLOCK_WARNING,   /* a paragraph that must be seen */
    BLOCK_TABLE,
    BLOCK_CHART
} BlockKind;

typedef struct Block {
    BlockKind kind;
    const char *text;
    int level;
    const char *id; /* of a heading: for links within the document */
    DocTable *table;
    DocChart *chart;
} Block;

typedef struct Document {
    const char *title;
    Block *blocks;
    size_t count, capacity;
    void *memory; /* list of what is owned */
    bool failed;
} Document;

/* An empty document, to be released. */
void document_open(Document *document, const char *title);

void document_release(Document *document);
/* STATUS_FAIL when memory has run out. */
Status document_status(const Document *document);

/* A text that lives as long as the document, printf-like. NULL without memory. */
const char *document_text(Document *document, const char *format, ...) STATUS_PRINTF(2, 3);

/* Zeroed memory that lives as long as the document; NULL without memory, and the document has
 * failed. */
void *document_allocate(Document *document, size_t size);

/* `level` 2 is a section. The id is made of the text, unique in the document. */
void document_heading(Document *document, int level, const char *text);

/* Of a kind that is only text: BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_CODE, BLOCK_WARNING. */
void document_add(Document *document, BlockKind kind, const char *format, ...) STATUS_PRINTF(3, 4);

/* Columns first, then rows, cell by cell: each row has one cell a column. */
DocTable *document_table(Document *document, const char *name, const char *caption);

void table_column(Document *document, DocTable *table, const DocColumn *column);
void table_cell(Document *document, DocTable *table, const DocCell *cell);
/* The usual cells: words; a number with `digits` significant ones (an em dash for NAN). */
void table_words(Document *document, DocTable *table, const char *text);

/* Notes which measured lines equal an earlier one (ChartSeries.same_as). */
void chart_mark_equal(DocChart *chart);

DocChart *document_chart(Document *document, const char *name, const char *title);
/* Series that are added next are in this panel. The pointer is good until the next one. */
ChartPanel *chart_panel(Document *document, DocChart *chart, const char *title);
/* The pointer is good until the next series of the chart is added. */
ChartSeries *chart_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                          int colour);
void chart_point(Document *document, ChartSeries *series, const ChartPoint *point);
void chart_tick(Document *document, ChartAxis *axis, double value, const char *label);
/* Says in the chart's note what its bars are, "bars: 95% of 6 launches", if a point has one; ""
 * adds nothing. The last thing to be done with a chart. */
void chart_note_intervals(Document *document, DocChart *chart, const char *words);

/* --- Html ------------------------------------------------------------------------------------- */

/*
 * HTML: a document as one file that needs nothing else: style and script are within it, charts are
 * drawn in it as SVG (also without the script), each with its table behind it.
 */

/* STATUS_FILE when it cannot be written, STATUS_FAIL when the document ran out of memory. */
Status html_write(const Document *document, const char *path);

/* --- Markdown --------------------------------------------------------------------------------- */

/* GitHub-flavoured Markdown. */

/*
 * A whole document. A chart is shown as the image `figures`/<name>.svg, relative to the file, if
 * that exists, and as its table otherwise; `figures` may be NULL. STATUS_FILE when the file cannot
 * be written.
 */
Status markdown_write(const Document *document, const char *path, const char *figures);

/* --- Latex ------------------------------------------------------------------------------------ */

/* A whole document as a section, to be \input into an article; a chart is the table of its points.
 * STATUS_FILE when it cannot be written, STATUS_FAIL when the document ran out of memory. */
Status latex_write(const Document *document, const char *path);

/* --- Document files --------------------------------------------------------------------------- */

/* Every table and every chart of a document as files of their own. */

typedef enum TableFormat { TABLE_CSV = 1, TABLE_MARKDOWN = 2, TABLE_LATEX = 4 } TableFormat;

/* Writes <folder>/<name>.csv, .md and .tex of each table, in the formats whose bits are set; with
 * TABLE_LATEX also all.tex, which inputs them all. Makes the folder. STATUS_FILE, or STATUS_FAIL
 * when the document ran out of memory. */
Status document_tables_write(const Document *document, const char *folder, unsigned formats);

/* Writes the files of chart_write for each chart. Makes the folder. STATUS_SKIP or
 * STATUS_INTERRUPTED with the first reason when all but images could be written. */
Status document_figures_write(const Document *document, const char *folder);

bool document_only_lacks_images(const Status *status);

/* Adds axes and series to a chart. */
typedef void ChartFill(Document *document, DocChart *chart, const void *content);

/* The same for a chart of no document, which `fill` makes of `content`. */
Status chart_draw_alone(const char *folder, const char *name, const char *title, ChartFill *fill,
                        const void *content);

/* Draws every chart that the rows have data for into the folder of their run (plot/README.md);
 * STATUS_SKIP when gnuplot is not installed. */
Status run_charts_draw(const Results *results, const char *folder);
/* The same; `drawn` is the number of charts that were, each a .svg and a .png. */
Status run_charts_draw_counted(const Results *results, const char *folder, size_t *drawn);

/* Draws counts of bins 0, 1, … as <name>.svg and <name>.png in a folder that exists. STATUS_SKIP
 * without gnuplot. */
Status histogram_draw(const char *folder, const char *name, const uint64_t *counts, size_t bins);

/* --- Confusion matrix ------------------------------------------------------------------------- */

/*
 * Confusion matrix: how many samples of each actual class were recognised as which class, as lines
 * of CSV and as a heat map.
 */

/* The column_of_row of a class that no sample can be recognised as. */
#define CONFUSION_NO_COLUMN SIZE_MAX

/* A view: everything is borrowed. */
typedef struct ConfusionMatrix {
    size_t rows, columns; /* actual and predicted classes */
    const char *const *row_names;
    const char *const *column_names;
    const size_t *column_of_row; /* the class that would be right; or CONFUSION_NO_COLUMN */
    const uint64_t *counts;      /* rows × columns */
} ConfusionMatrix;

static inline uint64_t confusion_matrix_count(const ConfusionMatrix *matrix, size_t row,
                                              size_t column) {
    return matrix->counts[row * matrix->columns + column];
}

/* Samples of a class. */
uint64_t confusion_matrix_row_total(const ConfusionMatrix *matrix, size_t row);

/* Those recognised as their class. */
uint64_t confusion_matrix_row_correct(const ConfusionMatrix *matrix, size_t row);

/* Samples of all classes, and those recognised. */
uint64_t confusion_matrix_total(const ConfusionMatrix *matrix);

uint64_t confusion_matrix_correct(const ConfusionMatrix *matrix);

/* A line for each cell, zeros too: "actual,predicted,count", with `key` and a comma before it when
 * it is not NULL. */
void confusion_matrix_write_lines(FILE *stream, const ConfusionMatrix *matrix, const char *key);

/* Draws <name>.svg and <name>.png in a folder that exists. `name` is a file name without suffix, as
 * chart_name_append makes it. STATUS_SKIP when there is no gnuplot. */
Status confusion_matrix_draw(const ConfusionMatrix *matrix, const char *title, const char *folder,
                             const char *name);

/* --- Run groups ------------------------------------------------------------------------------- */

/* Rows of one algorithm, input and answer point, at any size. */
typedef struct RunGroup {
    const Row **rows; /* in the order of the run */
    size_t count, capacity;
    char title[256]; /* "lbp, meadow.jpg", "lbp_riu, texture, pr:8:1 interp:bilinear" */
    char slug[160];  /* for names of charts */
} RunGroup;

/* --- Overview --------------------------------------------------------------------------------- */

/* Stored runs as a report for readers (`bench report`). */

/* A run to report, and what it is called where there are several. */
typedef struct OverviewRun {
    const StoredRun *stored;
    const char *name;
    Prices prices; /* of an hour, where other ones than the run's own were asked for; 0: none */
} OverviewRun;

/* Those that were asked for, or with which the run was measured; 0: none. */
Prices run_prices(const OverviewRun *run);

/* The value of an argument of the run, "--reps" or its like; false when it was not given. A flag
 * without a value has the text "". */
bool run_argument(const OverviewRun *run, const char *flag, char *value, size_t size);

/*
 * Appends the sections about one run: summary, crossovers, charts, parts of kernels, roofline,
 * verification, all cells, what was skipped and why, machine and ceilings, how it was measured. Or
 * about two runs side by side, A and B: on how many cells which is faster, what differs besides
 * the times, charts of both, each cell of both with the ratio of its medians, crossovers,
 * verification, and what only one of them has.
 */
void report_build(const OverviewRun *runs, size_t count, Document *document);

/* --- For reviewers ---------------------------------------------------------------------------- */

/* Reads the rows of a stored run, by its folder or its file, and derives what files do not store.
 * STATUS_FILE; STATUS_SKIP where it has no rows. Release with stored_run_release. */
Status report_run_read(const char *run, StoredRun *stored);

/* The table "checklist": what reviewers ask of a performance study, each question answered (yes,
 * partly, no) by what is counted in the rows and facts of the runs. */
void checklist_add(const OverviewRun *runs, size_t count, Document *document);

/* A command of a study; its texts are borrowed. */
typedef struct ArtifactStep {
    const char *name, *command;
    double seconds; /* 0: not known */
} ArtifactStep;

/* What an artifact appendix is about: stored runs and, where they are the steps of one, the study.
 * Everything is borrowed. */
typedef struct Artifact {
    const OverviewRun *runs;
    size_t count;
    /* Of a study; NULL and 0 without one. */
    const char *study, *title, *citation;
    const char *repeat; /* the command that measures it again */
    const char *check;  /* and the one that tests its claims */
    const ArtifactStep *steps;
    size_t step_count;
    const ClaimList *claims; /* of the paper */
} Artifact;

/* Adds the sections of the appendix that conferences ask for (abstract, check-list, description,
 * installation, workflow, evaluation, customisation, notes), filled from what is stored; what is
 * not stored is named as such. */
void artifact_build(const Artifact *artifact, Document *document);

/* Writes artifact.md and artifact.tex into a folder that exists, and their paths on `listing`,
 * which may be NULL. */
Status artifact_write(const Document *document, const char *folder, FILE *listing);

/* --- Paper figure ----------------------------------------------------------------------------- */

/*
 * One figure of stored runs as a paper wants it (`bench figure`), and the script and the CSV that
 * draw it again without this program.
 */

enum { PAPER_RUNS_MAX = 8 };

typedef enum PaperKind {
    PAPER_SPEEDUP,
    PAPER_TIME,
    PAPER_EFFICIENCY, /* share of the roof */
    PAPER_ROOFLINE,
    PAPER_THREADS, /* speedup over one thread */
    PAPER_TUNING,  /* time against a tuning axis */
    PAPER_STAGES,
    PAPER_CROSSOVER, /* the fastest of each side, and where they meet */
    PAPER_SWEEP,     /* time, or a speedup, against an axis of the answer */
    PAPER_SCALING,   /* speedup over one GPU or thread, and efficiency */
    PAPER_KINDS
} PaperKind;

extern const char *const paper_kind_names[PAPER_KINDS + 1]; /* NULL behind the last */

typedef enum PaperOver { PAPER_OVER_USUAL, PAPER_OVER_SEQ, PAPER_OVER_BEST_CPU } PaperOver;

typedef enum PaperMeasure {
    PAPER_KERNEL = 1,
    PAPER_END_TO_END = 2,
    PAPER_BOTH = PAPER_KERNEL | PAPER_END_TO_END
} PaperMeasure;

typedef enum PaperScale { PAPER_SCALE_USUAL, PAPER_LOG, PAPER_LINEAR } PaperScale;

typedef struct PaperRequest {
    PaperKind kind;
    PaperOver over;
    PaperMeasure measure;
    /* Comma lists of names as the runs have them; NULL: all. */
    const char *variants, *sizes;
    /* Which rows, where a run has several; NULL: the first. `answer` is words of the answer point,
     * "pr:8:1". */
    const char *algorithm, *input, *answer;
    /* Of PAPER_TUNING and PAPER_SWEEP, NULL: that of most values; of PAPER_SCALING "gpus" or
     * "threads", NULL: gpus where the first run has several. */
    const char *axis;
    const char *const *renames; /* "NAME=TEXT" */
    size_t rename_count;
    PaperScale x_scale, y_scale;
    const char *title; /* NULL: none */
    FigureStyle style;
} PaperRequest;

typedef struct PaperFigure {
    DocChart *chart;
    const char *name;     /* "figure-lbp-meadow.jpg-speedup": file name without suffix */
    const char *caption;  /* what a caption has to say */
    const char *left_out; /* what was chosen where a run has several; NULL: nothing was */
} PaperFigure;

/* Builds the figure; the document owns it. STATUS_USAGE when the runs have no data for it, or no
 * such variant, size, answer or name: it says what would be right. */
Status paper_build(const PaperRequest *request, const OverviewRun *runs, size_t count,
                   Document *document, PaperFigure *figure);

/* Prints a caption as plain text, or as LaTeX. */
void paper_caption_print(FILE *stream, const char *caption, bool latex);

/* --- Overview parts --------------------------------------------------------------------------- */

/* Groups of one algorithm and input: they differ in the answer point. */
typedef struct Family {
    const Row *head; /* the first row */
    const RunGroup **groups;
    size_t count, capacity;
    const struct Family *twin; /* of the same algorithm and input in the other run; NULL: none */
} Family;

void missing_cell(Document *document, DocTable *table, const char *why);

/* --- Warnings --------------------------------------------------------------------------------- */

/* The warnings of a run's machine, for the threads and devices of the cells that were measured, and
 * what was noted of its inputs. */
void run_warnings(const StoredRun *stored, Warnings *warnings);

#endif
