/* One verified answer of a variant, for applications. */

#include "algorithm.h"
#include "calls.h"
#include "clock.h"
#include "harness.h"
#include "inputs.h"
#include "measure.h"
#include "registry.h"
#include "size_spec.h"
#include "text.h"
#include "verify.h"

/* === Choosing a variant ======================================================================= */

/* Seconds: a longer run is its own warm-up; kernel time that warms up shorter ones, and the limit
 * of the host's time for that. */
static const double long_run = 0.1, warming = 0.05, warming_patience = 0.25;

enum { TIMED_RUNS = 5 };

/* The last of the first `count` rows that can run here. CPU rows come first. */
static Status last_available(const Algorithm *algorithm, size_t count, const Variant **variant) {
    Status status = status_skip("%s has no CPU variant", algorithm->name);
    for (size_t i = count; i > 0; i--) {
        *variant = registry_variant(algorithm, i - 1);
        status = registry_variant_available(*variant);
        if (status_is_ok(&status)) {
            break;
        }
    }
    return status;
}

Status one_answer_fastest(const Algorithm *algorithm, const Variant **variant) {
    return last_available(algorithm, registry_variant_count(algorithm), variant);
}

Status one_answer_variant(const Algorithm *algorithm, const char *name, const Variant **variant) {
    if (name == NULL) {
        return last_available(algorithm, algorithm->cpu.count, variant);
    }
    *variant = registry_find_variant(algorithm, name);
    if (*variant != NULL) {
        const Status status = registry_variant_available(*variant);
        return status_is_ok(&status)
                   ? status
                   : status_make(status.code, "%s cannot run: %s", name, status.why);
    }
    char known[STATUS_WHY_SIZE / 2] = "";
    for (size_t i = 0; i < registry_variant_count(algorithm); i++) {
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ",
                    registry_variant(algorithm, i)->name);
    }
    return status_make(STATUS_USAGE, "'%.40s' is no variant of %s (there are %s)", name,
                       algorithm->name, known);
}

/* === Running ================================================================================== */

/* Median of the last runs; those before them warm the caches and raise a device's clock. A long run
 * is timed once. */
static Status time_runs(const Variant *variant, void *state, double *seconds) {
    const double started = clock_now();
    double runs[TIMED_RUNS];
    double spent = 0;
    for (size_t i = 0;
         i <= TIMED_RUNS || (spent < warming && clock_now() - started < warming_patience); i++) {
        variant_enter(variant, state, CALL_RUN);
        STATUS_TRY(variant_returned(
            variant, measure_step(variant->backend, variant->run, state, seconds, NULL)));
        if (*seconds > long_run) {
            return status_ok();
        }
        runs[i % TIMED_RUNS] = *seconds;
        spent += *seconds;
    }
    *seconds = median_in_place(runs, TIMED_RUNS);
    return status_ok();
}

static Status run_timed(const Variant *variant, void *state, double *seconds) {
    STATUS_TRY(variant_upload(variant, state));
    STATUS_TRY(time_runs(variant, state, seconds));
    STATUS_TRY(variant_download(variant, state));
    return variant_wait(variant, state);
}

/* `seconds` may be NULL. */
static Status run_request(const Variant *variant, const Request *request, double *seconds) {
    void *state = NULL;
    STATUS_TRY(variant_open(variant, request, &state));
    Status status = seconds != NULL ? run_timed(variant, state, seconds) : run_once(variant, state);
    STATUS_THEN(status, check_all_guards(variant, request->output));
    variant_close(variant, state);
    return status;
}

Status one_answer_run(const Variant *variant, const Request *request) {
    return run_request(variant, request, NULL);
}

/* `seconds` may be NULL. */
static Status compute(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                      const Point *answer, Output *output, double *seconds) {
    Point tuning;
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    STATUS_TRY(default_point(variant->tuning, workload, &tuning));
    STATUS_TRY(algorithm_layout(algorithm, workload, answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, output));
    const Request request = {.struct_bytes = sizeof(Request),
                             .workload = workload,
                             .answer = answer,
                             .tuning = &tuning,
                             .output = output};
    answer_poison(output, POISON_CANDIDATE);
    const Status status = run_request(variant, &request, seconds);
    if (!status_is_ok(&status)) {
        answer_release_guarded(output);
    }
    return status;
}

Status one_answer_compute(const Algorithm *algorithm, const Variant *variant,
                          const Workload *workload, const Point *answer, Output *output) {
    return compute(algorithm, variant, workload, answer, output, NULL);
}

Status one_answer_best(const char *algorithm, const Workload *workload,
                       const char *const settings[][2], Output *output) {
    const Algorithm *found = registry_find_algorithm(algorithm);
    const Variant *variant = NULL;
    Point point;
    STATUS_TRY(one_answer_variant(found, NULL, &variant));
    STATUS_TRY(default_point(found->answer, workload, &point));
    for (size_t i = 0; settings[i][0] != NULL; i++) {
        STATUS_TRY(point_set(settings[i][0], settings[i][1], workload, &point));
    }
    return one_answer_compute(found, variant, workload, &point, output);
}

Status one_answer_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                       const Point *answer, Output *output, double *seconds) {
    return compute(algorithm, variant, workload, answer, output, seconds);
}

/* === Comparing with the oracle ================================================================ */

Status one_answer_check(const Algorithm *algorithm, const Variant *variant,
                        const Workload *workload, const Point *answer, const Output *got) {
    const Variant *oracle = registry_variant(algorithm, 0);
    Output want;
    Verdict verdict;
    if (variant == oracle) {
        return status_ok();
    }
    STATUS_TRY(one_answer_compute(algorithm, oracle, workload, answer, &want));
    answer_compare(algorithm, variant, answer, got, &want, &verdict);
    answer_release_guarded(&want);
    return verdict.accepted ? status_ok()
                            : status_fail("%s gave a wrong answer: %s", variant->name, verdict.why);
}

/* The size of the synthetic input that a variant is checked on, by kind. */
static const SizeSpec proof_sizes[] = {
    [WORKLOAD_IMAGE] = {.name = "64x64", .width = 64, .height = 64},
    [WORKLOAD_IMAGE_SET] = {.name = "64", .width = 28, .height = 28, .images = 64},
    [WORKLOAD_KEYPOINTS] = {.name = "640x480", .width = 640, .height = 480},
    [WORKLOAD_DESCRIPTORS] = {.name = "1024", .images = 1024},
};
static const uint64_t proof_seed = 1;

Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer) {
    const WorkloadKind kind = algorithm->input;
    const Input input = input_default(algorithm);
    Workload workload;
    Output got;
    STATUS_TRY(workload_load(&input, &proof_sizes[kind], proof_seed, &workload));
    Status status = one_answer_compute(algorithm, variant, &workload, answer, &got);
    if (status_is_ok(&status)) {
        status = one_answer_check(algorithm, variant, &workload, answer, &got);
        answer_release_guarded(&got);
    }
    workload_release(&workload);
    return status.code == STATUS_SKIP ? status_ok() : status;
}
