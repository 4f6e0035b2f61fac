/* Steps of a study: commands of the program run as processes. */

#include "command_line.h"
#include "paths.h"
#include "stored_run.h"
#include "study_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_process.h"
#include "clock.h"
#include "files.h"
#include "interrupt.h"
#include "json.h"
#include "status.h"
#include "supervisor.h"
#include "text.h"

/* === Step process ============================================================================= */

/* The program started once more as a child, and waited for. */

enum { DEVICES_ENTRY_SIZE = DEVICE_CHOICE_SIZE + 32 };

/* Sets `entry` to that of CUDA_VISIBLE_DEVICES; false: it stays as it is. */
static bool visible_devices(const StudySettings *settings, char entry[DEVICES_ENTRY_SIZE]) {
    char devices[DEVICE_CHOICE_SIZE];
    device_choice_text(&settings->device, devices);
    snprintf(entry, DEVICES_ENTRY_SIZE, "CUDA_VISIBLE_DEVICES=%s",
             settings->device.kind == DEVICES_NONE ? "" : devices);
    return settings->device.kind != DEVICES_ALL;
}

/* Our environment without the mark of a pinned process, and with `devices`, an entry for
 * CUDA_VISIBLE_DEVICES, unless it is NULL. Free the array. NULL without memory. */
static char **make_environment(char *devices) {
    const char *const names[] = {"BENCH_THREADS_PINNED",
                                 devices != NULL ? "CUDA_VISIBLE_DEVICES" : NULL, NULL};
    return environment_without(names, devices);
}

enum { STEP_LINE_SIZE = 4096, STEP_ERROR_SIZE = 256 };

/* A step under way, and standard error of its process, line by line. */
typedef struct StepMessages {
    FILE *log;          /* NULL: messages are dropped */
    Progress *progress; /* of the study; NULL: it is only asked how long it takes */
    const char *name;   /* of the step */
    double price;       /* expected seconds of it */
    double left;        /* that it has told last; NAN: nothing */
    bool quiet;         /* messages do not go to our standard error as well */
    char line[STEP_LINE_SIZE];
    size_t used;
    char error[STEP_ERROR_SIZE]; /* the last line of an error, without "bench: "; "": none */
} StepMessages;

static void show_step(const StepMessages *messages, const RelayedProgress *relayed) {
    char what[PROGRESS_LINE_SIZE];
    snprintf(what, sizeof what, "%.100s: %.300s", messages->name, relayed->name);
    progress_under_way(messages->progress, relayed->share * messages->price);
    progress_show(messages->progress, what, &relayed->known);
}

/* `end` is the line end, or nothing where a line is longer than the buffer. */
static void end_line(StepMessages *messages, const char *end) {
    RelayedProgress relayed;
    messages->line[messages->used] = '\0';
    messages->used = 0;
    if (progress_read(messages->line, &relayed)) {
        messages->left = relayed.left;
        if (messages->progress != NULL) {
            show_step(messages, &relayed);
        }
        return;
    }
    if (messages->log != NULL) {
        fprintf(messages->log, "%s%s", messages->line, end);
        fflush(messages->log);
    }
    const char *message = command_message(messages->line);
    if (message != NULL) {
        text_visible(message, messages->error, sizeof messages->error);
    }
    if (messages->quiet) {
        return;
    }
    if (messages->progress != NULL) {
        progress_pause(messages->progress);
    }
    visible_line(stderr, "%s", messages->line);
}

static void read_messages(void *context, const char *bytes, size_t count) {
    StepMessages *messages = context;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            end_line(messages, "\n");
            continue;
        }
        if (messages->used + 1 == sizeof messages->line) {
            end_line(messages, "");
        }
        messages->line[messages->used++] = bytes[i];
    }
}

static const char *meaning_of(int code) {
    for (size_t i = 0; i < exit_code_row_count; i++) {
        if ((int)exit_code_rows[i].code == code) {
            return exit_code_rows[i].meaning;
        }
    }
    return "an exit code that no command has";
}

