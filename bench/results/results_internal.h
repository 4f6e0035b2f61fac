/* What the files of this room and the tests share. */

#ifndef BENCH_RESULTS_RESULTS_INTERNAL_H
#define BENCH_RESULTS_RESULTS_INTERNAL_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arguments.h"
#include "ceilings.h"
#include "csv_columns.h"
#include "row_winners.h"
#include "run_record.h"
#include "verdict.h"
#include "words.h"

/* --- Fields of a row -------------------------------------------------------------------------- */

/* One line of row.def. A member's kind follows from its type. */
typedef enum RowKind {
    ROW_COUNT, /* a whole number of `size` bytes, from 0 on */
    ROW_NUMBER,
    ROW_FLAG,
    ROW_TEXT,
    ROW_STATUS,
    ROW_POINT,
    ROW_STAGES,
    ROW_SAMPLES,
    ROW_NUMBER_OF, /* calculated from the row */
    ROW_TEXT_OF
} RowKind;

typedef enum RowKeyRule {
    KEY_OPTIONAL,
    KEY_REQUIRED,
    KEY_NONZERO, /* 0 and false are not written */
    KEY_DERIVED  /* written where there are kernel samples; not read */
} RowKeyRule;

/* What a number is, which limits what it may be. */
typedef enum RowQuantity { QUANTITY_OTHER, QUANTITY_SECONDS, QUANTITY_CELSIUS } RowQuantity;

typedef struct RowKey {
    const char *name; /* NULL: the field has none */
    RowKeyRule rule;
    RowQuantity quantity;
} RowKey;

typedef struct RowField {
    RowKind kind;
    size_t offset, size; /* of the member within Row */
    double (*number)(const Row *row);
    void (*text)(const Row *row, char *value, size_t size);
    RowKey json;
    CsvColumn column;
} RowField;

extern const RowField row_fields[];
extern const size_t row_field_count;

/* The key of the turns of samples: "kernel_samples_s" has "kernel_turns". */
void samples_turns_key(const char *key, char name[64]);

uint64_t row_count_get(const RowField *field, const Row *row);
double row_number_get(const RowField *field, const Row *row); /* of ROW_NUMBER and ROW_NUMBER_OF */
bool row_flag_get(const RowField *field, const Row *row);
void row_number_set(const RowField *field, double number, Row *row); /* of ROW_NUMBER */
/* Of ROW_COUNT. False, with 0, for what is no whole number that the member holds. */
bool row_count_set(const RowField *field, double number, Row *row);

/* The series of samples of a row: the times of kernel, end to end and with allocation, and the
 * joules of windows, which have a summary; and the CPU times of launches, which have none. */
enum { SERIES_END_TO_END = 1, ROW_TIMES = 3, ROW_SUMMARIES = 4, ROW_SERIES = 5 };
const Samples *row_series_of(const Row *row, size_t index);
size_t row_summary_offset(size_t index); /* within Row */

/* Which number of which of row_series_of a field is; SERIES_NONE: of none. */
SeriesNumber row_field_of_series(const RowField *field, size_t *series);

/* Why a stored number cannot be one of this field, as a clause: it is not finite, negative where
 * none can be, or no time. NULL: it can; so can NAN, which is not known. */
const char *row_number_wrong(const RowField *field, double number);

/* "a time is above 0 and at most 1e6 s" */
extern const char seconds_words[];

/* The key of a number that contradicts the samples of its row: a time that is not between them, a
 * count that is not theirs. NULL: none does. What was not stored, NAN or 0, contradicts nothing. */
const char *row_contradiction(const Row *row);

/* Appends all samples of `more` as those of launch `launch`. Summaries of samples are to be made
 * again (row_complete_summaries); one that a file has without its samples stays. STATUS_SKIP
 * without memory: some may have been appended. */
Status row_append_samples(Row *row, const Row *more, uint32_t launch);

/* Summarizes the samples that have no summary, for a row read from a file may have samples alone,
 * and widens all to what earlier runs demand of their samples. Without memory a summary stays
 * empty. */
