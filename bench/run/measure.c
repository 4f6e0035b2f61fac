/* Measuring one cell: warm-up, batches, samples, stages. */

#include <math.h>

#include "backend_runner.h"
#include "calls.h"
#include "clock.h"
#include "harness.h"
#include "interrupt.h"
#include "measure.h"
#include "row.h"
#include "run_options.h"
#include "stops.h"
#include "verify.h"

/* === Samples of the kernel ==================================================================== */

enum {
    OVERHEAD_PROBES = 51,
    TRANSFER_SAMPLES = 5,
    END_TO_END_SAMPLES_MAX = 30,
    END_TO_END_SAMPLES_MIN = 5,
    ALLOC_SAMPLES = 5,
    BATCH_PROBES = 3,
    BATCH_MAX = 1 << 20,
    REWARM_MAX = 8,
    WARMUP_RUNS = 3,
    LAUNCH_SAMPLES = 5, /* of a launch, unless they take long */
    HOLD_TRIES = 2,     /* an interrupted host lets a hold end too */
    CALL_SAMPLES = 15,
    WARM_RUNS_MAX = 4096 /* between two readings of the clock */
};

/* A sample this many times longer than the timer's own cost is not batched. */
static const double overhead_factor = 20;
/* A probe this many times longer than needed is not repeated. */
static const double beyond_doubt = 10;
/* Seconds of a sample beside which refilling the caches, or a launch, is negligible; in a launch
 * with little time, beside the difference between launches. */
static const double long_sample = 0.1, brief_long_sample = 0.04;
/* Seconds of such uncounted runs after which a launch with little time counts on: where others have
 * the processors, runs of several threads never agree. */
static const double brief_rewarm = 0.02;
/* Seconds of a sample beside which they are after one run: then a second is as long as a tenth. */
static const double middle_sample = 0.005;
/* Seconds that a launch of several spends on allocation, or one sample. */
static const double alloc_share = 0.02;
/* Relative difference of two runs in a row that no longer warm up. */
static const double warm_step = 0.01;
/* Seconds after which an idle device may have lowered its clock, seconds of work that raise it
 * again, and the limit of the host's time for that. */
static const double idle_limit = 0.01;
static const double warm_work = 0.05;
static const double warm_limit = 0.25;
/* How far above its fastest sample a cell's next one may be if the clock is up. */
static const double warm_slack = 0.02;
/* Seconds after which no further call is timed; in a launch with little time no further transfer
 * either. */
static const double call_limit = 0.1, brief_limit = 0.02;

static Status step_on_clock(const Backend *backend, Status (*step)(void *state), void *state,
                            double *seconds) {
    STATUS_TRY(backend->runner->clock_start());
    if (step != NULL) {
        STATUS_TRY(step(state));
    }
    return backend->runner->clock_stop(seconds);
}

Status measure_step(const Backend *backend, Status (*step)(void *state), void *state,
                    double *seconds, size_t *repeated) {
    StopTries tries = {.count = 0};
    do {
        stop_tries_begin(&tries);
        STATUS_TRY(step_on_clock(backend, step, state, seconds));
    } while (stop_tries_again(&tries));
    return stop_tries_end(&tries, repeated);
}

Status measure_timer_overhead(const Backend *backend, double *seconds) {
    double taken[OVERHEAD_PROBES];
    for (size_t i = 0; i < OVERHEAD_PROBES; i++) {
        STATUS_TRY(measure_step(backend, NULL, NULL, &taken[i], NULL));
    }
    *seconds = median_in_place(taken, OVERHEAD_PROBES);
    return status_ok();
}

static Status runs_between(const Measurement *measurement, size_t runs, double *seconds) {
    const Variant *variant = measurement->variant;
    STATUS_TRY(variant->backend->runner->clock_start());
    for (size_t i = 0; i < runs; i++) {
        STATUS_TRY(variant->run(measurement->state));
    }
    return variant->backend->runner->clock_stop(seconds);
}