/* A step of which nothing can be measured here, and which left no file that says of what and why,
 * is no failure: a profile where there is no profiler. */
static StepState state_of(int code, const StepOutcome *outcome) {
    const bool nothing = code == EXIT_NO_SAMPLE && access(outcome->csv, F_OK) != 0;
    return code == EXIT_OK ? STEP_DONE : nothing ? STEP_LEFT_OUT : STEP_FAILED;
}

static void judge(const ChildEnd *end, bool interrupted, const char *error, StepOutcome *outcome) {
    outcome->code = interrupted ? EXIT_INTERRUPTED : end->code;
    outcome->state = state_of(outcome->code, outcome);
    if (outcome->code == EXIT_INTERRUPTED) {
        snprintf(outcome->why, sizeof outcome->why, "interrupted; what was measured is kept");
    } else if (end->signal != 0) {
        char how[END_TEXT_SIZE];
        child_end_text(end, how);
        snprintf(outcome->why, sizeof outcome->why, "ended %s", how);
    } else if (outcome->state == STEP_LEFT_OUT && error[0] != '\0') {
        snprintf(outcome->why, sizeof outcome->why, "%s", error);
    } else if (outcome->state != STEP_DONE && error[0] != '\0') {
        /* The error is more exact than the meaning of its code. */
        snprintf(outcome->why, sizeof outcome->why, "%s (exit code %d)", error, end->code);
    } else if (outcome->state != STEP_DONE) {
        snprintf(outcome->why, sizeof outcome->why, "exit code %d: %s", end->code,
                 meaning_of(end->code));
    }
}

/*
 * An interrupt does not end this process while it waits: those of a terminal go to the child
 * anyway, those that a process sent are passed on to it. The child ends with this process, and pins
 * its threads for itself. `output` is the descriptor of its standard output. STATUS_FAIL when there
 * can be no child.
 */
static Status start_child(const StudyStep *step, const char *const *arguments,
                          const StudySettings *settings, int output, StepMessages *messages,
                          ChildEnd *end) {
    char devices[DEVICES_ENTRY_SIZE];
    char **environment = make_environment(visible_devices(settings, devices) ? devices : NULL);
    STATUS_MEMORY(environment, "for a step's environment");
    const ChildProcess child = {.program = program_again(),
                                .arguments = arguments,
                                .environment = environment,
                                .output = output,
                                .saves = true,
                                .take = read_messages,
                                .context = messages};
    const Status status = child_process_run(&child, end);
    free(environment);
    if (messages->used > 0) {
        end_line(messages, "");
    }
    if (end->error != 0) {
        return end->error == E2BIG
                   ? status_make(STATUS_FILE,
                                 "the step '%.100s' has a command line that is longer than the "
                                 "system takes",
                                 step->name)
                   : status_fail("the step '%.100s' cannot be started: %s", step->name,
                                 strerror(end->error));
    }
    return status;
}

/* `log` is open for appending, as its descriptor is that of the child's standard output too. */
static Status run_child(const StudyStep *step, const char *const *arguments,
                        const StudySettings *settings, StepMessages *messages,
                        StepOutcome *outcome) {
    ChildEnd end = {.error = 0};
    const double began = clock_now();
    const Status status =
        start_child(step, arguments, settings, fileno(messages->log), messages, &end);
    outcome->elapsed_s = clock_now() - began;
    const bool interrupted = status.code == STATUS_INTERRUPTED;
    if (!interrupted && !status_is_ok(&status)) {
        return status;
    }
    judge(&end, interrupted, messages->error, outcome);
    return status_ok();
}

/* === Step outcome ============================================================================= */

/* How a step ended, as a file in its folder. */

enum { FILE_SIZE_MAX = 1 << 20 };

static const char *const state_names[] = {[STEP_DONE] = "done",
                                          [STEP_LEFT_OUT] = "left-out",
                                          [STEP_FAILED] = "failed",
                                          [STEP_NOT_RUN] = "not-run"};

enum { STATES = sizeof state_names / sizeof state_names[0] };

