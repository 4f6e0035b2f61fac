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

#include "chart.h"
#include "prices.h"
#include "status.h"

typedef struct ChartType ChartType; /* builder.h */
typedef struct ClaimList ClaimList; /* claims.h */
typedef struct DocTable DocTable;   /* table.h */
typedef struct Document Document;   /* document.h */
typedef struct Results Results;     /* results.h */
typedef struct Row Row;             /* row.h */
typedef struct RunCharts RunCharts; /* run_record.h */
typedef struct RunGroup RunGroup;   /* rows.h */
typedef struct StoredRun StoredRun; /* stored_run.h */
typedef struct Warnings Warnings;   /* warnings.h */

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

/* Writes <folder>/<name>.tex of each table that fits a paper's column of `width` mm in letters of 8
 * points, and all.tex, which inputs them. `*left_out` is the number of the others. */
Status document_column_tables_write(const Document *document, const char *folder, double width,
                                    size_t *left_out);

/* Writes the files of chart_write for each chart. Makes the folder. STATUS_SKIP or
 * STATUS_INTERRUPTED with the first reason when all but images could be written. */
Status document_figures_write(const Document *document, const char *folder);

bool document_only_lacks_images(const Status *status);

/* Draws every chart that the rows have data for into the folder of their run (plot/README.md);
 * `charts`: those that were drawn. STATUS_SKIP when gnuplot is not installed. */
Status run_charts_draw(const Results *results, const char *folder, RunCharts *charts);

/* Those that are in the folder; none without memory. The best is of the algorithm `only`, where it
 * has one; NULL: of the first. */
void run_charts_find(const Results *results, const char *folder, const char *only,
                     RunCharts *charts);

/* --- RunPage --------------------------------------------------------------------------------- */

/* Stored runs as a report for readers (`bench report`). */

/* A run to report, and what it is called where there are several. */
typedef struct ReportRun {
    const StoredRun *stored;
    const char *name;
    Prices prices; /* of an hour, where other ones than the run's own were asked for; 0: none */
} ReportRun;

/* What each run is called beside the others, "H100" and "H200": by its machine, as short as tells
 * them apart, with the day or the time where the machine is the same. The document owns the names,
 * which are never NULL. */
void run_names_short(const ReportRun *runs, size_t count, Document *document, const char *names[]);

/* Those that were asked for, or with which the run was measured; 0: none. */
Prices run_prices(const ReportRun *run);

/*
 * Appends the sections about one run: summary, crossovers, charts, parts of kernels, roofline,
 * verification, all cells, what was skipped and why, machine and ceilings, how it was measured. Or
 * about two runs side by side, A and B: on how many cells which is faster, what differs besides
 * the times, charts of both, each cell of both with the ratio of its medians, crossovers,
 * verification, and what only one of them has.
 */
void report_build(const ReportRun *runs, size_t count, Document *document);

/* Whether two runs have times of the same input, size and answer, so that tables hold them side by
 * side. */
bool report_has_pairs(const ReportRun *a, const ReportRun *b);

/* A chart of all runs, named by their machines: of an algorithm and answer that each of them has
 * the fastest CPU and GPU times by size. Nothing where there is none. */
void runs_together_chart(const ReportRun *runs, size_t count, Document *document);

/* What the runs found, as a title: "lbp at 16K: the GPU is 36.7× faster than 16 CPU threads (kernel
 * only); with copies 1.7× slower". "" where there is nothing to say, or no memory. */
const char *report_finding(const ReportRun *runs, size_t count, Document *document);

/* --- Other people's code -----------------------------------------------------------------------
 */

/* The section "Other people's code" of several runs, which have a name each: a table of each
 * that measured some. Nothing where none has. */
void peers_add(const ReportRun *runs, size_t count, Document *document);

/* --- For reviewers ---------------------------------------------------------------------------- */

/* Reads the rows of a stored run, by its folder or its file, and derives what files do not store.
 * STATUS_FILE; STATUS_SKIP where it has no rows. Release with stored_run_release. */
Status report_run_read(const char *run, StoredRun *stored);

/* The table "checklist": what reviewers ask of a performance study, each question answered (yes,
 * partly, no) by what is counted in the rows and facts of the runs. */
void checklist_add(const ReportRun *runs, size_t count, Document *document);

/* The same as items: those that have another answer than yes, and how many have that. */
void checklist_summarize(const ReportRun *runs, size_t count, Document *document);

/* A line of datasets/manifest. */
typedef struct DataSet {
    char name[128], hash[80], bytes[24], licence[48];
} DataSet;

/* Whether datasets/fetch downloads a file of this name, into whatever folder. */
bool data_set_find(const char *file, DataSet *set);

/* A command of a study; its texts are borrowed. */
typedef struct ArtifactStep {
    const char *name, *command;
    double seconds; /* 0: not known */
} ArtifactStep;

/* What an artifact appendix is about: stored runs and, where they are the steps of one, the study.
 * Everything is borrowed. */
typedef struct Artifact {
    const ReportRun *runs;
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

enum { PAPER_RUNS_MAX = CHART_RUNS_MAX };

typedef enum PaperOver { PAPER_OVER_USUAL, PAPER_OVER_SEQ, PAPER_OVER_BEST_CPU } PaperOver;

typedef enum PaperMeasure {
    PAPER_MEASURE_USUAL, /* both of a crossover, else kernel */
    PAPER_KERNEL,
    PAPER_END_TO_END = 2,
    PAPER_BOTH = PAPER_KERNEL | PAPER_END_TO_END
} PaperMeasure;

typedef enum PaperScale { PAPER_SCALE_USUAL, PAPER_LOG, PAPER_LINEAR } PaperScale;

typedef struct PaperRequest {
    /* Of the rows of its figure_word the first; NULL: a crossover where every run has both sides at
     * two sizes and no variants are named, else a speedup. */
    const ChartType *type;
    PaperOver over;
    PaperMeasure measure;
    /* Comma lists of names as the runs have them; NULL: all. */
    const char *variants, *sizes;
    /* Which rows, where a run has several; NULL: the first. `answer` is words of the answer point,
     * "pr:8:1". */
    const char *algorithm, *input, *answer;
    /* Of a tuning and a sweep, NULL: that of most values; of a scaling "gpus" or "threads", NULL:
     * gpus where the first run has several. */
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
    const char *absent;   /* runs that have no line; NULL: each has one */
} PaperFigure;

/* Builds the figure; the document owns it. STATUS_USAGE when the runs have no data for it, or no
 * such variant, size, answer or name: it says what would be right. */
Status paper_build(const PaperRequest *request, const ReportRun *runs, size_t count,
                   Document *document, PaperFigure *figure);

/* Prints a caption as plain text, or as LaTeX. */
void paper_caption_print(FILE *stream, const char *caption, bool latex);

/* --- RunPage parts --------------------------------------------------------------------------- */

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
