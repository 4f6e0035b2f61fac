/*
 * Fuzzes the texts of answer axes: P:R of lbp_riu and the sets of lacunarity. The first two bytes
 * are the sides of an image, the rest is what stands behind the option. A value that the axis takes
 * must give a pattern, or a plan of boxes and thresholds as lacunarity.h describes it.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "lacunarity.h"
#include "lacunarity_internal.h"
#include "lbp_riu.h"

enum { TEXT_SIZE = 512, PIXELS_MAX = 4096 };

/* --- lbp_riu ---------------------------------------------------------------------------------- */

static const Axis pr_axis = {.name = "pr", .kind = AXIS_TEXT};
static const Axis interp_axis = {.name = "interp", .kind = AXIS_TEXT};

static void check_pattern(const char *text, const char *interp) {
    Point answer = {.count = 2, .axes = {&pr_axis, &interp_axis}};
    LbpRiuPattern pattern;
    strcpy(answer.values[0].text, text);
    strcpy(answer.values[1].text, interp);
    const Status status = lbp_riu_pattern(&answer, &pattern);
    require(status_is_ok(&status));
    require(pattern.reach <= LBP_RIU_RADIUS_MAX + 1);
    for (int p = 0; p < pattern.points; ++p) {
        int sum = 0;
        for (int i = 0; i < 4; ++i) {
            require(pattern.taps[p].weight[i] >= 0);
            sum += pattern.taps[p].weight[i];
        }
        require(sum == LBP_RIU_WEIGHT_SUM);
    }
}

static void check_pr(const char *text) {
    int points = 0;
    int thousandths = 0;
    const Status status = lbp_riu_parse_pr(text, &points, &thousandths);
    if (!status_is_ok(&status)) {
        require(status.code == STATUS_USAGE);
        require_reason(&status);
        return;
    }
    require(points >= 1 && points <= LBP_RIU_POINTS_MAX);
    require(thousandths >= 1 && thousandths <= LBP_RIU_RADIUS_MAX * 1000);
    require(strlen(text) < AXIS_TEXT_SIZE);
    check_pattern(text, "bilinear");
    check_pattern(text, "nearest");
}

/* --- lacunarity ------------------------------------------------------------------------------- */

static void check_boxes(const LacunarityPlan *plan, const Image *image, bool too_large) {
    static uint8_t seen[LACUNARITY_BOX_MAX + 1];
    bool larger = false;
    for (size_t i = 0; i < plan->box_count; ++i) {
        const int32_t box = plan->boxes[i];
        require(box >= 1 && box <= LACUNARITY_BOX_MAX && !seen[box]);
        seen[box] = 1;
        larger = larger || box > image->width || box > image->height;
    }
    require(plan->box_count >= 1 && larger == too_large);
    for (size_t i = 0; i < plan->box_count; ++i) {
        seen[plan->boxes[i]] = 0;
    }
}

/* What otsu finds may be there as a number too. */
static void check_thresholds(const LacunarityPlan *plan, bool otsu) {
    size_t seen[LACUNARITY_THRESHOLDS_MAX] = {0};
    size_t twice = 0;
    require(plan->threshold_count >= 1 && plan->threshold_count <= LACUNARITY_THRESHOLDS_MAX);
    for (size_t i = 0; i < plan->threshold_count; ++i) {
        require(plan->thresholds[i] >= 0 && plan->thresholds[i] <= 255);
        twice += seen[plan->thresholds[i]]++;
    }
    require(twice <= (otsu ? 1 : 0));
}

static void check_plan(const Image *image, const AxisValue *box, const AxisValue *threshold) {
    const Point answer = {.count = 2,
                          .axes = {&lacunarity_box_axis, &lacunarity_threshold_axis},
                          .values = {*box, *threshold}};
    LacunarityPlan plan;
    const Status status = lacunarity_plan_make(image, &answer, &plan);
    require(status_is_ok(&status) || status.code == STATUS_SKIP);
    check_boxes(&plan, image, status.code == STATUS_SKIP);
    if (status_is_ok(&status)) {
        check_thresholds(&plan, strstr(threshold->text, "otsu") != NULL);
    }
    lacunarity_plan_release(&plan);
}

static void check_value(const Axis *axis, const AxisValue *value, const Workload *workload) {
    static const AxisValue one_box = {.text = "1"};
    static const AxisValue one_threshold = {.text = "128"};
    const Status status = axis->check(value->text);
    require(status_is_ok(&status));
    if (axis == &lacunarity_box_axis) {
        check_plan(&workload->image, value, &one_threshold);
    } else {
        check_plan(&workload->image, &one_box, value);
    }
}

static void check_axis(const Axis *axis, const char *text, const Workload *workload) {
    static AxisValues values;
    const Status status = axis_parse(axis, text, workload, &values);
    require(status_is_ok(&status) || (status.code == STATUS_USAGE && status.why[0] != '\0'));
    require(values.count <= AXIS_VALUES_MAX);
    for (size_t i = 0; i < values.count; ++i) {
        check_value(axis, &values.values[i], workload);
        for (size_t j = 0; j < i; ++j) {
            require(strcmp(values.values[i].text, values.values[j].text) != 0);
        }
    }
    require(values.count > 0 || !status_is_ok(&status));
}

/* An axis is also asked before there is a workload, and for whole texts. */
static void check_without_workload(const Axis *axis, const char *text) {
    static AxisValues values;
    const Status parsed = axis_parse(axis, text, NULL, &values);
    const Status checked = axis->check(text);
    require(status_is_ok(&parsed) || parsed.code == STATUS_USAGE);
    require(status_is_ok(&checked) || checked.code == STATUS_USAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static uint8_t pixels[PIXELS_MAX];
    char text[TEXT_SIZE];
    if (size < 2 || size - 2 >= sizeof text) {
        return 0;
    }
    memcpy(text, bytes + 2, size - 2);
    text[size - 2] = '\0';
    /* 255 is far beyond the largest box; small images have pixels. */
    Workload workload = {.image = {.width = bytes[0] < 255 ? bytes[0] + 1 : 140000,
                                   .height = bytes[1] < 255 ? bytes[1] + 1 : 140000}};
    Image *image = &workload.image;
    if ((int64_t)image->width * image->height <= PIXELS_MAX) {
        for (size_t i = 0; i < PIXELS_MAX; ++i) {
            pixels[i] = bytes[i % size];
        }
        image->stride = (size_t)image->width;
        image->pixels = pixels;
    }
    check_pr(text);
    check_axis(&lacunarity_box_axis, text, &workload);
    check_axis(&lacunarity_threshold_axis, text, &workload);
    check_without_workload(&lacunarity_box_axis, text);
    check_without_workload(&lacunarity_threshold_axis, text);
    return 0;
}
