/* Points of matching and sets of descriptors for its tests. */
#ifndef TESTS_CPU_MATCHING_CASES_H
#define TESTS_CPU_MATCHING_CASES_H

#include "matching.h"
#include "test.h"
#include "variant_runs.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

extern const Algorithm matching_algorithm;

static inline Point matching_point(int32_t bits, int32_t keypoints, MatchingDistance distance) {
    static const char *const names[] = {"bits", "keypoints", "distance"};
    Point point = {.count = COUNT_OF(names)};
    for (size_t i = 0; i < point.count; i++) {
        point.axes[i] = matching_algorithm.answer[i];
        assert_string_equal(point.axes[i]->name, names[i]);
    }
    snprintf(point.values[0].text, AXIS_TEXT_SIZE, "%d", bits);
    point.values[1].number = keypoints;
    point.values[2].number = distance;
    return point;
}

/* `queries` rows of A and `others` of B, all bytes `value`; rows start `padding` bytes behind the
 * end of the one before. test_image_free(&workload.image). */
static inline Workload matching_flat(int32_t queries, int32_t others, int32_t bytes, size_t padding,
                                     uint8_t value) {
    const int32_t rows = queries + others;
    Workload workload = {.kind = WORKLOAD_DESCRIPTORS, .queries = queries};
    workload.image = test_image(bytes, rows > 0 ? rows : 1, padding, FILL_ZERO, 0);
    workload.image.height = rows;
    for (int32_t i = 0; i < rows; i++) {
        memset(workload.image.pixels + (size_t)i * workload.image.stride, value, (size_t)bytes);
    }
    return workload;
}

static inline uint8_t *matching_row_of_a(const Workload *workload, int32_t row) {
    return workload->image.pixels + (size_t)row * workload->image.stride;
}

static inline uint8_t *matching_row_of_b(const Workload *workload, int32_t row) {
    return matching_row_of_a(workload, workload->queries + row);
}

/* Rows of a few words each, so that many are equal or equally far apart. */
static inline Workload matching_random(int32_t queries, int32_t others, int32_t bytes,
                                       size_t padding) {
    static const uint8_t words[] = {0x00, 0x01, 0x80, 0xFF};
    Workload workload = matching_flat(queries, others, bytes, padding, 0x55);
    uint32_t random = (uint32_t)(queries + 7 * others);
    for (int32_t row = 0; row < queries + others; row++) {
        for (int32_t i = row % 3; i < bytes; i += 8) {
            random = random * 1664525U + 1013904223U;
            matching_row_of_a(&workload, row)[i] = words[random >> 30];
        }
    }
    return workload;
}

#endif