/* The supervisor is told outside of the clock. */
static Status runs_on_clock(const Measurement *measurement, size_t runs, double *seconds) {
    variant_enter(measurement->variant, measurement->state, CALL_RUN);
    return variant_returned(measurement->variant, runs_between(measurement, runs, seconds));
}

/* On a held device, unless the cell's runs let the hold end; a stop lets it end too. */
static Status timed_once(Measurement *measurement, size_t runs, double *seconds) {
    const Backend *backend = measurement->variant->backend;
    const StopMark began = measurement->held ? stops_mark() : (StopMark){.continued = 0};
    for (int i = 0; measurement->held && i < HOLD_TRIES; i++) {
        STATUS_TRY(backend->runner->hold());
        STATUS_TRY(runs_on_clock(measurement, runs, seconds));
        if (backend->runner->was_held() || stops_since(&began)) {
            return status_ok();
        }
    }
    measurement->held = false;
    return runs_on_clock(measurement, runs, seconds);
}

/* Runs that are no sample. */
static Status timed_runs(Measurement *measurement, size_t runs, double *seconds) {
    StopTries tries = {.count = 0};
    do {
        stop_tries_begin(&tries);
        STATUS_TRY(timed_once(measurement, runs, seconds));
    } while (stop_tries_again(&tries));
    measurement->warm = tries.began;
    return stop_tries_end(&tries, &measurement->repeated);
}

/* The shortest of several timings of a batch: a timing that the system interrupted is too long. */
static Status probe_batch(Measurement *measurement, double enough, double *seconds) {
    STATUS_TRY(timed_runs(measurement, measurement->batch, seconds));
    for (int i = 1; i < BATCH_PROBES && *seconds >= enough && *seconds < beyond_doubt * enough;
         i++) {
        double again = 0;
        STATUS_TRY(timed_runs(measurement, measurement->batch, &again));
        *seconds = fmin(*seconds, again);
    }
    return status_ok();
}

/* Grows the batch until it is long enough to be timed. The probes are warm-up too. The time limit
 * is for clocks that do not advance. */
static Status find_batch(Measurement *measurement) {
    const double enough = overhead_factor * measurement->timer_overhead;
    const double started = clock_now();
    double seconds = measurement->latest;
    if (seconds < beyond_doubt * enough) {
        STATUS_TRY(probe_batch(measurement, enough, &seconds));
    }
    while (seconds < enough && measurement->batch < BATCH_MAX &&
           clock_now() - started < measurement->options->max_time) {
        const double growth = seconds > 0 ? ceil(enough / seconds) : 2;
        const double batch = (double)measurement->batch * fmax(growth, 2);
        measurement->batch = batch < BATCH_MAX ? (size_t)batch : BATCH_MAX;
        STATUS_TRY(probe_batch(measurement, enough, &seconds));
    }
    measurement->latest = seconds;
    measurement->fastest = seconds / (double)measurement->batch;
    return status_ok();
}

int measure_warmups(const RunOptions *options, double run) {
    return options->warmup > 0 ? options->warmup : run >= middle_sample ? 1 : WARMUP_RUNS;
}

static void start(Measurement *measurement) {
    const int least = measurement->options->min_reps;
    measurement->warm = stops_mark();
    measurement->batch = 1;
    measurement->next_check = (size_t)(least > 1 ? least : 1);
}

static bool is_brief(const RunOptions *options) {
    return options->budget > 0;
}

static bool warms_itself(const RunOptions *options, double seconds) {
    return seconds >= (is_brief(options) ? brief_long_sample : long_sample);
}

bool measure_is_own_warm_up(const Measurement *measurement) {
    return is_brief(measurement->options) && !variant_is_on_cpu(measurement->variant) &&
           measurement->latest >= LONG_RUN;
}

bool measure_begin_known(Measurement *measurement, size_t batch, double run) {
    const RunOptions *options = measurement->options;
    const double sample = run * (double)batch;
    if (!variant_is_on_cpu(measurement->variant) || measurement->threads > 1 || options->cold ||
        options->warmup > 0 || measurement->poisoned != NULL || batch == 0 ||
        !(sample > 0 && !warms_itself(options, sample))) {
        return false;
    }
    start(measurement);
    measurement->batch = batch;
    measurement->latest = sample;
    measurement->fastest = run;
    return true;
}

