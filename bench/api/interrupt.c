#include "interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, TEMPORARIES_MAX = 16, STACK_SIZE = 1 << 20, ABANDONED = -1 };

/* The command `timeout` signals the process and then its group: that is one request. */
static const long same_request_ns = 200000000;
/* Most pieces of work take less; writing the results takes the rest of a second. */
static const long patience_ns = 700000000;
static const long tick_ns = 10000000;

const int interrupt_signals[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t requested; /* the signal; 0: none */
static volatile sig_atomic_t from_terminal;
static struct timespec first;
static sem_t signalled;
static atomic_bool guarded;
static atomic_int holds; /* ABANDONED: the guard has taken over */
static _Thread_local bool is_guard;
static _Atomic(const char *) lost; /* why the work cannot go on; NULL: it can */
static atomic_int lost_code;

static Status (*finish)(void *context);
static void *finish_context;
static int (*report)(const Status *status);
static void (*volatile tell)(int code);
static volatile sig_atomic_t silent;

/* --- Ending early: only functions that a signal handler may call ------------------------------ */

enum { FREE, FILLING, NOTED };

static struct {
    atomic_int state;
    char path[PATH_SIZE];
} temporaries[TEMPORARIES_MAX];

static atomic_int child_id, child_signal;

static void end_child(void) {
    const int child = atomic_load(&child_id);
    const int number = atomic_load(&child_signal);
    if (child != 0) {
        kill(child, number);
        if (number == SIGKILL) { /* it writes no more files */
            waitpid(child > 0 ? child : -child, NULL, 0);
        }
    }
}

static void remove_temporaries(void) {
    for (size_t i = 0; i < TEMPORARIES_MAX; i++) {
        if (atomic_load(&temporaries[i].state) == NOTED) {
            unlink(temporaries[i].path);
        }
    }
}

static void write_words(const char *words) {
    const ssize_t ignored = write(STDERR_FILENO, words, strlen(words));
    (void)ignored;
}

static _Noreturn void end_process(const char *words) {
    const int code = atomic_load(&lost) != NULL ? atomic_load(&lost_code) : INTERRUPT_EXIT_CODE;
    end_child();
    remove_temporaries();
    if (silent == 0) {
        write_words(words);
    }
    if (tell != NULL) {
        tell(code);
    }
    _exit(code);
}

static bool is_same_request(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - first.tv_sec < 2 &&
           (now.tv_sec - first.tv_sec) * 1000000000L + now.tv_nsec - first.tv_nsec <
               same_request_ns;
}

/* Code that is called has raised it: to end the process is what it wanted. */
static void end_by(int number) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    raise(number);
}

static void note(int number, siginfo_t *information, void *context) {
    (void)context;
    const int error = errno;
    if (tell != NULL && information->si_code != SI_KERNEL && information->si_pid == getpid()) {
        end_by(number);
    } else if (requested == 0) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        from_terminal = information->si_code == SI_KERNEL;
        requested = number;
        if (atomic_load(&guarded)) {
            sem_post(&signalled);
        }
    } else if (!is_same_request()) {
        end_process("bench: interrupted again; ended at once\n");
    }
    errno = error;
}

/* --- The flag --------------------------------------------------------------------------------- */

/* What was ignored when the program started, as by nohup or in a script's background, stays so. */
static void watch(int number, const struct sigaction *action) {
    if (!interrupt_is_ignored(number)) {
        sigaction(number, action, NULL);
    }
}

bool interrupt_is_ignored(int number) {
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void interrupt_watch(void) {
    requested = 0;
    from_terminal = 0;
    atomic_store(&holds, 0);
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
        sigaddset(&action.sa_mask, interrupt_signals[i]);
    }
    for (size_t i = 0; i < INTERRUPT_SIGNALS; i++) {
        watch(interrupt_signals[i], &action);
    }
}

bool interrupt_requested(void) {
    return requested != 0;
}

int interrupt_signal(void) {
    return from_terminal != 0 ? 0 : (int)requested;
}

/* --- The guard -------------------------------------------------------------------------------- */

void interrupt_hold(void) {
    int now = atomic_load(&holds);
    while (!is_guard &&
           (now == ABANDONED || !atomic_compare_exchange_weak(&holds, &now, now + 1))) {
        if (now == ABANDONED) {
            pause();
        }
        now = atomic_load(&holds);
    }
}

void interrupt_release(void) {
    if (!is_guard) {
        atomic_fetch_sub(&holds, 1);
    }
}

void interrupt_on_abandon(Status (*function)(void *context), void *context) {
    interrupt_hold();
    finish = function;
    finish_context = context;
    interrupt_release();
}

static void sleep_ns(long duration) {
    struct timespec left = {.tv_sec = duration / 1000000000L, .tv_nsec = duration % 1000000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

static bool stop_work(void) {
    int none = 0;
    return atomic_compare_exchange_strong(&holds, &none, ABANDONED);
}

static void *guard(void *unused) {
    (void)unused;
    is_guard = true;
    while (sem_wait(&signalled) != 0) {
    }
    if (atomic_load(&lost) == NULL) {
        sleep_ns(patience_ns);
    }
    while (!stop_work()) {
        sleep_ns(tick_ns);
    }
    Status status =
        finish != NULL ? finish(finish_context) : status_make(STATUS_INTERRUPTED, "interrupted");
    const char *why = atomic_load(&lost);
    if (why != NULL) {
        status = status_make(STATUS_FILE, "%s", why);
    }
    report(&status);
    /* Output of the abandoned work, unless it is printing at this moment. */
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
    }
    end_process("");
}

void interrupt_guard(int (*function)(const Status *status)) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (atomic_load(&guarded) || sem_init(&signalled, 0, 0) != 0 ||
        pthread_attr_init(&attributes) != 0) {
        return;
    }
    report = function;
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    atomic_store(&guarded, true);
    if (pthread_create(&thread, &attributes, guard, NULL) != 0) {
        atomic_store(&guarded, false);
    }
    pthread_attr_destroy(&attributes);
}

/* A thread that holds the process would wait for itself. */
void interrupt_lose(const char *why, int code) {
    const char *none = NULL;
    int no_code = 0;
    atomic_compare_exchange_strong(&lost_code, &no_code, code);
    const bool first_lost = atomic_compare_exchange_strong(&lost, &none, why);
    if (is_guard || !atomic_load(&guarded) || atomic_load(&holds) > 0) {
        write_words("bench: ");
        write_words(why);
        end_process("\n");
    }
    if (first_lost) {
        sem_post(&signalled);
    }
    for (;;) {
        pause();
    }
}

void interrupt_be_silent(void) {
    silent = 1;
}

void interrupt_tell(void (*ends)(int code)) {
    tell = ends;
}

/* --- Temporary files and children ------------------------------------------------------------- */

/* Reserves a place that is free or whose file no longer exists. */
static bool reserve_place(size_t place) {
    int state = atomic_load(&temporaries[place].state);
    return (state == FREE || (state == NOTED && access(temporaries[place].path, F_OK) != 0)) &&
           atomic_compare_exchange_strong(&temporaries[place].state, &state, FILLING);
}

void interrupt_note_temporary(const char *path) {
    for (size_t i = 0; i < TEMPORARIES_MAX && strlen(path) < PATH_SIZE; i++) {
        if (reserve_place(i)) {
            memcpy(temporaries[i].path, path, strlen(path) + 1);
            atomic_store(&temporaries[i].state, NOTED);
            return;
        }
    }
}

void interrupt_note_child(pid_t child, int signal_number) {
    atomic_store(&child_signal, signal_number);
    atomic_store(&child_id, child);
}
