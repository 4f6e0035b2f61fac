/* Samples of one cell. */

#ifndef BENCH_RUN_MEASURE_H
#define BENCH_RUN_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu_quota.h"
#include "samples.h"
#include "sizes.h"
#include "status.h"
#include "stops.h"

typedef struct Backend Backend;       /* backend.h */
typedef struct Output Output;         /* output.h */
typedef struct Request Request;       /* variant.h */
typedef struct Row Row;               /* row.h */
typedef struct RunOptions RunOptions; /* run_options.h */
typedef struct Variant Variant;       /* variant.h */

/* --- Where cells of one thread run: placement.c ----------------------------------------------- */

/* Shares of their time by which places may differ and count as equally idle. */
#define PLACE_MARGIN 0.1

/* The idlest of `count` places: the current one if it is, else the last, since the first ones have
 * the interrupts. `current` == count: there is none yet. */
size_t place_choose(const double *load, size_t count, size_t current);

/* Two pieces of work that are always the same, timed in each turn of a CPU cell to tell how fast
 * the machine is: seconds of the fastest turn so far, 0 before the first. What lengthens one turn
 * only, as a processor that others had meanwhile, shows in the samples. */
typedef struct Sentinel {
    double chain; /* dependent multiplications: the clock, and who shares the core */
    double copy;  /* of memory that fits an L2 cache */
} Sentinel;

/* Takes about 0.2 ms, again after a stop, which `repeated` counts. STATUS_SKIP if it was stopped
 * each time. */
Status sentinel_sample(Sentinel *sentinel, size_t *repeated);

/* The share of a cell's turns in which other guests had its processors, and how often a CPU quota
 * stopped them. */
typedef struct Stolen {
    double seconds, watched;     /* of processors, in the turns so far */
    double began, began_stolen;  /* of the turn under way */
    StopMark mark;               /* the same: of a turn with a stop nothing counts */
    double share;                /* NAN: there is nothing to read it from */
    ThrottlingCounters counters; /* of the CPU quota, of the turn under way */
    double throttled;            /* periods in which it stopped the turns so far */
} Stolen;

/* Around a turn, or a part of one, of a cell with so many threads, 0 on a device: those of one
 * thread watch the processors that the thread may use now, others all that the process may use. */
void stolen_begin(Stolen *stolen, int threads);
void stolen_end(Stolen *stolen, int threads);

/* Notes in the row what was found. */
void stolen_note(const Stolen *stolen, Row *row);

/* --- Threads that work: thread_watch.c -------------------------------------------------------- */

typedef struct ThreadTime {
    long thread;
    double cpu; /* seconds */
} ThreadTime;

typedef struct ThreadTimes {
    ThreadTime *list;
    size_t count;
} ThreadTimes;

/* Threads and their times at the start. */
typedef struct ThreadWatch {
    ThreadTimes before;  /* without the calling one; list NULL: not known */
    double own, process; /* CPU seconds of the calling thread and of all */
} ThreadWatch;

/* Release with thread_watch_end. The check may be asked for in between by the same thread. */
void thread_watch_begin(ThreadWatch *watch);
void thread_watch_end(ThreadWatch *watch);

/* STATUS_SKIP when fewer than `threads` have worked. */
Status thread_watch_check(const ThreadWatch *watch, int threads);

/* STATUS_FAIL when threads that were not there work on though nothing is called. Those of a pool
 * that wait busily for a while are waited for. */
Status thread_watch_idle(const ThreadWatch *watch);

/* --- Samples of a cell: measure.c ------------------------------------------------------------- */

/* The samples of one open cell. A cell advances one sample at a time, so that the caller chooses
 * the order in which several cells are sampled. Every timing is taken again when the process was
 * stopped in it (stops.h), STATUS_SKIP where that happens each time. */

/* Sampling stops at this number, since more samples would not narrow the interval and each is
 * stored. A fixed number (--reps) is not limited. */
enum { SAMPLES_MAX = 10000 };

