#include "step_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_process.h"
#include "text_list.h"
#include "visible.h"

static bool is_variable(const char *entry, const char *name) {
    const size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

extern char **environ;

/* Our environment without what tells a process that it was pinned, and with the devices. The array
 * and `devices` are the caller's to free. */
static char **make_environment(const StepProcess *process, char **devices) {
    static const char variable[] = "CUDA_VISIBLE_DEVICES";
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **environment = calloc(count + 2, sizeof *environment);
    *devices = NULL;
    if (process->devices != NULL) {
        const size_t size = sizeof variable + 1 + strlen(process->devices);
        *devices = malloc(size);
        if (*devices != NULL) {
            snprintf(*devices, size, "%s=%s", variable, process->devices);
        }
    }
    if (environment == NULL || (process->devices != NULL && *devices == NULL)) {
        free(environment);
        return NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const bool replaced = *devices != NULL && is_variable(environ[i], variable);
        if (!replaced && !is_variable(environ[i], "BENCH_THREADS_PINNED")) {
            environment[kept++] = environ[i];
        }
    }
    environment[kept] = *devices;
    return environment;
}

/* Standard error of the child, line by line. */
typedef struct Errors {
    FILE *log;
    bool quiet;
    StepEnd *end;
    char line[STEP_LINE_SIZE]; /* the beginning of the one that is being read */
    size_t used;
} Errors;

/* Keeps the last line that begins with the program's name. */
static void note_line(Errors *errors) {
    static const char start[] = "bench: ";
    errors->line[errors->used] = '\0';
    if (strncmp(errors->line, start, strlen(start)) == 0) {
        text_visible(errors->line + strlen(start), errors->end->error, sizeof errors->end->error);
    }
    errors->used = 0;
}

static void take_errors(void *context, const char *bytes, size_t count) {
    Errors *errors = context;
    fwrite(bytes, 1, count, errors->log);
    fflush(errors->log);
    if (!errors->quiet) {
        fwrite(bytes, 1, count, stderr);
    }
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            note_line(errors);
        } else if (errors->used + 1 < sizeof errors->line) {
            errors->line[errors->used++] = bytes[i];
        }
    }
}

/* `log` is open for appending, as its descriptor is that of the child's standard output too. */
static Status run_child(const StepProcess *process, char **environment, FILE *log, StepEnd *end) {
    Errors errors = {.log = log, .quiet = process->quiet, .end = end};
    const ChildProcess child = {.program = "/proc/self/exe",
                                .arguments = (const char *const *)process->arguments,
                                .environment = environment,
                                .output = fileno(log),
                                .saves = true,
                                .take = take_errors,
                                .context = &errors};
    ChildEnd ended;
    const Status status = child_process_run(&child, &ended);
    end->interrupted = status.code == STATUS_INTERRUPTED;
    end->code = ended.code;
    end->signal = ended.signal;
    if (ended.error == E2BIG) {
        return status_make(STATUS_FILE,
                           "the step of %s has a command line that is longer than the system takes",
                           process->log);
    }
    if (ended.error != 0) {
        return status_fail("a step cannot be started: %s", strerror(ended.error));
    }
    return end->interrupted ? status_ok() : status;
}

Status step_process_run(const StepProcess *process, StepEnd *end) {
    *end = (StepEnd){.code = 0};
    /* What was there is of an earlier run. */
    if (unlink(process->log) != 0 && errno != ENOENT) {
        return status_make(STATUS_FILE, "cannot write %s: %s", process->log, strerror(errno));
    }
    FILE *log = fopen(process->log, "ae");
    if (log == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", process->log, strerror(errno));
    }
    char *devices;
    char **environment = make_environment(process, &devices);
    const Status status = environment != NULL
                              ? run_child(process, environment, log, end)
                              : status_skip("no memory left for a step's environment");
    free(environment);
    free(devices);
    fclose(log);
    return status;
}