Status measure_begin(Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const double started = clock_now();
    start(measurement);
    if (measurement->poisoned != NULL || measure_is_own_warm_up(measurement)) {
        return status_ok();
    }
    /* Slow variants are not warmed up for longer than they would be sampled. */
    for (int i = 0; i == 0 || (i < measure_warmups(options, measurement->latest) &&
                               clock_now() - started < options->max_time);
         i++) {
        STATUS_TRY(timed_runs(measurement, 1, &measurement->latest));
        if (interrupt_requested()) {
            return status_ok();
        }
    }
    /* After a first run, which may load code: that waits for the device. */
    if (measurement->variant->backend->runner->hold != NULL &&
        !warms_itself(options, measurement->latest)) {
        measurement->held = true;
        STATUS_TRY(timed_runs(measurement, 1, &measurement->latest));
    }
    /* A batch would warm the caches for itself. */
    return options->cold ? status_ok() : find_batch(measurement);
}

size_t measure_turn_least(const Measurement *measurement) {
    const RunOptions *options = measurement->options;
    return is_brief(options) && !warms_itself(options, measurement->latest) ? 2 : 1;
}

/* Whether the interval of the median is as narrow as asked for. */
static Status is_narrow(const Samples *samples, const RunOptions *options, bool *narrow) {
    double width = NAN;
    STATUS_TRY(samples_half_width(samples, &width));
    *narrow = width <= options->ci_width;
    return status_ok();
}

bool measure_is_long(const RunOptions *options, double seconds) {
    return seconds >= (is_brief(options) ? LONG_RUN_BRIEF : LONG_RUN);
}

/* Samples of one launch that are enough once its time is up. What differs between launches is much
 * more than what differs within one. */
static size_t enough_samples(const Measurement *measurement) {
    if (warms_itself(measurement->options, measurement->latest)) {
        return 1;
    }
    if (!is_brief(measurement->options)) {
        return LAUNCH_SAMPLES;
    }
    const size_t enough = measurement->latest >= middle_sample ? 3 : LAUNCH_SAMPLES;
    return measurement->baseline ? enough - 1 : enough;
}

/* Of a launch; seq has a share of it. */
static double launch_seconds(const Measurement *measurement) {
    static const double baseline_share = 0.12;
    const double seconds = measurement->options->max_time;
    return is_brief(measurement->options) && measurement->baseline ? baseline_share * seconds
                                                                   : seconds;
}

static Status decide(Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const size_t count = measurement->samples.count;
    if (options->reps > 0) {
        measurement->done = count >= (size_t)options->reps;
        return measurement->done
                   ? is_narrow(&measurement->samples, options, &measurement->converged)
                   : status_ok();
    }
    if (options->launches > 1) { /* more samples of one launch would say no more of the next */
        measurement->done = count >= (size_t)options->min_reps ||
                            (measurement->spent >= launch_seconds(measurement) &&
                             count >= enough_samples(measurement));
        return measurement->done
                   ? is_narrow(&measurement->samples, options, &measurement->converged)
                   : status_ok();
    }
    const bool last = measurement->spent >= options->max_time || count >= SAMPLES_MAX;
    if (count < measurement->next_check && !last) {
        return status_ok();
    }
    if (count >= (size_t)options->min_reps) {
        STATUS_TRY(is_narrow(&measurement->samples, options, &measurement->converged));
    }
    /* Each check sorts the samples; growing steps keep their total near n log n. */
    measurement->next_check = count + 1 + count / 8;
    measurement->done |= last || measurement->converged;
    return status_ok();
}

/* Meanwhile other programs had the caches, and an idle device has lowered its clock: as at the
 * beginning of a turn, but at nobody's expense. */
static Status warm_after_stop(Measurement *measurement, Status (*warm)(Measurement *measurement)) {
    Warmth none = {.backend = NULL};
    const double spent = measurement->spent;
    if (!stops_since(&measurement->warm)) {
        return status_ok();
    }
    measurement->warm = stops_mark();
    STATUS_TRY(measure_warm_device(measurement, &none));
    STATUS_TRY(warm(measurement));
    measurement->spent = spent;
    return status_ok();
}

