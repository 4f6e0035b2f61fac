/* How many threads of this process have worked: the only way to know it of a variant that brings an
 * OpenMP runtime, or threads, of its own. */

#define _GNU_SOURCE /* syscall */

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "measure.h"
#include "resources.h"

enum { THREADS_WATCHED_MAX = 2048 };

/* Seconds in which idle threads of a pool fall asleep: LLVM's OpenMP lets them spin for 0.2 s. */
static const double idle_patience = 0.5;

static double cpu_seconds(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec
                                            : (double)NAN;
}

/* The clock of a thread of this process, as the kernel numbers it. */
static clockid_t clock_of(long thread) {
    enum { PER_THREAD = 4, EXACT = 2 };
    return (clockid_t)(~(unsigned)thread << 3 | PER_THREAD | EXACT);
}

/* Lists the threads besides the calling one. False where /proc does not tell or there are too many.
 */
static bool list_others(ThreadTimes *times) {
    const long own = syscall(SYS_gettid);
    DIR *folder = opendir("/proc/self/task");
    bool whole = folder != NULL;
    times->count = 0;
    for (const struct dirent *entry; whole && (entry = readdir(folder)) != NULL;) {
        const long thread = strtol(entry->d_name, NULL, 10);
        const double cpu = thread > 0 && thread != own ? cpu_seconds(clock_of(thread)) : NAN;
        if (isnan(cpu)) {
            continue; /* "." and "..", and threads that have ended since */
        }
        whole = times->count < THREADS_WATCHED_MAX;
        if (whole) {
            times->list[times->count++] = (ThreadTime){.thread = thread, .cpu = cpu};
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return whole;
}

/* NULL: it was not there. */
static const ThreadTime *find_thread(const ThreadTimes *times, long thread) {
    for (size_t i = 0; i < times->count; i++) {
        if (times->list[i].thread == thread) {
            return &times->list[i];
        }
    }
    return NULL;
}

/* OpenMP's idle threads, which spin for a while after a region, would count: they are ended. */
void thread_watch_begin(ThreadWatch *watch) {
    ThreadTimes *before = &watch->before;
    *watch = (ThreadWatch){.before.list = NULL};
    thread_team_release();
    before->list = malloc(2 * THREADS_WATCHED_MAX * sizeof *before->list);
    if (before->list != NULL && list_others(before)) {
        watch->own = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        watch->process = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    } else {
        thread_watch_end(watch);
    }
}

/* How many threads have worked since, at least; 0 where that is not known. */
static int thread_watch_count(const ThreadWatch *watch) {
    if (watch->before.list == NULL) {
        return 0;
    }
    const double process = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - watch->process;
    double sum = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - watch->own;
    ThreadTimes now = {.list = watch->before.list + THREADS_WATCHED_MAX};
    int worked = 1;
    if (!list_others(&now)) {
        return 0;
    }
    for (size_t i = 0; i < now.count; i++) {
        const ThreadTime *then = find_thread(&watch->before, now.list[i].thread);
        const double cpu = now.list[i].cpu - (then != NULL ? then->cpu : 0);
        worked += cpu > 0;
        sum += cpu;
    }
    /* The sum spans a little more than the whole: threads that are gone have worked. */
    return process > sum ? 0 : worked;
}

/* Whether the system has it running or ready to run. */
static bool is_running(long thread) {
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return false;
    }
    const char *read = fgets(line, sizeof line, stream);
    fclose(stream);
    const char *state = read != NULL ? strrchr(line, ')') : NULL; /* behind its name */
    return state != NULL && state[1] == ' ' && state[2] == 'R';
}

/* Threads that were not there and now work. */
static size_t count_busy(const ThreadWatch *watch) {
    const struct timespec pause = {.tv_nsec = 1000000};
    ThreadTimes now = {.list = watch->before.list + THREADS_WATCHED_MAX};
    size_t busy = 0;
    if (!list_others(&now)) {
        return 0;
    }
    if (now.count > 0) {
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < now.count; i++) {
        const ThreadTime *then = &now.list[i];
        busy += find_thread(&watch->before, then->thread) == NULL &&
                (is_running(then->thread) || cpu_seconds(clock_of(then->thread)) > then->cpu);
    }
    return busy;
}

Status thread_watch_idle(const ThreadWatch *watch) {
    const double started = clock_now();
    size_t busy = 0;
    if (watch->before.list == NULL) {
        return status_ok();
    }
    thread_team_release();
    do {
        busy = count_busy(watch);
    } while (busy > 0 && clock_now() - started < idle_patience);
    return busy == 0 ? status_ok()
                     : status_fail("%zu of its threads still work %g s after run() has returned: "
                                   "their work is not timed, and disturbs other variants",
                                   busy, idle_patience);
}

void thread_watch_end(ThreadWatch *watch) {
    free(watch->before.list);
    watch->before = (ThreadTimes){.list = NULL};
}

Status thread_watch_check(const ThreadWatch *watch, int threads) {
    const int worked = thread_watch_count(watch);
    return worked == 0 || worked >= threads
               ? status_ok()
               : status_skip("needs %d threads, and only %d worked: the variant, or an OpenMP "
                             "runtime of its own, uses no more",
                             threads, worked);
}
