/* The oracle of a workload and an answer point, and what earlier cells tell about its time. */

#include "run_internal.h"

#include <math.h>
#include <string.h>

/* === History ================================================================================== */

double cost_work(const Cost *cost) {
    if (cost->oracle_work > 0) {
        return cost->oracle_work;
    }
    return cost->operations > 0 ? cost->operations : cost->bytes;
}

static Verified *find_verified(History *history, const Variant *variant, const Point *tuning) {
    for (size_t i = 0; i < history->verified_count; i++) {
        Verified *entry = &history->verified[i];
        if (entry->variant == variant && point_equal(&entry->tuning, tuning)) {
            return entry;
        }
    }
    if (history->verified_count == HISTORY_VARIANTS_MAX) {
        return NULL; /* more candidates than will ever be needed */
    }
    Verified *entry = &history->verified[history->verified_count++];
    *entry = (Verified){.variant = variant, .tuning = *tuning};
    return entry;
}

void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds) {
    Verified *entry = find_verified(history, variant, tuning);
    if (entry != NULL && work >= entry->work) {
        entry->algorithm = algorithm;
        entry->work = work;
        entry->seconds = seconds;
    }
}

void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where) {
    /* Nothing is learned about a rate where there was nothing to do. */
    if (!(work > 0)) {
        return;
    }
    SeqRate *rate = NULL;
    for (size_t i = 0; i < history->rate_count; i++) {
        if (history->rates[i].algorithm == algorithm) {
            rate = &history->rates[i];
        }
    }
    if (rate == NULL) {
        if (history->rate_count == HISTORY_ALGORITHMS_MAX) {
            return;
        }
        rate = &history->rates[history->rate_count++];
        *rate = (SeqRate){.algorithm = algorithm};
    }
    if (work >= rate->work) {
        rate->work = work;
        rate->seconds = seconds;
        snprintf(rate->where, sizeof rate->where, "%s", where);
    }
}

const SeqRate *history_rate(const History *history, const Algorithm *algorithm) {
    for (size_t i = 0; i < history->rate_count; i++) {
        if (history->rates[i].algorithm == algorithm) {
            return &history->rates[i];
        }
    }
    return NULL;
}

double history_estimate(const History *history, const Algorithm *algorithm, double work) {
    const SeqRate *rate = history_rate(history, algorithm);
    return rate != NULL && rate->work > 0 ? rate->seconds / rate->work * work : NAN;
}

const Verified *history_fastest(const History *history, const Algorithm *algorithm) {
    const Verified *best = NULL;
    for (size_t i = 0; i < history->verified_count; i++) {
        const Verified *entry = &history->verified[i];
        if (entry->algorithm == algorithm &&
            (best == NULL || entry->seconds / entry->work < best->seconds / best->work)) {
            best = entry;
        }
    }
    return best;
}

/* === Oracle =================================================================================== */

/* Pixels along a side, or pictures of a set. */
enum { CROP_SIDE_MIN = 128, CROP_SIDE_MAX = 1024 };

/* A run this long is long enough to know a rate by. */
static const double probe_seconds = 0.02;

static const Variant *seq_of(const Algorithm *algorithm) {
    return &algorithm->cpu.rows[0];
}

/* One run of a freshly opened state into `output`, and how long upload, run and download took. */
static Status run_fresh(const Variant *variant, const Request *request, uint8_t pattern,
                        double *seconds) {
    void *state = NULL;
    STATUS_TRY(variant_open(variant, request, &state));
    Status status = poison_everything(variant, request->output, pattern);
    const double started = clock_now();
    if (status_is_ok(&status)) {
        status = run_once(variant, state);
    }
    *seconds = clock_now() - started;
    if (status_is_ok(&status)) {
        status = check_all_guards(variant);
    }
    variant->close(state);
    return status;
}

/* --- Small workloads, to learn from ----------------------------------------------------------- */

static bool has_answer(const Algorithm *algorithm, const Workload *workload, const Point *answer) {
    OutputLayout layout = {0};
    const Status status = algorithm->output_layout(workload, answer, &layout);
    return status_is_ok(&status);
}

