/* Weights table: what reading, writing and drawing weights share. */
#ifndef DATASETS_WEIGHTS_TABLE_H
#define DATASETS_WEIGHTS_TABLE_H

#include <stdbool.h>

#include "text_lines.h"
#include "weights_files.h"

enum { WEIGHTS_BITS_FEW = 256, WEIGHTS_BITS_MANY = 512 };

#define WEIGHTS_FIRST_LINE "bench weights 1"

/* Columns of a kind; 0 when there is no such kind. */
int32_t weights_columns(const char *kind);

static inline bool weights_has_bits(int64_t bits) {
    return bits == WEIGHTS_BITS_FEW || bits == WEIGHTS_BITS_MANY;
}

static inline float *weights_row(const Weights *weights, int32_t row) {
    return weights->values + (size_t)row * (size_t)weights->columns;
}

/* Room for a table of a kind that exists, all 0. `name` may be a path: its folders are cut.
 * STATUS_SKIP when there is not enough memory. Release with weights_free. */
Status weights_create(const char *name, const char *kind, int32_t bits, Weights *weights);

/* Sets the hash, when all values are there. */
void weights_finish(Weights *weights);

/* A row of bad, just read from `lines`: whole numbers, boxes inside the patch. */
Status weights_check_boxes(const TextLines *lines, const float *row);

/* Reads the text form or lines of six numbers. */
Status weights_decode_text(TextLines *lines, Weights *weights);

#endif
