/* What files of this room and tests share. */

#ifndef BENCH_STUDY_STUDY_INTERNAL_H
#define BENCH_STUDY_STUDY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contenders.h"
#include "progress.h"
#include "row.h"
#include "status.h"
#include "study.h"

typedef struct ArgumentList ArgumentList; /* arguments.h */
typedef struct CsvColumn CsvColumn;       /* csv_columns.h */
typedef struct DocChart DocChart;         /* chart.h */
typedef struct DocTable DocTable;         /* table.h */
typedef struct Document Document;         /* document.h */
typedef struct Prices Prices;             /* prices.h */
typedef struct ReportRun ReportRun;       /* report.h */

/* --- For reviewers ---------------------------------------------------------------------------- */

/* The stored runs of the steps that left one. */
typedef struct StudyRuns {
    ReportRun *runs; /* lent by the result, named after their steps */
    size_t count;
} StudyRuns;

/* Lives in the document. */
StudyRuns study_runs(const StudyResult *result, Document *document);

/* The section of the reviewers' checklist. */
void study_checklist_add(const StudyRuns *runs, Document *document);

/* Writes artifact.md and artifact.tex into the study's folder. */
Status study_artifact_write(const StudyResult *result, const StudyRuns *runs);

/* --- Study file ------------------------------------------------------------------------------- */

/* The file's text with a NUL behind it; free it. STATUS_FILE naming path and line. */
Status study_text_read(const char *path, char **text, size_t *length);

/* As study_file_read, from a text with a NUL behind its `length` bytes, which is copied: `path` is
 * for messages, and `study->folder` is NULL. */
Status study_parse(const char *path, const char *text, size_t length, Study *study);

/* NULL when there is none of that name. */
const StudyTable *study_table(const Study *study, const char *name);

/* SIZE_MAX when the table has no such column or row. */
size_t study_column_index(const StudyTable *table, const char *title);
size_t study_row_index(const StudyTable *table, const char *label);

/* The step that a column of a table reads: its own, or the table's. */
const StudyStep *study_column_step(const Study *study, const StudyTable *table,
                                   const StudyColumn *column);

/* `table` is the table's `published` name. NULL when the paper has none there. */
const PublishedNumber *published_find(const Published *published, const char *table,
                                      const char *row, const char *column);

/* --- Steps ------------------------------------------------------------------------------------ */

/* Each step is the program itself, started again: if it crashes or loses its device, the others
 * still run. */

/* What the arguments of a step are for. */
typedef enum StepUse {
    STEP_NAMED,   /* its command line, as a person types it */
    STEP_STARTED, /* a process, which may go on with an earlier one, and with a budget stops */
    STEP_PLANNED  /* a process that says how long it would take */
} StepUse;

/* <out>/runs/<step>; with `file`, that file in it. STATUS_FILE when the path is too long. */
Status step_path(const StudyStep *step, const StudySettings *settings, const char *file,
                 char path[ATOMIC_FILE_PATH_SIZE]);

/* Whether it is a run that goes on where an earlier one of the study left it. */
bool step_goes_on(const StudyStep *step, const StudySettings *settings);

/* What the step asks that an hour costs. STATUS_USAGE where it is no run or asks nothing. */
Status step_prices(const StudyStep *step, Prices *prices);

/* The arguments of a step under these settings, `bench` first; release `list` in any case.
 * STATUS_SKIP when a file is missing and nothing stands in for it; an error of reading options
 * where the lines are none of its command. */
Status step_arguments(const StudyStep *step, const StudySettings *settings, StepUse use,
                      ArgumentList *list, bool *stand_in);

/* Progress of the steps of a study. */
typedef struct StepProgress {
    Progress of_study; /* in expected seconds */
    double price;      /* those of the step under way */
} StepProgress;

/* Runs one step and waits for it; its output goes to <out>/runs/<step>/log.txt, its standard error
 * to ours as well unless `quiet`, and its outcome to outcome.json there. Files of an earlier run of
 * it are removed. Errors of the step are its outcome; a Status only when it could not be started or
 * was interrupted: `code` is EXIT_INTERRUPTED then. `progress` may be NULL. */
