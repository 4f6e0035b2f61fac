#include "description.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "default_point.h"
#include "one_answer.h"
#include "registry.h"
#include "verify.h"

enum { HISTOGRAM_PART = 0 };

const Algorithm *description_algorithm(void) {
    return registry_find_algorithm("lbp_riu");
}

Status description_variant(const char *name, const Variant **variant) {
    return one_answer_variant(description_algorithm(), name, variant);
}

/* --- Points ----------------------------------------------------------------------------------- */

static Status make_answer(const Algorithm *algorithm, const char *pr, const char *interp,
                          Point *point) {
    const Workload none = {.kind = WORKLOAD_IMAGE};
    STATUS_TRY(default_point(algorithm->answer, &none, point));
    STATUS_TRY(point_set("pr", pr, &none, point));
    STATUS_TRY(point_set("interp", interp, &none, point));
    return point_set("store", "none", &none, point);
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

static Status describe(const Describer *describer, const Workload *workload, size_t scale,
                       uint64_t *histograms) {
    const Point *answer = &describer->answers[scale];
    const Scale *place = &describer->scales.list[scale];
    uint64_t *histogram = histograms + place->offset;
    Output output;
    STATUS_TRY(
        one_answer_compute(describer->algorithm, describer->variant, workload, answer, &output));
    const Status status =
        describer->proven
            ? status_ok()
            : one_answer_check(describer->algorithm, describer->variant, workload, answer, &output);
    memcpy(histogram, output_part(&output, HISTOGRAM_PART), place->bins * sizeof *histogram);
    answer_release_guarded(&output);
    STATUS_TRY(status);
    return check_sum(describer, histogram, place->bins, &workload->image);
}

Status describer_run(Describer *describer, const Image *picture, uint64_t *histograms) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *picture};
    for (size_t i = 0; i < describer->scales.count; i++) {
        STATUS_TRY(describe(describer, &workload, i, histograms));
    }
    describer->proven = true;
    return status_ok();
}
