#include "descriptor_cases.h"

#include <stdio.h>

#include "cases.h"

static const DescriptorShape all_shapes[] = {
    {1, 1, 128},  {1, 5, 128},     {0, 3, 128},     {3, 0, 128},  {7, 300, 128},    {300, 7, 128},
    {33, 31, 64}, {130, 129, 128}, {257, 256, 128}, {40, 60, 32}, {1000, 517, 128},
};

size_t descriptor_case_shapes(const DescriptorShape **shapes) {
    *shapes = all_shapes;
    return sizeof all_shapes / sizeof all_shapes[0];
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 24;
}

/* What row `y` has at byte `x`; the rows of B follow those of A. */
static uint8_t byte_at(const Workload *workload, DescriptorContent content, int32_t x, int32_t y,
                       uint32_t *random) {
    const int32_t queries = workload->queries;
    const uint8_t *pixels = workload->image.pixels;
    const uint32_t drawn = next_random(random);
    switch (content) {
    case DESCRIPTORS_TIES: return (uint8_t)((y * 7 % 5 % 3 + 1) * (x + 3));
    case DESCRIPTORS_NEAR:
        if (y >= queries && queries > 0) {
            const int32_t twin = (y - queries) * 5 % queries;
            const uint8_t flipped = drawn < 40 ? (uint8_t)(1U << (drawn % 8)) : 0;
            return pixels[(size_t)twin * workload->image.stride + (size_t)x] ^ flipped;
        }
        return (uint8_t)drawn;
    case DESCRIPTORS_EXTREME: return (y >= queries) == (y % 4 == 0) ? 0 : 255;
    default: return (uint8_t)drawn;
    }
}

bool descriptor_case_create(DescriptorShape shape, DescriptorContent content, size_t padding,
                            Workload *workload) {
    static const char *const names[DESCRIPTORS_CONTENT_COUNT] = {"random", "ties", "near",
                                                                 "extreme"};
    const Shape rows = {shape.bytes, shape.a + shape.b};
    uint32_t random = (uint32_t)(shape.a * 7919 + shape.b);
    if (!case_create(rows, CONTENT_ZERO, padding, workload)) {
        return false;
    }
    workload->kind = WORKLOAD_DESCRIPTORS;
    workload->queries = shape.a;
    workload->keypoints.wanted = 10000;
    for (int32_t y = 0; y < rows.height; y++) {
        for (int32_t x = 0; x < rows.width; x++) {
            workload->image.pixels[(size_t)y * workload->image.stride + (size_t)x] =
                byte_at(workload, content, x, y, &random);
        }
    }
    snprintf(workload->input, sizeof workload->input, "%s", names[content]);
    snprintf(workload->size_name, sizeof workload->size_name, "%d+%dx%d", shape.a, shape.b,
             shape.bytes);
    return true;
}
