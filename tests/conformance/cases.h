/* Awkward images: the shapes, contents and strides that variants get wrong. */
#ifndef TESTS_CONFORMANCE_CASES_H
#define TESTS_CONFORMANCE_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

typedef struct Shape {
    int32_t width, height;
} Shape;

/* Shapes around 1, vector widths, tile widths and primes; `quick` leaves out the larger ones. */
size_t case_shapes(bool quick, const Shape **shapes);

typedef enum CaseContent {
    CONTENT_ZERO,
    CONTENT_SEVEN,
    CONTENT_FULL, /* 255 everywhere */
    CONTENT_RAMP,
    CONTENT_NOISE,
    CONTENT_EXTREME, /* 0 and 255 at random */
    CONTENT_TEXTURE, /* the synthetic texture: what an image looks like */
    CONTENT_COUNT
} CaseContent;

const char *case_content_name(CaseContent content);

/* A workload of its own memory: `padding` bytes after each row hold values that must not be read
 * as pixels. Release with case_release. Returns false when memory runs out. */
bool case_create(Shape shape, CaseContent content, size_t padding, Workload *workload);
void case_release(Workload *workload);

#endif
