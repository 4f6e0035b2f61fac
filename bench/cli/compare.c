/* The command `bench compare`. */

#include "cli_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base.h"
#include "compare.h"
#include "files.h"
#include "results.h"
#include "run.h"
#include "status.h"

/* === Compare options ========================================================================== */

/* The options of `bench compare`. */

typedef struct CompareOptions {
    const char *before, *now; /* files or folders of runs */
    double alpha, threshold;
    const CompareFormat *format;
    const char *out; /* NULL: standard output */
    bool strict, force, help;
} CompareOptions;

static Status set_alpha(const char *value, void *of) {
    CompareOptions *options = of;
    return parse_ratio(value, &options->alpha);
}

static Status set_threshold(const char *value, void *of) {
    CompareOptions *options = of;
    return parse_ratio(value, &options->threshold);
}

static Status set_format(const char *value, void *of) {
    CompareOptions *options = of;
    options->format = compare_format_find(value);
    if (options->format != NULL) {
        return status_ok();
    }
    char known[STATUS_WHY_SIZE / 2] = "";
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; i < compare_format_count; i++) {
        suggest_offer(&suggestion, compare_formats[i].name);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", compare_formats[i].name);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no format%s (known: %s)", value,
                       suggest_text(&suggestion, nearest), known);
}

static Status set_out(const char *value, void *of) {
    CompareOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_strict(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->strict = true;
    return status_ok();
}

static Status set_force(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->force = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_run(const char *path, void *of) {
    CompareOptions *options = of;
    if (options->before == NULL) {
        options->before = path;
    } else if (options->now == NULL) {
        options->now = path;
    } else {
        return status_make(STATUS_USAGE,
                           "compare: unexpected argument '%.60s'; name two runs, the old one and "
                           "the new one",
                           path);
    }
    return status_ok();
}

static const FlagRow flag_rows[] = {
    {.flag = "alpha",
     .argument = "RATIO",
     .set = set_alpha,
     .help = "probability of a false alarm in the whole comparison: each of its n cells is held to "
             "alpha / n. Default: 0.01"},
    {.flag = "threshold",
     .argument = "RATIO",
     .set = set_threshold,
     .help = "change of the median that does not matter yet: 5% or 0.05. Default: 5%"},
    {.flag = "strict",
     .set = set_strict,
     .help = "end with exit code 7 when a cell is ambiguous and none is slower"},
    {.flag = "force",
     .set = set_force,
     .help = "compare runs of different machines, builds or inputs"},
    {.flag = "format",
     .argument = "NAME",
     .set = set_format,
     .help = "table, markdown (a comment on a pull request), github (annotations), junit or json. "
             "Default: table"},
    {.flag = "out",
     .argument = "FILE",
     .set = set_out,
     .help = "write that to FILE, and the table to standard output"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable flag_table = {.command = "compare",
                                     .rows = flag_rows,
                                     .count = sizeof flag_rows / sizeof flag_rows[0],
                                     .word = add_run};

static void compare_options_print_help(FILE *stream) {
    flags_print_help(stream, &flag_table);
}

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
static Status compare_options_parse(int argc, char **argv, CompareOptions *options) {
    const RunOptions defaults = options_default();
    *options = (CompareOptions){
        .alpha = defaults.alpha, .threshold = defaults.threshold, .format = &compare_formats[0]};
    STATUS_TRY(flags_parse(&flag_table, argc, argv, options));
    if (!options->help && options->now == NULL) {
        return status_make(STATUS_USAGE, "compare: name two runs, the old one and the new one: "
                                         "folders, or their results.json");
    }
    return status_ok();
}

/* === Command compare ========================================================================== */

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
