/* The command `bench merge`. */

#include "merge.h"
#include "cli_internal.h"
#include "cpu_quota.h"
#include "list.h"
#include "paths.h"
#include "report.h"
#include "run.h"
#include "run_options.h"
#include "run_record.h"
#include "stored_run.h"
#include "text.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct MergeOptions {
    OptionTexts runs;
    const char *out;
    bool force;
} MergeOptions;

/* A row of a share, and its place in the plan. */
typedef struct Placed {
    uint32_t place;
    Row row;
} Placed;

/* Too large for a stack. */
typedef struct Merge {
    StoredRun first; /* without its rows: arguments, machine, date of the whole */
    size_t runs;     /* so far */
    Results whole;
    double elapsed;
    bool complete;
    bool force;        /* of the options */
    uint32_t launches; /* so far; not of shares */
    /* Of shares: the run that is each, NULL: none so far, and all rows. */
    const char **shares;
    Placed *placed;
    size_t placed_count, placed_capacity;
} Merge;

/* === Launches of a run ======================================================================== */

/* Refuses runs of which a cell is not the same work as in those before. */
static Status check_work(Results *whole, const char *run, const Results *more) {
    for (size_t i = 0; i < more->count; i++) {
        const char *differs = rows_differ(results_find(whole, &more->rows[i]), &more->rows[i]);
        if (differs != NULL) {
            char name[CELL_NAME_SIZE];
            row_name(&more->rows[i], name, sizeof name);
            return status_make(STATUS_USAGE, "%.150s: %.150s %s in the runs before it", run, name,
                               differs);
        }
    }
    return status_ok();
}

/* Whether all of the first are among the second, one behind the other. */
static bool samples_are_within(const Samples *few, const Samples *many) {
    for (size_t at = 0; at + few->count <= many->count; at++) {
        size_t same = 0;
        while (same < few->count && !(few->seconds[same] < many->seconds[at + same]) &&
               !(few->seconds[same] > many->seconds[at + same])) {
            same++;
        }
        if (same == few->count) {
            return true;
        }
    }
    return false;
}

/* Whether the launches of one are among those of the other, by the samples of all cells of both. */
static bool is_there_already(Results *whole, const Results *more) {
    size_t common = 0;
    for (size_t i = 0; i < more->count; i++) {
        const Samples *samples = &more->rows[i].kernel;
        const Row *found = results_find(whole, &more->rows[i]);
        if (found == NULL || samples->count == 0 || found->kernel.count == 0) {
            continue;
        }
        if (!samples_are_within(samples, &found->kernel) &&
            !samples_are_within(&found->kernel, samples)) {
            return false;
        }
        common++;
    }
    return common > 0;
}

static Status add_launch(Merge *merge, const char *run, const StoredRun *stored) {
    STATUS_TRY(check_work(&merge->whole, run, &stored->results));
    STATUS_TRY(merge->runs > 0 ? request_check_memory(&stored->arguments, run,
                                                      &merge->first.arguments, "the runs before it")
                               : status_ok());
    if (merge->runs > 0 && is_there_already(&merge->whole, &stored->results)) {
        return status_make(STATUS_USAGE,
                           "%.150s has the samples of a run before it, which would count twice",
                           run);
    }
    STATUS_TRY(results_merge(&merge->whole, &stored->results, merge->launches));
    merge->launches += (uint32_t)results_launches(&stored->results);
    merge->complete &= stored->complete;
    return status_ok();
}

/* === Shares of a plan ========================================================================= */

/* Whether the run is a share of the same run as those before it, and not yet there. */
static Status check_share(const Merge *merge, const char *run, const StoredRun *stored) {
    const Share *share = &stored->share;
    const int count = merge->runs > 0 ? merge->first.share.count : share->count;
    if (share->count != count) {
        return status_make(STATUS_USAGE, "%.150s is share %d of %d, and the others are of %d", run,
                           share->index, share->count, count);
    }
    if (!stored->complete) {
        return status_make(STATUS_USAGE,
                           "%.150s is not complete (share %d of %d); go on with bench --resume "
                           "%.150s",
                           run, share->index, share->count, run);
    }
    const char *other = merge->shares[share->index - 1];
    if (other != NULL) {
        return status_make(STATUS_USAGE, "%.150s and %.150s are both share %d of %d", other, run,
                           share->index, share->count);
    }
    Status status = status_ok();
    if (merge->runs > 0) {
        status = machine_same(&merge->first.machine, &stored->machine);
        STATUS_THEN(status,
                    arguments_both_same(&command_run, &merge->first.arguments, &stored->arguments));
    }
    return status_is_ok(&status)
               ? status
               : status_make(STATUS_USAGE, "%.120s is no share of the same run: %.260s", run,
                             status.why);
}

