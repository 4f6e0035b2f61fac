/*
 * Measure: the samples of one open cell. A cell is advanced one sample at a time, so that the order
 * in which several cells are sampled is the caller's choice.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "options.h"
#include "result.h"
#include "variant.h"

/* Samples after which sampling stops even when the interval is still wider than asked for: more of
 * them would not narrow it, and every sample is stored. A fixed count (--reps) is not limited. */
enum { SAMPLES_MAX = 10000 };

typedef struct Measurement {
    const RunOptions *options;
    const Variant *variant;
    void *state;           /* open and uploaded */
    double timer_overhead; /* seconds, of the variant's backend */

    Samples samples;    /* seconds per run; owned, may be taken */
    size_t batch;       /* runs per sample */
    double cpu_seconds; /* process CPU time of all counted runs */
    double spent;       /* wall-clock seconds in samples, and in the runs that precede them */
    double latest;      /* seconds that the latest sample or probe took, all its runs together */
    size_t next_check;  /* number of samples at which the interval is looked at again */
    bool done, converged;
} Measurement;

/* Seconds that a clock_start and clock_stop with nothing between them report. */
Status measure_timer_overhead(const Backend *backend, double *seconds);

/* Warms up and finds the batch size. */
Status measure_begin(Measurement *measurement);
/* Takes one kernel sample and decides whether it was the last. Only the time spent in samples and
 * in measure_rewarm counts against --max-time. */
Status measure_sample(Measurement *measurement);

/* What others left in the caches is replaced by what this cell needs: runs as long as one sample,
 * not counted. Nothing in cold mode, and nothing where a sample is so long that it warms itself. */
Status measure_rewarm(Measurement *measurement);

/* Which device has worked last, and until when. Starts zeroed. */
typedef struct Warmth {
    const Backend *backend;
    double left; /* monotonic seconds */
} Warmth;

/* Keeps a device that was idle for more than 10 ms busy for 50 ms of its own time, so that it has
 * left its idle clock, which takes tens of milliseconds. Gives up after a quarter of a second by
 * the host's clock. Nothing on the CPU. */
Status measure_warm_device(const Measurement *measurement, Warmth *warmth);
/* Notes that the cell's device, if it is on one, has worked until now. */
void measure_note_warmth(const Measurement *measurement, Warmth *warmth);

/* How far sampling has come, 0 … 1: an estimate, for the progress line. */
double measure_progress(const Measurement *measurement);

/* Median seconds of upload and of download apart, NAN for what the variant does not have. */
Status measure_transfers(const Measurement *measurement, double *upload, double *download);

/* Wall-clock samples of upload, run and download, or of stream(), from and to host memory. */
Status measure_end_to_end(const Measurement *measurement, Samples *samples);

/* Wall-clock samples of open, upload, run and download: `options->reps` of them or 5, fewer where
 * they take longer than a quarter of the cell's time. No other state of the variant is open
 * meanwhile. */
Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          Samples *samples);

#endif