/* With what its caches and its answer's memory have to hold before. */
static Status prepared_sample(Measurement *measurement, double *cpu_seconds) {
    if (measurement->poisoned != NULL) {
        answer_poison(measurement->poisoned, POISON_CANDIDATE);
    }
    if (measurement->options->cold) {
        STATUS_TRY(measurement->variant->backend->runner->flush_caches());
    }
    const double cpu_started = clock_process_cpu();
    STATUS_TRY(timed_once(measurement, measurement->batch, &measurement->latest));
    *cpu_seconds = clock_process_cpu() - cpu_started;
    return status_ok();
}

Status measure_sample(Measurement *measurement) {
    StopTries tries = {.count = 0};
    double started, cpu_seconds;
    do {
        STATUS_TRY(warm_after_stop(measurement, measure_rewarm));
        stop_tries_begin(&tries);
        started = clock_now();
        STATUS_TRY(prepared_sample(measurement, &cpu_seconds));
    } while (stop_tries_again(&tries));
    STATUS_TRY(stop_tries_end(&tries, &measurement->repeated));
    measurement->warm = tries.began;
    measurement->cpu_seconds += cpu_seconds;
    measurement->spent += clock_now() - started;
    const double seconds = measurement->latest / (double)measurement->batch;
    measurement->fastest = fmin(measurement->fastest, seconds);
    STATUS_TRY(samples_add(&measurement->samples, seconds));
    return decide(measurement);
}

/* === Warm-up and progress ===================================================================== */

Status measure_rewarm(Measurement *measurement) {
    if (measurement->options->cold || warms_itself(measurement->options, measurement->latest)) {
        return status_ok();
    }
    const double started = clock_now();
    const double limit = is_brief(measurement->options) ? brief_rewarm : long_sample;
    const int most = measurement->latest >= middle_sample ? 1 : REWARM_MAX;
    double before = 0, seconds = 0, spent = 0;
    for (int i = 0;
         i < most && (i < 2 || (spent < limit && fabs(seconds - before) > warm_step * before));
         i++) {
        before = seconds;
        STATUS_TRY(timed_runs(measurement, measurement->batch, &seconds));
        spent = clock_now() - started;
    }
    measurement->spent += spent;
    return status_ok();
}

static bool is_warm(const Warmth *warmth, const Backend *backend) {
    return warmth->backend == backend && clock_now() - warmth->left <= idle_limit &&
           !stops_since(&warmth->mark);
}

void measure_note_warmth(const Measurement *measurement, Warmth *warmth) {
    const Backend *backend = measurement->variant->backend;
    if (backend != &cpu_backend) {
        *warmth = (Warmth){.backend = backend, .left = clock_now(), .mark = measurement->warm};
    }
}

/* As many runs as fill the time left at the speed of the latest ones, at most twice as many as
 * those. */
static size_t next_runs(size_t runs, double seconds, double left) {
    const double wanted = left * (double)runs / seconds;
    const double most = fmin(2 * (double)runs, WARM_RUNS_MAX);
    return wanted < 1 ? 1 : wanted < most ? (size_t)wanted : (size_t)most;
}

/* Whether a batch takes as long as those before it: the clock is up. Not known of a first one, nor
 * of cold caches, which a batch here would find filled. */
static Status is_at_level(Measurement *measurement, bool *at_level) {
    *at_level = false;
    if (measurement->fastest > 0 && !measurement->options->cold) {
        double seconds = 0;
        STATUS_TRY(timed_runs(measurement, measurement->batch, &seconds));
        *at_level = seconds <= (1 + warm_slack) * measurement->fastest * (double)measurement->batch;
    }
    return status_ok();
}

