/* Child processes: started, supervised, and ended with this process. */

#define _GNU_SOURCE /* sched_setaffinity */

#include "child_process.h"
#include "base_internal.h"
#include "clock.h"
#include "interrupt.h"
#include "zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Processors ------------------------------------------------------------------------------- */

/* The set of the process, before threads were pinned, as hexadecimal digits. */
static const char processors_variable[] = "BENCH_THREADS_PINNED";

bool processors_store(void) {
    cpu_set_t set;
    unsigned char bytes[sizeof set];
    char text[2 * sizeof bytes + 1];
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return setenv(processors_variable, "1", 1) == 0;
    }
    memcpy(bytes, &set, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
    return setenv(processors_variable, text, 1) == 0;
}

bool processors_stored(void) {
    return getenv(processors_variable) != NULL;
}

void processors_forget(void) {
    unsetenv(processors_variable);
}

/* What processors_store stored; false without it. */
static bool read_stored(cpu_set_t *set) {
    unsigned char bytes[sizeof *set];
    const char *text = getenv(processors_variable);
    if (text == NULL || strlen(text) != 2 * sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    memcpy(set, bytes, sizeof bytes);
    return true;
}

/* All places of an OpenMP runtime that pins threads, because the person said so: it has pinned this
 * thread before the program began. False where it pins none. */
static bool read_places(cpu_set_t *set) {
    int ids[CPU_SETSIZE];
    const int places = omp_get_proc_bind() == omp_proc_bind_false ? 0 : omp_get_num_places();
    CPU_ZERO(set);
    for (int place = 0; place < places; place++) {
        const int count = omp_get_place_num_procs(place);
        if (count < 1 || count > CPU_SETSIZE) {
            return false;
        }
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++) {
            if (ids[i] >= 0 && ids[i] < CPU_SETSIZE) {
                CPU_SET(ids[i], set);
            }
        }
    }
    return places > 0;
}

static bool read_allowed(cpu_set_t *set) {
    return read_stored(set) || read_places(set) || sched_getaffinity(0, sizeof *set, set) == 0;
}

void processors_free_during(void (*work)(void *context), void *context) {
    cpu_set_t bound, allowed;
    const bool restore = sched_getaffinity(0, sizeof bound, &bound) == 0 &&
                         read_allowed(&allowed) &&
                         sched_setaffinity(0, sizeof allowed, &allowed) == 0;
    work(context);
    if (restore) {
        (void)sched_setaffinity(0, sizeof bound, &bound);
    }
}

bool processor_is_allowed(int processor) {
    cpu_set_t set;
    return !read_allowed(&set) ||
           (processor >= 0 && processor < CPU_SETSIZE && CPU_ISSET(processor, &set));
}

int processors_allowed(void) {
    cpu_set_t set;
    return read_allowed(&set) ? CPU_COUNT(&set) : 0;
}

/* --- Environment ------------------------------------------------------------------------------ */

static bool is_among(const char *variable, const char *const *names) {
    const size_t length = strcspn(variable, "=");
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strlen(names[i]) == length && strncmp(variable, names[i], length) == 0) {
            return true;
        }
    }
    return false;
}

char **environment_without(const char *const *names, char *added) {
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **environment = calloc(count + 2, sizeof *environment);
    for (size_t i = 0; environment != NULL && i < count; i++) {
        if (!is_among(environ[i], names)) {
            environment[kept++] = environ[i];
        }
    }
    if (environment != NULL) {
        environment[kept] = added;
    }
    return environment;
}

/* --- Children --------------------------------------------------------------------------------- */

/* Milliseconds between checks of the clock and of the interrupt: rare, so that the child's
 * measurements are not disturbed. After its output has ended: END_MS. */
enum { POLL_MS = 200, END_MS = 2 };

typedef struct Supervision {
    const ChildProcess *process;
    pid_t child;
    int messages;   /* pipe of the child's standard error; reading does not block */
    int state;      /* from waitpid */
    double started; /* clock_now */
    double checked; /* the same, of the last check of the clock */
    bool signalled; /* the interrupt was sent to the child */
    bool late;
} Supervision;

/* Where a child comes from. */
typedef struct Origin {
    pid_t parent;
    bool known; /* which processors the parent may use */
    cpu_set_t allowed;
} Origin;

/* --- In the child: only functions that a signal handler may call ------------------------------ */

static bool redirect(const ChildProcess *process, int messages) {
    if (process->take == NULL) { /* left open: when it is closed the child has ended */
        return fcntl(messages, F_SETFD, 0) == 0;
    }
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
           dup2(process->output >= 0 ? process->output : messages, STDOUT_FILENO) >= 0 &&
           dup2(messages, STDERR_FILENO) >= 0;
}

static void stop_catching(const sigset_t *signals) {
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
        if (!interrupt_is_ignored(interrupt_signals[i])) {
            signal(interrupt_signals[i], SIG_DFL);
        }
    }
    pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

/* Replaces the child by the program. On failure errno is written to `trouble`; success closes it.
 */
