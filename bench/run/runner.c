/* The runner: a `bench run` request from its inputs to its files.
 *
 * inputs → plan → checks (earlier run, saved answers) → run folder → sweep, whose rows the store
 * writes → files, table, charts → exit code. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "budget.h"
#include "calls.h"
#include "exit_code.h"
#include "inputs.h"
#include "interrupt.h"
#include "kept.h"
#include "plan.h"
#include "run.h"
#include "sweep.h"
#include "text.h"
#include "wall_time.h"

/* A run under way. */
typedef struct Run {
    RunRecord record;
    Machine machine;
    RunFolder folder;
    StoredRun earlier, first;
    RowStore store;
    Sweep sweep;
    const RunOptions *request; /* as asked for; the sweep's options are the share of one launch */
    FILE *output, *notes;
} Run;

/* === Notes before the sweep =================================================================== */

static MachineUse machine_use(const Plan *plan) {
    MachineUse use = {.threads = 1};
    for (size_t i = 0; i < plan->cell_count; i++) {
        const PlanCell *cell = &plan->cells[i];
        if (status_is_ok(&cell->ready)) {
            const int threads = plan_threads(cell->variant, &cell->tuning);
            use.threads = threads > use.threads ? threads : use.threads;
            use.gpu |= cell->variant->backend != &cpu_backend;
        }
    }
    return use;
}

static void note_warnings(Run *run) {
    const MachineUse use = machine_use(run->store.plan);
    Warnings *warnings = &run->record.warnings;
    machine_warnings(run->record.machine, &use, warnings);
    const bool quiet = run->record.options->quiet || run->record.options->again;
    for (size_t i = 0; i < warnings->count && !quiet; i++) {
        progress_warning(&run->store.progress, NULL, warnings->text[i]);
    }
}

/* What is known at the end alone, such as that the run was stopped, is said before the numbers, and
 * below them with the other warnings. */
static void note_disturbances(Run *run) {
    Warnings *warnings = &run->record.warnings;
    store_note_throttling(&run->store);
    const size_t before = warnings->count;
    const MachineUse use = machine_use(run->store.plan);
    if (use.gpu && !interrupt_requested()) { /* a launch that was interrupted may be there still */
        machine_note_gpu_processes(run->store.machine);
    }
    machine_warnings(run->record.machine, &use, warnings);
    results_warn_of_stops(run->store.results, warnings);
    results_warn_of_disturbances(run->store.results, warnings);
    for (size_t i = before; i < warnings->count && !run->record.options->quiet; i++) {
        progress_warning(&run->store.progress, NULL, warnings->text[i]);
    }
}

/* Notes the first input whose aspect ratio changed, and how many more there are. */
static void note_inputs(Run *run) {
    const Plan *plan = run->store.plan;
    const RunOptions *options = run->record.options;
    const bool twice = kind_is_wanted(options, WORKLOAD_IMAGE);
    char *note = run->record.input_note;
    size_t others = 0;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const PlanWorkload *workload = &plan->workloads[i];
        char text[INPUT_NOTE_SIZE];
        if ((workload->input->kind == WORKLOAD_KEYPOINTS && twice) ||
            !workload_is_distorted(workload->input, &workload->shape, text, sizeof text)) {
            continue;
        }
        others += note[0] != '\0';
        if (note[0] == '\0') {
            memcpy(note, text, sizeof text);
        }
    }
    if (others > 0) {
        text_append(note, INPUT_NOTE_SIZE, "; %zu more like this", others);
    }
    if (note[0] != '\0' && !options->quiet && !options->again) {
        char line[INPUT_NOTE_SIZE + 16] = "note: ";
        text_visible(note, line + strlen(line), INPUT_NOTE_SIZE);
        progress_note(&run->store.progress, line);
    }
}

/* === Results of the sweep ===================================================================== */

/* Keeps the first failure. */
static void keep_trouble(Status *trouble, Status status) {
    if (!status_is_ok(&status) && status.code != STATUS_SKIP && status_is_ok(trouble)) {
        *trouble = status;
    }
}