static Status work_until_warm(Measurement *measurement) {
    const double started = clock_now();
    double worked = 0;
    size_t runs = 1;
    bool at_level = false;
    STATUS_TRY(is_at_level(measurement, &at_level));
    while (!at_level && worked < warm_work && clock_now() - started < warm_limit &&
           !interrupt_requested()) {
        double seconds = 0;
        STATUS_TRY(runs_on_clock(measurement, runs, &seconds));
        worked += seconds;
        runs = next_runs(runs, seconds, warm_work - worked);
    }
    return status_ok();
}

Status measure_warm_device(Measurement *measurement, Warmth *warmth) {
    const Backend *backend = measurement->variant->backend;
    StopTries tries = {.count = 0};
    if (backend == &cpu_backend || is_warm(warmth, backend) ||
        measure_is_own_warm_up(measurement)) {
        return status_ok();
    }
    do {
        stop_tries_begin(&tries);
        STATUS_TRY(work_until_warm(measurement));
    } while (stop_tries_again(&tries));
    measurement->warm = tries.began;
    measure_note_warmth(measurement, warmth);
    return stop_tries_end(&tries, &measurement->repeated);
}

double measure_progress(const Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const double count = (double)measurement->samples.count;
    if (measurement->done) {
        return 1;
    }
    if (options->reps > 0) {
        return count / options->reps;
    }
    /* Half for the minimum number of samples; how many more are needed is unknown. */
    return (fmin(count / options->min_reps, 1) + fmin(measurement->spent / options->max_time, 1)) /
           2;
}

/* === Transfers ================================================================================ */

static Status median_transfer(Measurement *measurement, CallStep call, Status (*step)(void *state),
                              double *median) {
    const Variant *variant = measurement->variant;
    const double limit = is_brief(measurement->options) ? brief_limit : INFINITY;
    double seconds[TRANSFER_SAMPLES], spent = 0;
    size_t count = 0;
    *median = NAN;
    for (; step != NULL && count < TRANSFER_SAMPLES && spent < limit; count++) {
        variant_enter(variant, measurement->state, call);
        STATUS_TRY(
            variant_returned(variant, measure_step(variant->backend, step, measurement->state,
                                                   &seconds[count], &measurement->repeated)));
        spent += seconds[count];
    }
    *median = count > 0 ? median_in_place(seconds, count) : NAN;
    return status_ok();
}

Status measure_transfers(Measurement *measurement, double *upload, double *download) {
    *upload = *download = NAN;
    if (is_whole_pass(measurement->variant, measurement->state)) {
        return status_ok();
    }
    STATUS_TRY(median_transfer(measurement, CALL_UPLOAD, measurement->variant->upload, upload));
    /* Upload may share memory with the answer: compute it again before it is downloaded. */
    STATUS_TRY(variant_run(measurement->variant, measurement->state));
    return median_transfer(measurement, CALL_DOWNLOAD, measurement->variant->download, download);
}

/* === Call ===================================================================================== */

static Status timed_call(Measurement *measurement, double *seconds) {
    const Variant *variant = measurement->variant;
    StopTries tries = {.count = 0};
    do {
        if (measurement->options->cold) {
            STATUS_TRY(variant->backend->runner->flush_caches());
        }
        stop_tries_begin(&tries);
        const double called = clock_now();
        STATUS_TRY(variant_run(variant, measurement->state));
        STATUS_TRY(variant_wait(variant, measurement->state));
        *seconds = clock_now() - called;
    } while (stop_tries_again(&tries));
    return stop_tries_end(&tries, &measurement->repeated);
}

Status measure_call(Measurement *measurement, double *seconds) {
    double taken[CALL_SAMPLES];
    size_t count = 0;
    const double limit = is_brief(measurement->options) ? brief_limit : call_limit;
    const double started = clock_now();
    do {
        STATUS_TRY(timed_call(measurement, &taken[count++]));
    } while (count < CALL_SAMPLES && clock_now() - started < limit && !interrupt_requested());
    *seconds = median_in_place(taken, count);
    return status_ok();
}

/* === End to end =============================================================================== */

bool measure_has_transfers(const Variant *variant) {
    const bool untimed = variant->peer != NULL && variant_is_on_cpu(variant);
    return !untimed &&
           (variant->upload != NULL || variant->download != NULL || variant->stream != NULL);
}

