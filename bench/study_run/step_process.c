#include "step_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "visible.h"

static volatile sig_atomic_t signalled;
static volatile sig_atomic_t child_id;

/* A terminal sends its signals to the child too: a second one would end it before it has saved. */
static void pass_on(int number, siginfo_t *information, void *context) {
    (void)context;
    const int error = errno;
    signalled = 1;
    if (information->si_code != SI_KERNEL && child_id > 0) {
        kill((pid_t)child_id, number);
    }
    errno = error;
}

typedef struct Watch {
    struct sigaction interrupt, terminate;
} Watch;

static void watch_signals(Watch *previous) {
    signalled = 0;
    child_id = 0;
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous->interrupt);
    sigaction(SIGTERM, &action, &previous->terminate);
}

static void unwatch_signals(const Watch *previous) {
    sigaction(SIGINT, &previous->interrupt, NULL);
    sigaction(SIGTERM, &previous->terminate, NULL);
}

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

/* Starts the program with its standard output and error going to these descriptors. */
static int spawn(const StepProcess *process, char **environment, int out, int err, pid_t *child) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (error == 0) {
        error =
            posix_spawn(child, "/proc/self/exe", &actions, NULL, process->arguments, environment);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Keeps the last line that begins with the program's name. */
static void note_line(const char *line, StepEnd *end) {
    static const char start[] = "bench: ";
    if (strncmp(line, start, strlen(start)) == 0) {
        text_visible(line + strlen(start), end->error, sizeof end->error);
        end->error[strcspn(end->error, "\n")] = '\0';
    }
}

/* Standard error of the child, line by line, into the log and on to ours. */
static void read_errors(int from, FILE *log, bool quiet, StepEnd *end) {
    FILE *stream = fdopen(from, "r");
    if (stream == NULL) {
        close(from);
        return;
    }
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stream) != -1) {
        fputs(line, log);
        fflush(log);
        if (!quiet) {
            fputs(line, stderr);
        }
        line[strcspn(line, "\n")] = '\0';
        note_line(line, end);
    }
    free(line);
    fclose(stream);
}

static void wait_for(pid_t child, StepEnd *end) {
    int status = 0;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
    }
    child_id = 0;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->code = WIFSIGNALED(status) ? 128 + end->signal : WEXITSTATUS(status);
}

/* `log` is open for appending, as its descriptor is that of the child's standard output too. */
static Status run_child(const StepProcess *process, char **environment, FILE *log, StepEnd *end) {
    int errors[2];
    if (pipe(errors) != 0) {
        return status_fail("a step cannot be started: %s", strerror(errno));
    }
    fcntl(errors[0], F_SETFD, FD_CLOEXEC);
    fcntl(errors[1], F_SETFD, FD_CLOEXEC);
    Watch previous;
    watch_signals(&previous);
    pid_t child;
    const int error = spawn(process, environment, fileno(log), errors[1], &child);
    close(errors[1]);
    if (error == 0) {
        child_id = (sig_atomic_t)child;
        read_errors(errors[0], log, process->quiet, end);
        wait_for(child, end);
        end->interrupted = signalled != 0;
    } else {
        close(errors[0]);
    }
    unwatch_signals(&previous);
    return error == 0 ? status_ok() : status_fail("a step cannot be started: %s", strerror(error));
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
                              : status_fail("no memory left for a step's environment");
    free(environment);
    free(devices);
    fclose(log);
    return status;
}