/* A file that exists is replaced only by results. */
static bool may_replace(const RowStore *store, const char *path) {
    struct stat facts;
    return path != NULL &&
           (store_has_result(store) || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode));
}

static Status draw_charts(Run *run) {
    const RunOptions *options = run->record.options;
    if (!options->plot || options->draw == NULL || !run->record.complete ||
        !store_has_result(&run->store) || !status_is_ok(&run->store.trouble)) {
        return status_ok();
    }
    const Machine *machine = run->record.machine;
    results_measured(run->store.results, machine_gpu(machine), machine_cpu(machine),
                     machine->cpu_count, run->record.started);
    const WallPart before = wall_enter(WALL_WRITING);
    const Status status = options->draw(run->store.results, run->folder.path, &run->record.charts);
    wall_leave(before);
    if (status.code == STATUS_SKIP && !options->quiet) {
        progress_note(&run->store.progress, status.why);
    }
    return status;
}

/* Writes the files, prints the summary, or all rows, and the folder. Returns the first failure to
 * write. */
static Status report(Run *run) {
    const RunRecord *record = &run->record;
    const RunOptions *options = record->options;
    const Results *results = run->store.results;
    store_write(&run->store);
    Status trouble = run->store.trouble;
    keep_trouble(&trouble, run->sweep.save_trouble);
    if (may_replace(&run->store, options->csv)) {
        keep_trouble(&trouble, report_csv(options->csv, record, results));
    }
    if (may_replace(&run->store, options->json)) {
        keep_trouble(&trouble, report_json(options->json, record, results));
    }
    keep_trouble(&trouble, draw_charts(run));
    if (options->all) {
        report_details(run->output, record, results);
        report_console(run->output, record, results);
        visible_line(run->output, "%s", run->folder.path);
        fflush(run->output);
        warnings_again(run->notes);
    } else {
        report_summary(run->output, record, results, run->folder.path);
        fflush(run->output);
    }
    return trouble;
}

/* What the first launch has found, for whoever waits before a window; elsewhere what stands on
 * standard output is the whole run's. */
static void first_summary(void *context) {
    Run *run = context;
    if (!run->record.options->quiet && isatty(fileno(run->output))) {
        progress_pause(&run->store.progress);
        run->record.so_far = true;
        report_summary(run->output, &run->record, run->store.results, run->folder.path);
        run->record.so_far = false;
        fflush(run->output);
    }
}

/* The rows by how they ended. */
typedef struct Tally {
    size_t ok, failed;
    const Row *first_failure, *first_skip;
} Tally;

static Tally count_rows(const Results *results) {
    Tally tally = {.ok = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        tally.ok += row->status == CELL_OK;
        tally.failed += row->status == CELL_FAIL;
        if (row->status == CELL_FAIL && tally.first_failure == NULL) {
            tally.first_failure = row;
        }
        if (row->status == CELL_SKIP && tally.first_skip == NULL) {
            tally.first_skip = row;
        }
    }
    return tally;
}

/* The exit code, and the sentence that belongs to it. */
static Status judge(const Run *run, const Status *trouble, int *exit_code) {
    const RowStore *store = &run->store;
    const Tally tally = count_rows(store->results);
    const char *skipped = tally.first_skip != NULL ? tally.first_skip->why : "";
    if (interrupt_requested() && !run->record.complete) {
        *exit_code = EXIT_INTERRUPTED;
        return status_make(
            STATUS_INTERRUPTED,
            "interrupted: %zu of %zu cells are in %.120s%s; go on with --resume %.120s",
            store->results->count, store->plan->cell_count, run->folder.path,
            store->results->count == store->plan->cell_count ? ", some with fewer launches" : "",
            run->folder.path);
    }
    if (!status_is_ok(trouble)) {
        *exit_code = exit_code_of(trouble->code);
        return *trouble;
    }
    if (tally.failed > 0) {
        char name[CELL_NAME_SIZE];
        *exit_code = EXIT_WRONG;
        row_name(tally.first_failure, name, sizeof name);
        return status_fail("%zu of %zu %s failed; the first is %.120s: %.200s", tally.failed,
                           store->results->count, plural(store->results->count, "cell", "cells"),
                           name, tally.first_failure->why);
    }
    if (run->sweep.oracle_failed) {
        *exit_code = EXIT_WRONG;
        return status_fail("cells could not be verified, because their oracle failed: %.280s",
                           skipped);
    }
    if (tally.ok == 0) {
        const char *kept = run->folder.holds_results && !store_has_result(store)
                               ? "; the results of the earlier run are kept"
                               : "";
        *exit_code = EXIT_NO_SAMPLE;
        return status_skip("nothing could be measured: %.300s%s",
                           tally.first_skip != NULL ? skipped : "no cell is left", kept);
    }
    *exit_code = EXIT_OK;
    return status_ok();
}