void row_complete_summaries(Row *row);
void row_set_memory(Row *row, size_t index, const LaunchMemory *memory); /* of row_series_of */

/* --- Strangers -------------------------------------------------------------------------------- */

/* Stand-ins for algorithms, variants and axes that this version does not have, or that are of a
 * module that is not loaded: names, stages, and on which backend. Equal names are the same
 * stand-in. */
typedef struct Strangers Strangers;

Strangers *strangers_open(void); /* NULL without memory */
void strangers_release(Strangers *strangers);

/* Sets a row's algorithm and variant by their names, from `strangers` (NULL: none) where there are
 * none of these names; false when that fails. `backend` may be NULL. */
bool row_identify(Row *row, Strangers *strangers, const char *algorithm, const char *variant,
                  const char *backend);

/* Adds a stage to a stand-in that does not have it yet; other variants have those of this version.
 */
void strangers_add_stage(Strangers *strangers, const Variant *variant, const char *name);

/* Appends a stored value: `number` on an axis of whole numbers (NAN: none was stored), `text` on
 * other axes (may be NULL). False when neither `axes` nor `strangers` has such an axis with such a
 * value, or when the point has a value of it already. */
bool point_add(Point *point, Strangers *strangers, const Axis *const *axes, const char *name,
               double number, const char *text);

/* --- The dip test ----------------------------------------------------------------------------- */

/*
 * The dip test of unimodality: J. A. Hartigan and P. M. Hartigan, "The Dip Test of Unimodality",
 * Annals of Statistics 13 (1985). The dip is the least distance (largest difference of distribution
 * functions) between the sample's distribution function and any unimodal one.
 */

enum { DIP_SAMPLES_MIN = 12, DIP_SAMPLES_MAX = 200 };

/* The dip of strictly ascending values, 2 ≤ n ≤ DIP_SAMPLES_MAX: from 1/(2n) to 1/4. */
double dip_of(const double *sorted, size_t n);

/*
 * The dip that 5% of uniform samples of size n exceed, for DIP_SAMPLES_MIN ≤ n ≤ DIP_SAMPLES_MAX.
 * The null hypothesis of the authors is the uniform distribution: of the common unimodal ones it
 * gives the largest dips.
 */
double dip_critical(size_t n);

/* --- Rows that belong together ---------------------------------------------------------------- */

/* row_same_series of one variant: rows that share an exponent, and a crossover. */
bool row_same_growth(const Row *a, const Row *b);

/* Whether the row there is measured, and no measured one before it is the `same`. */
bool results_begins(const Results *results, size_t index, bool (*same)(const Row *a, const Row *b));

/* --- Rows of a workload ----------------------------------------------------------------------- */

/* Whether two rows are of one input at one size, in one mode. */
bool row_same_workload(const Row *a, const Row *b);

/* Notes which rows are of which workload, for the functions below, until a row is added. Without
 * memory, or not called, they look at every row. */
void results_index_workloads(Results *results);

/* The measured rows of the workload of `row`, in their order, up to NULL: the first one, and the
 * one behind `before`. */
const Row *workload_first(const Results *results, const Row *row);
const Row *workload_next(const Results *results, const Row *before);

/* The same of its question: row_same_question. */
const Row *question_first(const Results *results, const Row *row);
const Row *question_next(const Results *results, const Row *before);

/* --- Derive ----------------------------------------------------------------------------------- */

bool row_is_measured(const Row *row);

/* A ratio of the row with its interval, or with the least and the greatest of launches that are too
 * few for one. */
