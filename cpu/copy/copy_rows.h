/* copy_rows: the fastest copy of a band of rows on one thread; what simd and omp are made of. */
#ifndef CPU_COPY_ROWS_H
#define CPU_COPY_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "workload.h"

/* Whether image and copy together exceed the last-level cache, so that the copy would only push
 * everything else out of it. */
bool copy_should_stream(const Image *image);

/* Copies rows first ≤ y < last to `copy`, the dense copy of the whole image. */
void copy_rows(const Image *image, int32_t first, int32_t last, uint8_t *copy, bool stream);

#endif