/* Takes over the rows. The whole has the earliest beginning. */
static Status add_share(Merge *merge, const char *run, StoredRun *stored) {
    if (merge->shares == NULL) {
        merge->shares = calloc((size_t)stored->share.count, sizeof *merge->shares);
    }
    STATUS_MEMORY(merge->shares, "for the runs");
    STATUS_TRY(check_share(merge, run, stored));
    merge->shares[stored->share.index - 1] = run;
    if (merge->whole.ceilings.count == 0) {
        merge->whole.ceilings = stored->results.ceilings;
    }
    for (size_t i = 0; i < stored->results.count; i++) {
        LIST_ADD(NULL, merge->placed, merge->placed_count, merge->placed_capacity, "result rows",
                 (Placed){.place = stored->numbers[i], .row = stored->results.rows[i]});
        stored->results.rows[i] = row_empty();
    }
    if (merge->runs > 0 && strcmp(stored->started, merge->first.started) < 0) {
        memcpy(merge->first.started, stored->started, sizeof stored->started);
    }
    if (merge->runs > 0 && merge->first.input_note[0] == '\0') {
        memcpy(merge->first.input_note, stored->input_note, sizeof stored->input_note);
    }
    return status_ok();
}

/* Too many of these are not printed. */
enum { MISSING_SHOWN = 8 };

static Status check_missing(const Merge *merge) {
    char missing[128] = "";
    const int shares = merge->first.share.count;
    int count = 0;
    for (int i = 0; i < shares; i++) {
        if (merge->shares[i] == NULL && count++ < MISSING_SHOWN) {
            text_append(missing, sizeof missing, "%s%d", count > 1 ? ", " : "", i + 1);
        }
    }
    if (count > MISSING_SHOWN) {
        text_append(missing, sizeof missing, " and %d more", count - MISSING_SHOWN);
    }
    return count == 0 ? status_ok()
                      : status_make(STATUS_USAGE, "merge: of %d shares these are missing: %s",
                                    shares, missing);
}

static int compare_places(const void *left, const void *right) {
    const Placed *a = left, *b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

static bool same_input(const Row *a, const Row *b) {
    return strcmp(a->input, b->input) == 0 && strcmp(a->size_name, b->size_name) == 0;
}

/* Rows of one input and size, which follow each other, were measured on the same pixels. */
static Status check_inputs(const Placed *placed, size_t count) {
    const Row *known = NULL;
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

/* The rows in the order of the plan, and the command line without which share it was. */
static Status join_shares(Merge *merge) {
    const size_t count = merge->placed_count;
    ArgumentList arguments;
    STATUS_TRY(check_missing(merge));
    if (count > 0) {
        qsort(merge->placed, count, sizeof *merge->placed, compare_places);
    }
    for (size_t i = 0; i < count; i++) {
        if (merge->placed[i].place != i) {
            return status_make(STATUS_FILE, "merge: the shares do not have every cell once: their "
                                            "files were changed");
        }
    }
    STATUS_TRY(check_inputs(merge->placed, count));
    for (size_t i = 0; i < count; i++) {
        STATUS_TRY(results_add(&merge->whole, &merge->placed[i].row));
        merge->placed[i].row = row_empty();
    }
    const Status status = arguments_of_plan(&command_run, &merge->first.arguments, &arguments);
    argument_list_release(&merge->first.arguments);
    merge->first.arguments = arguments;
    return status;
}

/* === Any run ================================================================================== */

/* Takes over what the merge needs of the run. */
static Status add_stored(Merge *merge, const char *run, StoredRun *stored) {
    const bool is_share = stored->share.count > 0;
    if (merge->runs > 0 && is_share != (merge->shares != NULL)) {
        return status_make(STATUS_USAGE,
                           "%.150s is %s, and the run before it is %s; merge one kind", run,
                           is_share ? "a share of a plan" : "a whole run",
                           is_share ? "a whole one" : "a share of a plan");
    }
    STATUS_TRY(is_share ? add_share(merge, run, stored) : add_launch(merge, run, stored));
    merge->elapsed += isfinite(stored->elapsed) ? stored->elapsed : 0;
    if (merge->runs++ == 0) {
        results_release(&stored->results);
        merge->first = *stored;
        *stored = (StoredRun){.elapsed = NAN};
        return status_ok();
    }
    const Throttling before = machine_throttling(&merge->first.machine);
    const Throttling more = machine_throttling(&stored->machine);
    machine_set_throttling(&merge->first.machine, &before, &more);
    return status_ok();
}

/* The merged run would lack them, and nobody would know. */
static Status refuse_ignored(const char *run, size_t count) {
    char what[ROWS_IGNORED_SIZE];
    rows_ignored_text(count, what);
    return status_make(STATUS_USAGE, "%.150s: %s; a merged run would lack them", run, what);
}

static Status add_run(Merge *merge, const char *run) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(guard_run(run));
    STATUS_TRY(stored_run_path(run, path, sizeof path));
    StoredRun *stored = calloc(1, sizeof *stored);
    STATUS_MEMORY(stored, "for the runs");
    Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        status = stored->ignored > 0 ? refuse_ignored(run, stored->ignored)
                                     : add_stored(merge, run, stored);
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

static void merge_release(Merge *merge) {
    for (size_t i = 0; i < merge->placed_count; i++) {
        row_release(&merge->placed[i].row);
    }
    free(merge->placed);
    free(merge->shares);
    stored_run_release(&merge->first);
    results_release(&merge->whole);
    free(merge);
}

/* === The whole ================================================================================ */

static Status write_files(const Merge *merge, const char *folder, const RunRecord *record) {
    char csv[ATOMIC_FILE_PATH_SIZE], json[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(csv, sizeof csv, "%s/results.csv", folder));
    STATUS_TRY(path_make(json, sizeof json, "%s/results.json", folder));
    STATUS_TRY(input_guard_check(csv));
    STATUS_TRY(input_guard_check(json));
    STATUS_TRY(merge->force ? status_ok() : stored_run_keep(folder));
    STATUS_TRY(report_csv(csv, record, &merge->whole));
    return report_json(json, record, &merge->whole);
}

static Status write_locked(const Merge *merge, const char *folder, const RunRecord *record) {
    int lock = -1;
    STATUS_TRY(folder_make(folder));
    STATUS_TRY(folder_lock(folder, &lock));
    const Status status = write_files(merge, folder, record);
    if (lock >= 0) {
        close(lock);
    }
    return status;
}

static Status write_whole(Merge *merge, const char *out) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    RunOptions request;
    request_recall(&merge->first.arguments, &request);
    request.arguments = merge->first.arguments;
    RunRecord record = {.options = &request,
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
        run_folder_reserve("-merged", folder, sizeof folder);
    }
    results_derive(&merge->whole, request.seed);
    merge->first.results = merge->whole; /* lent */
    run_warnings(&merge->first, &record.warnings);
    merge->first.results = (Results){.rows = NULL};
    const Status status = write_locked(merge, folder, &record);
    if (status_is_ok(&status)) {
        report_summary(stdout, &record, &merge->whole, folder);
        last_run_note(folder);
    }
    return status;
}

/* === Command merge ============================================================================ */

static Status check(void *of, const OptionsGiven *given) {
    const MergeOptions *options = of;
    (void)given;
    return options->runs.count > 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "merge: name runs, which become the launches of one, or all shares of "
                             "a run");
}

