/* The oracle of a workload and an answer point, and the history of run times that it is chosen by.
 */

#include "oracle.h"
#include "algorithm.h"
#include "calls.h"
#include "harness.h"
#include "inputs.h"
#include "measure.h"
#include "proofs.h"
#include "registry.h"
#include "row.h"
#include "verify.h"

#include <math.h>
#include <string.h>

/* === History ================================================================================== */

double cost_work(const Cost *cost) {
    if (cost->oracle_work > 0) {
        return cost->oracle_work;
    }
    return cost->operations > 0 ? cost->operations : cost->bytes;
}

static const Verified *find_verified(const History *history, const Variant *variant,
                                     const Point *tuning) {
    for (size_t i = 0; i < history->verified_count; i++) {
        const Verified *entry = &history->verified[i];
        if (entry->variant == variant && point_equal(&entry->tuning, tuning)) {
            return entry;
        }
    }
    return NULL;
}

static Verified *open_verified(History *history, const Variant *variant, const Point *tuning) {
    const Verified *known = find_verified(history, variant, tuning);
    if (known != NULL) {
        return (Verified *)known;
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
    Verified *entry = open_verified(history, variant, tuning);
    if (entry != NULL && work >= entry->work) {
        entry->algorithm = algorithm;
        entry->work = work;
        entry->seconds = seconds;
    }
}

static SeqRate *find_rate(History *history, const Algorithm *algorithm) {
    for (size_t i = 0; i < history->rate_count; i++) {
        if (history->rates[i].algorithm == algorithm) {
            return &history->rates[i];
        }
    }
    return NULL;
}

const SeqRate *history_rate(const History *history, const Algorithm *algorithm) {
    return find_rate((History *)history, algorithm);
}

void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where) {
    SeqRate *rate = find_rate(history, algorithm);
    if (rate == NULL && history->rate_count < HISTORY_ALGORITHMS_MAX && work > 0) {
        rate = &history->rates[history->rate_count++];
        *rate = (SeqRate){.algorithm = algorithm};
    }
    /* A run without work has no rate. */
    if (rate != NULL && work > 0 && work >= rate->work) {
        rate->work = work;
        rate->seconds = seconds;
        snprintf(rate->where, sizeof rate->where, "%s", where);
    }
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

double history_times_slower(const History *history, const Algorithm *algorithm,
                            const Variant *variant, const Point *tuning) {
    const Verified *fastest = history_fastest(history, algorithm);
    const Verified *own = find_verified(history, variant, tuning);
    return own != NULL ? own->seconds / own->work / (fastest->seconds / fastest->work) : NAN;
}

/* === Tasks ==================================================================================== */

/* What an oracle is computed for: the whole workload, or a crop of it to learn from. */
typedef struct Task {
    History *history;
    const Algorithm *algorithm;
    const Workload *workload;
    const Point *answer;
} Task;

/* A crop of a task's workload; does not move. */
typedef struct Crop {
    Workload workload;
    Point point; /* the algorithm's default one, where the task's has no answer */
    Task task;
} Crop;

/* Pixels along a side, or images of a set. */
enum { CROP_SIDE_MIN = 128, CROP_SIDE_MAX = 1024 };

/* Seconds of a run that is long enough to know a rate by. */
static const double probe_seconds = 0.02;

static const Point no_tuning = {.struct_bytes = sizeof(Point)};

static const Variant *seq_of(const Algorithm *algorithm) {
    return &algorithm->cpu.rows[0];
}

static double work_of(const Task *task) {
    const Cost cost = algorithm_cost(task->algorithm, task->workload, task->answer);
    return cost_work(&cost);
}

static Status layout_of(const Task *task, const Point *answer, OutputLayout *layout) {
    return algorithm_layout(task->algorithm, task->workload, answer, layout);
}

static bool has_answer(const Task *task, const Point *answer) {
    OutputLayout layout;
    const Status status = layout_of(task, answer, &layout);
    return status_is_ok(&status);
}

/* A crop too small for an answer at the task's point (a box larger than the crop) gets the default
 * point: the rate of seq can be learned from any. */
static void make_crop(const Task *task, int32_t side, Crop *crop) {
    crop->workload = workload_crop(task->workload, side);
    crop->task = *task;
    crop->task.workload = &crop->workload;
    if (!has_answer(&crop->task, task->answer)) {
        const Status status = default_point(task->algorithm->answer, &crop->workload, &crop->point);
        if (status_is_ok(&status) && has_answer(&crop->task, &crop->point)) {
            crop->task.answer = &crop->point;
        }
    }
}

/* Runs a freshly opened variant once into `output`; the seconds of upload, run and download. */
static Status run_fresh(const Task *task, const Variant *variant, const Point *tuning,
                        uint8_t pattern, const Output *output, double *seconds) {
    const Request request = {.struct_bytes = sizeof(Request),
                             .workload = task->workload,
                             .answer = task->answer,
                             .tuning = tuning,
                             .output = output};
    void *state = NULL;
    STATUS_TRY(variant_open(variant, &request, &state));
    Status status = run_on_poison(variant, state, output, pattern, seconds);
    STATUS_THEN(status, check_all_guards(variant, output));
    variant_close(variant, state);
    return status;
}

static Status run_seq(const Task *task, const Output *output, double *seconds) {
    return run_fresh(task, seq_of(task->algorithm), &no_tuning, POISON_ORACLE, output, seconds);
}

/* === The rate of seq ========================================================================== */

static Status time_second(const Task *task, const Variant *variant, const Point *tuning,
                          double *seconds) {
    OutputLayout layout;
    Output output;
    STATUS_TRY(layout_of(task, task->answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &output));
    Status status = run_fresh(task, variant, tuning, POISON_ORACLE, &output, seconds);
    STATUS_THEN(status, run_fresh(task, variant, tuning, POISON_ORACLE, &output, seconds));
    answer_release_guarded(&output);
    return status;
}

Status oracle_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                   const Point *answer, const Point *tuning, double *seconds) {
    const Task task = {NULL, algorithm, workload, answer};
    return time_second(&task, variant, tuning, seconds);
}

