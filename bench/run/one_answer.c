#include "one_answer.h"

#include <stdio.h>

#include "default_point.h"
#include "registry.h"
#include "text_list.h"
#include "verify.h"
#include "workload_source.h"

/* What a variant has to get right before its answers are believed, by the kind of its input. */
static const Input proof_inputs[] = {
    [WORKLOAD_IMAGE] = {.kind = WORKLOAD_IMAGE, .name = "texture"},
    [WORKLOAD_IMAGE_SET] = {.kind = WORKLOAD_IMAGE_SET, .name = "digits"},
};
static const SizeSpec proof_sizes[] = {
    [WORKLOAD_IMAGE] = {.name = "64x64", .width = 64, .height = 64},
    [WORKLOAD_IMAGE_SET] = {.name = "64", .width = 28, .height = 28, .images = 64},
};
static const uint64_t proof_seed = 1;

static Status best_cpu_variant(const Algorithm *algorithm, const Variant **variant) {
    Status status = status_skip("%s has no CPU variant", algorithm->name);
    for (size_t i = algorithm->cpu.count; i > 0; i--) {
        *variant = &algorithm->cpu.rows[i - 1];
        status = registry_variant_available(*variant);
        if (status_is_ok(&status)) {
            break;
        }
    }
    return status;
}

Status one_answer_variant(const Algorithm *algorithm, const char *name, const Variant **variant) {
    if (name == NULL) {
        return best_cpu_variant(algorithm, variant);
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

Status one_answer_run(const Variant *variant, const Request *request) {
    void *state = NULL;
    STATUS_TRY(variant->open(request, &state));
    Status status = run_once(variant, state);
    if (status_is_ok(&status)) {
        status = check_all_guards(variant);
    }
    variant->close(state);
    return status;
}

Status one_answer_compute(const Algorithm *algorithm, const Variant *variant,
                          const Workload *workload, const Point *answer, Output *output) {
    Point tuning;
    OutputLayout layout = {.count = 0};
    STATUS_TRY(default_point(variant->tuning, workload, &tuning));
    STATUS_TRY(algorithm->output_layout(workload, answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, output));
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &tuning, .output = output};
    answer_poison(output, POISON_CANDIDATE);
    const Status status = one_answer_run(variant, &request);
    if (!status_is_ok(&status)) {
        answer_release_guarded(output);
    }
    return status;
}

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

Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer) {
    const WorkloadKind kind = algorithm->input;
    Workload workload;
    Output got;
    STATUS_TRY(workload_load(&proof_inputs[kind], &proof_sizes[kind], proof_seed, &workload));
    Status status = one_answer_compute(algorithm, variant, &workload, answer, &got);
    if (status_is_ok(&status)) {
        status = one_answer_check(algorithm, variant, &workload, answer, &got);
        answer_release_guarded(&got);
    }
    workload_release(&workload);
    return status.code == STATUS_SKIP ? status_ok() : status;
}
