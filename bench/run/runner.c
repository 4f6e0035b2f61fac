#include "runner.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "exit_codes.h"
#include "input_kinds.h"
#include "interrupt.h"
#include "plan.h"
#include "resume.h"
#include "roofs.h"
#include "run_folder.h"
#include "save.h"
#include "sweep.h"
#include "text_list.h"
#include "visible.h"

enum { NAME_SIZE = 512 };

static void start_record(const RunOptions *options, const Machine *machine, const Plan *plan,
                         RunRecord *record) {
    *record = (RunRecord){.options = options,
                          .machine = machine,
                          .timer_overhead_cpu = NAN,
                          .timer_overhead_cuda = NAN,
                          .planned = plan->cell_count};
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(record->started, sizeof record->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void keep_trouble(Status *trouble, const Status *status) {
    if (!status_is_ok(status) && status->code != STATUS_SKIP && status_is_ok(trouble)) {
        *trouble = *status;
    }
}

/* Whether a copy of the results is worth the file that may be there. */
static bool is_worth(const Sweep *sweep, const char *path) {
    struct stat information;
    return sweep_has_result(sweep) || stat(path, &information) != 0 ||
           !S_ISREG(information.st_mode);
}

/* Files, table and folder. The first thing that could not be written is returned. */
static Status report(Sweep *sweep, FILE *output) {
    const RunOptions *options = sweep->options;
    sweep_write(sweep);
    Status trouble = sweep->file_trouble;
    keep_trouble(&trouble, &sweep->save_trouble);
    if (options->csv != NULL && is_worth(sweep, options->csv)) {
        const Status status = report_csv(options->csv, sweep->record, sweep->results);
        keep_trouble(&trouble, &status);
    }
    if (options->json != NULL && is_worth(sweep, options->json)) {
        const Status status = report_json(options->json, sweep->record, sweep->results);
        keep_trouble(&trouble, &status);
    }
    if (options->plot && sweep->record->complete && sweep_has_result(sweep) &&
        status_is_ok(&sweep->file_trouble)) {
        const Status status = report_charts(sweep->folder->csv, sweep->folder->path);
        if (status.code == STATUS_SKIP && !options->quiet) {
            progress_note(&sweep->progress, status.why);
        }
        keep_trouble(&trouble, &status);
    }
    report_console(output, sweep->record, sweep->results);
    visible_line(output, "%s", sweep->folder->path);
    fflush(output);
    return trouble;
}

/* Cells that were asked for, not the roof, by how they ended. */
typedef struct Tally {
    size_t ok, failed;
    const Row *first_failure, *first_skip;
} Tally;

static Tally count_rows(const Sweep *sweep) {
    Tally tally = {.ok = 0};
    for (size_t i = 0; i < sweep->results->count; i++) {
        const Row *row = &sweep->results->rows[i];
        const bool roof = sweep->plan->cells[sweep->places[i]].roof;
        tally.ok += row->status == CELL_OK && !roof;
        tally.failed += row->status == CELL_FAIL;
        if (row->status == CELL_FAIL && tally.first_failure == NULL) {
            tally.first_failure = row;
        }
        if (row->status == CELL_SKIP && !roof && tally.first_skip == NULL) {
            tally.first_skip = row;
        }
    }
    return tally;
}

static Status judge(const Sweep *sweep, const Status *trouble, int *exit_code) {
    const Tally tally = count_rows(sweep);
    if (interrupt_requested() && !sweep->record->complete) {
        *exit_code = EXIT_INTERRUPTED;
        return status_make(
            STATUS_INTERRUPTED,
            "interrupted: %zu of %zu cells are in %.120s; go on with --resume %.120s",
            sweep->results->count, sweep->plan->cell_count, sweep->folder->path,
            sweep->folder->path);
    }
    if (!status_is_ok(trouble)) {
        *exit_code = exit_code_of(trouble->code);
        return *trouble;
    }
    if (tally.failed > 0) {
        char name[NAME_SIZE];
        *exit_code = EXIT_WRONG;
        row_name(tally.first_failure, name, sizeof name);
        return status_fail("%zu of %zu cells failed; the first is %.120s: %.200s", tally.failed,
                           sweep->results->count, name, tally.first_failure->why);
    }
    if (sweep->oracle_failed) {
        *exit_code = EXIT_WRONG;
        return status_fail("cells could not be verified, because their oracle failed: %.280s",
                           tally.first_skip != NULL ? tally.first_skip->why : "");
    }
    if (tally.ok == 0) {
        const char *kept = sweep->folder->holds_results && !sweep_has_result(sweep)
                               ? "; the results of the earlier run are kept"
                               : "";
        *exit_code = EXIT_NO_SAMPLE;
        return status_skip("nothing could be measured: %.300s%s",
                           tally.first_skip != NULL ? tally.first_skip->why : "no cell is left",
                           kept);
    }
    *exit_code = EXIT_OK;
    return status_ok();
}

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

static void warn(Sweep *sweep) {
    const MachineUse use = machine_use(sweep->plan);
    Warnings *warnings = &sweep->record->warnings;
    machine_warnings(sweep->record->machine, &use, warnings);
    for (size_t i = 0; i < warnings->count && !sweep->options->quiet; i++) {
        char line[WARNING_SIZE + 16];
        snprintf(line, sizeof line, "warning: %s", warnings->text[i]);
        progress_note(&sweep->progress, line);
    }
}

/* The first input that is pressed into another shape, and how many more there are. */
static void note_inputs(Sweep *sweep) {
    const Plan *plan = sweep->plan;
    const bool twice = kind_is_wanted(sweep->options, WORKLOAD_IMAGE);
    char *note = sweep->record->input_note;
    size_t others = 0;
    for (size_t i = 0; i < plan->workload_count; i++) {
        const PlanWorkload *workload = &plan->workloads[i];
        char text[INPUT_NOTE_SIZE];
        if ((workload->input->kind == WORKLOAD_KEYPOINTS && twice) ||
            !workload_is_pressed(workload->input, &workload->shape, text, sizeof text)) {
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
    if (note[0] != '\0' && !sweep->options->quiet) {
        char line[INPUT_NOTE_SIZE + 16] = "note: ";
        text_visible(note, line + strlen(line), INPUT_NOTE_SIZE);
        progress_note(&sweep->progress, line);
    }
}

/* What was measured until the sweep ended with `status` is written down. */
static Status finish(Sweep *sweep, Status status, FILE *output, int *exit_code) {
    progress_end(&sweep->progress);
    sweep->record->complete =
        status_is_ok(&status) && sweep->finished_count == sweep->plan->cell_count;
    if (sweep->results->count > 0 || status_is_ok(&status)) {
        const Status trouble = report(sweep, output);
        keep_trouble(&status, &trouble);
    } else {
        run_folder_discard(sweep->folder);
    }
    return judge(sweep, &status, exit_code);
}

typedef struct Abandoned {
    Sweep *sweep;
    FILE *output;
} Abandoned;

/* An interrupt that a long piece of work does not hear: the rows are all that it has finished. */
static Status finish_abandoned(void *context) {
    const Abandoned *abandoned = context;
    int exit_code;
    return finish(abandoned->sweep, status_ok(), abandoned->output, &exit_code);
}

static Status run_plan(Sweep *sweep, FILE *output, FILE *notes, int *exit_code) {
    Abandoned abandoned = {.sweep = sweep, .output = output};
    Status status = sweep_start(sweep, notes);
    if (!status_is_ok(&status)) {
        *exit_code = exit_code_of(status.code);
        return status;
    }
    warn(sweep);
    note_inputs(sweep);
    interrupt_on_abandon(finish_abandoned, &abandoned);
    status = sweep_run(sweep);
    interrupt_hold();
    interrupt_on_abandon(NULL, NULL);
    status = finish(sweep, status, output, exit_code);
    if (!interrupt_requested()) { /* else until the end, which is near */
        interrupt_release();
    }
    sweep_release(sweep);
    return status;
}

/* Everything that can be refused is refused before the folder is made. */
static Status prepare_resume(const RunOptions *options, const Plan *plan, Sweep *sweep,
                             StoredRun *stored) {
    if (options->resume == NULL) {
        return status_ok();
    }
    STATUS_TRY(resume_read(options->resume, options, sweep->record->machine, stored));
    sweep->stored = stored;
    memcpy(sweep->record->started, stored->started, sizeof sweep->record->started);
    sweep->elapsed_before = isfinite(stored->elapsed) ? stored->elapsed : 0;
    return resume_check_inputs(stored, plan, options->seed);
}

static Status run_planned(const RunOptions *options, const Machine *machine, const Plan *plan,
                          FILE *output, FILE *notes, Results *results, int *exit_code) {
    RunRecord record;
    RunFolder folder;
    StoredRun stored = {.complete = false};
    Sweep sweep = {
        .options = options, .plan = plan, .folder = &folder, .record = &record, .results = results};
    start_record(options, machine, plan, &record);
    Status status = prepare_resume(options, plan, &sweep, &stored);
    if (status_is_ok(&status)) {
        status = save_check(options->save, plan);
    }
    if (status_is_ok(&status)) {
        if (options->roof) {
            roofs_read(machine, false, options->quiet ? NULL : notes, &results->ceilings);
        }
        status = run_folder_open(options, &folder);
    }
    *exit_code = exit_code_of(status.code);
    if (status_is_ok(&status)) {
        *exit_code = EXIT_WRONG; /* unless run_plan says otherwise */
        status = run_plan(&sweep, output, notes, exit_code);
    }
    if (sweep.stored != NULL) {
        stored_run_release(&stored);
    }
    return status;
}

Status runner_run_on(const RunOptions *options, const Machine *machine, FILE *output, FILE *notes,
                     Results *results, int *exit_code) {
    InputList inputs;
    Plan plan;
    Status status = inputs_open(options, notes, &inputs);
    if (!status_is_ok(&status)) {
        *exit_code = exit_code_of(status.code);
        return status;
    }
    status = plan_make(options, &inputs, &plan);
    *exit_code = exit_code_of(status.code);
    if (status_is_ok(&status)) {
        if (options->dry_run) {
            plan_print(output, options, &plan);
        } else {
            status = run_planned(options, machine, &plan, output, notes, results, exit_code);
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
