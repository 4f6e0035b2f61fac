/*
 * invert: the negative of an image.
 *
 * Definition. For a pixel with value v the answer is 255 - v. The answer is one image of the
 * input's width and height, dense rows. Arithmetic is on integers: every variant gives the same
 * bytes.
 */
#ifndef INVERT_ANSWER_H
#define INVERT_ANSWER_H

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The only part of the answer. */
enum { INVERT_PART_IMAGE = 0 };

extern const Algorithm invert_algorithm;

/* width × height bytes: the answer of pixel (x, y) at [y * width + x]. */
static inline uint8_t *invert_image(const Output *output) {
    return (uint8_t *)output_part(output, INVERT_PART_IMAGE);
}

#ifdef __cplusplus
}
#endif

#endif
