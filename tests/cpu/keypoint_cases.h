/* What tests of algorithms on keypoints share: points, keypoints of all kinds, and a photograph
 * with what independent programs have found in it. */
#ifndef TESTS_CPU_KEYPOINT_CASES_H
#define TESTS_CPU_KEYPOINT_CASES_H

#include <unistd.h>

#include "datasets.h"
#include "keypoint_files.h"
#include "needs.h"
#include "test.h"
#include "variant_runs.h"
#include "weights_files.h"
#include "weights_kinds.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define REFERENCE_DESCRIPTORS BENCH_SHARED_DATA "/descriptors/"
#define REFERENCE_SCALE 6.75

/* A point of an algorithm with the axes bits, keypoints and scale. */
static inline Point keypoint_case_point(const Algorithm *algorithm, int32_t bits, int32_t keypoints,
                                        double scale) {
    static const char *const names[] = {"bits", "keypoints", "scale"};
    Point point = {.count = COUNT_OF(names)};
    for (size_t i = 0; i < point.count; i++) {
        point.axes[i] = algorithm->answer[i];
        assert_string_equal(point.axes[i]->name, names[i]);
    }
    point.values[1].number = keypoints;
    snprintf(point.values[0].text, AXIS_TEXT_SIZE, "%d", bits);
    snprintf(point.values[1].text, AXIS_TEXT_SIZE, "%d", keypoints);
    snprintf(point.values[2].text, AXIS_TEXT_SIZE, "%g", scale);
    return point;
}

/* Keypoints in the image, at its border and beyond it, of all sizes and directions. */
static inline void keypoint_cases_fill(const Image *image, int32_t count, Keypoint *keypoints) {
    static const float sizes[] = {0, 0.3F, 3, 10, 17, 32, 33, 64, 200, 1e6F, 1e30F, 3e38F};
    static const float angles[] = {-1, 0, 30, 45, 90, 135, 180, 222.5F, 270, 359.99F, 1000};
    uint32_t random = 1;
    for (int32_t k = 0; k < count; k++) {
        float parts[2];
        for (int i = 0; i < 2; i++) {
            random = random * 1664525U + 1013904223U;
            parts[i] = (float)(random >> 8) / (float)(1 << 24);
        }
        keypoints[k] = (Keypoint){
            .x = parts[0] * (float)(image->width + 40) - 20,
            .y = parts[1] * (float)(image->height + 40) - 20,
            .size = sizes[k % (int32_t)COUNT_OF(sizes)],
            .angle = angles[k / (int32_t)COUNT_OF(sizes) % (int32_t)COUNT_OF(angles)],
        };
    }
}

/* An image with `count` keypoints of all kinds, and random weights of `kind` for 256 and 512 bits;
 * keypoint_case_random_free. */
static inline Workload keypoint_case_random(const char *kind, int32_t width, int32_t height,
                                            size_t padding, Fill fill, int32_t count) {
    Workload workload = {.kind = WORKLOAD_KEYPOINTS, .weights = {.count = 2}};
    workload.image = test_image(width, height, padding, fill, 99);
    workload.keypoints =
        (KeypointList){.keypoints = malloc((size_t)count * sizeof(Keypoint)), .count = count};
    assert_non_null(workload.keypoints.keypoints);
    workload.keypoints.scale = 1;
    workload.keypoints.wanted = count;
    keypoint_cases_fill(&workload.image, count, workload.keypoints.keypoints);
    for (int i = 0; i < 2; i++) {
        const Status status =
            weights_random(test_kind(kind), 256 << i, 5, &workload.weights.list[i]);
        assert_string_equal(status.why, "");
    }
    return workload;
}

static inline void keypoint_case_random_free(Workload *workload) {
    for (int32_t i = 0; i < workload->weights.count; i++) {
        weights_free(&workload->weights.list[i]);
    }
    keypoints_free(&workload->keypoints);
    test_image_free(&workload->image);
}

/* graf1.png with OpenCV's SIFT keypoints and weights from two files of the shared data, for 256 and
 * 512 bits. Where there are none, the test says so and is skipped. */
static inline Workload keypoint_case_graf1(const char *weights256, const char *weights512) {
    if (access(REFERENCE_DESCRIPTORS, R_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, REFERENCE_DESCRIPTORS);
    }
    Workload workload = {.kind = WORKLOAD_KEYPOINTS, .weights = {.count = 2}};
    Weights *weights = workload.weights.list;
    const Status statuses[] = {
        image_read(BENCH_SHARED_DATA "/homography/graf1.png", &workload.image),
        keypoints_read(BENCH_SHARED_DATA "/oracles/sift_graf1.csv", &workload.keypoints),
        weights_read(weights256, test_kinds, &weights[0]),
        weights_read(weights512, test_kinds, &weights[1])};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        assert_string_equal(statuses[i].why, "");
    }
    return workload;
}

static inline void keypoint_case_free(Workload *workload) {
    for (int32_t i = 0; i < workload->weights.count; i++) {
        weights_free(&workload->weights.list[i]);
    }
    keypoints_free(&workload->keypoints);
    image_free(&workload->image);
}

/* A file with a line of hexadecimal digits for each of `rows` rows of `width` bytes; free. */
static inline uint8_t *keypoint_case_hex(const char *path, size_t rows, size_t width) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    uint8_t *bytes = malloc(rows * width);
    assert_non_null(bytes);
    for (size_t i = 0; i < rows * width; i++) {
        unsigned byte = 0;
        assert_int_equal(fscanf(file, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    char rest[2];
    assert_int_equal(fscanf(file, "%1s", rest), EOF);
    fclose(file);
    return bytes;
}

#endif