/* Writes outcome.json: state, code, command, stand_in, elapsed_s where it is known, why.
 * STATUS_FILE. */
static Status step_outcome_write(const char *path, const StepOutcome *outcome) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "state", state_names[outcome->state]);
    cJSON_AddNumberToObject(root, "code", outcome->code);
    cJSON_AddStringToObject(root, "command", outcome->command);
    cJSON_AddBoolToObject(root, "stand_in", outcome->stand_in);
    if (outcome->elapsed_s > 0) {
        cJSON_AddNumberToObject(root, "elapsed_s", outcome->elapsed_s);
    }
    cJSON_AddStringToObject(root, "why", outcome->why);
    return json_file_write(path, root);
}

static bool read_state(const cJSON *root, StepState *state) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(root, "state"));
    for (int i = 0; name != NULL && i < STATES; i++) {
        if (strcmp(name, state_names[i]) == 0) {
            *state = (StepState)i;
            return true;
        }
    }
    return false;
}

/* All but `csv`. STATUS_FILE when it cannot be read or is not such a file. */
static Status step_outcome_read(const char *path, StepOutcome *outcome) {
    cJSON *root;
    STATUS_TRY(json_file_read(path, "the outcome of a step", FILE_SIZE_MAX, &root));
    const cJSON *code = cJSON_GetObjectItem(root, "code");
    const double number = cJSON_IsNumber(code) ? code->valuedouble : -1;
    const bool whole = read_state(root, &outcome->state) && number >= 0 && number <= UINT8_MAX &&
                       json_copy_text(root, "command", outcome->command, sizeof outcome->command) &&
                       json_copy_text(root, "why", outcome->why, sizeof outcome->why);
    outcome->code = whole ? (int)number : 0;
    outcome->stand_in = cJSON_IsTrue(cJSON_GetObjectItem(root, "stand_in"));
    const double elapsed = json_number_or(root, "elapsed_s", 0);
    outcome->elapsed_s = seconds_possible(elapsed) ? elapsed : 0;
    cJSON_Delete(root);
    return whole ? status_ok()
                 : status_make(STATUS_FILE, "%.200s: is no outcome of a step; run the step again",
                               path);
}

/* === Step run ================================================================================= */

/* What an earlier run left must not pass for what this one measured. */
static Status remove_old(const char *path) {
    return unlink(path) == 0 || errno == ENOENT
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s: cannot be replaced: %s", path, strerror(errno));
}

/* The step's command line as it can be pasted into a shell, of the program with the variable that
 * hides devices; "" where there is none. As step_arguments. */
static Status step_command(const StudyStep *step, const StudySettings *settings,
                           char command[STEP_COMMAND_SIZE], bool *stand_in) {
    ArgumentList list;
    const Status status = step_arguments(step, settings, STEP_NAMED, &list, stand_in);
    command[0] = '\0';
    if (status_is_ok(&status)) {
        const ArgumentList rest = {.argc = list.argc - 1, .argv = list.argv + 1};
        char line[STEP_COMMAND_SIZE], devices[DEVICES_ENTRY_SIZE];
        command_line_text(&rest, line, sizeof line);
        const bool chosen = visible_devices(settings, devices) && step->kind != STEP_FILE;
        text_append(command, STEP_COMMAND_SIZE, "%s%s%s %s", chosen ? devices : "",
                    chosen ? " " : "", list.argv[0], line);
    }
    argument_list_release(&list);
    return status;
}

/* Another program's CSV becomes the step's. One that cannot be read fails the step. */
static Status take_file(const char *from, StepOutcome *outcome) {
    char *text;
    size_t length;
    AtomicFile copy;
    const Status read = file_text_read(from, "a CSV", FILE_SIZE_MAX, &text, &length);
    if (!status_is_ok(&read)) {
        outcome->state = STEP_FAILED;
        outcome->code = EXIT_FILE;
        text_visible(read.why, outcome->why, sizeof outcome->why);
        return status_ok();
    }
    Status status = atomic_file_open(&copy, outcome->csv);
    if (status_is_ok(&status)) {
        fwrite(text, 1, length, copy.stream);
        status = atomic_file_commit(&copy);
    }
    free(text);
    outcome->state = STEP_DONE;
    return status;
}