void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer) {
    const Task whole = {history, algorithm, workload, answer};
    if (history_rate(history, algorithm) != NULL) {
        return;
    }
    for (int32_t side = CROP_SIDE_MIN; side <= CROP_SIDE_MAX; side *= 2) {
        Crop crop;
        make_crop(&whole, side, &crop);
        /* Where smaller crops have no answer at this point it may take far longer than they did. */
        if (history_estimate(history, algorithm, work_of(&crop.task)) > LONG_RUN) {
            return;
        }
        double seconds = 0;
        const Status status = time_second(&crop.task, seq_of(algorithm), &no_tuning, &seconds);
        if (status_is_ok(&status)) {
            history_note_seq(history, algorithm, work_of(&crop.task), seconds,
                             crop.workload.size_name);
        }
        if (workload_crop_is_whole(&crop.workload, workload) ||
            (status_is_ok(&status) && seconds >= probe_seconds)) {
            return;
        }
    }
}

/* === Stand-ins ================================================================================ */

/* The least seconds of some runs: one of microseconds may be interrupted. */
static Status time_fresh(const Task *task, const Variant *variant, const Point *tuning,
                         const Output *output, double *least) {
    enum { RUNS = 5 };
    static const double enough = 0.01;
    double spent = 0;
    *least = INFINITY;
    for (int i = 0; i < RUNS && spent < enough; i++) {
        double seconds = 0;
        STATUS_TRY(run_fresh(task, variant, tuning, POISON_CANDIDATE, output, &seconds));
        *least = fmin(*least, seconds);
        spent += seconds;
    }
    return status_ok();
}

