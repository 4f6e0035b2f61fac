#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "comparable.h"
#include "compare_formats.h"
#include "registry.h"
#include "runner.h"

/* Everything that is held until the end; too large for a stack. */
typedef struct Baseline {
    const RunOptions *options;
    const Machine *machine;
    MeasuredRun before, now;
    CompareCriteria criteria;
} Baseline;

/* STATUS_SKIP with an empty reason: the run has said itself why it ended with `*code`. */
static Status run_once(const RunOptions *options, const Machine *machine, MeasuredRun *run,
                       int *code) {
    Results results = {.rows = NULL};
    Status status = runner_run(options, machine, &results, code);
    if (!status_is_ok(&status)) {
        command_error(&status);
    }
    if (*code != EXIT_OK || options->dry_run) {
        status = status_skip("%s", "");
    } else {
        status = measured_run_of_results(&results, machine, run);
    }
    results_release(&results);
    return status;
}

static size_t slower_names(const Comparison *comparison, const char **names) {
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->cells[i].judgement.change == CHANGE_SLOWER) {
            names[count++] = comparison->cells[i].before->name;
        }
    }
    return count;
}

/* A roof is no cell that was asked for; here it may be one that looks slower. */
static void ask_for_roofs(RunOptions *options) {
    const Algorithm *copy = registry_find_algorithm("copy");
    bool asked = copy == NULL || !options->roof;
    for (size_t i = 0; i < options->algorithm_count; i++) {
        asked |= options->algorithms[i] == copy;
    }
    if (!asked && options->algorithm_count < OPTIONS_ALGORITHMS_MAX) {
        options->algorithms[options->algorithm_count++] = copy;
    }
    options->variant_count = 0; /* roofs are of any variant; the names choose */
    options->roof = false;
}

/* The request for the cells of `names` alone. */
static RunOptions again_options(const RunOptions *options, const char *const *names, size_t count,
                                char folder[ATOMIC_FILE_PATH_SIZE]) {
    RunOptions again = *options;
    const char *home = options->resume != NULL ? options->resume : options->out;
    if (home != NULL) {
        snprintf(folder, ATOMIC_FILE_PATH_SIZE, "%s/remeasured", home);
        again.out = folder;
    }
    again.resume = again.csv = again.json = again.save = NULL;
    again.plot = false;
    ask_for_roofs(&again);
    again.only = names;
    again.only_count = count;
    return again;
}

static Status measure_again(Baseline *baseline, const Comparison *first, int *code) {
    const char **names = calloc(first->count, sizeof *names);
    if (names == NULL) {
        return status_skip("no memory left to measure %zu cells again", first->count);
    }
    char folder[ATOMIC_FILE_PATH_SIZE];
    const size_t count = slower_names(first, names);
    const RunOptions again = again_options(baseline->options, names, count, folder);
    if (!baseline->options->quiet) {
        fprintf(stderr, "%zu cell%s slower than the baseline: measuring again\n", count,
                count == 1 ? " looks" : "s look");
    }
    MeasuredRun run = {.count = 0};
    Status status = run_once(&again, baseline->machine, &run, code);
    if (status_is_ok(&status)) {
        status = measured_run_replace(&baseline->now, &run);
    }
    measured_run_release(&run);
    free(names);
    return status;
}

static Status compare_and_confirm(Baseline *baseline, int *code) {
    Comparison comparison;
    STATUS_TRY(comparison_make(&baseline->before, &baseline->now, &baseline->criteria, false,
                               &comparison));
    if (comparison.changes[CHANGE_SLOWER] > 0) {
        const Status status = measure_again(baseline, &comparison, code);
        comparison_release(&comparison);
        STATUS_TRY(status);
        STATUS_TRY(comparison_make(&baseline->before, &baseline->now, &baseline->criteria, false,
                                   &comparison));
    }
    fputc('\n', stdout);
    const Status status = compare_print_table(stdout, &comparison, baseline->options->strict);
    *code = comparison_exit_code(&comparison, baseline->options->strict);
    comparison_release(&comparison);
    return status;
}

static Status run_and_compare(Baseline *baseline, int *code) {
    const RunOptions *options = baseline->options;
    STATUS_TRY(measured_run_read(options->baseline, &baseline->before));
    const Status same = comparable_machines(&baseline->before.machine, baseline->machine);
    if (!status_is_ok(&same)) {
        return status_make(STATUS_USAGE,
                           "--baseline: %.100s is of another machine or build: %.240s",
                           options->baseline, same.why);
    }
    STATUS_TRY(run_once(options, baseline->machine, &baseline->now, code));
    return compare_and_confirm(baseline, code);
}

int baseline_run(const RunOptions *options, const Machine *machine) {
    Baseline *baseline = calloc(1, sizeof *baseline);
    if (baseline == NULL) {
        const Status status = status_skip("no memory left for the baseline");
        return command_error(&status);
    }
    baseline->options = options;
    baseline->machine = machine;
    baseline->criteria = (CompareCriteria){
        .alpha = options->alpha, .threshold = options->threshold, .seed = options->seed};
    int code = EXIT_OK;
    const Status status = run_and_compare(baseline, &code);
    if (!status_is_ok(&status) && status.code != STATUS_SKIP) {
        code = command_error(&status);
    }
    measured_run_release(&baseline->before);
    measured_run_release(&baseline->now);
    free(baseline);
    return code;
}
