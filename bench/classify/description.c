#include "description.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "registry.h"
#include "text_list.h"
#include "verify.h"

enum { HISTOGRAM_PART = 0 };

const Algorithm *description_algorithm(void) {
    return registry_find_algorithm("lbp_riu");
}

/* The table of CPU variants goes from the plainest to the best. */
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

Status description_variant(const char *name, const Variant **variant) {
    const Algorithm *algorithm = description_algorithm();
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

/* --- Points ----------------------------------------------------------------------------------- */

static Status add_to_point(const Axis *axis, const char *text, Point *point) {
    const Workload none = {.kind = WORKLOAD_IMAGE};
    AxisValues values;
    STATUS_TRY(axis_parse(axis, text, &none, &values));
    point->axes[point->count] = axis;
    /* Of the number of threads the last is the greatest; of other axes any will do. */
    point->values[point->count++] = values.values[values.count - 1];
    return status_ok();
}

static Status make_answer(const Algorithm *algorithm, const char *pr, const char *interp,
                          Point *point) {
    *point = (Point){.count = 0};
    for (size_t i = 0; algorithm->answer[i] != NULL; i++) {
        const Axis *axis = algorithm->answer[i];
        const char *text = strcmp(axis->name, "pr") == 0       ? pr
                           : strcmp(axis->name, "interp") == 0 ? interp
                                                               : "none";
        STATUS_TRY(add_to_point(axis, text, point));
    }
    return status_ok();
}

static Status make_tuning(const Variant *variant, Point *point) {
    *point = (Point){.count = 0};
    for (size_t i = 0; variant->tuning != NULL && variant->tuning[i] != NULL; i++) {
        STATUS_TRY(add_to_point(variant->tuning[i], variant->tuning[i]->defaults, point));
    }
    return status_ok();
}

static const Axis *answer_axis(const Algorithm *algorithm, const char *name) {
    const Axis *const *axis = algorithm->answer;
    while (strcmp((*axis)->name, name) != 0) {
        axis++;
    }
    return *axis;
}

/* --- Scales ----------------------------------------------------------------------------------- */

static Status add_scale(Describer *describer, const char *pr) {
    Scales *scales = &describer->scales;
    Scale *scale = &scales->list[scales->count];
    Point *answer = &describer->answers[scales->count];
    const Workload pixel = {.kind = WORKLOAD_IMAGE, .image = {.width = 1, .height = 1}};
    OutputLayout layout = {.count = 0};
    STATUS_TRY(make_answer(describer->algorithm, pr, scales->interp, answer));
    STATUS_TRY(describer->algorithm->output_layout(&pixel, answer, &layout));
    scale->bins = layout.parts[HISTOGRAM_PART].width;
    scale->offset = scales->bins;
    snprintf(scale->pr, sizeof scale->pr, "%s", pr);
    scales->bins += scale->bins;
    scales->count++;
    return status_ok();
}

Status describer_open(const Variant *variant, const char *pr, const char *interp,
                      Describer *describer) {
    const Algorithm *algorithm = description_algorithm();
    const Axis *axis = answer_axis(algorithm, "pr");
    const Workload none = {.kind = WORKLOAD_IMAGE};
    AxisValues values;
    *describer = (Describer){.algorithm = algorithm, .variant = variant};
    STATUS_TRY(make_tuning(variant, &describer->tuning));
    STATUS_TRY(axis_parse(axis, pr != NULL ? pr : axis->defaults, &none, &values));
    if (values.count > SCALES_MAX) {
        return status_make(STATUS_USAGE, "--pr: classify takes at most %d scales, not %zu",
                           SCALES_MAX, values.count);
    }
    STATUS_TRY(axis_parse(answer_axis(algorithm, "interp"), interp, &none, &values));
    if (values.count > 1) {
        return status_make(STATUS_USAGE, "--interp: classify takes one of them, not '%.60s'",
                           interp);
    }
    memcpy(describer->scales.interp, values.values[0].text, AXIS_TEXT_SIZE);
    STATUS_TRY(axis_parse(axis, pr != NULL ? pr : axis->defaults, &none, &values));
    for (size_t i = 0; i < values.count; i++) {
        STATUS_TRY(add_scale(describer, values.values[i].text));
    }
    return status_ok();
}

/* --- Histograms ------------------------------------------------------------------------------- */

static Status run_variant(const Variant *variant, const Request *request) {
    void *state = NULL;
    answer_poison(request->output, POISON_CANDIDATE);
    STATUS_TRY(variant->open(request, &state));
    Status status = run_once(variant, state);
    if (status_is_ok(&status)) {
        status = check_all_guards(variant);
    }
    variant->close(state);
    return status;
}

static Status hold_against_oracle(const Describer *describer, const Request *request) {
    const Variant *oracle = registry_variant(describer->algorithm, 0);
    if (describer->variant == oracle) {
        return status_ok();
    }
    const Point no_tuning = {.count = 0};
    Output output;
    STATUS_TRY(answer_alloc_guarded(&request->output->layout, &output));
    const Request right = {request->workload, request->answer, &no_tuning, &output};
    Verdict verdict = {.accepted = true};
    const Status status = run_variant(oracle, &right);
    if (status_is_ok(&status)) {
        answer_compare(describer->algorithm, describer->variant, request->answer, request->output,
                       &output, &verdict);
    }
    answer_release_guarded(&output);
    STATUS_TRY(status);
    return verdict.accepted
               ? status_ok()
               : status_fail("%s gave a wrong answer: %s", describer->variant->name, verdict.why);
}

static Status check_sum(const Describer *describer, const uint64_t *counts, size_t bins,
                        const Image *picture) {
    uint64_t sum = 0;
    for (size_t i = 0; i < bins; i++) {
        sum += counts[i];
    }
    const uint64_t pixels = image_pixel_count(picture);
    return sum == pixels ? status_ok()
                         : status_fail("%s counted %" PRIu64 " pixels of %" PRIu64,
                                       describer->variant->name, sum, pixels);
}

static Status describe(const Describer *describer, const Request *request, const Scale *scale,
                       uint64_t *histogram) {
    STATUS_TRY(run_variant(describer->variant, request));
    if (!describer->proven) {
        STATUS_TRY(hold_against_oracle(describer, request));
    }
    memcpy(histogram, output_part(request->output, HISTOGRAM_PART),
           scale->bins * sizeof *histogram);
    return check_sum(describer, histogram, scale->bins, &request->workload->image);
}

Status describer_run(Describer *describer, const Image *picture, uint64_t *histograms) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *picture};
    for (size_t i = 0; i < describer->scales.count; i++) {
        const Scale *scale = &describer->scales.list[i];
        OutputLayout layout = {.count = 0};
        Output output;
        STATUS_TRY(describer->algorithm->output_layout(&workload, &describer->answers[i], &layout));
        STATUS_TRY(answer_alloc_guarded(&layout, &output));
        const Request request = {&workload, &describer->answers[i], &describer->tuning, &output};
        const Status status = describe(describer, &request, scale, histograms + scale->offset);
        answer_release_guarded(&output);
        STATUS_TRY(status);
    }
    describer->proven = true;
    return status_ok();
}
