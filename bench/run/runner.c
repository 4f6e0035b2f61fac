/* The runner: from a request to its files. */

#include "run_internal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "base.h"
#include "datasets.h"
#include "files.h"
#include "interrupt.h"
#include "machine.h"
#include "results.h"
#include "status.h"
#include "workload.h"

/* === Run folder =============================================================================== */

enum { WORDS_SIZE = 144, SUFFIX_MAX = 1000 };

static bool is_file(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 && S_ISREG(information.st_mode);
}

/* Writes and throws away: permissions alone do not tell about a full or read-only disk. */
Status run_folder_try_file(const char *path) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode) &&
        !S_ISDIR(information.st_mode)) {
        return status_ok(); /* a terminal or a pipe: trying would show */
    }
    if (folder_exists(path)) {
        return status_make(STATUS_FILE, "%s: is a folder; give the name of a file", path);
    }
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    char block[4096];
    memset(block, '\n', sizeof block);
    const bool written =
        fwrite(block, sizeof block, 1, file.stream) == 1 && fflush(file.stream) == 0;
    const int reason = errno;
    atomic_file_abandon(&file);
    return written ? status_ok()
                   : status_make(STATUS_FILE, "%s: cannot be written: %s", path, strerror(reason));
}

/* Two runs may start in the same second. */
void run_folder_choose(const char *words, char *path, size_t size) {
    char when[32];
    const time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(when, sizeof when, "%Y%m%d-%H%M%S", &local);
    snprintf(path, size, "reports/runs/%s%s", when, words);
    for (int i = 2; i < SUFFIX_MAX && access(path, F_OK) == 0; i++) {
        snprintf(path, size, "reports/runs/%s%s-%d", when, words, i);
    }
}

static Status choose_path(const RunOptions *options, RunFolder *folder) {
    const char *given = options->resume != NULL ? options->resume : options->out;
    if (given != NULL) {
        return path_make(folder->path, sizeof folder->path, "%s", given);
    }
    char words[WORDS_SIZE] = "";
    for (size_t i = 0; i < options->algorithm_count; i++) {
        text_append(words, sizeof words, "-%s", options->algorithms[i]->name);
    }
    run_folder_choose(words, folder->path, sizeof folder->path);
    return status_ok();
}

/* Results take the place of ordinary files alone: nobody named a pipe or a device. */
static Status try_results(const char *path) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode)) {
        return status_make(STATUS_FILE,
                           "%s: is no ordinary file, so that no results can replace it", path);
    }
    return run_folder_try_file(path);
}

static Status try_targets(const RunOptions *options, const RunFolder *folder) {
    STATUS_TRY(try_results(folder->csv));
    STATUS_TRY(try_results(folder->json));
    if (options->csv != NULL) {
        STATUS_TRY(run_folder_try_file(options->csv));
    }
    if (options->json != NULL) {
        STATUS_TRY(run_folder_try_file(options->json));
    }
    if (options->save == NULL) {
        return status_ok();
    }
    STATUS_TRY(folder_make(options->save));
    char probe[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(probe, sizeof probe, "%s/.writable", options->save));
    return run_folder_try_file(probe);
}

Status run_folder_open(const RunOptions *options, RunFolder *folder) {
    *folder = (RunFolder){.created = false};
    STATUS_TRY(choose_path(options, folder));
    folder->created = !folder_exists(folder->path);
    STATUS_TRY(folder_make(folder->path));
    atomic_file_sweep(folder->path);
    snprintf(folder->csv, sizeof folder->csv, "%s/results.csv", folder->path);
    snprintf(folder->json, sizeof folder->json, "%s/results.json", folder->path);
    char stored[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_in(folder->path, stored, sizeof stored));
    folder->holds_results = is_file(folder->csv) || is_file(stored);
    const Status status = try_targets(options, folder);
    if (!status_is_ok(&status)) {
        run_folder_discard(folder);
    }
    return status;
}

void run_folder_discard(const RunFolder *folder) {
    if (folder->created) {
        rmdir(folder->path); /* fails, as it should, when something is in it */
    }
}

/* === Output target ============================================================================ */

/* Folders of classes lie in the folder that is named. */
enum { INPUT_DEPTH = 2 };

