/*
 * Weights files: what algorithms on keypoints were trained to, of any kind (WeightsKind).
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
 * locale, lines end in LF, CR LF or CR, and blank lines do not count. The kind defines the columns
 * and says which rows can be.
 *
 * Read as well, as others publish them: raw little-endian float32 of bits × columns numbers of the
 * kind that is WeightsKind.raw, and lines of numbers without any header of the one that is `lines`.
 */
#ifndef DATASETS_WEIGHTS_FILES_H
#define DATASETS_WEIGHTS_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `kinds`: those that there are, NULL-terminated. STATUS_FILE naming file, line and what would be
 * right: another kind, a number of bits other than 256 or 512, too few or too many numbers, one
 * that is not finite, a row that the kind refuses. STATUS_SKIP when memory is short. Release with
 * weights_free. */
Status weights_read(const char *path, const WeightsKind *const *kinds, Weights *weights);
/* The same from memory; `name` is used in messages. */
Status weights_decode(const char *name, const WeightsKind *const *kinds, const void *bytes,
                      size_t size, Weights *weights);

/* Nine significant digits, so that reading gives the same numbers; `comment` goes to the top, each
 * of its lines behind a '#'; may be NULL. */
Status weights_write(const char *path, const Weights *weights, const char *comment);

/* The baseline of trained weights, rows as the kind draws them. The same on every machine.
 * STATUS_USAGE for another number of bits than 256 or 512. */
Status weights_random(const WeightsKind *kind, int32_t bits, uint64_t seed, Weights *weights);

void weights_free(Weights *weights);

/* Weights table: what reading, writing and drawing weights share. */

enum { WEIGHTS_BITS_FEW = 256, WEIGHTS_BITS_MANY = 512 };

#define WEIGHTS_FIRST_LINE "bench weights 1"

static inline bool weights_has_bits(int64_t bits) {
    return bits == WEIGHTS_BITS_FEW || bits == WEIGHTS_BITS_MANY;
}

static inline float *weights_row(const Weights *weights, int32_t row) {
    return weights->values + (size_t)row * (size_t)weights->columns;
}

/* Room for a table, all 0. `name` may be a path: its folders are cut.
 * STATUS_SKIP when there is not enough memory. Release with weights_free. */
Status weights_create(const char *name, const WeightsKind *kind, int32_t bits, Weights *weights);

/* Sets the hash. To be called after all values are set. */
void weights_finish(Weights *weights);

#ifdef __cplusplus
}
#endif

#endif