Status step_run(const StudyStep *step, const StudySettings *settings, StepProgress *progress,
                StepOutcome *outcome);

/* Starts the progress of the chosen steps, fills the price of each, and says how long they will
 * take. */
void steps_progress_start(const Study *study, const StudySettings *settings, const bool *chosen,
                          double *prices, Progress *progress);

/* study_steps_run with a progress that was started, and goes on. */
Status steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                 const double *prices, StepProgress *progress, StepOutcome *outcomes,
                 bool *interrupted);

/* Launches of the step's run in the study's folder, begun or whole. */
int step_launches(const StudyStep *step, const StudySettings *settings);

/* The outcome of a step that was run earlier, from the outcome.json in its folder; STEP_NOT_RUN
 * when there is none. */
Status step_recall(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome);

/* --- Launches --------------------------------------------------------------------------------- */

/* What the intervals of a table, or of one of its columns (SIZE_MAX: of all), rest on. */
LaunchRange study_launches(const TableResult *table, size_t column);
LaunchRange study_all_launches(const StudyResult *result);

/* "Intervals: 95% of 6 launches.", "… in this run, of one launch.", or that there are none of 3
 * launches; "" where no number rests on launches. */
const char *study_interval_sentence(const LaunchRange *range, Document *document);

/* A sentence on what a launch is and how many the study has. Never NULL. */
const char *study_launches_sentence(const StudyResult *result, Document *document);

/* The command that measured it: "bench study lbp-2020 --launches 6". Never NULL. */
const char *study_command(const StudyResult *result, Document *document);

/* --- Paper ------------------------------------------------------------------------------------ */

/* Whether there is a paper to be compared with: the study cites one, or has published numbers. */
bool study_has_paper(const StudyResult *result);

/* --- Records ---------------------------------------------------------------------------------- */

/* A column of the records, looked up by its name. */
typedef struct StepColumn {
    const CsvColumn *of_rows; /* NULL: there is none */
    size_t of_lines;          /* SIZE_MAX: there is none */
} StepColumn;

StepColumn step_column(const StepRecords *records, const char *name);
/* That of a column of results.csv, which may be NULL, or of a member of Row by its offset. */
StepColumn step_column_of(const StepRecords *records, const CsvColumn *column);
StepColumn step_column_at(const StepRecords *records, size_t member);
bool step_has_column(const StepColumn *column);
/* Whether a column is in milliseconds. */
bool step_column_is_time(const char *name);

/* What a record has there: a number, NAN where it is none; one number of a list "part:number,…";
 * and its text, "" where there is nothing. */
double step_number(const StepRecord *record, const StepColumn *column);
double step_part(const StepRecord *record, const StepColumn *column, const char *part);
void step_text(const StepRecord *record, const StepColumn *column, char text[CSV_VALUE_SIZE]);

/* The text of the column of that name or, where there is none, of the axis in `answer` or `tuning`;
 * "" where the record has neither. */
void step_key_text(const StepRecords *records, const StepRecord *record, const char *key,
                   char text[CSV_VALUE_SIZE]);

/* Whether all conditions hold: numbers and texts are equal, sizes in any case ("4k" is "4K"). */
bool step_record_matches(const StepRecords *records, const StepRecord *record,
                         const ConditionList *conditions);

/* CELL_OK in a table without a status. */
CellStatus step_record_status(const StepRecords *records, const StepRecord *record);
/* Whether its answer was right. */
typedef enum Verified { VERIFIED_NOT_TOLD, VERIFIED_NO, VERIFIED_YES } Verified;
Verified step_verified(const StepRecords *records, const StepRecord *record);
void step_variant(const StepRecords *records, const StepRecord *record, char text[CSV_VALUE_SIZE]);
/* Whether a device did it; false where it is not told. */
bool step_is_on_device(const StepRecords *records, const StepRecord *record);
/* Whether two records are of one algorithm, input, size and answer. */
bool step_same_work(const StepRecords *records, const StepRecord *record,
                    const StepRecords *other_records, const StepRecord *other);

