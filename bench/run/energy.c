/* Joules of a run, by the counters of its processor. */

#include <math.h>
#include <time.h>

#include "calls.h"
#include "cell.h"
#include "clock.h"
#include "cpu_state.h"
#include "devices.h"
#include "interrupt.h"
#include "stops.h"
#include "sweep.h"

/* === Counters ================================================================================= */

typedef struct Reading {
    CpuEnergy cpu;
    double gpu;
    double at; /* seconds */
} Reading;

static Reading read_counters(const Measurement *measurement) {
    Reading reading = {.gpu = NAN};
    if (variant_is_on_cpu(measurement->variant)) {
        cpu_energy_read(system_root(), &reading.cpu);
    } else {
        reading.gpu = gpu_energy_read(measurement->gpus);
    }
    reading.at = clock_now();
    return reading;
}

/* Joules; NAN without a counter. */
static double used_between(const Measurement *measurement, const Reading *before,
                           const Reading *after) {
    return variant_is_on_cpu(measurement->variant) ? cpu_energy_between(&before->cpu, &after->cpu)
                                                   : after->gpu - before->gpu;
}

static bool has_counter(const Measurement *measurement) {
    const Reading now = read_counters(measurement);
    return !isnan(used_between(measurement, &now, &now));
}

/* === Windows ================================================================================== */

/* Windows of a cell over all launches, at least. */
enum { WINDOWS_MIN = 3 };

/* GPUs look at their power for a quarter of each tenth of a second: arXiv 2312.02741. */
static const double counter_period = 0.1;
/* Multiples of it, less whole ones, lie evenly between 0 and 1, however many there are. */
static const double golden_ratio = 0.6180339887498949;
/* What was before a window is still in the counter for about a second: a share of the window. */
static const double settling_share = 0.2;

int energy_windows(const RunOptions *options) {
    if (options->budget > 0) {
        return launch_measures_once(options) ? WINDOWS_MIN : 0;
    }
    const int launches = options->pass > 0 && options->launches > 1 ? options->launches : 1;
    return (WINDOWS_MIN + launches - 1) / launches;
}

double energy_seconds(const RunOptions *options, const Variant *variant) {
    const Measurement asked = {.variant = variant, .gpus = 1};
    const double window = (1 + settling_share) * options->energy_window + counter_period / 2;
    return has_counter(&asked) ? energy_windows(options) * window : 0;
}

/* Of the window of this launch. */
static double phase_of(const RunOptions *options, int window) {
    const int before = options->pass > 1 ? (options->pass - 1) * energy_windows(options) : 0;
    return counter_period * fmod(golden_ratio * (before + window), 1);
}

/* Seconds of runs after which the device is waited for, so that its queue stays short. */
static const double chunk_seconds = 0.02;

enum { CHUNK_MAX = 1 << 20 };

static size_t chunk_size(double run_seconds) {
    const double runs = run_seconds > 0 ? chunk_seconds / run_seconds : 1;
    return runs < 1 ? 1 : runs < CHUNK_MAX ? (size_t)runs : CHUNK_MAX;
}

static Status run_chunk(const Measurement *measurement, size_t runs) {
    for (size_t i = 0; i < runs; i++) {
        STATUS_TRY(variant_run(measurement->variant, measurement->state));
    }
    return variant_wait(measurement->variant, measurement->state);
}

/* Runs for so long, not at all for 0. */
static Status run_for(const Measurement *measurement, double seconds, size_t chunk, double *runs) {
    const double started = clock_now();
    *runs = 0;
    while (clock_now() - started < seconds && !interrupt_requested()) {
        STATUS_TRY(run_chunk(measurement, chunk));
        *runs += (double)chunk;
    }
    return status_ok();
}

/* NAN if the counter does not advance: it measures nothing. */
static Status measure_window(const Measurement *measurement, int window, size_t chunk,
                             double *joule) {
    const RunOptions *options = measurement->options;
    const double settling = settling_share * options->energy_window + phase_of(options, window);
    double runs;
    STATUS_TRY(run_for(measurement, settling, chunk, &runs));
    const Reading before = read_counters(measurement);
    STATUS_TRY(run_for(measurement, options->energy_window, chunk, &runs));
    const Reading after = read_counters(measurement);
    const double used = used_between(measurement, &before, &after);
    *joule = used > 0 && runs > 0 ? used / runs : (double)NAN;
    return status_ok();
}

static Status try_window(Measurement *measurement, int window, size_t chunk, double *joule) {
    StopTries tries = {.count = 0};
    do {
        stop_tries_begin(&tries);
        STATUS_TRY(measure_window(measurement, window, chunk, joule));
    } while (stop_tries_again(&tries));
    return stop_tries_end(&tries, &measurement->repeated);
}

Status energy_of_runs(Measurement *measurement, double run_seconds, Samples *windows) {
    const int count = has_counter(measurement) ? energy_windows(measurement->options) : 0;
    for (int i = 0; i < count; i++) {
        double joule;
        STATUS_TRY(try_window(measurement, i, chunk_size(run_seconds), &joule));
        if (!interrupt_requested() && !isnan(joule)) {
            STATUS_TRY(samples_add(windows, joule));
        }
    }
    return status_ok();
}

/* === Idle power =============================================================================== */

static void rest_for(double seconds) {
    const struct timespec pause = {.tv_nsec = 10000000};
    const double started = clock_now();
    while (clock_now() - started < seconds && !interrupt_requested()) {
        nanosleep(&pause, NULL);
    }
}

static double measure_idle(const Measurement *measurement) {
    const double window = measurement->options->energy_window;
    StopTries tries = {.count = 0};
    Reading before, after;
    do {
        stop_tries_begin(&tries);
        rest_for(settling_share * window);
        before = read_counters(measurement);
        rest_for(window);
        after = read_counters(measurement);
    } while (stop_tries_again(&tries));
    const Status undisturbed = stop_tries_end(&tries, NULL);
    const double used = used_between(measurement, &before, &after);
    return status_is_ok(&undisturbed) && !interrupt_requested() && used >= 0
               ? used / (after.at - before.at)
               : (double)NAN;
}

double energy_idle(const Measurement *measurement) {
    static double known[CUDA_DEVICES_MAX + 1]; /* 0: of the CPU */
    static bool is_known[CUDA_DEVICES_MAX + 1];
    const int gpus = variant_is_on_cpu(measurement->variant) ? 0 : measurement->gpus;
    if (gpus > CUDA_DEVICES_MAX || !has_counter(measurement)) {
        return NAN;
    }
    if (!is_known[gpus]) {
        known[gpus] = measure_idle(measurement);
        is_known[gpus] = !interrupt_requested();
    }
    return known[gpus];
}