static _Noreturn void start_program(const ChildProcess *process, const Origin *origin, int messages,
                                    int trouble) {
    /* The parent may have died before PR_SET_PDEATHSIG. */
    const bool saves = process->saves && !interrupt_is_ignored(SIGTERM);
    if (prctl(PR_SET_PDEATHSIG, saves ? SIGTERM : SIGKILL) != 0 || getppid() != origin->parent) {
        _exit(INTERRUPT_EXIT_CODE);
    }
    if (origin->known) {
        (void)sched_setaffinity(0, sizeof origin->allowed, &origin->allowed);
    }
    if (process->group) {
        setpgid(0, 0);
    }
    if (process->kept > 0) {
        (void)fcntl(process->kept, F_SETFD, 0);
    }
    if (redirect(process, messages)) {
        environ = process->environment != NULL ? process->environment : environ;
        execvp(process->program, (char *const *)process->arguments);
    }
    const int error = errno;
    const ssize_t ignored = write(trouble, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* --- In the parent ---------------------------------------------------------------------------- */

/* The child, or its process group, as kill and interrupt_note_child name it. */
static pid_t target_of(const Supervision *supervision) {
    return supervision->process->group ? -supervision->child : supervision->child;
}

static void send_interrupt(Supervision *supervision) {
    const int number = supervision->process->saves ? interrupt_signal() : SIGKILL;
    if (number != 0) {
        kill(target_of(supervision), number);
    }
    supervision->signalled = true;
}

static bool is_late(Supervision *supervision) {
    const ChildProcess *process = supervision->process;
    const double now = clock_now();
    const double passed = now - supervision->checked;
    supervision->checked = now;
    return (process->limit > 0 && now - supervision->started > process->limit) ||
           (process->hangs != NULL && process->hangs(process->context, passed));
}

static void check_time(Supervision *supervision) {
    if (interrupt_requested() && !supervision->signalled) {
        send_interrupt(supervision);
    }
    if (!supervision->late && is_late(supervision)) {
        kill(target_of(supervision), SIGKILL);
        supervision->late = true;
    }
}

/* Reads all that is available; false at the end of the output. */
static bool read_messages(const Supervision *supervision) {
    char buffer[4096];
    for (;;) {
        const ssize_t got = read(supervision->messages, buffer, sizeof buffer);
        if (got > 0 && supervision->process->take != NULL) {
            supervision->process->take(supervision->process->context, buffer, (size_t)got);
        } else if (got == 0 || errno != EINTR) {
            return got < 0 && errno == EAGAIN;
        }
    }
}

static bool has_ended(Supervision *supervision) {
    const pid_t ended = waitpid(supervision->child, &supervision->state, WNOHANG);
    return ended == supervision->child || (ended < 0 && errno != EINTR);
}

/* Does not wait for the end of the pipe, which grandchildren may keep open: when the child has
 * ended, its own output is there to be read. */
static void wait_for(Supervision *supervision) {
    bool open = true;
    do {
        struct pollfd pipe_end = {.fd = supervision->messages, .events = POLLIN};
        poll(&pipe_end, open ? 1 : 0, open ? POLL_MS : END_MS);
        open = open && read_messages(supervision);
        check_time(supervision);
    } while (!has_ended(supervision));
    if (open) {
        read_messages(supervision);
    }
}

static void supervise(Supervision *supervision, ChildEnd *end) {
    supervision->started = supervision->checked = clock_now();
    interrupt_note_child(target_of(supervision), supervision->process->saves ? SIGTERM : SIGKILL);
    wait_for(supervision);
    interrupt_note_child(0, 0);
    end->signal = WIFSIGNALED(supervision->state) ? WTERMSIG(supervision->state) : 0;
    end->code = end->signal != 0 ? 128 + end->signal : WEXITSTATUS(supervision->state);
    end->late = supervision->late;
}

static _Thread_local bool forks_itself;

bool process_forks_itself(void) {
    return forks_itself;
}

pid_t process_fork(void) {
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
        sigaddset(&signals, interrupt_signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    forks_itself = true;
    const pid_t child = fork();
    forks_itself = false;
    const int error = errno;
    if (child == 0) {
        stop_catching(&signals);
    } else {
        pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    }
    errno = error;
    return child;
}

/* Waits until the program has started, which closes the pipe: 0, or errno of its failure. */
static int read_trouble(int trouble) {
    int error = 0;
    ssize_t got;
    do {
        got = read(trouble, &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof error ? error : 0;
}

static Status no_process(void) {
    return status_fail("no process can be started: %s", strerror(errno));
}

static Status start(const ChildProcess *process, const int *messages, const int *trouble,
                    ChildEnd *end) {
    Origin origin = {.parent = getpid()};
    origin.known = read_allowed(&origin.allowed);
    pid_t child = 0;
    if (!zygote_fork(process, messages[1], &child) && (child = process_fork()) == 0) {
        start_program(process, &origin, messages[1], trouble[1]);
    }
    const Status status = child > 0 ? status_ok() : no_process();
    close(messages[1]);
    close(trouble[1]);
    STATUS_TRY(status);
    end->error = read_trouble(trouble[0]);
    Supervision supervision = {.process = process, .child = child, .messages = messages[0]};
    supervise(&supervision, end);
    return status_ok();
}

static bool make_pipe(int *ends) {
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static Status start_with_pipes(const ChildProcess *process, ChildEnd *end) {
    int messages[2], trouble[2];
    if (!make_pipe(messages)) {
        return no_process();
    }
    if (!make_pipe(trouble)) {
        const Status status = no_process();
        close(messages[0]);
        close(messages[1]);
        return status;
    }
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    const Status status = start(process, messages, trouble, end);
    close(messages[0]);
    close(trouble[0]);
    return status;
}

Status child_process_run(const ChildProcess *process, ChildEnd *end) {
    interrupt_hold();
    const bool late = interrupt_requested();
    *end = (ChildEnd){.code = late ? INTERRUPT_EXIT_CODE : 0};
    const Status status = late ? status_ok() : start_with_pipes(process, end);
    if (interrupt_requested()) {
        return status_make(STATUS_INTERRUPTED, "interrupted");
    }
    interrupt_release();
    return status;
}