/* Reads the records that a step left at `csv`; `*memory` owns them. Release them in any case.
 * STATUS_FILE; STATUS_SKIP without memory. */
Status step_records_read(void **memory, const char *csv, StepRecords *records);
void step_records_release(StepRecords *records);

/* --- Values ----------------------------------------------------------------------------------- */

const TableResult *study_table_result(const StudyResult *result, const char *name);

const StudyValue *study_value(const TableResult *result, size_t row, size_t column);

/* What its record has in a column of results.csv; "" and NAN without a record or such a column. */
void study_value_text(const StudyValue *value, const CsvColumn *column, char text[CSV_VALUE_SIZE]);
double study_value_number(const StudyValue *value, const CsvColumn *column);

/* Whether the paper has a number in that column, or in any of the table (column SIZE_MAX). */
bool study_has_published(const TableResult *result, size_t column);

/* What a key of study files is about, by its name. */
KeyKind key_kind(const char *key);

bool kind_is_work(KeyKind kind);

/* Whether times rise along such a key by themselves. */
bool kind_is_amount(KeyKind kind);

/* The condition that a list has on a key, and its value, and that on a key of a kind that has only
 * one; NULL when it has none. */
const Condition *condition_of(const ConditionList *conditions, const char *key);
const char *condition_value(const ConditionList *conditions, const char *key);
const char *condition_value_of(const ConditionList *conditions, KeyKind kind);

/* The number of that value, or the pixels of a size; NAN for any other text. */
double condition_number(const ConditionList *conditions, const char *key);

/* What a word of study files says about a unit. */
StudyUnit study_unit(const char *word);

/* Milliseconds in one of a unit of time; NAN for any other unit. */
double unit_milliseconds(const StudyUnit *unit);

/* How many of the second unit one of the first is; 1 unless both are of time. */
double unit_scale(const StudyUnit *unit, const StudyUnit *in);

/* Whether it shows a time that was measured, and no computed one. */
bool column_is_time(const StudyColumn *column);

/* --- Texts ------------------------------------------------------------------------------------ */

/* Texts and lists that live in a document. Without memory the document has failed. */

/* `list`, the separator and `item`; `item` alone where the list is NULL or empty. "" without
 * memory. */
const char *text_joined(Document *document, const char *list, const char *separator,
                        const char *item);

/* A name as part of a list: in quotation marks where it has a comma itself. "" without memory. */
const char *text_listed(Document *document, const char *name);

/* NULL equals the empty text. */
bool same_texts(const char *left, const char *right);

bool text_is_one_of(const char *text, const char *const *texts, size_t count);

typedef struct TallyItem {
    const char *key;
    const char *with; /* distinct companions, separated by ", "; NULL: none */
    size_t count;
} TallyItem;

/* Distinct texts in the order in which they first came, how often each came, and what came with
 * it. */
typedef struct Tally {
    TallyItem *items;
    size_t count, capacity;
} Tally;

/* Counts `key` once more, and adds `with` to its companions unless it is NULL or empty. A NULL key
 * is not counted. */
void tally_add(Tally *tally, Document *document, const char *key, const char *with);

/* All keys in one text: "a; b; c" with the separator "; ". "" when there is none. */
const char *tally_keys(const Tally *tally, Document *document, const char *separator);

/* The same with companions: "a (x, y); b (z)". */
const char *tally_text(const Tally *tally, Document *document);

/* --- Sources ---------------------------------------------------------------------------------- */

/* The distinct values of a fact in the files of all steps, separated by "; "; "" when none has
 * it. */
const char *study_fact(const StudyResult *result, const char *key, Document *document);

/* "Intel(R) Xeon(R) Processor (16 processors)"; "" when no step left any. */
const char *study_processor_words(const StudyResult *result, Document *document);

/* The section of the report that has the differences. */
extern const char study_comparison_heading[];

