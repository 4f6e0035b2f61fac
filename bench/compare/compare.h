/* Comparing runs. */

#ifndef BENCH_COMPARE_COMPARE_H
#define BENCH_COMPARE_COMPARE_H

#include <stdio.h>

#include "disturber.h"
#include "exit_code.h"
#include "hash_index.h"
#include "machine.h"
#include "status.h"
#include "text_sizes.h"
#include "two_runs.h"

typedef struct Results Results; /* results.h */

/* --- Measured run ----------------------------------------------------------------------------- */

/* The cells of a run by name, with the medians of their launches, and the machine. A launch is one
 * process that measured every cell: the next process of the same program differs from it by more
 * than its own samples show, so a launch is the unit of the comparison. */

enum {
    MEASURED_HASH_SIZE = 24,
    MEASURED_MODE_SIZE = 8,
    MEASURED_DATE_SIZE = 40,
    MEASURED_COMMIT_SIZE = 72
};

typedef struct MeasuredCell {
    char *name;
    double *launches; /* median of each launch, seconds, ascending; at least one, all above 0 */
    size_t launch_count, launch_capacity;
    size_t sample_count; /* of all launches */
    double median;       /* of the launches, seconds */
    double aggregate;    /* median of Google Benchmark's repetitions, seconds; 0: there is none */
    bool aggregated;     /* the file has no repetition: that median is the only launch */
    bool held;           /* the time is without the host's kernel launches (Row.held) */
    bool roof;           /* of `copy`, which no variant can be faster than: it decides nothing */
    Disturber disturber; /* of the runs joined, the first that was disturbed */
    size_t disturbed;    /* launches of disturbed runs: of those, half or more were */
    double undisturbed;  /* seconds that it takes at least without a disturber */
    char hash[MEASURED_HASH_SIZE]; /* of the input; empty: not known */
    char mode[MEASURED_MODE_SIZE]; /* "cold" or "hot"; empty: not known */
} MeasuredCell;

/* A cell that has no time. */
typedef struct UntimedCell {
    char *name, *why;
    bool failed; /* a variant failed, or gave a wrong answer; else the cell was skipped */
} UntimedCell;

typedef struct MeasuredRun {
    char path[ATOMIC_FILE_PATH_SIZE]; /* the file; empty for a run that is in memory */
    char started[MEASURED_DATE_SIZE]; /* ISO 8601; empty: not known */
    MeasuredCell *cells;
    size_t count, capacity;
    UntimedCell *untimed;
    size_t untimed_count, untimed_capacity;
    HashIndex names, untimed_names;
    Machine machine;
    char commit[MEASURED_COMMIT_SIZE]; /* of what is measured, where that is not the program;
                                          empty: the program's, a fact of the machine */
    double noise_floor; /* relative change that the machine shows by itself; NAN: not known */
} MeasuredRun;

/*
 * Reads a results file of this program, or one of Google Benchmark, whose repetitions become
 * launches; of aggregates the median stands for repetitions that are not there. A cell that failed
 * in one launch or repetition has no time. `path` is the file or the folder of a run with
 * results.json in it. STATUS_FILE naming the file and what is wrong with it.
 */
Status measured_run_read(const char *path, MeasuredRun *run);

/* The rows of a run that has just been made; only verified ones have a time. STATUS_SKIP without
 * memory. */
Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run);

/* Adds the launches of another run's cells; the first one that is added to an empty run gives it
 * its machine and its date. STATUS_SKIP without memory. */
Status measured_run_join(MeasuredRun *whole, const MeasuredRun *more);

/* What disturbed half of a cell's launches or more: the times may be too long. */
Disturber measured_cell_disturber(const MeasuredCell *cell);

/* Drops the cells that `named` does not have. STATUS_SKIP without memory. */
Status measured_run_keep(MeasuredRun *run, const MeasuredRun *named);

/* The first cell that failed; NULL: none did. */
const UntimedCell *measured_run_failure(const MeasuredRun *run);
void measured_run_release(MeasuredRun *run);

/* --- Judge ------------------------------------------------------------------------------------ */

/* Whether a cell became slower or faster, and whether that is proved. */

