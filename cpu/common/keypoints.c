#include "keypoints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Axes ===================================================================================== */

enum { SCALE_MAX = 1000 };

/* Number of keypoints, or of descriptors of the larger set: available, and wanted. */
static int32_t held(const Workload *workload) {
    const int32_t others = workload->image.height - workload->queries;
    if (workload->kind == WORKLOAD_DESCRIPTORS) {
        return workload->queries > others ? workload->queries : others;
    }
    return workload->keypoints.count;
}

static int32_t wanted(const Workload *workload) {
    const int32_t count = held(workload);
    return workload->keypoints.wanted < count ? workload->keypoints.wanted : count;
}

static Status expand_keypoints(const char *word, const Workload *workload, AxisValues *values) {
    if (strcmp(word, "auto") == 0) {
        return axis_values_add(values, wanted(workload));
    }
    if (strcmp(word, "all") == 0) {
        return axis_values_add(values, held(workload));
    }
    return status_make(STATUS_NO_MATCH, "'%s' is no word for a number of keypoints", word);
}

#define COUNT_AXIS(most)                                                                           \
    {                                                                                              \
        .struct_bytes = sizeof(Axis), .name = "keypoints",                                         \
        .help = "the strongest keypoints, or the first descriptors of each set; auto is 10000, "   \
                "or all of a file; all are those that there are",                                  \
        .defaults = "auto", .kind = AXIS_INTEGER, .minimum = 0, .maximum = (most),                 \
        .expand = expand_keypoints,                                                                \
    }

const Axis keypoints_axis = COUNT_AXIS(KEYPOINTS_MAX);
const Axis descriptors_axis = COUNT_AXIS(DESCRIPTORS_MAX);

static const char *const bits_words[] = {"256", "512", NULL};

const Axis descriptor_bits_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "bits",
    .help = "bits of a descriptor",
    .defaults = "256",
    .kind = AXIS_CHOICE,
    .choices = bits_words,
};

static Status check_scale(const char *value) {
    char *end = NULL;
    const float scale = strtof(value, &end);
    if (end == value || *end != '\0' || !(scale > 0 && scale <= SCALE_MAX)) {
        return status_make(
            STATUS_USAGE,
            "--scale: '%.40s' is no scale; write a number above 0 and up to %d, such as 1 "
            "(keypoints of FAST) or 6.75 (of SIFT), or auto",
            value, SCALE_MAX);
    }
    return status_ok();
}

static Status expand_scale(const char *word, const Workload *workload, AxisValues *values) {
    if (strcmp(word, "auto") != 0) {
        return status_make(STATUS_NO_MATCH, "'%s' is no word for a scale", word);
    }
    if (values->count == AXIS_VALUES_MAX) {
        return status_make(STATUS_USAGE, "too many values; write at most %d", AXIS_VALUES_MAX);
    }
    AxisValue *value = &values->values[values->count++];
    value->number = 0;
    snprintf(value->text, sizeof value->text, "%g", (double)workload->keypoints.scale);
    return status_ok();
}

const Axis keypoint_scale_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "scale",
    .help = "side of the patch that is described, in sizes of its keypoint; auto is 1 for "
            "keypoints of FAST, 6.75 for those of SIFT",
    .defaults = "auto",
    .kind = AXIS_TEXT,
    .check = check_scale,
    .expand = expand_scale,
};

int32_t point_keypoints(const Point *answer) {
    return (int32_t)point_integer(answer, "keypoints", 0);
}

int32_t point_bits(const Point *answer) {
    return (int32_t)strtol(point_text(answer, "bits"), NULL, 10);
}

float point_scale(const Point *answer) {
    return strtof(point_text(answer, "scale"), NULL);
}

Status keypoints_check(const Workload *workload, const Point *answer) {
    const int32_t asked = point_keypoints(answer);
    if (asked > workload->keypoints.count) {
        return status_skip("there are %" PRId32 " keypoints, not %" PRId32
                           "; write --keypoints all",
                           workload->keypoints.count, asked);
    }
    return status_ok();
}

Status keypoints_weights(const Workload *workload, const Point *answer, const char *kind,
                         const Weights **weights) {
    const int32_t bits = point_bits(answer);
    *weights = weights_find(&workload->weights, kind, bits);
    if (*weights == NULL) {
        return status_skip("there are no weights of %s for %" PRId32 " bits; give a file of them "
                           "with --weights",
                           kind, bits);
    }
    return status_ok();
}

Status descriptors_layout(const Workload *workload, const Point *answer, const char *kind,
                          OutputLayout *layout) {
    const Weights *weights = NULL;
    STATUS_TRY(keypoints_check(workload, answer));
    if (kind != NULL) {
        STATUS_TRY(keypoints_weights(workload, answer, kind, &weights));
    }
    return output_layout_add(layout, "descriptors", OUTPUT_ROWS_U8, (size_t)point_bits(answer) / 8,
                             (size_t)point_keypoints(answer));
}

/* === Where corners of a pyramid are =========================================================== */

enum { NO_ANGLE = -1 };

/* side · 5^level / 6^level, in whole numbers. */
int32_t pyramid_side(int32_t side, int32_t level) {
    uint64_t numerator = (uint64_t)side;
    uint64_t denominator = 1;
    for (int32_t l = 0; l < level; l++) {
        numerator *= 5;
        denominator *= 6;
    }
    return (int32_t)((numerator + denominator / 2) / denominator);
}

static double angle_degrees(int64_t m10, int64_t m01) {
    if (m10 == 0 && m01 == 0) {
        return NO_ANGLE;
    }
    const double degrees = atan2((double)m01, (double)m10) * (180 / acos(-1));
    return degrees < 0 ? degrees + 360 : degrees;
}

static double in_image(uint64_t place, int32_t image_side, int32_t level_side) {
    return ((double)place + 0.5) * image_side / level_side - 0.5;
}

PyramidPlace pyramid_place(int32_t width, int32_t height, const PyramidCorner *corner) {
    const int32_t level_width = pyramid_side(width, (int32_t)corner->level);
    const int32_t level_height = pyramid_side(height, (int32_t)corner->level);
    return (PyramidPlace){
        .x = in_image(corner->x, width, level_width),
        .y = in_image(corner->y, height, level_height),
        .size = (double)PYRAMID_DISC_SIDE * width / level_width,
        .angle = angle_degrees(corner->m10, corner->m01),
    };
}
