/* What files of this room and tests share. */

#ifndef BENCH_REPORT_REPORT_INTERNAL_H
#define BENCH_REPORT_REPORT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "builder.h"
#include "gnuplot.h"
#include "machine.h"
#include "rows.h"
#include "status.h"
#include "two_runs.h"

typedef struct DocTable DocTable;   /* table.h */
typedef struct Family Family;       /* report.h */
typedef struct ReportRun ReportRun; /* report.h */

/* --- Writers of pages ------------------------------------------------------------------------- */

/* page.css and page.js, built into the program: texts with a NUL at their end. */
extern const char page_style[], page_script[];

/* A table with caption and note, in a box of its own that scrolls when the table is wide. */
void html_table_write(FILE *stream, const DocTable *table);

/* A chart with title, legend and the table of its data. STATUS_FAIL without memory. */
Status html_chart_write(FILE *stream, const DocChart *chart);

/* --- Writers of files ------------------------------------------------------------------------- */

/* One table as a `table` environment with caption and label "tab:<name>", to be \input, with the
 * rules of the package booktabs. STATUS_FILE when it cannot be written. */
Status latex_table_write(const DocTable *table, const char *path);

/* The same for a paper's column of `points` (1/72 inch): letters of 8 points, nothing scaled; an
 * interval stands below its number. Only for a table that fits. */
Status latex_column_table_write(const DocTable *table, const char *path, double points);

/* Whether a table has at most five columns and is no wider than a column of so many points. */
bool latex_table_fits(const DocTable *table, double points);

/* A document that inputs the tables that fit a column, from the folder of `path`. */
Status latex_column_tables_write(const Document *document, const char *path, double points);

/* A document that inputs every table of `document` from the folder of `path`; pdflatex turns it
 * into a PDF as it is. */
Status latex_tables_write(const Document *document, const char *path);

/* One table with its caption and note. */
Status markdown_table_write(const DocTable *table, const char *path);

/* A header line, then the cells; group and title of a column are joined by ": ". In numeric columns
 * numbers are written in full where a cell has one; all else as its text. STATUS_FILE. */
Status table_csv_write(const DocTable *table, const char *path);

/* fact_gpu_memory_bytes is "gpu memory bytes". */
void fact_key_words(const char *key, char words[FACT_KEY_SIZE]);

/* The value; a number of bytes in the unit that fits. */
void fact_value_words(const Fact *fact, char *text, size_t size);

/* --- Cells ------------------------------------------------------------------------------------ */

/* In all of these a row may be NULL: then there is none. */

/* "16K", with "16K (15360×8640)" as the note. */
void size_cell(Document *document, DocTable *table, const Row *row);

/* "omp/threads:16" */
void label_cell(Document *document, DocTable *table, const Row *row);

/* Whether a variant, other than that of the fastest row of a side, has a time at its size within
 * its interval, so that which of them is faster is undecided. */
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

/* Launches of the fastest of each side, at a size and at each of a group's; words of a range. */
void best_launches_add(LaunchRange *range, const SizeBest *best);
LaunchRange best_launches(Document *document, const RunGroup *group);
const char *range_words(Document *document, const LaunchRange *range);
/* Of two runs: "A: 95% in this run, B: 95% of 6 launches" where they differ. */
const char *pair_range_words(Document *document, const LaunchRange of[2]);

/* The median, with its interval as the note. */
void time_cell(Document *document, DocTable *table, const Row *row, TimeKind kind,
               const TimeUnit *unit);

/* "26.1× faster (25.3 to 27.0)" than seq; of seq its name. */
void against_seq_cell(Document *document, DocTable *table, const Row *row);

/* "36.7× faster (36.2 to 37.1)" than the best CPU. */
void gpu_is_cell(Document *document, DocTable *table, const Row *row, TimeKind kind);

/* --- One run ---------------------------------------------------------------------------------- */

typedef struct GroupColumns {
    bool algorithm, input, answer;
} GroupColumns;

/* One run of a report. */
typedef struct RunPage {
    const ReportRun *run;
    const Results *results;
    Document *document;
    RunGroups groups; /* all, the copies that are only roofs among them */
    Family *families; /* without those */
    size_t count, capacity;
    GroupColumns columns;     /* in which the families' groups differ */
    GroupColumns row_columns; /* in which all groups differ */
} RunPage;

/* Of a family of many groups the first, the middle and the last stand for all. */
bool family_shows(const Family *family, size_t index);

/* "lbp on meadow.jpg"; and as part of a table's name. */
const char *family_name(Document *document, const Family *family);
const char *family_slug(Document *document, const Family *family);

/* "lbp_riu, texture, pr 8:1": a group within its family, for titles. */
const char *group_title(const RunPage *page, const Family *family, const RunGroup *group);

/* "pr 8:1, interp bilinear": the axes of the answer that differ within the family and its twin, or
 * those that do not within the family; "" when there are none. */
