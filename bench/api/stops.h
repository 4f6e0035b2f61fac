/*
 * Stops: times in which this process did not run because it was stopped (SIGSTOP, Ctrl-Z) or the
 * machine was suspended. A timing with a stop in it is worthless and is taken again.
 *
 * A stopped process gets SIGCONT when it goes on, which is counted. A suspend is found by two
 * clocks: CLOCK_BOOTTIME goes on meanwhile, CLOCK_MONOTONIC does not. What leaves neither trace is
 * not seen: a control group that is frozen, a debugger, a virtual machine that its host pauses.
 */
#ifndef BENCH_API_STOPS_H
#define BENCH_API_STOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins to count, even if the process that started this one ignores or blocks SIGCONT. For the
 * main thread, before others are started: the kernel then gives SIGCONT to the main thread, before
 * it goes on with what it was doing. */
void stops_watch(void);

/* Nanoseconds of the monotonic clock without stops: it stands still from the last reading before a
 * stop until the process goes on. Never goes back. */
int64_t stops_clock(void);

/* A moment, to ask later whether the process was stopped since. */
typedef struct StopMark {
    uint64_t continued; /* times that the process went on after a stop */
    /* Nanoseconds that the machine was suspended for since it was started: between these. The two
     * clocks cannot be read at once. */
    int64_t asleep_least, asleep_most;
} StopMark;

StopMark stops_mark(void);
bool stops_between(const StopMark *before, const StopMark *after);
bool stops_since(const StopMark *before);

/*
 * A timing that is taken until the process was not stopped in it, at most STOP_TRIES_MAX times, and
 * not again after an interrupt:
 *
 *     StopTries tries = {.count = 0};
 *     do {
 *         stop_tries_begin(&tries);
 *         … the timing, and what has to precede it …
 *     } while (stop_tries_again(&tries));
 *     STATUS_TRY(stop_tries_end(&tries, &repeated));
 */
enum { STOP_TRIES_MAX = 8 };

typedef struct StopTries {
    int count;
    bool stopped; /* the latest one was */
    StopMark began;
} StopTries;

void stop_tries_begin(StopTries *tries);
bool stop_tries_again(StopTries *tries);

/* Adds the tries but the first to `repeated`, which may be NULL. STATUS_SKIP with the reason if the
 * process was stopped in every one: something stops it again and again. */
Status stop_tries_end(const StopTries *tries, size_t *repeated);

#ifdef __cplusplus
}
#endif

#endif
