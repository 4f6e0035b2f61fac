/*
 * copy: the answer is the image, dense (width × height bytes, without the padding of its rows).
 *
 * Every other algorithm on images has to read its input and write its output at least once, so the
 * time of the best copy is the least that they can take: the roof that the harness measures them
 * against.
 */
#ifndef CPU_COPY_H
#define CPU_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithm.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the answer, in layout order. */
enum { COPY_PART_COPY = 0 };

extern const Algorithm copy_algorithm;

/* width × height bytes, dense rows. */
static inline uint8_t *copy_pixels(const Output *output) {
    return (uint8_t *)output_part(output, COPY_PART_COPY);
}

/* copy_rows: the fastest copy of a band of rows on one thread; what simd and omp are made of. */

/* Whether image and copy together exceed the last-level cache, so that the copy would only push
 * everything else out of it. */
bool copy_should_stream(const Image *image);

/* Copies rows first ≤ y < last to `copy`, the dense copy of the whole image. */
void copy_rows(const Image *image, int32_t first, int32_t last, uint8_t *copy, bool stream);

#ifdef __cplusplus
}
#endif

#endif
