#include "keypoint_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "default_point.h"
#include "keypoint_files.h"
#include "one_answer.h"
#include "pyramid_place.h"
#include "registry.h"
#include "seeded_draw.h"
#include "verify.h"

/* The algorithm that finds keypoints, its axis of how many, and what its answer is made of. */
#define DETECTOR "fast"
#define DETECTOR_MOST "max-keypoints"
enum { PART_COUNT, PART_TABLE, PARTS };
enum { COLUMN_LEVEL, COLUMN_X, COLUMN_Y, COLUMN_SCORE, COLUMN_M10, COLUMN_M01, COLUMNS };

int32_t keypoints_listed(int32_t width, int32_t height) {
    const int64_t pixels = (int64_t)width * height;
    return pixels < KEYPOINT_SOURCE_LISTED ? (int32_t)pixels : KEYPOINT_SOURCE_LISTED;
}

/* Room for `count` keypoints, those that there are kept. */
static Status grow(int32_t count, KeypointList *list) {
    Keypoint *grown =
        realloc(list->keypoints, (size_t)(count > 0 ? count : 1) * sizeof *list->keypoints);
    if (grown == NULL) {
        return status_skip("no memory left for %" PRId32 " keypoints", count);
    }
    list->keypoints = grown;
    return status_ok();
}

/* --- Found ------------------------------------------------------------------------------------ */

static Status check_answer(const Output *answer) {
    const OutputLayout *layout = &answer->layout;
    const bool known = layout->count == PARTS &&
                       layout->parts[PART_COUNT].kind == OUTPUT_COUNTS_U64 &&
                       layout->parts[PART_TABLE].kind == OUTPUT_TABLE_U64 &&
                       layout->parts[PART_TABLE].width == COLUMNS;
    return known && *(const uint64_t *)output_part(answer, PART_COUNT) <=
                        layout->parts[PART_TABLE].height
               ? status_ok()
               : status_fail("%s gave an answer that is no list of keypoints", DETECTOR);
}

static Keypoint keypoint_of_row(const Image *image, const uint64_t *row) {
    const PyramidCorner corner = {.level = row[COLUMN_LEVEL],
                                  .x = row[COLUMN_X],
                                  .y = row[COLUMN_Y],
                                  .m10 = (int64_t)row[COLUMN_M10],
                                  .m01 = (int64_t)row[COLUMN_M01]};
    const PyramidPlace place = pyramid_place(image->width, image->height, &corner);
    return (Keypoint){.x = (float)place.x,
                      .y = (float)place.y,
                      .size = (float)place.size,
                      .angle = (float)place.angle};
}

Status keypoints_from_answer(const Image *image, const Output *answer, KeypointList *list) {
    *list = (KeypointList){.scale = KEYPOINT_SCALE_FAST};
    STATUS_TRY(check_answer(answer));
    const int32_t count = (int32_t) * (const uint64_t *)output_part(answer, PART_COUNT);
    const uint64_t *rows = output_part(answer, PART_TABLE);
    STATUS_TRY(grow(count, list));
    for (int32_t i = 0; i < count; i++) {
        list->keypoints[i] = keypoint_of_row(image, rows + (size_t)i * COLUMNS);
    }
    list->count = list->wanted = count;
    return status_ok();
}

Status keypoints_detector_point(const Algorithm *detector, const Workload *workload, int32_t most,
                                Point *point) {
    char text[16];
    snprintf(text, sizeof text, "%" PRId32, most);
    STATUS_TRY(default_point(detector->answer, workload, point));
    return point_set(DETECTOR_MOST, text, workload, point);
}

Status keypoints_detect(const Image *image, const Variant *variant, int32_t most,
                        KeypointList *list) {
    const Algorithm *detector = registry_find_algorithm(DETECTOR);
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *image};
    Point point;
    Output answer;
    *list = (KeypointList){0};
    if (detector == NULL) {
        return status_fail("keypoints are found by %s, which this program was built without",
                           DETECTOR);
    }
    if (variant == NULL) {
        STATUS_TRY(one_answer_variant(detector, NULL, &variant));
    }
    STATUS_TRY(keypoints_detector_point(detector, &workload, most, &point));
    STATUS_TRY(one_answer_compute(detector, variant, &workload, &point, &answer));
    const Status status = keypoints_from_answer(image, &answer, list);
    answer_release_guarded(&answer);
    return status;
}

/* --- Drawn ------------------------------------------------------------------------------------ */

enum { LEVELS = 8, DRAWN_NUMBERS = 4 };

/* From 0 to below 1. */
static double drawn_share(uint64_t seed, int32_t index, unsigned number) {
    return draw_share(synthetic_hash(seed, (uint64_t)index * DRAWN_NUMBERS + number));
}

static Keypoint drawn_keypoint(int32_t width, int32_t height, uint64_t seed, int32_t index) {
    const int level = (int)(drawn_share(seed, index, 2) * LEVELS);
    double size = PYRAMID_DISC_SIDE;
    for (int l = 0; l < level; l++) {
        size *= 1.2;
    }
    return (Keypoint){.x = (float)(drawn_share(seed, index, 0) * width - 0.5),
                      .y = (float)(drawn_share(seed, index, 1) * height - 0.5),
                      .size = (float)size,
                      .angle = (float)(drawn_share(seed, index, 3) * 360)};
}

Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list) {
    if (list->count >= count) {
        return status_ok();
    }
    STATUS_TRY(grow(count, list));
    for (int32_t i = list->count; i < count; i++) {
        list->keypoints[i] = drawn_keypoint(width, height, seed, i);
    }
    list->count = count;
    return status_ok();
}