static Status pass_until_answer(const Variant *variant, void *state) {
    return variant->stream != NULL ? variant_stream(variant, state)
                                   : run_until_answer(variant, state, 1);
}

static Status run_end_to_end(const Variant *variant, void *state) {
    STATUS_TRY(pass_until_answer(variant, state));
    return variant_wait(variant, state);
}

Status measure_pass(const Measurement *measurement) {
    return run_end_to_end(measurement->variant, measurement->state);
}

static size_t least_samples(const RunOptions *options) {
    return (size_t)(options->reps > 0 ? options->reps : options->min_reps);
}

static size_t at_most(size_t number, size_t limit) {
    return number < limit ? number : limit;
}

/* The number of end-to-end samples that go with so many kernel samples. */
static size_t end_to_end_share(const Measurement *measurement, size_t kernel) {
    const size_t least = least_samples(measurement->options);
    const size_t wanted = at_most(least, END_TO_END_SAMPLES_MAX);
    return least > 0 ? (kernel * wanted + least - 1) / least : kernel;
}

static bool is_at_limit(const Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const size_t count = measurement->end_to_end.count;
    if (options->reps > 0) {
        return count >= at_most((size_t)options->reps, END_TO_END_SAMPLES_MAX);
    }
    return count >= END_TO_END_SAMPLES_MAX ||
           (count > 0 && measurement->end_to_end_spent >= options->max_time / 4);
}

static bool pass_warms_itself(const Measurement *measurement) {
    return measurement->options->cold ||
           warms_itself(measurement->options, measurement->end_to_end_latest);
}

static Status warm_pass(Measurement *measurement) {
    return pass_warms_itself(measurement) ? status_ok() : measure_pass(measurement);
}

static Status timed_pass(Measurement *measurement) {
    const Variant *variant = measurement->variant;
    if (measurement->options->cold) {
        STATUS_TRY(variant->backend->runner->flush_caches());
    }
    const double started = clock_now();
    STATUS_TRY(pass_until_answer(variant, measurement->state));
    measurement->end_to_end_latest = clock_now() - started;
    return variant_wait(variant, measurement->state);
}

static Status end_to_end_sample(Measurement *measurement) {
    StopTries tries = {.count = 0};
    double started;
    do {
        STATUS_TRY(warm_after_stop(measurement, warm_pass));
        stop_tries_begin(&tries);
        started = clock_now();
        STATUS_TRY(timed_pass(measurement));
    } while (stop_tries_again(&tries));
    STATUS_TRY(stop_tries_end(&tries, &measurement->repeated));
    measurement->warm = tries.began;
    measurement->end_to_end_spent += clock_now() - started;
    return samples_add(&measurement->end_to_end, measurement->end_to_end_latest);
}

static Status decide_end_to_end(Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const size_t count = measurement->end_to_end.count;
    bool enough = is_at_limit(measurement);
    if (!enough && options->launches > 1) {
        enough = count >= (size_t)options->min_reps;
    } else if (!enough && options->reps == 0 && count >= END_TO_END_SAMPLES_MIN) {
        STATUS_TRY(is_narrow(&measurement->end_to_end, options, &enough));
    }
    measurement->end_to_end_done |= enough;
    return status_ok();
}

Status measure_end_to_end(Measurement *measurement, size_t coming) {
    const Samples *samples = &measurement->end_to_end;
    size_t due = end_to_end_share(measurement, measurement->samples.count + coming);
    if (measurement->done && due <= samples->count) {
        due = samples->count + end_to_end_share(measurement, coming);
    }
    if (!measure_has_transfers(measurement->variant) || samples->count >= due ||
        is_at_limit(measurement)) {
        return status_ok();
    }
    const double started = clock_now();
    measurement->warm = stops_mark();
    /* The very first pass through stream() or pageable memory allocates buffers. */
    if (samples->count == 0 || !pass_warms_itself(measurement)) {
        STATUS_TRY(measure_pass(measurement));
    }
    double uncounted = clock_now() - started;
    while (samples->count < due && !is_at_limit(measurement) && !interrupt_requested()) {
        STATUS_TRY(end_to_end_sample(measurement));
        measurement->end_to_end_spent += uncounted;
        uncounted = 0;
    }
    return decide_end_to_end(measurement);
}