/* Adds a CPU variant to the history if its answer is right. */
static Status try_candidate(const Task *task, const Variant *variant, const Output *got,
                            const Output *want) {
    Point tuning;
    double seconds = 0, agreement = 0;
    STATUS_TRY(registry_variant_available(variant));
    STATUS_TRY(default_point(variant->tuning, task->workload, &tuning));
    STATUS_TRY(run_fresh(task, variant, &tuning, POISON_CANDIDATE, got, &seconds));
    STATUS_TRY(verify_answer(task->algorithm, variant, task->answer, got, want, &agreement));
    STATUS_TRY(time_fresh(task, variant, &tuning, got, &seconds));
    history_note_verified(task->history, task->algorithm, variant, &tuning, work_of(task), seconds);
    return status_ok();
}

static Status try_candidates(const Task *task, const Output *got, const Output *want) {
    const Algorithm *algorithm = task->algorithm;
    double seconds = 0;
    STATUS_TRY(run_seq(task, got, &seconds));
    memcpy(want->data, got->data, got->layout.bytes);
    Status last = status_ok();
    for (size_t i = 1; i < algorithm->cpu.count; i++) {
        const Variant *variant = &algorithm->cpu.rows[i];
        if (variant->backend == seq_of(algorithm)->backend) {
            /* One that cannot run or is wrong is no candidate; its own row will have the reason. */
            last = try_candidate(task, variant, got, want);
        }
    }
    return history_fastest(task->history, algorithm) != NULL ? status_ok() : last;
}

static Status verify_candidates(const Task *task) {
    OutputLayout layout;
    Output got = {0};
    Output want = {0};
    STATUS_TRY(layout_of(task, task->answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &got));
    Status status = answer_alloc_plain(&layout, &want);
    STATUS_THEN(status, try_candidates(task, &got, &want));
    answer_release_plain(&want);
    answer_release_guarded(&got);
    return status;
}

/* Verifies the CPU variants on the largest crop on which seq takes at most `usual` seconds; where
 * there is none, on the smallest, if it takes at most `most`. */
static Status verify_on_crop(const Task *task, double usual, double most) {
    for (int32_t side = CROP_SIDE_MAX; side >= CROP_SIDE_MIN / 2; side /= 2) {
        Crop crop;
        make_crop(task, side, &crop);
        const double limit = side > CROP_SIDE_MIN / 2 ? usual : most;
        if (history_estimate(task->history, task->algorithm, work_of(&crop.task)) <= limit) {
            return verify_candidates(&crop.task);
        }
    }
    return status_skip("seq is too slow even on a small part of the input");
}

/* === Limits =================================================================================== */

double long_runs_left(const RunOptions *options, double taken) {
    return options->max_long > 0 ? fmax(options->max_long - taken, LONG_RUN_BRIEF) : INFINITY;
}

/* Of a run of seq on a crop; what is verified there is no measurement yet. */
static double crop_limit(const RunOptions *options) {
    static const double share = 0.1;
    return fmin(fmax(share * long_runs_left(options, 0), LONG_RUN_BRIEF), options->max_cell);
}

/* The same of the smallest crop: without it there is no answer at all. */
static double last_crop_limit(const RunOptions *options) {
    return fmin(fmax(long_runs_left(options, 0), LONG_RUN), options->max_cell);
}

double oracle_limit(const RunOptions *options) {
    return fmin(long_runs_left(options, 0), options->max_cell);
}

/* === The oracle itself ======================================================================== */

static Status keep_answer(const Task *task, const Output *scratch, Oracle *oracle) {
    const Status status = answer_alloc_plain(&scratch->layout, &oracle->answer);
    if (status_is_ok(&status)) {
        memcpy(oracle->answer.data, scratch->data, scratch->layout.bytes);
    } else if (status.code == STATUS_SKIP && task->algorithm->compare == NULL) {
        oracle->digest = answer_digest(task->algorithm, scratch);
        return status_ok();
    }
    return status;
}

