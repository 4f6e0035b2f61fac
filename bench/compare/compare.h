/* Comparing runs. */

#ifndef BENCH_COMPARE_COMPARE_H
#define BENCH_COMPARE_COMPARE_H

#include <stdio.h>

#include "base.h"
#include "files.h"
#include "machine.h"
#include "results.h"
#include "status.h"

/* --- Measured run ----------------------------------------------------------------------------- */

/* The cells of a run by name, with their samples, and the machine. */

enum { MEASURED_HASH_SIZE = 24, MEASURED_MODE_SIZE = 8 };

typedef struct MeasuredCell {
    char *name;
    Samples samples;               /* seconds, at least one, all above 0 */
    double median;                 /* seconds */
    char hash[MEASURED_HASH_SIZE]; /* of the input; empty: not known */
    char mode[MEASURED_MODE_SIZE]; /* "cold" or "hot"; empty: not known */
} MeasuredCell;

typedef struct MeasuredRun {
    char path[ATOMIC_FILE_PATH_SIZE]; /* the file; empty for a run that is in memory */
    MeasuredCell *cells;
    size_t count, capacity;
    Machine machine;
    double noise_floor; /* relative change that the machine shows by itself; 0: not known */
} MeasuredRun;

/*
 * Reads a results file of this program, or one of Google Benchmark, whose repetitions become
 * samples and whose aggregates and failed entries are left out. `path` is the file or the folder
 * of a run with results.json in it. STATUS_FILE naming the file and what is wrong with it.
 */
Status measured_run_read(const char *path, MeasuredRun *run);

/* The verified and timed rows of a run that has just been made. STATUS_SKIP without memory. */
Status measured_run_of_results(const Results *results, const Machine *machine, MeasuredRun *run);

/* Cells that are in both runs get the samples of `again`. STATUS_SKIP without memory. */
Status measured_run_replace(MeasuredRun *run, const MeasuredRun *again);
void measured_run_release(MeasuredRun *run);

/* --- Judge ------------------------------------------------------------------------------------ */

/* Whether a cell became slower or faster, and whether that is proved. */

typedef struct CompareCriteria {
    double alpha;     /* probability of a false alarm in the whole comparison, 0…1 */
    double threshold; /* relative change that does not matter yet, 0…1 */
    uint64_t seed;    /* of the bootstrap */
} CompareCriteria;

typedef enum CellChange {
    CHANGE_SAME,
    CHANGE_FASTER,
    CHANGE_SLOWER,
    CHANGE_AMBIGUOUS,
    CHANGE_COUNT
} CellChange;

enum { JUDGE_WHY_SIZE = 160 };

typedef struct CellJudgement {
    CellChange change;
    char why[JUDGE_WHY_SIZE]; /* of CHANGE_AMBIGUOUS: which proof is missing */
    Ratio ratio;              /* median of the new samples / median of the old ones */
    double p;                 /* Mann–Whitney, two-sided */
    bool exact;               /* p is exact, not a normal approximation */
} CellJudgement;

/* --- Comparison ------------------------------------------------------------------------------- */

/* The names and samples are those of the runs. */
typedef struct ComparedCell {
    const MeasuredCell *before, *now;
    CellJudgement judgement;
} ComparedCell;

typedef struct Comparison {
    const MeasuredRun *before, *now; /* outlive the comparison */
    CompareCriteria criteria;
    double noise_floor; /* the greater one of the two runs */
    ComparedCell *cells;
    size_t count;                  /* in the order of the old run */
    const char **missing, **added; /* names of cells: in the old run alone, in the new one */
    size_t missing_count, added_count;
    size_t changes[CHANGE_COUNT];     /* cells by CellChange */
    double old_total, new_total;      /* seconds: sums of the medians of all compared cells */
    char difference[STATUS_WHY_SIZE]; /* why it would be refused without force; else empty */
} Comparison;

/*
 * Pairs cells by name and judges them. STATUS_USAGE when machines, builds or inputs differ, unless
 * `force`; STATUS_NO_MATCH when no cell is in both; STATUS_SKIP without memory. On STATUS_OK
 * release with comparison_release.
 */
Status comparison_make(const MeasuredRun *before, const MeasuredRun *now,
                       const CompareCriteria *criteria, bool force, Comparison *comparison);
void comparison_release(Comparison *comparison);

/* EXIT_REGRESSION when a cell is slower, EXIT_AMBIGUOUS when `strict` and one is ambiguous. */
ExitCode comparison_exit_code(const Comparison *comparison, bool strict);

/* --- Compare formats -------------------------------------------------------------------------- */

typedef struct CompareFormat {
    const char *name;
    /* STATUS_SKIP without memory; the stream keeps errors of writing. `strict`: an ambiguous cell
     * is a failure. */
    Status (*print)(FILE *stream, const Comparison *comparison, bool strict);
} CompareFormat;

/* The first is the default. */
extern const CompareFormat compare_formats[];

extern const size_t compare_format_count;

/* NULL when there is no such format. */
const CompareFormat *compare_format_find(const char *name);

/* Writes a file, beside and renamed. STATUS_FILE when it cannot be written. */
Status compare_format_write(const char *path, const CompareFormat *format,
                            const Comparison *comparison, bool strict);

Status compare_print_table(FILE *stream, const Comparison *comparison, bool strict);

#endif