typedef enum CellChange {
    CHANGE_SAME,
    CHANGE_FASTER,
    CHANGE_SLOWER,
    CHANGE_UNDECIDED,
    CHANGE_ROOF,     /* not judged */
    CHANGE_ACCEPTED, /* slower, and somebody has said why that is right: comparison_accept */
    CHANGE_FAILED,   /* the cell failed in the new run: it has no time to judge */
    CHANGE_COUNT
} CellChange;

enum { JUDGE_WHY_SIZE = STATUS_WHY_SIZE };

typedef struct CellJudgement {
    CellChange change;
    /* Of CHANGE_UNDECIDED: what is missing; of CHANGE_ACCEPTED and CHANGE_FAILED: why. */
    char why[JUDGE_WHY_SIZE];
    RunDifference difference;
} CellJudgement;

/* --- Comparison ------------------------------------------------------------------------------- */

/* The names and launches are those of the runs. */
typedef struct ComparedCell {
    const char *name;
    const MeasuredCell *before, *now; /* NULL, of CHANGE_FAILED alone: it has no time there */
    CellJudgement judgement;
} ComparedCell;

/* A cell that has a time in one run only, and did not fail in the new one. */
typedef struct UnpairedCell {
    const char *name;
    const char *where; /* "in the old run alone", "skipped in the new run" */
    const char *why;   /* of what was skipped or failed in the other run; "": not known */
} UnpairedCell;

typedef struct Comparison {
    const MeasuredRun *before, *now; /* outlive the comparison */
    CompareCriteria criteria;
    double noise_floor; /* the greater one of the two runs; NAN: not known */
    ComparedCell *cells;
    size_t count; /* in the order of the old run; failed ones that it does not have are the last */
    /* Cells with a time in the old run alone, in the new one alone; not of roofs. */
    UnpairedCell *missing, *added;
    size_t missing_count, added_count;
    size_t changes[CHANGE_COUNT];     /* cells by CellChange */
    double old_total, new_total;      /* seconds: sums of the medians of all judged cells */
    char difference[STATUS_WHY_SIZE]; /* why it would be refused without force; else empty */
} Comparison;

/*
 * Pairs cells by name and judges them. STATUS_USAGE when machines, builds or inputs differ, unless
 * `force`; STATUS_NO_MATCH when no cell but roofs is in both and none failed; STATUS_SKIP without
 * memory. On
 * STATUS_OK release with comparison_release.
 */
Status comparison_make(const MeasuredRun *before, const MeasuredRun *now,
                       const CompareCriteria *criteria, bool force, Comparison *comparison);
void comparison_release(Comparison *comparison);

/* Slower cells whose name matches the pattern (*, ? and [...], as of file names; * also stands for
 * slashes) become accepted ones. Returns how many. */
size_t comparison_accept(Comparison *comparison, const char *pattern, const char *reason);

/* STATUS_FAIL naming the first cell that failed in the new run, and how many did. */
Status comparison_failure(const Comparison *comparison);

/* EXIT_WRONG when a cell failed in the new run, or else EXIT_REGRESSION when one is slower, or else
 * EXIT_AMBIGUOUS when `strict` and one is undecided. */
ExitCode comparison_exit_code(const Comparison *comparison, bool strict);

enum { COMPARISON_WORDS_SIZE = 1024 };

/* "no change seen; 12% or more would have been", "1 cell slower, 2 faster; of the others a change
 * of 12% or more would have been seen". */
void comparison_conclusion(const Comparison *comparison, char text[COMPARISON_WORDS_SIZE]);

/* Writes that some cells have too few launches to show any change, and how many would do. False
 * where no cell is so. */
bool comparison_warning(const Comparison *comparison, char text[COMPARISON_WORDS_SIZE]);

/* --- Compare formats -------------------------------------------------------------------------- */

typedef enum CompareFormat {
    COMPARE_TABLE = 1,
    COMPARE_MARKDOWN,
    COMPARE_GITHUB, /* annotations */
    COMPARE_JUNIT,
    COMPARE_JSON
} CompareFormat;

/* STATUS_SKIP without memory; the stream keeps errors of writing. `strict`: an undecided cell is a
 * failure. */
Status compare_print(FILE *stream, CompareFormat format, const Comparison *comparison, bool strict);

/* Writes a file, beside and renamed. STATUS_FILE when it cannot be written. */
Status compare_write(const char *path, CompareFormat format, const Comparison *comparison,
                     bool strict);

Status compare_print_table(FILE *stream, const Comparison *comparison);

#endif