static Status compute_by_seq(const Task *task, const Output *scratch, double expected,
                             const SeqSample *sample, Oracle *oracle) {
    snprintf(oracle->by, sizeof oracle->by, "%s", seq_of(task->algorithm)->name);
    if (sample != NULL) {
        STATUS_TRY(sample->take(sample->context, expected, &oracle->seconds));
    }
    if (!(oracle->seconds > 0)) {
        STATUS_TRY(run_seq(task, scratch, &oracle->seconds));
    }
    history_note_seq(task->history, task->algorithm, work_of(task), oracle->seconds,
                     task->workload->size_name);
    return keep_answer(task, scratch, oracle);
}

static Status compute_by_stand_in(const Task *task, const RunOptions *options,
                                  const Output *scratch, Oracle *oracle) {
    if (history_fastest(task->history, task->algorithm) == NULL) {
        const Status status = verify_on_crop(task, crop_limit(options), last_crop_limit(options));
        if (history_fastest(task->history, task->algorithm) == NULL) {
            return status_skip(
                "%.200s, and no other CPU variant could be verified in its place%s%s", oracle->why,
                status.why[0] != '\0' ? ": " : "", status.why);
        }
    }
    const Verified *fastest = history_fastest(task->history, task->algorithm);
    variant_label(fastest->variant, &fastest->tuning, oracle->by, sizeof oracle->by);
    STATUS_TRY(run_fresh(task, fastest->variant, &fastest->tuning, POISON_ORACLE, scratch,
                         &oracle->seconds));
    return keep_answer(task, scratch, oracle);
}

void oracle_limit_text(const RunOptions *options, char text[ORACLE_LIMIT_SIZE]) {
    if (oracle_limit(options) < options->max_cell) {
        snprintf(text, ORACLE_LIMIT_SIZE,
                 "the %.3g s that the budget leaves for long runs (--max-cell allows more)",
                 oracle_limit(options));
    } else {
        snprintf(text, ORACLE_LIMIT_SIZE, "--max-cell %g s", options->max_cell);
    }
}

Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      const SeqSample *sample, Oracle *oracle) {
    const Task task = {history, algorithm, workload, answer};
    *oracle = (Oracle){.stood_in = false};
    STATUS_TRY(registry_variant_available(seq_of(algorithm)));
    oracle_probe(history, algorithm, workload, answer);
    const double estimate = history_estimate(history, algorithm, work_of(&task));
    if (!(estimate > oracle_limit(options))) {
        return compute_by_seq(&task, scratch, estimate,
                              measure_is_long(options, estimate) ? sample : NULL, oracle);
    }
    const SeqRate *rate = history_rate(history, algorithm);
    char limit[ORACLE_LIMIT_SIZE];
    oracle_limit_text(options, limit);
    oracle->stood_in = true;
    snprintf(oracle->why, sizeof oracle->why,
             "one run of %s would take about %.3g s (from %.3g s at %s), more than %s",
             seq_of(algorithm)->name, estimate, rate->seconds, rate->where, limit);
    return compute_by_stand_in(&task, options, scratch, oracle);
}

void oracle_release(Oracle *oracle) {
    answer_release_plain(&oracle->answer);
}

/* === The oracle of a changed input ============================================================ */

typedef struct OtherTask {
    Task task;
    const Output *scratch;
} OtherTask;

static Status compute_other(void *context) {
    const OtherTask *other = context;
    double seconds = 0;
    return run_seq(&other->task, other->scratch, &seconds);
}

Status oracle_of_other(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                       const Output *scratch, const Output *first, uint64_t digest,
                       OtherInput *other) {
    OtherTask task = {.task = {.algorithm = algorithm, .workload = workload, .answer = answer},
                      .scratch = scratch};
    const OtherRequest request = {.algorithm = algorithm,
                                  .workload = workload,
                                  .answer = answer,
                                  .scratch = scratch,
                                  .first = first,
                                  .digest = digest,
                                  .compute = compute_other,
                                  .context = &task};
    return other_input_make(&request, other);
}
