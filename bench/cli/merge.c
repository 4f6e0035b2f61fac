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

/* === Launches of a run ======================================================================== */

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
    if (stored->share.count > 0) {
        return status_make(STATUS_USAGE,
                           "%.150s is a share of a plan, and the run before it is a whole one; "
                           "merge one kind",
                           run);
    }
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

/* === The whole ================================================================================ */

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
    run_warnings(&merge->first, &record.warnings);
    const Status status = write_files(merge, folder, &record);
    if (status_is_ok(&status)) {
        report_summary(stdout, &record, &merge->whole, folder);
        last_run_note(folder);
    }
    argument_list_release(&given);
    return status;
}

/* === Shares of a plan ========================================================================= */

/* Where a row of the whole comes from. */
typedef struct Placed {
    uint32_t number; /* its place in the plan */
    Row row;
} Placed;

typedef struct Shares {
    StoredRun *runs; /* of the shares 1 … count */
    const char **names;
    int count;
} Shares;

/* Too many of these are not printed. */
enum { MISSING_SHOWN = 8 };

static Status check_missing(const Shares *shares) {
    char missing[128] = "";
    int count = 0;
    for (int i = 0; i < shares->count; i++) {
        if (shares->names[i] == NULL && count++ < MISSING_SHOWN) {
            text_append(missing, sizeof missing, "%s%d", count > 1 ? ", " : "", i + 1);
        }
    }
    if (count > MISSING_SHOWN) {
        text_append(missing, sizeof missing, " and %d more", count - MISSING_SHOWN);
    }
    return count == 0 ? status_ok()
                      : status_make(STATUS_USAGE, "merge: of %d shares these are missing: %s",
                                    shares->count, missing);
}

/* What must be the same in all shares. */
static Status check_same(const Shares *shares, const StoredRun *run, const char *name) {
    const StoredRun *first = NULL;
    for (int i = 0; i < shares->count && first == NULL; i++) {
        first = shares->names[i] != NULL ? &shares->runs[i] : NULL;
    }
    if (first == NULL) {
        return status_ok();
    }
    Status status = machine_same(&first->machine, &run->machine);
    if (status_is_ok(&status)) {
        status = arguments_same(&first->arguments, &run->arguments);
    }
    return status_is_ok(&status)
               ? status
               : status_make(STATUS_USAGE, "%.120s is no share of the same run: %.260s", name,
                             status.why);
}

/* Takes over the run. */
static Status add_share(Shares *shares, const char *name, StoredRun *run) {
    const Share *share = &run->share;
    if (share->count == 0) {
        return status_make(STATUS_USAGE,
                           "%.150s is a whole run, and the run before it is a share of a plan; "
                           "merge one kind",
                           name);
    }
    if (share->count != shares->count) {
        return status_make(STATUS_USAGE, "%.150s is share %d of %d, and the others are of %d", name,
                           share->index, share->count, shares->count);
    }
    if (!run->complete) {
        return status_make(STATUS_USAGE,
                           "%.150s is not complete (share %d of %d); go on with bench --resume "
                           "%.150s",
                           name, share->index, share->count, name);
    }
    if (shares->names[share->index - 1] != NULL) {
        return status_make(STATUS_USAGE, "%.150s and %.150s are both share %d of %d",
                           shares->names[share->index - 1], name, share->index, share->count);
    }
    STATUS_TRY(check_same(shares, run, name));
    shares->names[share->index - 1] = name;
    shares->runs[share->index - 1] = *run;
    *run = (StoredRun){.elapsed = NAN};
    return status_ok();
}

static Status read_share(Shares *shares, const char *name) {
    char path[ATOMIC_FILE_PATH_SIZE];
    StoredRun *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return status_no_memory("for the runs");
    }
    Status status = guard_run(name);
    if (status_is_ok(&status)) {
        status = stored_run_path(name, path, sizeof path);
    }
    if (status_is_ok(&status)) {
        status = stored_run_read(path, run);
        if (status_is_ok(&status)) {
            status = add_share(shares, name, run);
            stored_run_release(run);
        }
    }
    free(run);
    return status;
}

static int compare_placed(const void *left, const void *right) {
    const Placed *a = left;
    const Placed *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool same_input(const Row *a, const Row *b) {
    return strcmp(a->input, b->input) == 0 && strcmp(a->size_name, b->size_name) == 0;
}

/* Rows of one input and size were measured on the same pixels. */
static Status check_inputs(const Placed *placed, size_t count) {
    const Row *known = NULL; /* rows of a workload follow each other */
    for (size_t i = 0; i < count; i++) {
        const Row *row = &placed[i].row;
        known = known != NULL && same_input(known, row) ? known : NULL;
        if (known != NULL && row->input_hash != 0 && row->input_hash != known->input_hash) {
            char name[CELL_NAME_SIZE];
            row_name(row, name, sizeof name);
            return status_make(STATUS_USAGE,
                               "merge: %.150s was measured on another input than %.60s at %.40s in "
                               "another share",
                               name, known->input, known->size_name);
        }
        known = known == NULL && row->input_hash != 0 ? row : known;
    }
    return status_ok();
}

/* The rows of all shares in the order of the plan; they stay the shares' own. */
static Status join_rows(const Shares *shares, Placed *placed, size_t count, Results *whole) {
    size_t used = 0;
    for (int i = 0; i < shares->count; i++) {
        const StoredRun *run = &shares->runs[i];
        for (size_t j = 0; j < run->results.count; j++) {
            placed[used++] = (Placed){.number = run->numbers[j], .row = run->results.rows[j]};
        }
    }
    qsort(placed, count, sizeof *placed, compare_placed);
    for (size_t i = 0; i < count; i++) {
        if (placed[i].number != i) {
            return status_make(STATUS_FILE, "merge: the shares do not have every cell once: their "
                                            "files were changed");
        }
    }
    STATUS_TRY(check_inputs(placed, count));
    STATUS_TRY(LIST_ROOM(NULL, whole->rows, count - 1, whole->capacity, "result rows"));
    return status_ok();
}

/* Moves the rows to the whole. */
static Status move_rows(Shares *shares, Merge *merge) {
    size_t count = 0;
    for (int i = 0; i < shares->count; i++) {
        count += shares->runs[i].results.count;
    }
    Placed *placed = calloc(count + 1, sizeof *placed);
    if (placed == NULL) {
        return status_no_memory("for the runs");
    }
    const Status status = count > 0 ? join_rows(shares, placed, count, &merge->whole) : status_ok();
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        merge->whole.rows[merge->whole.count++] = placed[i].row;
    }
    for (int i = 0; i < shares->count && status_is_ok(&status); i++) {
        shares->runs[i].results.count = 0;
    }
    free(placed);
    return status;
}