const char *answer_words(Document *document, const Family *family, const Point *answer,
                         bool differing);

/* The axes that differ but for one, which is given by its place. */
const char *answer_words_without(Document *document, const Family *family, const Point *answer,
                                 size_t axis);

/* The page with the columns in which all rows differ, those of the copy that is only a roof
 * among them. It owns nothing. */
RunPage page_of_rows(const RunPage *page);

/* Columns in which the groups of this run differ, and their cells. */
void group_columns(const RunPage *page, DocTable *table);
void group_cells(const RunPage *page, DocTable *table, const Row *row);

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
size_t answer_sweeps(const RunPage *page, const Family *family, AnswerSweep **sweeps);

/* Sections; that of stages is left out where no kernel was timed in parts. */
/* Where a price is given or energy was measured. */
void cost_section(const RunPage *page);

/* --- Other people's code: peers.c ------------------------------------------------------------- */

void peer_section(const RunPage *page);

/* What a reader sees first: machine, baseline and date, the charts of both times, and a table of
 * five columns. What follows is folded. */
void first_screen(const RunPage *page);

void page_charts(const RunPage *page);
/* Two charts that tell the finding about the group; none where it has one size and no sweep. */
void page_first_charts(const RunPage *page, const Family *family, const RunGroup *group);
/* Over GPUs and threads; left out where nothing was measured on several of them. */
void page_scaling(const RunPage *page);
void page_stages(const RunPage *page);
/* What a profiler counted; left out where the run has no profile. */
void profile_section(const RunPage *page);
void page_rooflines(const RunPage *page);
void page_cells(const RunPage *page);

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
    RunPage of[2];
    RunPair *pairs; /* of two runs, in the order of A */
    size_t pair_count;
} RunReport;

/* The runs with their families, and the columns in which these differ. */
RunReport run_report_make(const ReportRun *runs, size_t count, Document *document);

/* What "or" in fastest_cell means, with a blank before it. */
extern const char or_note[];

extern const char *const run_letters[2]; /* "A", "B" */

/* The launches of a run's cells, without the copies that are only roofs; what its intervals are;
 * "A: …, B: …" where those of two differ. */
LaunchRange run_launches(const RunPage *page);
const char *run_interval_words(const RunPage *page);
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

/* The row of the group at the place of this one: same variant, size and tuning point. NULL: none.
 */
const Row *row_like(const RunGroup *group, const Row *row);

/* The group of the same algorithm, input and answer. NULL: none. */
const RunGroup *group_like(const RunGroups *groups, const RunGroup *group);

/* The launches of both sides of the ratios of a pair. */
void pair_launches(const RunPair *pair, LaunchRange launches[2]);

/* The same of two runs: what B is beside A, the fastest of both at each size. */
void first_screen_of_two(const RunReport *report);

/* Parts of the report of two runs. */
/* The verdict: how many cells are faster and slower, and those that changed most. */
void diff_answer(const RunReport *report);
void diff_summary(const RunReport *report);
void diff_groups(const RunReport *report); /* a section each: charts and cells */
void diff_missing(const RunReport *report);

/* The times of the fastest of both runs, and their speedups over their CPUs, in colours of the
 * machines; none where they have one size. */
void pair_first_charts(const RunReport *report, const RunPair *pair, const char *const names[2]);
/* Times and speedups of both, and the ratio of their times, by size. */
void pair_charts(const RunReport *report, const RunPair *pair);
/* What the intervals of a pair's ratios rest on. */
const char *ratio_interval_words(const RunPair *pair, Document *document);

/*
 * The charts that a run draws as files.
 *
 * Where an algorithm and input have more than eight answer points, only the first, the middle and
 * the last have charts of their own, and beyond 64 no chart shows several side by side: then the
 * charts against an answer axis show them all.
 */
enum { RUN_CHART_VALUES = 3 };

typedef struct RunChart {
    ChartSubject subject;
    const Row *row; /* the first that it shows */
    const Axis *axis;
    char name[CHART_NAME_SIZE]; /* of its files, without suffix */
    bool kept;                  /* neither one of too many nor with too few values */
    bool shared;                /* the name without a hash is that of another chart too */
    bool drawn;                 /* its files are in the folder */
    size_t value_count;         /* of SUBJECT_SWEEP: its first values */
    double values[RUN_CHART_VALUES];
} RunChart;

typedef struct RunChartList {
    RunChart *charts;
    size_t count, capacity;
} RunChartList;

/* The charts borrow from the rows. STATUS_SKIP without memory. */
Status run_charts_list(const Results *results, RunChartList *list);

void run_charts_release(RunChartList *list);

/* Adds the chart to the document; NULL, with none added, where the rows have too little for it, and
 * without memory. */
DocChart *run_chart_build(const Results *results, const RunChart *chart, Document *document);

#endif
