/*
 * Weights files: what hashsift, bad and orb were trained to (bench/api/weights.h).
 *
 * The form that is written, text:
 *
 *     # any comment
 *     bench weights 1
 *     kind,hashsift
 *     bits,256
 *     columns,129
 *     0.125,-3.5,…        one line of `columns` numbers for each bit
 *
 * The lines stand in this order; comments may stand anywhere. Numbers have a decimal point in every
 * locale, lines end in LF, CR LF or CR, and blank lines do not count. weights.h defines the
 * columns; a box is the pixels within `radius` of its centre, along both axes, and stays in 0…31; a
 * position of orb stays in −15…15.
 *
 * Read as well, as others publish them: raw little-endian float32 of bits × 129 numbers, bias first
 * (hashsift), and lines of six numbers without any header (bad).
 */
#ifndef DATASETS_WEIGHTS_FILES_H
#define DATASETS_WEIGHTS_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"
#include "text_lines.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* STATUS_FILE naming file, line and what would be right: an unknown kind, a number of bits other
 * than 256 or 512, too few or too many numbers, one that is not finite, a box of bad or a
 * position of orb that leaves the pixels it is defined on. STATUS_SKIP when memory is short.
 * Release with weights_free.
 */
Status weights_read(const char *path, Weights *weights);
/* The same from memory; `name` is used in messages. */
Status weights_decode(const char *name, const void *bytes, size_t size, Weights *weights);

/* Nine significant digits, so that reading gives the same numbers; `comment` goes to the top, each
 * of its lines behind a '#'; may be NULL. */
Status weights_write(const char *path, const Weights *weights, const char *comment);

/* The baseline of trained weights: a projection with normally distributed factors and, of each
 * row, the bias that makes the response 0 to values that are all average; boxes anywhere in the
 * patch with threshold 0; pairs of positions anywhere in it. The same on every machine.
 * STATUS_USAGE for an unknown kind or number of bits. */
Status weights_random(const char *kind, int32_t bits, uint64_t seed, Weights *weights);

void weights_free(Weights *weights);

/* Weights table: what reading, writing and drawing weights share. */

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

/* Sets the hash. To be called after all values are set. */
void weights_finish(Weights *weights);

#ifdef __cplusplus
}
#endif

#endif