typedef enum DifferencesShown {
    DIFFERENCES_HERE,     /* all of them, for a table that stands alone */
    DIFFERENCES_ELSEWHERE /* if there are several: the section of the report that has them */
} DifferencesShown;

/* "The hardware differs …" and the study's `difference` lines as sentences. */
const char *study_differences(const StudyResult *result, DifferencesShown shown,
                              Document *document);

/* The text with a full stop, where it has no end of a sentence. */
const char *study_sentence(const char *text, Document *document);

/* Where the numbers of a table, or of the tables behind a figure, are from. */
typedef struct StudySources {
    Tally conventions, machines; /* of the paper */
    Tally devices;               /* of the numbers measured here */
    long least, most;            /* samples of the times among these; 0: not known */
    bool published;              /* the paper has numbers there */
} StudySources;

/* Adds those of one column of a table, or of all (SIZE_MAX). */
void study_sources_add(const StudyResult *result, const TableResult *table, size_t column,
                       Document *document, StudySources *sources);

/* "Published: mean of 15 runs, on Processor P. Measured: 9 samples each, on Processor Q." */
const char *study_sources_words(const StudySources *sources, Document *document);

/* --- Tables and figures ----------------------------------------------------------------------- */

/*
 * Adds a study's table: the rows' labels, then for each column of the study what was measured and,
 * where the paper has numbers in it, what it prints. In a shaded table all measured columns stand
 * together, and behind them all published ones. NULL without memory.
 */
DocTable *study_table_add(const StudyResult *result, const TableResult *table,
                          DifferencesShown shown, Document *document);

/* What must stand beside a comparison: both conventions, both machines, the differences. */
const char *study_table_note(const StudyResult *result, const TableResult *table,
                             DifferencesShown shown, Document *document);

/* "table-1" as a heading: "Table 1". */
const char *study_heading_text(const char *name, Document *document);

/*
 * Whether the measured time is the least of its column, or undecided against it, if all times of
 * the column are of the same work (algorithm, input, size, answer). Otherwise, as in a column over
 * sizes: of its row, among those of the same work, and of the same kind of time where columns show
 * several times of one run. Never for numbers that are no times, or where there is nothing to
 * compare with.
 */
bool study_time_is_best(const TableResult *table, const StudyValue *value);

/* Gives every line its colour: lines of a name have the same one in all figures, and lines of a
 * figure have different ones, the first that are free. */
void study_colours_set(Study *study);

/*
 * Adds the chart of a figure: for each of its lines the measured points, and in the same colour the
 * published ones where the paper has numbers; times are all in the unit of the figure's first line.
 * A paragraph follows with its tables, their machines and conventions. NULL, with a paragraph in
 * its place, when there is no point to draw.
 */
DocChart *study_figure_add(const StudyResult *result, const StudyFigure *figure,
                           Document *document);

/* The whole report: about, how it was measured, each table and figure with its words, steps and
 * commands, machine facts, what was not run and why. */
void study_report_build(const StudyResult *result, const StudyRuns *runs, Document *document);

/* --- Times by way of working ------------------------------------------------------------------ */

/*
 * The times of a table by ways to do a work (variant, threads, tile) and by places (works: a size,
 * an answer, a kind of time), whichever of the two are the table's rows and columns. A work that
 * only one way does is no place.
 */

typedef struct WorkPlace {
    const char *name; /* "4K": the row's label or the column's title where it is one */
    size_t curve;     /* the first place whose work differs in the x key alone */
    const char *curve_name;
    double x; /* number of the x key; NAN: none */
} WorkPlace;

typedef struct WayTimes {
    const char **ways; /* their names */
    size_t way_count;
    WorkPlace *places;
    size_t place_count;
    const StudyValue **cells; /* way by way, place_count each; NULL: no such cell */
    const Condition *x;       /* of the key whose numbers order the places; NULL: none */
} WayTimes;

/* Lives in the document. Without times to compare, or without memory: no ways. */
void way_times_make(Document *document, const TableResult *result, WayTimes *way_times);

const StudyValue *way_times_cell(const WayTimes *way_times, size_t way, size_t place);

