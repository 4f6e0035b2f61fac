/* The command `bench merge`. */

#include "cli_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct MergeOptions {
    OptionTexts runs;
    const char *out;
} MergeOptions;

/* Too large for a stack. */
typedef struct Merge {
    StoredRun first; /* without its rows: arguments, machine, date of the whole */
    Results whole;
    uint32_t launches; /* so far */
    double elapsed;
    bool complete;
} Merge;

/* A row of the whole that was measured on another input than this one; NULL: none. */
static const Row *other_input(const Results *whole, const Results *more) {
    for (size_t i = 0; i < more->count; i++) {
        for (size_t j = 0; j < whole->count; j++) {
            if (row_same_cell(&whole->rows[j], &more->rows[i])) {
                const uint64_t hash = whole->rows[j].input_hash;
                if (hash != more->rows[i].input_hash && hash != 0 &&
                    more->rows[i].input_hash != 0) {
                    return &whole->rows[j];
                }
            }
        }
    }
    return NULL;
}

static uint32_t count_launches(const Results *results) {
    size_t most = 0;
    for (size_t i = 0; i < results->count; i++) {
        const size_t launches = samples_launches(&results->rows[i].kernel);
        most = launches > most ? launches : most;
    }
    return (uint32_t)most;
}

static Status add_rows(Merge *merge, const char *run, const StoredRun *stored) {
    const Row *other = other_input(&merge->whole, &stored->results);
    if (other != NULL) {
        char name[CELL_NAME_SIZE];
        row_name(other, name, sizeof name);
        return status_make(
            STATUS_USAGE, "%.150s: %.150s was measured on another input than in the runs before it",
            run, name);
    }
    STATUS_TRY(results_merge(&merge->whole, &stored->results, merge->launches));
    merge->launches += count_launches(&stored->results);
    merge->complete &= stored->complete;
    merge->elapsed += isfinite(stored->elapsed) ? stored->elapsed : 0;
    return status_ok();
}

static Status add_run(Merge *merge, const char *run) {
    char path[ATOMIC_FILE_PATH_SIZE];
    StoredRun stored;
    STATUS_TRY(guard_run(run));
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    STATUS_TRY(stored_run_read(path, &stored));
    const bool is_first = merge->launches == 0;
    const Status status = add_rows(merge, run, &stored);
    if (status_is_ok(&status) && is_first) {
        results_release(&stored.results);
        merge->first = stored;
    } else {
        stored_run_release(&stored);
    }
    return status;
}

static Status write_files(const Merge *merge, const char *folder, const RunRecord *record) {
    char csv[ATOMIC_FILE_PATH_SIZE], json[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(csv, sizeof csv, "%s/results.csv", folder));
    STATUS_TRY(path_make(json, sizeof json, "%s/results.json", folder));
    STATUS_TRY(input_guard_check(csv));
    STATUS_TRY(input_guard_check(json));
    STATUS_TRY(folder_make(folder));
    STATUS_TRY(report_csv(csv, record, &merge->whole));
    return report_json(json, record, &merge->whole);
}

static Status write_whole(Merge *merge, const char *out) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    RunOptions options = run_defaults;
    const ArgumentList *arguments = &merge->first.arguments;
    /* What the options say is in the arguments; the rest is told by the rows. */
    ArgumentList given = {.argc = 0};
    STATUS_TRY(argument_list_add(&given, "bench"));
    for (int i = 0; i < arguments->argc; i++) {
        STATUS_TRY(argument_list_add(&given, arguments->argv[i]));
    }
    options.argc = given.argc;
    options.argv = given.argv;
    RunRecord record = {.options = &options,
                        .machine = &merge->first.machine,
                        .elapsed = merge->elapsed,
                        .timer_overhead_cpu = NAN,
                        .timer_overhead_cuda = NAN,
                        .complete = merge->complete,
                        .planned = merge->whole.count};
    memcpy(record.started, merge->first.started, sizeof record.started);
    memcpy(record.input_note, merge->first.input_note, sizeof record.input_note);
    if (out != NULL) {
        snprintf(folder, sizeof folder, "%.4000s", out);
    } else {
        run_folder_choose("-merged", folder, sizeof folder);
    }
    results_derive(&merge->whole, options.seed);
    const Status status = write_files(merge, folder, &record);
    if (status_is_ok(&status)) {
        report_summary(stdout, &record, &merge->whole, folder);
        last_run_note(folder);
    }
    argument_list_release(&given);
    return status;
}

static Status check(void *of, const OptionsGiven *given) {
    const MergeOptions *options = of;
    (void)given;
    return options->runs.count > 1
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "merge: name two or more runs, which become the launches "
                             "of one");
}

static Status merge_runs(Invocation *given, void *of) {
    const MergeOptions *options = of;
    Merge *merge = calloc(1, sizeof *merge);
    (void)given;
    if (merge == NULL) {
        return status_no_memory("for the runs");
    }
    merge->complete = true;
    Status status = status_ok();
    for (size_t i = 0; i < options->runs.count && status_is_ok(&status); i++) {
        status = add_run(merge, options->runs.texts[i]);
    }
    if (status_is_ok(&status)) {
        status = write_whole(merge, options->out);
    }
    stored_run_release(&merge->first);
    results_release(&merge->whole);
    free(merge);
    return status;
}

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUNS, .member = offsetof(MergeOptions, runs),
     .most = SIZE_MAX},
    {"out", "DIR", "folder of the merged run. Default: reports/runs/<time>-merged",
     .kind = OPTION_TEXT, .member = offsetof(MergeOptions, out)},
    OPTIONS_END};

const Command command_merge = {
    .name = "merge",
    .summary = "join stored runs as launches of one run",
    .usage = "bench merge RUN RUN... [--out DIR]",
    .about =
        "Joins stored runs of the same request: each becomes one launch, or as many as it has, "
        "so that launches of several days or machines give one interval. RUN is the folder of "
        "a run or its results.json. Cells are matched by name, size and mode, and must have "
        "been measured on the same input.",
    .examples = "bench merge runs/monday runs/tuesday runs/wednesday --out runs/week\n",
    .words = "the runs to join",
    .rows = option_rows,
    .size = sizeof(MergeOptions),
    .check = check,
    .run = merge_runs,
};