static Status start(const StudyStep *step, const StudySettings *settings, const char *log_path,
                    StepProgress *progress, StepOutcome *outcome) {
    ArgumentList process = {.argc = 0};
    StepMessages messages = {.log = fopen(log_path, "ae"),
                             .progress = progress != NULL ? &progress->of_study : NULL,
                             .name = step->name,
                             .price = progress != NULL ? progress->price : 0,
                             .quiet = settings->quiet};
    if (messages.log == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", log_path, strerror(errno));
    }
    bool stands_in; /* is known */
    Status status = step_arguments(step, settings, STEP_STARTED, &process, &stands_in);
    STATUS_THEN(status, step->kind == STEP_FILE ? take_file(process.argv[1], outcome)
                                                : run_child(step, (const char *const *)process.argv,
                                                            settings, &messages, outcome));
    argument_list_release(&process);
    const bool kept = ferror(messages.log) == 0;
    if ((fclose(messages.log) != 0 || !kept) && status_is_ok(&status)) {
        return status_make(STATUS_FILE, "cannot write %.300s", log_path);
    }
    return status;
}

Status step_recall(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome) {
    char file[ATOMIC_FILE_PATH_SIZE];
    *outcome = (StepOutcome){.state = STEP_NOT_RUN};
    STATUS_TRY(step_path(step, settings, step->reads, outcome->csv));
    STATUS_TRY(step_path(step, settings, "outcome.json", file));
    if (access(file, F_OK) != 0) {
        snprintf(outcome->why, sizeof outcome->why, "no run of it is in the study's folder");
        return status_ok();
    }
    return step_outcome_read(file, outcome);
}

/* Seconds that a step that goes on has taken so far. */
static double earlier_part(const StudyStep *step, const StudySettings *settings) {
    StepOutcome outcome = {.elapsed_s = 0};
    const Status status =
        step_goes_on(step, settings) ? step_recall(step, settings, &outcome) : status_ok();
    return status_is_ok(&status) ? outcome.elapsed_s : 0;
}

static Status launch_folder(const StudyStep *step, const StudySettings *settings, int launch,
                            char folder[ATOMIC_FILE_PATH_SIZE]) {
    char name[32];
    snprintf(name, sizeof name, "launch-%d", launch);
    return step_path(step, settings, name, folder);
}

int step_launches(const StudyStep *step, const StudySettings *settings) {
    for (int launch = 1; launch <= LAUNCHES_MAX; launch++) {
        char folder[ATOMIC_FILE_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
        Status status = launch_folder(step, settings, launch, folder);
        STATUS_THEN(status, stored_run_in(folder, path, sizeof path));
        if (!status_is_ok(&status) || access(path, F_OK) != 0) {
            return launch - 1;
        }
    }
    return LAUNCHES_MAX;
}

/* What the step wrote when it was last measured. */
static Status remove_earlier(const StudyStep *step, const StudySettings *settings, const char *csv,
                             const char *log) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(step_path(step, settings, NULL, folder));
    STATUS_TRY(remove_old(csv));
    STATUS_TRY(remove_old(log));
    if (step->kind == STEP_RUN) {
        stored_run_remove(folder);
    }
    for (int launch = step_launches(step, settings); launch > 0; launch--) {
        STATUS_TRY(launch_folder(step, settings, launch, folder));
        stored_run_remove(folder);
    }
    return status_ok();
}

/* A step that cannot be started is left out, or has failed as its command would have. */
static Status give_up(const Status *why, const char *log_path, StepOutcome *outcome) {
    outcome->state = STEP_LEFT_OUT;
    snprintf(outcome->why, sizeof outcome->why, "%s", why->why);
    if (why->code == STATUS_SKIP) {
        return status_ok();
    }
    FILE *log = fopen(log_path, "ae");
    if (log == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", log_path, strerror(errno));
    }
    fprintf(log, "bench: %s\n", why->why);
    outcome->state = STEP_FAILED;
    outcome->code = exit_code_of(why->code);
    text_append(outcome->why, sizeof outcome->why, " (exit code %d)", outcome->code);
    return fclose(log) == 0 ? status_ok()
                            : status_make(STATUS_FILE, "cannot write %.300s", log_path);
}