#define ROW_RATIO(row, name)                                                                       \
    ((Ratio){.value = (row)->name,                                                                 \
             .low = isnan((row)->name##_launch_low) ? (row)->name##_ci_low                         \
                                                    : (row)->name##_launch_low,                    \
             .high = isnan((row)->name##_launch_low) ? (row)->name##_ci_high                       \
                                                     : (row)->name##_launch_high,                  \
             .extremes = !isnan((row)->name##_launch_low),                                         \
             .in_run = (row)->kernel_summary.launches <= 1,                                        \
             .within = (row)->kernel_summary.within,                                               \
             .disturber = (row)->name##_disturber})

/* --- Winner ----------------------------------------------------------------------------------- */

/* Sets the medians of odd and of even turns of a row of one launch, once. */
void winner_complete_halves(Row *row);

/* Writes "cuda_fast/block:256", and the other variants that are tied with it: "omp/threads:16, tied
 * with simd". */
void winner_label(const Winner *winner, char *text, size_t size);

/* results_best_tuning alone. Of equal rows the first is the best. */
bool winner_is_best_tuning(const Results *results, const Row *row);

/* --- Behaviour -------------------------------------------------------------------------------- */

/*
 * Properties of samples that a median and its interval do not show. No sample is changed or
 * removed.
 *
 * Outliers, by Tukey's fences: with quartiles Q1 and Q3 (type 7) a sample beyond Q1 - 1.5 IQR or
 * Q3 + 1.5 IQR is mild, one beyond 3 IQR is severe; each is counted once. Needs
 * OUTLIER_SAMPLES_MIN samples.
 *
 * Autocorrelation at lag 1, of the samples' ranks (ties share their mean rank), so that a single
 * outlier neither makes it nor hides it:
 *     r = Σ (R[i] - m)(R[i+1] - m) / Σ (R[i] - m)²,  m = (n + 1) / 2.
 * In random order its expectation is -1/n, not 0, whatever the distribution; the samples count as
 * autocorrelated when |r + 1/n| > 1.96/√n. Needs AUTOCORRELATION_SAMPLES_MIN samples that are not
 * all equal. Intervals assume independent samples: with autocorrelation they are too narrow.
 *
 * More than one mode, by the dip test of Hartigan and Hartigan at the 5% level, which assumes
 * nothing about the shape of a single mode. Before it, samples are sorted into cells
 * MODE_RESOLUTION of the median wide, or of whole steps of the clock where most samples are ties,
 * and spread evenly within each: the steps of a clock are no modes, and modes closer than two cells
 * do not matter. Above DIP_SAMPLES_MAX samples as many quantiles stand for them. Needs
 * DIP_SAMPLES_MIN samples. A simulation in the tests holds the rates: at most 5% false alarms on
 * unimodal log-normal noise, at least 90% hits on two modes of equal share eight standard
 * deviations apart.
 */

typedef struct Behaviour {
    size_t outliers_mild, outliers_severe;
    double autocorrelation; /* NAN when the samples do not support it */
    bool autocorrelated, multimodal;
} Behaviour;

/* Samples in the order of measurement. 0, NAN and false for what has too few samples. STATUS_SKIP
 * without memory. */
Status behaviour_of(const Samples *samples, Behaviour *behaviour);

/* --- Complexity ------------------------------------------------------------------------------- */

/*
 * How kernel time grows with the number of items: as a power, whose exponent is estimated.
 *
 * For each algorithm, variant, input, answer point and cache mode a straight line is fitted by
 * least squares through log(median kernel time) against log(items), one point for each size, that
 * of the best tuning point there. Its slope is the exponent: 1 when time is proportional to items.
 * MEDIAN_INTERVAL_MIN launches or more have a line each: the exponent is the median of theirs, with
 * their order-statistic interval. With fewer the line goes through the medians over launches, and
 * the 95% interval is Student's, with points - 2 degrees of freedom. It treats deviations from the
 * line as noise, so fixed costs, which bend the curve at small sizes, widen it too, and it does not
 * know how far the next launch is.
 */

/* Sets exponent, its interval and exponent_launches of every measured row, NAN without memory. Call
 * it after best_tuning is derived. */
void complexity_derive(Results *results);

/* --- The roof of a row ------------------------------------------------------------------------ */

/*
 * The roof of a row: the least time in which the measured ceilings allow its bytes and operations.
 *
 * The time of the bytes is that of the memory level that holds them, or that of the fastest `copy`
 * on the same input if the run has one and that is less; the time of the operations follows from
 * their ceiling; the roof is the longer of the two. A row on several devices has the ceilings that
 * were measured on as many at once, and no roof without them. On a device that was held it is at
 * least the time from one queued kernel to the next; on one that was not, the time of an empty
 * kernel by batch is added.
 */

/* Sets roof, roof_seconds, roof_fraction, bound, the ceilings and over_roof of a row that has a
 * kernel median. `copy` is the row of the fastest comparable copy; NULL: none was measured. Without
 * both a copy and ceilings everything stays empty. */
void row_roof_derive(const Ceilings *ceilings, const Row *copy, Row *row);

/* Clears what row_roof_derive sets. */
void row_roof_clear(Row *row);

/* --- Ceilings as JSON ------------------------------------------------------------------------- */

/* Adds the list "ceilings" to `object`. False without memory. */
bool ceilings_json_add(cJSON *object, const Ceilings *ceilings);

/* Reads that list. False when there is none or an entry is invalid; `ceilings` has the valid
 * entries. */
bool ceilings_json_read(const cJSON *object, Ceilings *ceilings);

/* --- Row json --------------------------------------------------------------------------------- */

/* A row's entry in a file of report_json; `list` is the key of its list. NULL without memory. */
cJSON *row_json_entry(const Row *row, const char **list);

/* --- Command line ----------------------------------------------------------------------------- */

/* Adds the list "argv" to `object`. An argument with controls, bytes that are not UTF-8 or $' is
 * written with $'\xff' as in command_line_text, others as they are. False without memory. */
bool arguments_json_add(cJSON *object, const ArgumentList *list);

/* Reads that list. STATUS_FILE when it is no list of such texts, STATUS_SKIP without memory; then
 * there is nothing to release. */
Status arguments_json_read(const cJSON *array, ArgumentList *list);

/* --- What a run prints ------------------------------------------------------------------------ */

enum { CONSOLE_MARKS_SIZE = 8 };

/* " !%~^>", or as many of these as apply to the row: what its samples warn of. */
void row_marks(const Row *row, char marks[CONSOLE_MARKS_SIZE]);

/* A line for each mark that one of the rows has. */
void row_marks_explain(FILE *stream, const RowList *rows);

/* Writes how many of the rows are noisy and by what, and how many warnings there are: "7 of 21
 * times shown are noisy (other programs); 2 warnings"; "" without any. */
void noise_words(const RowList *rows, size_t warnings, char *text, size_t size);

/* Lists the cells of `status` under `title`; prints nothing when there are none. */
void cells_print_reasons(FILE *stream, const RowList *all, CellStatus status, const char *title);

/* "38 cells: 16 ok, 22 skipped, 0 failed" */
void cells_print_totals(FILE *stream, const RunRecord *record, const Results *results);

/* --- Disturbances: disturbance.c -------------------------------------------------------------- */

enum { DISTURBANCE_SIZE = 160 };

/*
 * What disturbed a time of a measured row so much that it may be too long by a fifth or more. Of
 * several launches it is disturbed if half of them or more were: then their median is no time of an
 * undisturbed processor. Where a file does not tell how many, the row's means over its launches
 * decide.
 */
Disturber row_disturber(const Row *row, TimeKind kind);

/* The same in words: "other guests had its processors for 38% of the time", "other guests had its
 * processors in 4 of 6 launches"; "" where nothing is known to have. */
void row_disturbance(const Row *row, TimeKind kind, char text[DISTURBANCE_SIZE]);

/* Sets of all rows what disturbed them: `slowdown`, the counts of disturbed launches of rows with
 * one launch, and the disturbers of their samples. Ratios are formed afterwards. */
void results_find_disturbances(Results *results);

/* Whether CPU time says who had the processors: a row of one thread, or of this program's code,
 * whose threads wait for each other without a rest. Threads of a library pause where it has nothing
 * for them to do. */
bool row_uses_its_threads(const Row *row);

/* --- Verdict: verdict.c ----------------------------------------------------------------------- */

enum { VERDICT_LABEL_SIZE = RATIO_WORDS_SIZE, VERDICT_PLACE_SIZE = 128 };

/* One size, or one value of an axis. */
typedef struct VerdictLine {
    const Row *question; /* one of its rows */
    double x;            /* size or value; NAN: no number */
    char label[VERDICT_LABEL_SIZE];
    const Row *cpu, *seq; /* the best CPU, and the plain code; NULL: not measured */
    /* The fastest CPU cell of another variant, of this program's own if there is one: what the best
     * is compared with where the block has no time of a device or of the plain code; else NULL. */
    const Row *next;
    const Row *gpu[TIME_KINDS]; /* the fastest on a device by each time */
    const Row *several;         /* on the most GPUs; NULL: none on more than one */
    /* Disturbed cells that may be the best of their side without that; NULL: none. */
    const Row *unsure, *gpu_unsure[TIME_KINDS];
    Disturber disturber; /* of the best CPU, or of such a cell */
    size_t rivals, tied; /* CPU cells but those of seq; of all those tied with the best */
} VerdictLine;

/* What lines differ in. */
typedef enum VerdictAlong {
    ALONG_SIZES,  /* of images */
    ALONG_COUNTS, /* of images of a set, or of rows */
    ALONG_AXIS    /* of the answer */
} VerdictAlong;

/* The lines of one algorithm and input. */
typedef struct VerdictBlock {
    const Results *results;
    const Row *head; /* a row of the answer point that is shown */
    VerdictAlong kind;
    const char *along;  /* its name: "size", "images", "rows", an axis */
    size_t axis;        /* of the answer; POINT_AXES_MAX: the lines are sizes */
    VerdictLine *lines; /* ascending */
    size_t count;
    size_t others; /* answer points that are not shown */
    bool gpu;      /* some line has a time of a device */
    bool seq;      /* of the plain code */
} VerdictBlock;

/* The block that the measured row is of: of the last answer all sizes or, of one size, the axis of
 * the answer with the most values. `lines` has room for every row and belongs to the caller. */
VerdictBlock verdict_block(const Results *results, const Row *first, VerdictLine *lines);

/* How much faster the best of a device is than the best CPU at a place, by kernel time; in a block
 * without a device line_over_base. */
Ratio verdict_ratio(const VerdictBlock *block, const VerdictLine *line);

/* The place of the headline: the largest with a ratio that nothing disturbed; without any the
 * largest with a ratio, and without that the largest. */
const VerdictLine *verdict_headline(const VerdictBlock *block);

/* Of a line whose best CPU is the plain code: whether no other variant may be faster. */
bool verdict_seq_is_best(const VerdictLine *line);

/* The name of the algorithm's plain code, which others are compared with: "seq", "plain". */
const char *verdict_base(const VerdictBlock *block);

/* "16K", "20000 images", "box 64" */
void verdict_place(const VerdictBlock *block, const VerdictLine *line,
                   char text[VERDICT_PLACE_SIZE]);

/* Where the GPU is ahead: "at every size", as crossover_words has it; "" where there is one line.
 */
enum { CROSSOVER_TEXT_SIZE = 320 };
void verdict_crossover(const VerdictBlock *block, TimeKind kind, char words[CROSSOVER_TEXT_SIZE]);

/* Whether the GPU has the same sides at the same places of both, by either time. */
bool verdict_same_crossovers(const VerdictBlock *a, const VerdictBlock *b);

void verdict_say(const VerdictBlock *block, RunVerdict *verdict);

/* "omp FAILED", "omp, simd FAILED in 2 of 6 cells": of the block's algorithm and input; "" where
 * none did. */
void verdict_failed(const VerdictBlock *block, char text[VERDICT_FAILED_SIZE]);

/* row_won_ratio; not known of NULL. */
Ratio row_over_cpu(const Row *row, TimeKind kind);
Ratio row_over_base(const Row *row);

/* The best CPU over the plain code, or over `next`. */
Ratio line_over_base(const VerdictLine *line);

#endif