/* A run of this many seconds is its own warm-up: next to it a page fault or a cache that is not
 * filled is nothing. */
#define LONG_RUN 1.0

/* The same for a launch that has little time. */
#define LONG_RUN_BRIEF 0.1

/* Whether a run of a cell that takes so many seconds is long. */
bool measure_is_long(const RunOptions *options, double seconds);

typedef struct Measurement {
    const RunOptions *options;
    const Variant *variant;
    void *state;           /* open and uploaded */
    double timer_overhead; /* seconds, of the variant's backend */
    int threads;           /* of the CPU; 0 on a device */
    int gpus;              /* devices of its backend that it works on */
    bool baseline;         /* it is seq, whose time decides only the ratio to one plain thread */
    /* Its answer, which is damaged before the samples of a turn; NULL: it lies on a device. */
    const Output *answer;
    /* Of a cell whose runs are long: its answer, which is poisoned before each sample. NULL: not
     * long. */
    const Output *poisoned;

    Samples samples;    /* seconds per run; owned, may be moved out */
    size_t batch;       /* runs per sample */
    size_t repeated;    /* timings of all kinds that were taken again because of a stop */
    StopMark warm;      /* before the latest run that fills the caches */
    double cpu_seconds; /* process CPU time of all counted runs */
    double spent;       /* wall-clock seconds in samples, and in the runs that precede them */
    double latest;      /* seconds of the latest sample or probe, all its runs together */
    double fastest;     /* seconds per run of the fastest sample or probe; 0: none yet */
    size_t next_check;  /* number of samples at which the interval is computed again */
    bool done, converged;
    bool held; /* Backend.hold before the runs of a sample: decided by measure_begin */

    Samples end_to_end;       /* of a variant with transfers; owned, may be moved out */
    double end_to_end_spent;  /* wall-clock seconds in them, uncounted passes included */
    double end_to_end_latest; /* seconds of the latest one */
    bool end_to_end_done;

    Sentinel sentinel; /* of a cell on the CPU */
    Stolen stolen;
} Measurement;

/*
 * OpenMP binds the main thread to its first place, where the system and other programs run as well.
 * So a cell of one thread runs elsewhere: placement_enter moves the calling thread to the idlest
 * place of OpenMP on its NUMA node, and placement_leave moves it back, where the runtime believes
 * that it is. Every three seconds the thread first sleeps for 0.06 s to see what works meanwhile.
 * In a cell of a device the thread may run on all these places, and so may the threads that a
 * driver starts, which inherit its set. Both kinds of cells wait for OpenMP's other threads, which
 * spin for milliseconds after their last work, 30 ms at most. Nothing of this is done for other
 * cells, where OpenMP binds no threads, and with cold caches, which all threads flush before each
 * sample.
 */
void placement_enter(const Measurement *measurement);
void placement_leave(void);

/* The device that worked last, and until when. Starts zeroed. */
typedef struct Warmth {
    const Backend *backend;
    double left;   /* monotonic seconds */
    StopMark mark; /* since a stop it is idle */
} Warmth;

/* Seconds of one call by the backend's clock; `step` NULL: of nothing. After a stop it is called
 * again, and `repeated`, which may be NULL, counts that. */
Status measure_step(const Backend *backend, Status (*step)(void *state), void *state,
                    double *seconds, size_t *repeated);

/* Seconds that a clock_start and clock_stop with nothing between them report. */
Status measure_timer_overhead(const Backend *backend, double *seconds);

/* In a launch with little time a run of a device that takes a second, as `latest` tells, has
 * nothing before it: the clock is up after a hundredth of that. */
bool measure_is_own_warm_up(const Measurement *measurement);

/* Warms up, decides whether the device is held while the runs of a sample are queued (not if they
 * wait for it, nor if one takes 0.1 s or more), and chooses the batch size. Of a cell with
 * `poisoned` set, whose `latest` is known, and of one that is its own warm-up it runs nothing: a
 * batch is one run. */
