/* How many threads of this process have worked: the only way to know it of a variant that brings an
 * OpenMP runtime, or threads, of its own. */

#define _GNU_SOURCE /* syscall */

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "resources.h"

enum { THREADS_WATCHED_MAX = 2048 };

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

/* CPU seconds of a thread before; 0 of one that was not there. */
static double cpu_before(const ThreadTimes *times, long thread) {
    for (size_t i = 0; i < times->count; i++) {
        if (times->list[i].thread == thread) {
            return times->list[i].cpu;
        }
    }
    return 0;
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

int thread_watch_count(const ThreadWatch *watch) {
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
        const double cpu = now.list[i].cpu - cpu_before(&watch->before, now.list[i].thread);
        worked += cpu > 0;
        sum += cpu;
    }
    /* The sum spans a little more than the whole: threads that are gone have worked. */
    return process > sum ? 0 : worked;
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
