#include <stdlib.h>

#include "commands.h"
#include "compare_options.h"
#include "input_guard.h"
#include "output_target.h"

static Status print(const CompareOptions *options, const Comparison *comparison) {
    if (options->out != NULL) {
        STATUS_TRY(
            compare_format_write(options->out, options->format, comparison, options->strict));
        return compare_print_table(stdout, comparison, options->strict);
    }
    return options->format->print(stdout, comparison, options->strict);
}

static Status compare_runs(const CompareOptions *options, const MeasuredRun *before,
                           const MeasuredRun *now, int *code) {
    const CompareCriteria criteria = {
        .alpha = options->alpha, .threshold = options->threshold, .seed = 1};
    Comparison comparison;
    STATUS_TRY(comparison_make(before, now, &criteria, options->force, &comparison));
    const Status status = print(options, &comparison);
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

int command_compare(const Invocation *given) {
    CompareOptions options;
    Status status =
        compare_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (options.help) {
        command_compare_help(stdout);
        return EXIT_OK;
    }
    int code = EXIT_OK;
    MeasuredRun *runs = calloc(2, sizeof *runs);
    if (runs == NULL) {
        status = status_skip("no memory left to compare runs");
    } else {
        status = read_and_compare(&options, runs, &code);
        measured_run_release(&runs[0]);
        measured_run_release(&runs[1]);
        free(runs);
    }
    return status_is_ok(&status) ? code : command_error(&status);
}

void command_compare_help(FILE *stream) {
    fputs("bench compare OLD NEW [options]\n\n"
          "Holds two stored runs against each other, cell by cell, by their kernel times. OLD and "
          "NEW are\n"
          "folders of runs, their results.json, or JSON files of Google Benchmark. Exit code 1: a "
          "cell is\n"
          "slower, which takes a Mann-Whitney p below alpha divided by the number of cells, a 95% "
          "interval\n"
          "of the ratio of medians wholly beyond the threshold, and a change greater than the "
          "noise floor\n"
          "that the runs have stored. Where the ratio is beyond the threshold without that proof, "
          "the cell\n"
          "is ambiguous. Runs of different machines, builds (the commit may differ) or inputs are "
          "refused.\n\n"
          "Examples\n"
          "  bench compare runs/main runs/change\n"
          "  bench compare old.json new.json --threshold 10% --format markdown --out comment.md\n",
          stream);
    compare_options_print_help(stream);
}
