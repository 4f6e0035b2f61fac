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
    double started;     /* monotonic seconds at the first sample */
    size_t next_check;  /* number of samples at which the interval is looked at again */
    bool done, converged;
} Measurement;

/* Seconds that a clock_start and clock_stop with nothing between them report. */
Status measure_timer_overhead(const Backend *backend, double *seconds);

/* Warms up and finds the batch size. */
Status measure_begin(Measurement *measurement);
/* Takes one kernel sample and decides whether it was the last. */
Status measure_sample(Measurement *measurement);

/* Median seconds of upload and of download apart, NAN for what the variant does not have. */
Status measure_transfers(const Measurement *measurement, double *upload, double *download);

/* Wall-clock samples of upload, run and download, or of stream(), from and to host memory. */
Status measure_end_to_end(const Measurement *measurement, Samples *samples);

/* Median wall-clock seconds of open, upload, run and download. No other state of the variant is
 * open meanwhile. */
Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          double *seconds);

#endif