Status measure_begin(Measurement *measurement);

/* The same of a cell of one thread on the CPU whose batch and seconds of a run the first launch has
 * found out: the runs at the start of its first turn warm it up. False: nothing is done, since that
 * is not enough (a sample of 0.1 s or more, --cold, --warmup). */
bool measure_begin_known(Measurement *measurement, size_t batch, double run);

/* Samples of a turn, at least. A launch with little time takes two: what precedes them, uncounted
 * runs among it, costs as much as a sample or more. Samples of 0.1 s or more have nothing to
 * precede them. */
size_t measure_turn_least(const Measurement *measurement);

/* Uncounted runs before the samples of a cell, a run of which takes `run` seconds. */
int measure_warmups(const RunOptions *options, double run);

/* Whether upload, run and download, or stream(), are more than the run: without transfers the
 * kernel samples are the end-to-end samples. */
bool measure_has_transfers(const Variant *variant);

/* Takes one kernel sample and decides whether it was the last. Only the time spent here and in
 * measure_rewarm counts against --max-time, not that of samples which a stop made worthless. */
Status measure_sample(Measurement *measurement);

/* upload, run and download, or stream(), from and to host memory; returns when the answer is there.
 */
Status measure_pass(const Measurement *measurement);

/*
 * Takes the end-to-end samples of a turn that goes on with at most `coming` kernel samples: as many
 * as keep up with these, so that both are of the same times. An uncounted pass precedes them, but
 * for long ones and with cold caches. There are at most 30, or `options->reps` if that is less, and
 * without it they end after a quarter of --max-time. Does nothing without transfers.
 */
Status measure_end_to_end(Measurement *measurement, size_t coming);

/* Whether it has all samples that it needs, of the kernel and end to end. */
bool measure_is_done(const Measurement *measurement);

/* Refills caches and predictors after another cell: uncounted batches, at least two, until two in a
 * row agree within 1%, at most eight or a tenth of a second, with little time a fiftieth; one for
 * samples of 5 ms or more. Does nothing in cold mode and for samples so long that they warm
 * themselves. */
Status measure_rewarm(Measurement *measurement);

/* Keeps a device that was idle for more than 10 ms busy for 50 ms of its own time, at most a
 * quarter of a second of the host's, because its clock takes tens of milliseconds to rise; not if
 * a batch takes as long as the cell's fastest one so far. Does nothing on the CPU. */
Status measure_warm_device(Measurement *measurement, Warmth *warmth);

/* Records that the cell's device, if it is on one, has worked until now. */
void measure_note_warmth(const Measurement *measurement, Warmth *warmth);

/* Estimated progress of sampling, 0 … 1. */
double measure_progress(const Measurement *measurement);

/* Median seconds of upload and of download; NAN if the variant has no such step, or its run is the
 * whole pass. */
Status measure_transfers(Measurement *measurement, double *upload, double *download);

/* Median seconds by wall clock of one run, from the call until the device has finished: of 15,
 * fewer if they take longer than a tenth of a second. */
Status measure_call(Measurement *measurement, double *seconds);

/* Wall-clock samples of open, upload, run and download: `options->reps` or 5 of them, fewer if they
 * take longer than a quarter of --max-time; as the share of a launch of several up to 5, one where
 * it takes 20 ms. No other state of the variant is open meanwhile. */
Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          Samples *samples, size_t *repeated);

/*
 * Median seconds of each stage of an open and uploaded state; NAN for stages that the variant does
 * not have. Each stage starts on an idle processor and is waited for, so their sum exceeds the run
 * by a launch and a wait per stage. A stage may need the result of the one before it, so whole
 * passes are repeated: one uncounted and up to 5 counted, within a quarter of --max-time; a single
 * pass if a run, which takes about `run_seconds`, is a LONG_RUN. In cold mode caches are
 * flushed before each pass. Ends early when interrupted.
 */
Status measure_stages(Measurement *measurement, double run_seconds, double seconds[STAGES_MAX]);

#endif