/* A run is as good without: where nothing can be written, there is no memory. */
static void remember(Run *run) {
    const Status status = memory_add(&run->record, run->store.results);
    if (!status_is_ok(&status)) {
        char text[STATUS_WHY_SIZE + 64];
        snprintf(text, sizeof text, "the times of this run are not remembered: %s", status.why);
        progress_note(&run->store.progress, text);
    }
}

/* Reports what was measured until the sweep ended with `status`. A trial has only stored it. */
static Status finish(Run *run, Status status, int *exit_code) {
    RowStore *store = &run->store;
    progress_end(&store->progress);
    if (call_trial() != NULL && status_is_ok(&status) && !interrupt_requested()) {
        store_write(store);
        *exit_code = EXIT_OK;
        return store->trouble;
    }
    run->record.complete =
        status_is_ok(&status) && store->finished_count == store->plan->cell_count;
    note_disturbances(run);
    if (store->results->count > 0 || status_is_ok(&status)) {
        keep_trouble(&status, report(run));
    } else {
        run_folder_discard(&run->folder);
    }
    if (run->record.complete && call_trial() == NULL) {
        remember(run);
    }
    return judge(run, &status, exit_code);
}

/* === Run ====================================================================================== */

/* After an interrupt that a long computation does not notice: reports the finished rows. */
static Status finish_abandoned(void *context) {
    int exit_code;
    return finish(context, status_ok(), &exit_code);
}

/* Whether every launch is a process of its own, and this one only joins them. */
static bool has_children(const RunOptions *options) {
    return options->pass == 0 && (options->launches > 1 || options->baseline_program != NULL);
}

static Status measure(Run *run, int *exit_code) {
    Status status = store_open(&run->store, run->notes);
    if (!status_is_ok(&status)) {
        *exit_code = exit_code_of(status.code);
        return status;
    }
    note_warnings(run);
    note_inputs(run);
    interrupt_on_abandon(finish_abandoned, run);
    if (supervisor_is_attached() && run->store.results->ceilings.count > 0) {
        store_write(&run->store); /* a process after this one does not measure them again */
    }
    status = has_children(run->record.options)
                 ? launches_run(run->record.options, &run->store, run->notes)
                 : sweep_run(&run->sweep);
    interrupt_hold();
    interrupt_on_abandon(NULL, NULL);
    status = finish(run, status, exit_code);
    if (!interrupt_requested()) { /* else held until the program ends, which is near */
        interrupt_release();
    }
    store_close(&run->store);
    return status;
}