/* Milliseconds, measured or published; NAN where there are none above 0. */
double way_times_time(const WayTimes *way_times, size_t way, size_t place, bool published);

/* Whether all places differ in the x key alone. */
bool way_times_is_one_curve(const WayTimes *way_times);

/* Whether columns show different times of one run, as kernel and end to end: then the kind of time
 * is part of the work. Otherwise each way has a kind of time of its own. */
bool time_kinds_are_works(const StudyTable *table);
bool same_kind_of_time(const StudyColumn *left, const StudyColumn *right);

/* The published number, or the measured one with what is behind it; of times in milliseconds. */
Contender study_contender(const StudyValue *value, bool published);

/* contender_side of both. */
SpeedSide study_side(const StudyValue *first, const StudyValue *second, bool published);

/* --- Verdicts --------------------------------------------------------------------------------- */

/* How the numbers measured here compare with the paper's, claim by claim. */

typedef enum Claim {
    CLAIM_FASTEST,   /* which way has the least time, at how many places */
    CLAIM_CROSSOVER, /* from where on one way is faster than another */
    CLAIM_TREND,     /* whether a column rises or falls along the rows */
    CLAIM_ORDER,     /* pairs of rows that stand in the paper's order */
    CLAIM_RATIO,     /* times: the paper's over ours; ratios: ours over the paper's */
    CLAIM_SLIP,      /* printed ratios that the printed numbers contradict */
    CLAIM_MISSING    /* cells without a measured number */
} Claim;

/* Those about which is faster, where, or how it goes: what a paper is tested by. */
enum { CLAIM_SHAPES = CLAIM_ORDER + 1 };
bool claim_is_of_shape(Claim claim);

typedef enum Agreement {
    AGREEMENT_NONE, /* here or the paper has nothing to compare */
    AGREEMENT_SAME,
    AGREEMENT_OPEN, /* undecided here */
    AGREEMENT_DIFFERS
} Agreement;

/* One side of a claim. */
typedef struct VerdictSide {
    const char *text; /* its cell; NULL: nothing */
    const char *name; /* FASTEST: who is it at most places; NULL: ties alone */
    size_t count, of; /* FASTEST: places of `name`, of all; ORDER: pairs in the paper's order, of
                         all; TREND: turns, of the points; SLIP, MISSING: cells, of all */
    size_t open;      /* FASTEST: places, ORDER: pairs that are undecided */
    double low, high; /* FASTEST: factor over the second where the first is ahead of it, else low >
                         high; RATIO: the range */
    /* FASTEST: a hash of the winners and their places; CROSSOVER: of places and sides. Sides that
     * say the same have the same; 0: nothing crosses, or it is another claim. */
    uint64_t says;
} VerdictSide;

/* Which of the claims of its kind about a table it is: of which column, or which two ways; and from
 * which row or place on. */
typedef struct VerdictKey {
    size_t of, over, from;
} VerdictKey;

typedef struct VerdictRow {
    const StudyTable *table;
    Claim claim;
    const char *label; /* "fastest", "trend of Time"; RATIO: the column */
    VerdictSide here, paper;
    Agreement agreement;
    VerdictKey key;
} VerdictRow;

/* Whether both are the same claim about their tables. */
bool verdict_same_claim(const VerdictRow *a, const VerdictRow *b);
/* As the `key` of a JudgedClaim. */
uint64_t verdict_claim_key(const VerdictRow *row);

typedef struct VerdictList {
    VerdictRow *items;
    size_t count, capacity;
} VerdictList;

/* study_claims_judge with a list for each kind of claim; some or all may be the same one. */
Status study_claims_sort(const StudyResult *result, ClaimList *const lists[CLAIM_SHAPES]);

/* Appends the claims about a table. List and texts live in the document. */
void study_verdicts_find(const TableResult *table, Document *document, VerdictList *list);

/* The table of all claims of a study, "verdicts"; nothing when there are none. As a section it has
 * a heading and, where here and the paper differ, a sentence that names the claims. */
void study_verdicts_add(const StudyResult *result, bool section, Document *document);

#endif