Status step_run(const StudyStep *step, const StudySettings *settings, StepProgress *progress,
                StepOutcome *outcome) {
    char log[ATOMIC_FILE_PATH_SIZE], file[ATOMIC_FILE_PATH_SIZE];
    const double earlier = earlier_part(step, settings);
    *outcome = (StepOutcome){.state = STEP_NOT_RUN};
    STATUS_TRY(step_path(step, settings, step->reads, outcome->csv));
    STATUS_TRY(step_path(step, settings, "log.txt", log));
    STATUS_TRY(step_path(step, settings, "outcome.json", file));
    STATUS_TRY(folder_make_for(log));
    if (!step_goes_on(step, settings)) {
        STATUS_TRY(remove_earlier(step, settings, outcome->csv, log));
    }
    STATUS_TRY(remove_old(file));
    const Status asked = step_command(step, settings, outcome->command, &outcome->stand_in);
    STATUS_TRY(status_is_ok(&asked) ? start(step, settings, log, progress, outcome)
                                    : give_up(&asked, log, outcome));
    if (!status_is_ok(&asked)) {
        return step_outcome_write(file, outcome);
    }
    outcome->elapsed_s += earlier;
    STATUS_TRY(step_outcome_write(file, outcome));
    return outcome->code == EXIT_INTERRUPTED ? status_make(STATUS_INTERRUPTED, "interrupted")
                                             : status_ok();
}

/* === Study steps ============================================================================== */

Status study_steps_unfinished(const Study *study, const StudySettings *settings, bool *chosen) {
    for (size_t i = 0; i < study->step_count; i++) {
        StepOutcome outcome;
        STATUS_TRY(step_recall(&study->steps[i], settings, &outcome));
        chosen[i] = outcome.state != STEP_DONE && !study->steps[i].on_request;
    }
    return status_ok();
}

void study_step_announce(FILE *stream, const Study *study, size_t index,
                         const StudySettings *settings) {
    const StudyStep *step = &study->steps[index];
    bool stand_in = false;
    char command[STEP_COMMAND_SIZE];
    const Status status = step_command(step, settings, command, &stand_in);
    const char *note = step->on_request               ? "  # on request: named with --steps"
                       : stand_in                     ? "  # stands in for data that is not there"
                       : step_goes_on(step, settings) ? "  # goes on where it was cut off"
                                                      : "";
    visible_line(stream, "step %zu/%zu %s: %s%s", index + 1, study->step_count, step->name,
                 status_is_ok(&status)        ? command
                 : status.code == STATUS_SKIP ? "left out: "
                                              : "cannot be run: ",
                 status_is_ok(&status) ? note : status.why);
}

/* --- Expected time ---------------------------------------------------------------------------- */

/* What an earlier run of the same command line took, in the study's folder; NAN: there is none. */
static double earlier_seconds(const StudyStep *step, const char *command,
                              const StudySettings *settings) {
    StepOutcome earlier;
    const Status status = step_recall(step, settings, &earlier);
    return status_is_ok(&status) && earlier.state == STEP_DONE && earlier.elapsed_s > 0 &&
                   strcmp(earlier.command, command) == 0
               ? earlier.elapsed_s
               : NAN;
}

/* Asks the command `run` for its plan; NAN where it fails. */
static double planned_seconds(const StudyStep *step, const StudySettings *settings) {
    StepMessages messages = {.quiet = true, .left = NAN};
    ChildEnd end = {.error = 0};
    ArgumentList list;
    bool stand_in;
    Status status = step_arguments(step, settings, STEP_PLANNED, &list, &stand_in);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (status_is_ok(&status) && nothing >= 0) {
        status =
            start_child(step, (const char *const *)list.argv, settings, nothing, &messages, &end);
    }
    argument_list_release(&list);
    if (nothing >= 0) {
        close(nothing);
    }
    return status_is_ok(&status) && end.code == 0 ? messages.left : NAN;
}