/* The whole has the machine, the ceilings and the command line of the first share, without which
 * share it was, the earliest beginning, and all the time that was spent. */
static Status make_whole(Shares *shares, Merge *merge) {
    STATUS_TRY(move_rows(shares, merge));
    StoredRun *first = &shares->runs[0];
    ArgumentList arguments;
    STATUS_TRY(arguments_of_plan(&first->arguments, &arguments));
    argument_list_release(&first->arguments);
    first->arguments = arguments;
    merge->whole.ceilings = first->results.ceilings;
    for (int i = 0; i < shares->count; i++) {
        const StoredRun *run = &shares->runs[i];
        merge->elapsed += isfinite(run->elapsed) ? run->elapsed : 0;
        if (strcmp(run->started, first->started) < 0) {
            memcpy(first->started, run->started, sizeof first->started);
        }
        if (first->input_note[0] == '\0') {
            memcpy(first->input_note, run->input_note, sizeof first->input_note);
        }
    }
    results_release(&first->results);
    merge->first = *first;
    *first = (StoredRun){.elapsed = NAN};
    return status_ok();
}

static Status add_shares(const MergeOptions *options, int count, Merge *merge) {
    Shares shares = {.runs = calloc((size_t)count, sizeof *shares.runs),
                     .names = calloc((size_t)count, sizeof *shares.names),
                     .count = count};
    Status status = shares.runs != NULL && shares.names != NULL ? status_ok()
                                                                : status_no_memory("for the runs");
    for (size_t i = 0; i < options->runs.count && status_is_ok(&status); i++) {
        status = read_share(&shares, options->runs.texts[i]);
    }
    if (status_is_ok(&status)) {
        status = check_missing(&shares);
    }
    if (status_is_ok(&status)) {
        status = make_whole(&shares, merge);
    }
    for (int i = 0; shares.runs != NULL && i < count; i++) {
        stored_run_release(&shares.runs[i]);
    }
    free(shares.runs);
    free(shares.names);
    return status;
}

/* How many shares the first run says there are; 0: it is a whole run. */
static Status count_shares(const char *run, int *count) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    if (stored == NULL) {
        return status_no_memory("for the runs");
    }
    const Status status = stored_run_read(path, stored);
    *count = stored->share.count;
    if (status_is_ok(&status)) {
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

/* === Command merge ============================================================================ */

static const char too_few[] =
    "merge: name two or more runs, which become the launches of one, or all "
    "shares of a run";

static Status check(void *of, const OptionsGiven *given) {
    const MergeOptions *options = of;
    (void)given;
    return options->runs.count > 0 ? status_ok() : status_make(STATUS_USAGE, "%s", too_few);
}

static Status add_launches(const MergeOptions *options, Merge *merge) {
    if (options->runs.count < 2) {
        return status_make(STATUS_USAGE, "%s", too_few);
    }
    for (size_t i = 0; i < options->runs.count; i++) {
        STATUS_TRY(add_run(merge, options->runs.texts[i]));
    }
    return status_ok();
}

static Status merge_runs(Invocation *given, void *of) {
    const MergeOptions *options = of;
    Merge *merge = calloc(1, sizeof *merge);
    (void)given;
    if (merge == NULL) {
        return status_no_memory("for the runs");
    }
    merge->complete = true;
    int count = 0;
    Status status = count_shares(options->runs.texts[0], &count);
    if (status_is_ok(&status)) {
        status = count > 0 ? add_shares(options, count, merge) : add_launches(options, merge);
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
    .summary = "join stored runs: launches of one run, or shares of a plan",
    .usage = "bench merge RUN RUN... [--out DIR]",
    .about =
        "Joins stored runs of the same request. Each becomes one launch, or as many as it has, so "
        "that launches of several days or machines give one interval: cells are matched by name, "
        "size and mode, and must have been measured on the same input. Runs with --shard become "
        "the run that they are shares of: all shares are needed, complete, of machines and builds "
        "that are alike. RUN is the folder of a run or its results.json.",
    .examples = "bench merge runs/monday runs/tuesday runs/wednesday --out runs/week\n"
                "bench merge shares/* --out runs/whole\n",
    .words = "the runs to join",
    .rows = option_rows,
    .size = sizeof(MergeOptions),
    .check = check,
    .run = merge_runs,
};
