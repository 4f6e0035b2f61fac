#include "step_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command_line.h"
#include "exit_codes.h"
#include "folder.h"
#include "step_outcome.h"
#include "step_paths.h"
#include "step_process.h"
#include "text_list.h"

typedef struct StepFiles {
    char csv[ATOMIC_FILE_PATH_SIZE];
    char log[ATOMIC_FILE_PATH_SIZE];
    char outcome[ATOMIC_FILE_PATH_SIZE];
} StepFiles;

static Status name_files(const StudyStep *step, const StudySettings *settings, StepFiles *files) {
    STATUS_TRY(step_path(step, settings, step->reads, files->csv, sizeof files->csv));
    STATUS_TRY(step_path(step, settings, "log.txt", files->log, sizeof files->log));
    return step_path(step, settings, "outcome.json", files->outcome, sizeof files->outcome);
}

/* What an earlier run left must not be taken for what this one measured. */
static Status remove_old(const StepFiles *files) {
    const char *const paths[] = {files->csv, files->log, files->outcome};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (unlink(paths[i]) != 0 && errno != ENOENT) {
            return status_make(STATUS_FILE, "%.200s: cannot be replaced: %s", paths[i],
                               strerror(errno));
        }
    }
    return status_ok();
}

/* Value of CUDA_VISIBLE_DEVICES; NULL: as it is. */
static const char *visible_devices(const StudySettings *settings) {
    if (strcmp(settings->device, "all") == 0) {
        return NULL;
    }
    return strcmp(settings->device, "cpu") == 0 ? "" : settings->device;
}

void step_command(char **arguments, const StudySettings *settings, char *command, size_t size) {
    RunOptions options = {.argv = arguments};
    while (arguments[options.argc] != NULL) {
        options.argc++;
    }
    char line[sizeof((StepOutcome *)NULL)->command];
    command_line_text(&options, line, sizeof line);
    const char *devices = visible_devices(settings);
    command[0] = '\0';
    text_append(command, size, "%s%s%sbench %s", devices != NULL ? "CUDA_VISIBLE_DEVICES=" : "",
                devices != NULL ? devices : "", devices != NULL ? " " : "", line);
}

static const char *meaning_of(int code) {
    for (size_t i = 0; i < exit_code_row_count; i++) {
        if ((int)exit_code_rows[i].code == code) {
            return exit_code_rows[i].meaning;
        }
    }
    return "an exit code that no command has";
}

static void judge(const StepEnd *end, StepOutcome *outcome) {
    const bool done = end->code == EXIT_OK;
    outcome->state = done ? STEP_DONE : STEP_FAILED;
    outcome->code = end->code;
    if (end->interrupted || end->code == EXIT_INTERRUPTED) {
        outcome->state = STEP_FAILED;
        outcome->code = EXIT_INTERRUPTED;
        snprintf(outcome->why, sizeof outcome->why, "interrupted; what was measured is kept");
    } else if (end->signal != 0) {
        snprintf(outcome->why, sizeof outcome->why, "ended by signal %d (%s)", end->signal,
                 strsignal(end->signal));
    } else if (!done) {
        /* What the error says is nearer than what the code means for all commands. */
        const bool told = end->error[0] != '\0';
        snprintf(outcome->why, sizeof outcome->why, "%s%sexit code %d%s%s", end->error,
                 told ? " (" : "", end->code, told ? ")" : ": ", told ? "" : meaning_of(end->code));
    }
}

static Status start(char **arguments, const StudySettings *settings, const StepFiles *files,
                    StepOutcome *outcome) {
    const StepProcess process = {.arguments = arguments,
                                 .devices = visible_devices(settings),
                                 .log = files->log,
                                 .quiet = settings->quiet};
    StepEnd end;
    const double began = clock_now();
    STATUS_TRY(step_process_run(&process, &end));
    outcome->elapsed_s = clock_now() - began;
    judge(&end, outcome);
    STATUS_TRY(step_outcome_write(files->outcome, outcome));
    return outcome->code == EXIT_INTERRUPTED ? status_make(STATUS_INTERRUPTED, "interrupted")
                                             : status_ok();
}

Status step_run(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome) {
    StepFiles files;
    *outcome = (StepOutcome){.state = STEP_NOT_RUN};
    STATUS_TRY(name_files(step, settings, &files));
    snprintf(outcome->csv, sizeof outcome->csv, "%s", files.csv);
    STATUS_TRY(folder_make_for(files.log));
    STATUS_TRY(remove_old(&files));
    char **arguments;
    Status status = step_arguments(step, settings, &arguments, &outcome->stand_in);
    if (status.code == STATUS_SKIP) {
        outcome->state = STEP_LEFT_OUT;
        snprintf(outcome->why, sizeof outcome->why, "%s", status.why);
        return step_outcome_write(files.outcome, outcome);
    }
    if (status_is_ok(&status)) {
        step_command(arguments, settings, outcome->command, sizeof outcome->command);
        status = start(arguments, settings, &files, outcome);
        step_arguments_release(arguments);
    }
    return status;
}

Status step_recall(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome) {
    StepFiles files;
    *outcome = (StepOutcome){.state = STEP_NOT_RUN};
    STATUS_TRY(name_files(step, settings, &files));
    snprintf(outcome->csv, sizeof outcome->csv, "%s", files.csv);
    if (access(files.outcome, F_OK) != 0) {
        snprintf(outcome->why, sizeof outcome->why, "no run of it is in the study's folder");
        return status_ok();
    }
    return step_outcome_read(files.outcome, outcome);
}