static double step_expect(const StudyStep *step, const StudySettings *settings, bool plan) {
    bool stand_in;
    char command[STEP_COMMAND_SIZE];
    const Status status = step_command(step, settings, command, &stand_in);
    double seconds = 0; /* of a step that is left out */
    if (status_is_ok(&status) && step->kind != STEP_FILE) {
        seconds = earlier_seconds(step, command, settings);
    }
    if (isnan(seconds) && plan && step->kind == STEP_RUN) {
        seconds = planned_seconds(step, settings);
    }
    return isnan(seconds) ? seconds : fmax(seconds - earlier_part(step, settings), 0);
}

StudyTime study_expect(const Study *study, const StudySettings *settings, const bool *chosen,
                       bool plan, double *seconds) {
    StudyTime time = {.seconds = 0};
    progress_relay();
    for (size_t i = 0; i < study->step_count && !interrupt_requested(); i++) {
        const double step = chosen[i] ? step_expect(&study->steps[i], settings, plan) : 0;
        time.known += chosen[i] && !isnan(step);
        time.unknown += chosen[i] && isnan(step);
        time.seconds += isnan(step) ? 0 : step;
        if (seconds != NULL) {
            seconds[i] = step;
        }
    }
    return time;
}

void study_time_text(const StudyTime *time, char text[STUDY_TIME_TEXT_SIZE]) {
    char duration[DURATION_SIZE];
    if (time->known == 0) {
        snprintf(text, STUDY_TIME_TEXT_SIZE, "expected time: not known");
        return;
    }
    duration_text(time->seconds, duration);
    snprintf(text, STUDY_TIME_TEXT_SIZE, "expected time: about %s", duration);
    if (time->unknown > 0) {
        text_append(text, STUDY_TIME_TEXT_SIZE, ", and %zu step%s of unknown time", time->unknown,
                    time->unknown == 1 ? "" : "s");
    }
}

/* Seconds that a step of unknown time counts at most: such are short, only sweeps are long. */
static const double unknown_most = 10;

/* Says how long it will take. Steps of unknown time count as the mean of the others at most. */
void steps_progress_start(const Study *study, const StudySettings *settings, const bool *chosen,
                          double *prices, Progress *progress) {
    size_t count = 0;
    for (size_t i = 0; i < study->step_count; i++) {
        count += chosen[i];
        prices[i] = 1;
    }
    progress_start(progress, stderr, count, count, settings->quiet);
    if (progress->quiet) {
        return;
    }
    const StudyTime time = study_expect(study, settings, chosen, true, prices);
    const double mean = time.known > 0 ? fmin(time.seconds / (double)time.known, unknown_most) : 1;
    for (size_t i = 0; i < study->step_count; i++) {
        prices[i] = isnan(prices[i]) ? mean : prices[i];
    }
    if (time.known > 0) {
        char words[STUDY_TIME_TEXT_SIZE];
        study_time_text(&time, words);
        visible_line(stderr, "%zu step%s: %s", count, count == 1 ? "" : "s", words);
        progress_expect(progress, time.seconds + mean * (double)time.unknown);
    }
}

/* --- All steps -------------------------------------------------------------------------------- */

