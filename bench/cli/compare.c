/* The command `bench compare`. */

#include "cli_internal.h"
#include "paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare.h"
#include "run.h"
#include "text.h"

/* === Options ================================================================================== */

typedef struct CompareOptions {
    const char *before, *now; /* files or folders of runs */
    double alpha, threshold;
    CompareFormat format;
    const char *out; /* NULL: standard output */
    bool strict, force;
} CompareOptions;

/* In the order of CompareFormat. */
static const char *const formats[] = {"table", "markdown", "github", "junit", "json", NULL};

static Status check(void *of, const OptionsGiven *given) {
    const CompareOptions *options = of;
    (void)given;
    return options->before != NULL
               ? status_ok()
               : status_make(STATUS_USAGE, "compare: name the old run, and the new one unless it "
                                           "is the last run; 'bench runs' lists them");
}

#define MEMBER(name) .member = offsetof(CompareOptions, name)

static const Option option_rows[] = {
    {NULL, "OLD", NULL, .kind = OPTION_RUN, MEMBER(before)},
    {NULL, "NEW", NULL, .kind = OPTION_RUN, MEMBER(now), .otherwise = LAST_RUN},
    {"alpha", "RATIO",
     "probability of a false alarm in the whole comparison: the smallest p of its n cells is "
     "tested at alpha / n, the next at alpha / (n - 1), and so on. Default: 0.01",
     .kind = OPTION_RATIO, MEMBER(alpha)},
    {"threshold", "RATIO", "change of the median that does not matter yet: 5% or 0.05. Default: 5%",
     .kind = OPTION_RATIO, MEMBER(threshold)},
    {"strict", NULL, "end with exit code 7 when a cell is undecided and none is slower",
     .kind = OPTION_SET, MEMBER(strict)},
    {"force", NULL, "compare runs of different machines, builds or inputs", .kind = OPTION_SET,
     MEMBER(force)},
    {"format", "table|markdown|github|junit|json",
     "table, markdown (a comment on a pull request), github (annotations), junit or json. Default: "
     "table",
     .kind = OPTION_CHOICE, MEMBER(format), .words = formats, .noun = "format"},
    {"out", "FILE", "write the comparison to FILE, and the table to standard output",
     .kind = OPTION_OUTPUT, MEMBER(out)},
    OPTIONS_END};

/* === Command compare ========================================================================== */

static Status print(const CompareOptions *options, const Comparison *comparison) {
    if (options->out != NULL) {
        STATUS_TRY(compare_write(options->out, options->format, comparison, options->strict));
        return compare_print_table(stdout, comparison);
    }
    return compare_print(stdout, options->format, comparison, options->strict);
}

static Status compare_runs(const CompareOptions *options, const MeasuredRun *before,
                           const MeasuredRun *now, int *code) {
    const CompareCriteria criteria = {.alpha = options->alpha, .threshold = options->threshold};
    Comparison comparison;
    STATUS_TRY(comparison_make(before, now, &criteria, options->force, &comparison));
    Status status = print(options, &comparison);
    STATUS_THEN(status, comparison_failure(&comparison));
    *code = comparison_exit_code(&comparison, options->strict);
    comparison_release(&comparison);
    return status;
}

static Status check_target(const CompareOptions *options) {
    STATUS_TRY(guard_run(options->before));
    STATUS_TRY(guard_run(options->now));
    return options->out != NULL ? input_guard_check(options->out) : status_ok();
}

static Status read_and_compare(const CompareOptions *options, MeasuredRun *runs, int *code) {
    STATUS_TRY(check_target(options));
    STATUS_TRY(measured_run_read(options->before, &runs[0]));
    STATUS_TRY(measured_run_read(options->now, &runs[1]));
    return compare_runs(options, &runs[0], &runs[1], code);
}

static Status compare(Invocation *given, void *of) {
    const CompareOptions *options = of;
    MeasuredRun *runs = calloc(2, sizeof *runs);
    STATUS_MEMORY(runs, "to compare runs");
    const Status status = read_and_compare(options, runs, &given->code);
    measured_run_release(&runs[0]);
    measured_run_release(&runs[1]);
    free(runs);
    return status;
}

static const CompareOptions defaults = {
    .alpha = JUDGE_ALPHA, .threshold = JUDGE_THRESHOLD, .format = COMPARE_TABLE};

const Command command_compare = {
    .name = "compare",
    .summary = "compare two runs cell by cell; exit code 1 when a cell is slower",
    .usage = "bench compare OLD [NEW] [options]",
    .about =
        "Compares two stored runs, cell by cell, by their kernel times. OLD and NEW are folders of "
        "runs, their results.json, or JSON files of Google Benchmark; without NEW it is the last "
        "run. Exit code 1: a cell is "
        "slower. The unit is the launch: a run of --launches N has N of them, in a file of Google "
        "Benchmark each repetition is one. A cell is slower when the exact Mann-Whitney p of its "
        "launch medians is small enough by Holm's method at alpha and the ratio of the launches "
        "is beyond the threshold; it is the same when the interval of the ratio lies within the "
        "threshold, and else undecided, with the change that would have been found: one launch "
        "a side proves nothing, eight do for up to 64 cells. Cells of copy and other roofs are "
        "listed and not judged. A cell that failed or gave a wrong answer in the new run is a "
        "failure, exit code 4. Runs of different machines, builds (the commit may differ) or "
        "inputs are refused.",
    .examples =
        "bench compare runs/main runs/change\n"
        "bench compare old.json new.json --threshold 10% --format markdown --out comment.md\n",
    .words = "two runs, the old one and the new one",
    .rows = option_rows,
    .size = sizeof(CompareOptions),
    .defaults = &defaults,
    .check = check,
    .run = compare,
};