static const char *const run_files[] = {"results.csv", "results.json", "results.csv.gz",
                                        "results.json.gz"};

/* --- Inputs ----------------------------------------------------------------------------------- */

/* What lies beside the pictures is not read. */
static bool is_picture(const char *path) {
    struct stat facts;
    int32_t width, height;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return false;
    }
    const Status status = image_read_size(path, &width, &height);
    return status_is_ok(&status);
}

/* A folder that cannot be read, or only in part, is found out by who reads it. */
static Status guard_pictures(const char *folder, int depth) {
    FolderList list;
    Status status = folder_list(folder, NULL, &list);
    if (!status_is_ok(&status)) {
        return status_ok();
    }
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        char path[PATH_MAX];
        const Status made = path_make(path, sizeof path, "%s/%s", folder, list.entries[i]->d_name);
        if (!status_is_ok(&made)) {
            continue;
        }
        if (depth > 1 && folder_exists(path)) {
            status = guard_pictures(path, depth - 1);
        } else if (is_picture(path)) {
            status = input_guard_add(path);
        }
    }
    folder_list_release(&list);
    return status;
}

Status guard_input(const char *path) {
    if (path == NULL) {
        return status_ok();
    }
    return folder_exists(path) ? guard_pictures(path, INPUT_DEPTH) : input_guard_add(path);
}

Status guard_input_list(const char *files) {
    while (files != NULL && *files != '\0') {
        char path[PATH_MAX];
        const size_t length = strcspn(files, ",");
        snprintf(path, sizeof path, "%.*s", (int)length, files);
        STATUS_TRY(input_guard_add(path));
        files += length;
        files += *files == ',';
    }
    return status_ok();
}

Status guard_run(const char *run) {
    if (run == NULL || !folder_exists(run)) {
        return guard_input(run);
    }
    for (size_t i = 0; i < sizeof run_files / sizeof run_files[0]; i++) {
        char path[PATH_MAX];
        STATUS_TRY(path_make(path, sizeof path, "%s/%s", run, run_files[i]));
        STATUS_TRY(input_guard_add(path));
    }
    return status_ok();
}

static Status guard_inputs_of_run(const RunOptions *options) {
    STATUS_TRY(guard_input(options->input));
    STATUS_TRY(guard_input(options->labels));
    STATUS_TRY(guard_input_list(options->keypoints_file));
    STATUS_TRY(guard_input_list(options->weights));
    return guard_run(options->baseline);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static Status cannot_write(const char *path, const char *reason) {
    return status_make(STATUS_FILE, "cannot write %.200s: %s", path, reason);
}

/* The part file is made in the folder, so it is the folder that has to let it. */
static Status check_folder_of(const char *path) {
    char folder[PATH_MAX];
    STATUS_TRY(path_folder(path, folder, sizeof folder));
    return access(folder, W_OK | X_OK) == 0 ? status_ok() : cannot_write(path, strerror(errno));
}

static Status check_file(const char *path) {
    struct stat facts;
    if (path == NULL) {
        return status_ok();
    }
    STATUS_TRY(input_guard_check(path));
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode)) {
        return check_folder_of(path);
    }
    if (S_ISDIR(facts.st_mode)) {
        return cannot_write(path, strerror(EISDIR));
    }
    return access(path, W_OK) == 0 ? status_ok() : cannot_write(path, strerror(errno));
}

static Status check_results(const char *folder) {
    for (size_t i = 0; folder != NULL && i < sizeof run_files / sizeof run_files[0]; i++) {
        char path[PATH_MAX];
        STATUS_TRY(path_make(path, sizeof path, "%s/%s", folder, run_files[i]));
        STATUS_TRY(input_guard_check(path));
    }
    return status_ok();
}

Status output_targets_check(const RunOptions *options) {
    STATUS_TRY(guard_inputs_of_run(options));
    STATUS_TRY(check_results(options->resume != NULL ? options->resume : options->out));
    STATUS_TRY(check_file(options->csv));
    return check_file(options->json);
}

/* === Runner =================================================================================== */

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
    if (options->plot && options->draw != NULL && sweep->record->complete &&
        sweep_has_result(sweep) && status_is_ok(&sweep->file_trouble)) {
        const Status status = options->draw(sweep->results, sweep->folder->path);
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