static Status merge_all(const MergeOptions *options, Merge *merge) {
    for (size_t i = 0; i < options->runs.count; i++) {
        STATUS_TRY(add_run(merge, options->runs.texts[i]));
    }
    if (merge->shares != NULL) {
        STATUS_TRY(join_shares(merge));
    }
    return write_whole(merge, options->out);
}

static Status merge_runs(Invocation *given, void *of) {
    Merge *merge = calloc(1, sizeof *merge);
    (void)given;
    STATUS_MEMORY(merge, "for the runs");
    merge->complete = true;
    merge->force = ((const MergeOptions *)of)->force;
    const Status status = merge_all(of, merge);
    merge_release(merge);
    return status;
}

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUNS, .member = offsetof(MergeOptions, runs),
     .most = SIZE_MAX},
    {"out", "DIR",
     "folder of the merged run. Default: <time>-merged in the folder of runs (BENCH_RUNS)",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, .member = offsetof(MergeOptions, out)},
    FORCE_OPTION(.member = offsetof(MergeOptions, force)),
    OPTIONS_END};

const Command command_merge = {
    .name = "merge",
    .family = "runs",
    .summary = "join stored runs: launches of one run, or shares of a plan",
    .usage = "bench runs merge RUN... [--out DIR]",
    .about =
        "Joins stored runs of the same request. Each becomes one launch, or as many as it has, so "
        "that launches of several days or machines give one interval: cells are matched by name, "
        "size and mode, and must have been measured on the same input. Runs with --shard become "
        "the run that they are shares of: all shares are needed, complete, of machines and builds "
        "that are alike. One whole run alone is written again, with the intervals, choices and "
        "speedups that this version of the program finds in its samples. RUN is the folder of a "
        "run or its results.json.",
    .examples = "bench runs merge runs/monday runs/tuesday runs/wednesday --out runs/week\n"
                "bench runs merge shares/* --out runs/whole\n",
    .words = "the runs to join",
    .rows = option_rows,
    .size = sizeof(MergeOptions),
    .check = check,
    .run = merge_runs,
};