/* The answer point, or, where the crop is too small to have an answer there (a box larger than it),
 * the default one, kept in `other`: what seq does in a second is learned from any. */
static const Point *point_for_crop(const Algorithm *algorithm, const Workload *crop,
                                   const Point *answer, Point *other) {
    if (has_answer(algorithm, crop, answer)) {
        return answer;
    }
    const Status status = default_point(algorithm->answer, crop, other);
    return status_is_ok(&status) && has_answer(algorithm, crop, other) ? other : answer;
}

/* Seconds of the second of two runs of seq on the crop. */
static Status time_crop(const Algorithm *algorithm, const Workload *crop, const Point *answer,
                        double *seconds) {
    OutputLayout layout = {0};
    STATUS_TRY(algorithm->output_layout(crop, answer, &layout));
    Output output;
    STATUS_TRY(answer_alloc_guarded(&layout, &output));
    const Point tuning = {0};
    const Request request = {
        .workload = crop, .answer = answer, .tuning = &tuning, .output = &output};
    Status status = run_fresh(seq_of(algorithm), &request, POISON_ORACLE, seconds);
    if (status_is_ok(&status)) {
        status = run_fresh(seq_of(algorithm), &request, POISON_ORACLE, seconds);
    }
    answer_release_guarded(&output);
    return status;
}

void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer) {
    if (history_rate(history, algorithm) != NULL) {
        return;
    }
    for (int32_t side = CROP_SIDE_MIN; side <= CROP_SIDE_MAX; side *= 2) {
        const Workload crop = workload_crop(workload, side);
        Point other;
        const Point *point = point_for_crop(algorithm, &crop, answer, &other);
        double seconds = 0;
        const Status status = time_crop(algorithm, &crop, point, &seconds);
        if (status_is_ok(&status)) {
            const Cost cost = algorithm->cost(&crop, point);
            history_note_seq(history, algorithm, cost_work(&cost), seconds, crop.size_name);
        }
        if (workload_crop_is_whole(&crop, workload) ||
            (status_is_ok(&status) && seconds >= probe_seconds)) {
            return;
        }
    }
}

static Status try_candidate(History *history, const Algorithm *algorithm, const Variant *variant,
                            const Workload *crop, const Point *answer, const Output *got,
                            const Output *want) {
    Point tuning;
    STATUS_TRY(registry_variant_available(variant));
    STATUS_TRY(default_point(variant->tuning, crop, &tuning));
    const Request request = {.workload = crop, .answer = answer, .tuning = &tuning, .output = got};
    double seconds = 0;
    double agreement = 0;
    STATUS_TRY(run_fresh(variant, &request, POISON_CANDIDATE, &seconds));
    STATUS_TRY(verify_answer(algorithm, variant, answer, got, want, &agreement));
    STATUS_TRY(run_fresh(variant, &request, POISON_CANDIDATE, &seconds));
    const Cost cost = algorithm->cost(crop, answer);
    history_note_verified(history, algorithm, variant, &tuning, cost_work(&cost), seconds);
    return status_ok();
}

static Status try_candidates(History *history, const Algorithm *algorithm, const Workload *crop,
                             const Point *answer, const Output *got, const Output *want) {
    const Point none = {0};
    const Request request = {.workload = crop, .answer = answer, .tuning = &none, .output = got};
    double seconds = 0;
    STATUS_TRY(run_fresh(seq_of(algorithm), &request, POISON_ORACLE, &seconds));
    memcpy(want->data, got->data, got->layout.bytes);
    Status last = status_ok();
    for (size_t i = 1; i < algorithm->cpu.count; i++) {
        const Variant *variant = &algorithm->cpu.rows[i];
        if (variant->backend == seq_of(algorithm)->backend) {
            /* One that cannot run or is wrong is no candidate; its own row will say why. */
            last = try_candidate(history, algorithm, variant, crop, answer, got, want);
        }
    }
    return history_fastest(history, algorithm) != NULL ? status_ok() : last;
}