bool measure_is_done(const Measurement *measurement) {
    return measurement->done &&
           (measurement->end_to_end_done || !measure_has_transfers(measurement->variant));
}

static Status timed_alloc(const Variant *variant, const Request *request, double *seconds) {
    void *state = NULL;
    STATUS_TRY(variant_ended(variant, request));
    const double started = clock_now();
    call_step(CALL_OPEN);
    STATUS_TRY(variant_returned(variant, variant->open(request, &state)));
    const Status status = run_end_to_end(variant, state);
    *seconds = clock_now() - started;
    variant_close(variant, state);
    return status;
}

/* `spent` is with closing the state. */
static Status alloc_sample(const Variant *variant, const Request *request, Samples *samples,
                           double *spent, size_t *repeated) {
    StopTries tries = {.count = 0};
    double started, seconds;
    do {
        stop_tries_begin(&tries);
        started = clock_now();
        STATUS_TRY(timed_alloc(variant, request, &seconds));
    } while (stop_tries_again(&tries));
    STATUS_TRY(stop_tries_end(&tries, repeated));
    *spent += clock_now() - started;
    return samples_add(samples, seconds);
}

Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          Samples *samples, size_t *repeated) {
    const bool share = options->pass > 0; /* of a measurement over launches */
    const size_t most = share || options->reps == 0 ? ALLOC_SAMPLES : (size_t)options->reps;
    const double limit = share ? alloc_share : options->max_time / 4;
    double spent = 0;
    do {
        STATUS_TRY(alloc_sample(variant, request, samples, &spent, repeated));
    } while (samples->count < most && spent < limit && !interrupt_requested());
    return status_ok();
}

/* === Stages =================================================================================== */

/* Passes that are timed, at most. */
enum { STAGE_PASSES = 5 };

/* Seconds by stage, then by pass. */
typedef double Passes[STAGES_MAX][STAGE_PASSES];

static Status stages_on_clock(const Measurement *measurement, size_t count, size_t pass,
                              Passes *passes) {
    const Variant *variant = measurement->variant;
    const Backend *backend = variant->backend;
    if (measurement->options->cold) {
        STATUS_TRY(backend->runner->flush_caches());
    }
    for (size_t i = 0; i < count; i++) {
        if (measurement->held) {
            STATUS_TRY(backend->runner->hold());
        }
        variant_enter(variant, measurement->state, CALL_STAGE);
        STATUS_TRY(
            variant_returned(variant, step_on_clock(backend, variant->stages[i].run,
                                                    measurement->state, &(*passes)[i][pass])));
    }
    return status_ok();
}

/* A stage may need the result of the one before it: whole passes are repeated. */
static Status time_pass(Measurement *measurement, size_t count, size_t pass, Passes *passes) {
    StopTries tries = {.count = 0};
    do {
        stop_tries_begin(&tries);
        STATUS_TRY(stages_on_clock(measurement, count, pass, passes));
    } while (stop_tries_again(&tries));
    return stop_tries_end(&tries, &measurement->repeated);
}

Status measure_stages(Measurement *measurement, double run_seconds, double seconds[STAGES_MAX]) {
    const size_t count = variant_stage_count(measurement->variant);
    const bool once = measure_is_long(measurement->options, run_seconds);
    Passes passes;
    size_t taken = 0;
    for (size_t i = 0; i < STAGES_MAX; i++) {
        seconds[i] = NAN;
    }
    if (!once) {
        STATUS_TRY(time_pass(measurement, count, 0, &passes));
    }
    const double started = clock_now();
    do {
        STATUS_TRY(time_pass(measurement, count, taken++, &passes));
    } while (!once && taken < STAGE_PASSES && !interrupt_requested() &&
             clock_now() - started < measurement->options->max_time / 4);
    for (size_t i = 0; i < count; i++) {
        seconds[i] = median_in_place(passes[i], taken);
    }
    return status_ok();
}