Status steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                 const double *prices, StepProgress *progress, StepOutcome *outcomes,
                 bool *interrupted) {
    for (size_t i = 0; i < study->step_count; i++) {
        StepOutcome *outcome = &outcomes[i];
        if (!chosen[i]) {
            STATUS_TRY(step_recall(&study->steps[i], settings, outcome));
            continue;
        }
        *interrupted |= interrupt_requested();
        if (*interrupted) {
            *outcome = (StepOutcome){.state = STEP_NOT_RUN,
                                     .why = "interrupted before this step was reached"};
            continue;
        }
        if (!settings->quiet) {
            progress_pause(&progress->of_study);
            study_step_announce(stderr, study, i, settings);
        }
        progress->price = prices[i];
        progress_show(&progress->of_study, study->steps[i].name, NULL);
        const Status status = step_run(&study->steps[i], settings, progress, outcome);
        *interrupted = outcome->code == EXIT_INTERRUPTED;
        if (!status_is_ok(&status) && !*interrupted) {
            return status;
        }
        progress_done(&progress->of_study, prices[i]);
        if (!settings->quiet && outcome->state == STEP_FAILED) {
            progress_pause(&progress->of_study);
            visible_line(stderr, "step %s: %s", study->steps[i].name, outcome->why);
        }
    }
    return status_ok();
}

Status study_steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                       StepOutcome *outcomes, bool *interrupted) {
    StepProgress progress;
    double *prices = calloc(study->step_count, sizeof *prices);
    *interrupted = false;
    STATUS_MEMORY(prices, "for the steps of a study");
    steps_progress_start(study, settings, chosen, prices, &progress.of_study);
    const Status status =
        steps_run(study, settings, chosen, prices, &progress, outcomes, interrupted);
    progress_end(&progress.of_study);
    free(prices);
    return status;
}

/* === Study record ============================================================================= */

static Status record_path(const char *out, char *path, size_t size) {
    return path_make(path, size, "%s/" STUDY_FILE, out);
}

Status study_record_write(const char *study, const StudySettings *settings) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(record_path(settings->out, path, sizeof path));
    STATUS_TRY(folder_make_for(path));
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "study", study);
    cJSON_AddBoolToObject(root, "quick", settings->quick);
    cJSON_AddNumberToObject(root, "launches", settings->launches);
    if (settings->spread != NULL) {
        cJSON_AddNumberToObject(root, "spread", *settings->spread);
    }
    if (isinf(settings->budget)) {
        cJSON_AddStringToObject(root, "budget", "none");
    } else if (settings->budget > 0) {
        cJSON_AddNumberToObject(root, "budget", settings->budget);
    }
    char device[DEVICE_CHOICE_SIZE];
    device_choice_text(&settings->device, device);
    cJSON_AddStringToObject(root, "device", device);
    cJSON_AddStringToObject(root, "data", settings->data);
    return json_file_write(path, root);
}

static bool read_device(const char *text, DeviceChoice *device) {
    const Status status = device_choice_read(text, true, device);
    return status_is_ok(&status);
}

Status study_record_read(const char *out, StudyRecord *record) {
    char path[ATOMIC_FILE_PATH_SIZE], device[DEVICE_CHOICE_SIZE];
    cJSON *root;
    *record = (StudyRecord){.quick = false};
    STATUS_TRY(record_path(out, path, sizeof path));
    STATUS_TRY(json_file_read(path, "the record of a study", FILE_SIZE_MAX, &root));
    const bool whole = json_copy_text(root, "study", record->study, sizeof record->study) &&
                       json_copy_text(root, "device", device, sizeof device) &&
                       read_device(device, &record->device) &&
                       json_copy_text(root, "data", record->data, sizeof record->data);
    record->quick = cJSON_IsTrue(cJSON_GetObjectItem(root, "quick"));
    const cJSON *launches = cJSON_GetObjectItem(root, "launches");
    record->launches = cJSON_IsNumber(launches) ? launches->valueint : 1;
    const cJSON *spread = cJSON_GetObjectItem(root, "spread");
    record->spread = cJSON_IsNumber(spread) ? spread->valuedouble : -1;
    const cJSON *budget = cJSON_GetObjectItem(root, "budget");
    record->budget = cJSON_IsString(budget)                              ? INFINITY
                     : cJSON_IsNumber(budget) && budget->valuedouble > 0 ? budget->valuedouble
                                                                         : 0;
    cJSON_Delete(root);
    return whole ? status_ok()
                 : status_make(STATUS_FILE, "%.200s: is not what a study left; run it again", path);
}
