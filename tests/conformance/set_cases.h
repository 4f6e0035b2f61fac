/* Awkward sets of images: the numbers, shapes and contents that variants get wrong. */
#ifndef TESTS_CONFORMANCE_SET_CASES_H
#define TESTS_CONFORMANCE_SET_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

typedef struct SetShape {
    int32_t count, width, height; /* images; pixels of each */
} SetShape;

/* Numbers and sides around 1, blocks of threads, warps and vectors. */
size_t set_case_shapes(const SetShape **shapes);

typedef enum SetContent {
    SET_ZERO,
    SET_NOISE,
    SET_EXTREME, /* 0 and 255 at random */
    SET_DIGITS,  /* the synthetic digits, with their labels */
    SET_FULL,    /* 255 everywhere */
    SET_CONTENT_COUNT
} SetContent;

const char *set_case_content_name(SetContent content);

/* A workload of its own memory; but for digits image i is labelled i mod 10. Release with
 * set_case_release. Returns false when memory runs out. */
bool set_case_create(SetShape shape, SetContent content, Workload *workload);
void set_case_release(Workload *workload);

#endif