static void start_record(const RunOptions *options, const Machine *machine, const Plan *plan,
                         RunRecord *record) {
    *record = (RunRecord){.options = options,
                          .machine = machine,
                          .timer_overhead_cpu = NAN,
                          .timer_overhead_cuda = NAN,
                          .planned = plan->cell_count,
                          .numbers = plan->numbers};
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(record->started, sizeof record->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static Status open_earlier(Run *run) {
    const RunOptions *options = run->record.options;
    if (options->resume == NULL) {
        return status_ok();
    }
    STATUS_TRY(resume_read(options->resume, run->request, run->record.machine, &run->earlier));
    run->store.earlier = &run->earlier;
    memcpy(run->record.started, run->earlier.started, sizeof run->record.started);
    if (has_children(options)) {
        results_release(&run->earlier.results); /* the folders of the launches have the rows */
        return status_ok();
    }
    return resume_check_inputs(&run->earlier, run->store.plan, options->seed);
}

/* Answers of another machine or build may differ within the tolerance: they verify nothing here. */
static Status open_first(Run *run) {
    const RunOptions *options = run->record.options;
    char path[ATOMIC_FILE_PATH_SIZE];
    if (options->first == NULL) {
        return status_ok();
    }
    STATUS_TRY(stored_run_path(options->first, path, sizeof path));
    STATUS_TRY(stored_run_read(path, &run->first));
    const Status same = machine_same(&run->first.machine, run->record.machine);
    run->store.first = status_is_ok(&same) ? &run->first : NULL;
    return status_ok();
}

/* Everything that can be refused is refused before the folder is made. */
static Status prepare(Run *run) {
    const RunOptions *options = run->record.options;
    STATUS_TRY(open_earlier(run));
    STATUS_TRY(open_first(run));
    STATUS_TRY(save_check(options->save, run->store.plan));
    if (options->again && run->earlier.results.ceilings.count > 0) {
        run->store.results->ceilings = run->earlier.results.ceilings;
    } else if (options->roof && !has_children(options)) {
        const WallPart before = wall_enter(WALL_CEILINGS);
        roofs_read(run->record.machine, false, roofs_attempts_of_run(options),
                   options->quiet ? NULL : run->notes, &run->store.results->ceilings);
        wall_leave(before);
    }
    return run_folder_open(options, &run->folder);
}

static Status run_prepared(Run *run, int *exit_code) {
    Status status = prepare(run);
    *exit_code = exit_code_of(status.code);
    if (status_is_ok(&status)) {
        *exit_code = EXIT_WRONG; /* unless measure sets another */
        status = measure(run, exit_code);
    }
    run_folder_close(&run->folder);
    stored_run_release(&run->earlier);
    stored_run_release(&run->first);
    return status;
}

static Status run_planned(const RunOptions *request, const RunOptions *options,
                          const Machine *machine, const Plan *plan, FILE *output, FILE *notes,
                          Results *results, int *exit_code) {
    Run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        *exit_code = EXIT_NO_SAMPLE;
        return status_no_memory("for the run");
    }
    run->request = request;
    run->output = output;
    run->notes = notes;
    run->folder.lock = -1;
    run->store.plan = run->sweep.plan = plan;
    run->store.folder = &run->folder;
    run->store.record = &run->record;
    run->store.machine = &run->machine;
    run->store.results = results;
    run->store.first_summary = first_summary;
    run->store.context = run;
    run->sweep.options = options;
    run->sweep.store = &run->store;
    run->machine = *machine;
    start_record(options, &run->machine, plan, &run->record);
    const Status status = run_prepared(run, exit_code);
    free(run);
    return status;
}

Status runner_run_on(const RunOptions *given, const Machine *machine, FILE *output, FILE *notes,
                     Results *results, int *exit_code) {
    RunOptions own = given->pass > 0 ? launch_options(given) : *given;
    const RunOptions *options = &own;
    InputList inputs;
    Plan plan;
    if (given->pass > 0) {
        kept_attach();
    }
    calls_limit(options->max_cell);
    const WallPart before = wall_enter(WALL_INPUT);
    Status status = inputs_open(options, notes, &inputs);
    wall_leave(before);
    if (!status_is_ok(&status)) {
        *exit_code = exit_code_of(status.code);
        return status;
    }
    status = plan_make(options, &inputs, &plan);
    *exit_code = exit_code_of(status.code);
    if (given->pass > 0 && given->budget > 0) {
        own.max_time = budget_cell_seconds(given->budget, plan_runnable(&plan));
    }
    if (status_is_ok(&status)) {
        if (options->dry_run) {
            status = plan_print(output, options, &plan);
            *exit_code = exit_code_of(status.code);
        } else {
            status = run_planned(given, options, machine, &plan, output, notes, results, exit_code);
        }
        plan_release(&plan);
    }
    inputs_release(&inputs);
    return status;
}

Status runner_run(const RunOptions *options, const Machine *machine, Results *results,
                  int *exit_code) {
    return runner_run_on(options, machine, stdout, stderr, results, exit_code);
}
