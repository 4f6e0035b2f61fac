#include "stops.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "interrupt.h"

static _Atomic uint64_t continued;
static _Atomic int64_t stopped_ns; /* of all stops, each from the last reading before it */
static _Atomic int64_t latest_ns;  /* reading of the monotonic clock */

static int64_t read_ns(clockid_t clock) {
    struct timespec time = {.tv_sec = 0};
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* === Clock ==================================================================================== */

/* SIGCONT. When the stop began is not known: nobody tells a process that it is stopped. */
static void note_continued(int number) {
    (void)number;
    const int error = errno;
    const int64_t now = read_ns(CLOCK_MONOTONIC);
    atomic_fetch_add(&stopped_ns, now - atomic_load(&latest_ns));
    atomic_store(&latest_ns, now);
    atomic_fetch_add(&continued, 1);
    errno = error;
}

void stops_watch(void) {
    sigset_t signals;
    struct sigaction action = {.sa_handler = note_continued, .sa_flags = SA_RESTART};
    stops_clock();
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCONT);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int64_t stops_clock(void) {
    int64_t latest = atomic_load(&latest_ns);
    int64_t now, stopped;
    do { /* read again what the handler has moved meanwhile */
        stopped = atomic_load(&stopped_ns);
        now = read_ns(CLOCK_MONOTONIC);
    } while (!atomic_compare_exchange_weak(&latest_ns, &latest, now));
    return now - stopped;
}

/* === Marks ==================================================================================== */

StopMark stops_mark(void) {
    const int64_t before = read_ns(CLOCK_MONOTONIC);
    const int64_t boot = read_ns(CLOCK_BOOTTIME);
    const int64_t after = read_ns(CLOCK_MONOTONIC);
    return (StopMark){.continued = atomic_load(&continued),
                      .asleep_least = boot - after,
                      .asleep_most = boot - before};
}

bool stops_between(const StopMark *before, const StopMark *after) {
    return after->continued != before->continued || after->asleep_least > before->asleep_most;
}

bool stops_since(const StopMark *before) {
    const StopMark now = stops_mark();
    return stops_between(before, &now);
}

/* === Tries ==================================================================================== */

void stop_tries_begin(StopTries *tries) {
    tries->count++;
    tries->began = stops_mark();
}

bool stop_tries_again(StopTries *tries) {
    tries->stopped = stops_since(&tries->began);
    return tries->stopped && tries->count < STOP_TRIES_MAX && !interrupt_requested();
}

Status stop_tries_end(const StopTries *tries, size_t *repeated) {
    if (repeated != NULL) {
        *repeated += (size_t)tries->count - 1;
    }
    return tries->stopped ? status_skip("the process was stopped (SIGSTOP, Ctrl-Z or suspend) in "
                                        "each of %d tries to time it",
                                        tries->count)
                          : status_ok();
}
