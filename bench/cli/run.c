/* The commands `bench run`, `selftest` and `roof`. */

#include "cli_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "algorithm.h"
#include "base.h"
#include "ceilings.h"
#include "compare.h"
#include "files.h"
#include "machine.h"
#include "report.h"
#include "results.h"
#include "run.h"
#include "status.h"

/* === Baseline ================================================================================= */

/* `bench run --baseline FILE`: a run that is compared with a stored one as soon as it is made. */

/* Everything that is held until the end; too large for a stack. */
typedef struct Baseline {
    const RunOptions *options;
    const Machine *machine;
    MeasuredRun before, now;
    CompareCriteria criteria;
} Baseline;

/* STATUS_SKIP with an empty reason: the run has said itself why it ended with `*code`. */
static Status run_again(const RunOptions *options, const Machine *machine, MeasuredRun *run,
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
    Status status = run_again(&again, baseline->machine, &run, code);
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
    STATUS_TRY(run_again(options, baseline->machine, &baseline->now, code));
    return compare_and_confirm(baseline, code);
}

/*
 * Reads the baseline and refuses one of another machine or build before anything is measured; runs
 * the request; and compares. Cells that look slower are measured once more, alone, and what they
 * are called is decided by those samples, which replace the first: a cell is called slower only
 * when it was slower twice. The second run has a folder of its own, "remeasured" in that of --out.
 * Prints the table of the comparison on standard output behind that of the run. Returns the exit
 * code, having said what went wrong: that of the run, or of the comparison when the run was good.
 */
static int baseline_run(const RunOptions *options, const Machine *machine) {
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

/* === Command run ============================================================================== */

static int run_request(const RunOptions *options) {
    const Status writable = output_targets_check(options);
    if (!status_is_ok(&writable)) {
        return command_error(&writable);
    }
    Machine machine;
    machine_read(&machine);
    RunOptions request = *options;
    request.draw = run_charts_draw;
    if (options->baseline != NULL) {
        return baseline_run(&request, &machine);
    }
    Results results = {.rows = NULL};
    int code = EXIT_OK;
    const Status status = runner_run(&request, &machine, &results, &code);
    results_release(&results);
    if (!status_is_ok(&status)) {
        command_error(&status);
    }
    return code;
}

/* `bench run --resume DIR`: the stored arguments, then those given now. */
static int run_resumed(const Invocation *given, const char *folder) {
    ArgumentList list;
    Status status =
        resume_arguments(folder, given->argc - given->first, given->argv + given->first, &list);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    RunOptions options;
    OptionsAction action;
    status = options_parse(SCOPE_RUN, list.argc - 1, list.argv + 1, &options, &action);
    if (status_is_ok(&status) && options.algorithm_count == 0) {
        status = status_make(STATUS_USAGE,
                             "--resume: '%.200s' does not say which algorithms it is "
                             "of; give its arguments again",
                             folder);
    }
    options.argc = list.argc;
    options.argv = list.argv;
    const int code = status_is_ok(&status) ? run_request(&options) : command_error(&status);
    argument_list_release(&list);
    return code;
}

int command_run(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    const Status status = options_parse(SCOPE_RUN, given->argc - given->first,
                                        given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_run_help(stdout);
        return EXIT_OK;
    }
    if (action == OPTIONS_LIST) {
        list_print(stdout, &options);
        return EXIT_OK;
    }
    if (options.resume != NULL && options.algorithm_count == 0) {
        return run_resumed(given, options.resume);
    }
    options.argc = given->argc;
    options.argv = given->argv;
    return run_request(&options);
}

/* === Command selftest ========================================================================= */

enum { PATH_SIZE = 4096 };

static double percent(size_t part, size_t whole) {
    return 100.0 * (double)part / (double)whole;
}

static void print_table(const SelftestResult *result) {
    printf("\nEach cell against itself: how often the interval of the ratio does not hold 1, how "
           "often all of\nit is beyond %.0f%%, and how far the ratio is from 1 (median and 95th "
           "percentile)\n\n",
           100 * SELFTEST_THRESHOLD);
    printf("%-42s %6s %10s %10s %8s %8s\n", "cell", "pairs", "not 1", "beyond 5%", "median",
           "95th");
    for (size_t i = 0; i < result->count; i++) {
        const NoiseCell *cell = &result->cells[i];
        visible_line(stdout, "%-42s %6zu %9.1f%% %9.1f%% %7.2f%% %7.2f%%", cell->name, cell->pairs,
                     percent(cell->excluding_one, cell->pairs),
                     percent(cell->beyond_threshold, cell->pairs), 100 * cell->typical,
                     100 * cell->floor);
    }
}

static Status store(const SelftestResult *result) {
    static Machine machine;
    char path[PATH_SIZE];
    char measured[32];
    struct tm utc;
    const time_t now = time(NULL);
    machine_read(&machine);
    STATUS_TRY(noise_floor_path(&machine, path, sizeof path));
    gmtime_r(&now, &utc);
    strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
    STATUS_TRY(noise_floor_write(path, measured, SELFTEST_THRESHOLD, result->cells, result->count));
    visible_line(stdout, "%s", path);
    return status_ok();
}

static int run(const RunOptions *options) {
    SelftestResult result;
    Status status = selftest_run(options, stderr, &result);
    if (status_is_ok(&status)) {
        print_table(&result);
        printf("\nnoise floor of this machine: %.2f%%\n",
               100 * noise_floor_of(result.cells, result.count));
        status = store(&result);
    }
    selftest_release(&result);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_selftest(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    const Status status = options_parse(SCOPE_SELFTEST, given->argc - given->first,
                                        given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_selftest_help(stdout);
        return EXIT_OK;
    }
    return run(&options);
}

void command_selftest_help(FILE *stream) {
    fputs("bench selftest [options]\n\n"
          "Measures the same variant twice, as a run would, and compares it with itself, --pairs "
          "times. A\n"
          "comparison that finds a difference is a false alarm; the 95th percentile of |ratio - 1| "
          "is the\n"
          "noise floor of this machine. It is kept in the folder for caches "
          "($XDG_CACHE_HOME/bench, or else\n"
          "~/.cache/bench) and stored with every later run. Best done on the machine as it will be "
          "used.\n"
          "Without options: lbp, simd and cuda_fast, at 1080p, --max-time 1s.\n\n"
          "Examples\n"
          "  bench selftest\n"
          "  bench selftest --algo lbp --variants omp --sizes 4K --pairs 200\n",
          stream);
    options_print_help(stream, SCOPE_SELFTEST);
}

/* === Command roof ============================================================================= */

static Status print(const RunOptions *options, const Ceilings *ceilings) {
    if (ceilings->count == 0) {
        return status_skip("no ceiling could be measured");
    }
    if (options->format != NULL && strcmp(options->format, "json") == 0) {
        return ceilings_print_json(stdout, ceilings);
    }
    ceilings_print(stdout, ceilings);
    return status_ok();
}

int command_roof(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    Status status = options_parse(SCOPE_ROOF, given->argc - given->first,
                                  given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_roof_help(stdout);
        return EXIT_OK;
    }
    Machine machine;
    machine_read(&machine);
    Ceilings ceilings;
    roofs_read(&machine, options.fresh, options.quiet ? NULL : stderr, &ceilings);
    status = print(&options, &ceilings);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}