static Status verify_on(History *history, const Algorithm *algorithm, const Workload *crop,
                        const Point *answer) {
    OutputLayout layout = {0};
    Output got = {0};
    Output want = {0};
    STATUS_TRY(algorithm->output_layout(crop, answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &got));
    Status status = answer_alloc_plain(&layout, &want);
    if (status_is_ok(&status)) {
        status = try_candidates(history, algorithm, crop, answer, &got, &want);
    }
    answer_release_plain(&want);
    answer_release_guarded(&got);
    return status;
}

/* Verifies the CPU variants on the largest crop on which seq is quick. */
static Status verify_on_crop(History *history, double max_seconds, const Algorithm *algorithm,
                             const Workload *workload, const Point *answer) {
    for (int32_t side = CROP_SIDE_MAX; side >= CROP_SIDE_MIN / 2; side /= 2) {
        const Workload crop = workload_crop(workload, side);
        Point other;
        const Point *point = point_for_crop(algorithm, &crop, answer, &other);
        const Cost cost = algorithm->cost(&crop, point);
        if (history_estimate(history, algorithm, cost_work(&cost)) <= max_seconds) {
            return verify_on(history, algorithm, &crop, point);
        }
    }
    return status_skip("seq is too slow even on a small part of the input");
}

/* --- The oracle itself ------------------------------------------------------------------------ */

static Status keep_answer(const Output *scratch, Oracle *oracle) {
    STATUS_TRY(answer_alloc_plain(&scratch->layout, &oracle->answer));
    memcpy(oracle->answer.data, scratch->data, scratch->layout.bytes);
    return status_ok();
}

static Status compute_by_seq(History *history, const Algorithm *algorithm, const Request *request,
                             double work, Oracle *oracle) {
    double seconds = 0;
    snprintf(oracle->by, sizeof oracle->by, "%s", seq_of(algorithm)->name);
    STATUS_TRY(run_fresh(seq_of(algorithm), request, POISON_ORACLE, &seconds));
    history_note_seq(history, algorithm, work, seconds, request->workload->size_name);
    return keep_answer(request->output, oracle);
}

static Status compute_by_stand_in(History *history, const RunOptions *options,
                                  const Algorithm *algorithm, const Request *request,
                                  Oracle *oracle) {
    if (history_fastest(history, algorithm) == NULL) {
        const Status status = verify_on_crop(history, options->max_cell, algorithm,
                                             request->workload, request->answer);
        if (history_fastest(history, algorithm) == NULL) {
            return status_skip(
                "%.200s, and no other CPU variant could be verified in its place%s%s", oracle->why,
                status.why[0] != '\0' ? ": " : "", status.why);
        }
    }
    const Verified *fastest = history_fastest(history, algorithm);
    const Request stand_in = {.workload = request->workload,
                              .answer = request->answer,
                              .tuning = &fastest->tuning,
                              .output = request->output};
    double seconds = 0;
    variant_label(fastest->variant, &fastest->tuning, oracle->by, sizeof oracle->by);
    STATUS_TRY(run_fresh(fastest->variant, &stand_in, POISON_ORACLE, &seconds));
    return keep_answer(request->output, oracle);
}

Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      Oracle *oracle) {
    *oracle = (Oracle){.stood_in = false};
    const Point none = {0};
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &none, .output = scratch};
    STATUS_TRY(registry_variant_available(seq_of(algorithm)));
    oracle_probe(history, algorithm, workload, answer);
    const Cost cost = algorithm->cost(workload, answer);
    const double work = cost_work(&cost);
    const double estimate = history_estimate(history, algorithm, work);
    if (!(estimate > options->max_cell)) {
        return compute_by_seq(history, algorithm, &request, work, oracle);
    }
    const SeqRate *rate = history_rate(history, algorithm);
    oracle->stood_in = true;
    snprintf(oracle->why, sizeof oracle->why,
             "one run of %s would take about %.3g s (from %.3g s at %s), more than --max-cell %g s",
             seq_of(algorithm)->name, estimate, rate->seconds, rate->where, options->max_cell);
    return compute_by_stand_in(history, options, algorithm, &request, oracle);
}

void oracle_release(Oracle *oracle) {
    answer_release_plain(&oracle->answer);
}
