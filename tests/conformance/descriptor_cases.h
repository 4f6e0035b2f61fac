/* Awkward sets of descriptors: the numbers, contents and strides that variants get wrong. */
#ifndef TESTS_CONFORMANCE_DESCRIPTOR_CASES_H
#define TESTS_CONFORMANCE_DESCRIPTOR_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

typedef struct DescriptorShape {
    int32_t a, b;  /* rows of the sets */
    int32_t bytes; /* of a row */
} DescriptorShape;

/* Numbers around 1, warps, blocks and tiles; one set empty; rows with fewer bytes than are asked
 * for. */
size_t descriptor_case_shapes(const DescriptorShape **shapes);

typedef enum DescriptorContent {
    DESCRIPTORS_RANDOM,
    DESCRIPTORS_TIES,    /* each row one of three */
    DESCRIPTORS_NEAR,    /* rows of B are rows of A with a few bits flipped */
    DESCRIPTORS_EXTREME, /* bytes 0 in A and 255 in B, or the reverse */
    DESCRIPTORS_CONTENT_COUNT
} DescriptorContent;

/* A workload of its own memory: `padding` bytes after each row hold values that must not be read.
 * Release with case_release. Returns false when memory runs out. */
bool descriptor_case_create(DescriptorShape shape, DescriptorContent content, size_t padding,
                            Workload *workload);

#endif
