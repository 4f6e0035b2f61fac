#include "weights_files.h"

#include <math.h>
#include <string.h>

#include "files.h"
#include "plain_locale.h"
#include "weights_table.h"

enum { FLOAT_SIZE = 4, FILE_SIZE_MAX = 1 << 26 /* many times what any table takes as text */ };

/* Float32 numbers have bytes that no text has, sooner or later. */
static bool is_raw(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < ' ')) {
            return true;
        }
    }
    return false;
}

static size_t raw_size(int32_t bits) {
    return (size_t)bits * WEIGHTS_HASHSIFT_COLUMNS * FLOAT_SIZE;
}

static float little_endian_float(const uint8_t *bytes) {
    const uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static Status decode_raw(const char *name, const uint8_t *bytes, size_t size, Weights *weights) {
    const int32_t bits = size == raw_size(WEIGHTS_BITS_FEW) ? WEIGHTS_BITS_FEW : WEIGHTS_BITS_MANY;
    if (size != raw_size(bits)) {
        return status_make(STATUS_FILE,
                           "%s: is no text and has %zu bytes; weights of %s as float32 have %zu "
                           "for 256 bits, %zu for 512",
                           name, size, WEIGHTS_HASHSIFT, raw_size(WEIGHTS_BITS_FEW),
                           raw_size(WEIGHTS_BITS_MANY));
    }
    STATUS_TRY(weights_create(name, WEIGHTS_HASHSIFT, bits, weights));
    const size_t columns = (size_t)weights->columns;
    for (size_t i = 0; i < (size_t)bits * columns; i++) {
        weights->values[i] = little_endian_float(bytes + FLOAT_SIZE * i);
        if (!isfinite(weights->values[i])) {
            return status_make(STATUS_FILE,
                               "%s: number %zu of row %zu is not finite; a finite one would be "
                               "right",
                               name, i % columns + 1, i / columns + 1);
        }
    }
    return status_ok();
}

static Status decode_text(const char *name, const void *bytes, size_t size, Weights *weights) {
    TextLines lines = text_lines(name, bytes, size);
    const PlainLocale locale = plain_locale_enter();
    const Status status = weights_decode_text(&lines, weights);
    plain_locale_leave(&locale);
    return status;
}

Status weights_decode(const char *name, const void *bytes, size_t size, Weights *weights) {
    *weights = (Weights){0};
    const Status status = is_raw(bytes, size) ? decode_raw(name, bytes, size, weights)
                                              : decode_text(name, bytes, size, weights);
    if (!status_is_ok(&status)) {
        weights_free(weights);
        return status;
    }
    weights_finish(weights);
    return status;
}

Status weights_read(const char *path, Weights *weights) {
    FileBytes file;
    *weights = (Weights){0};
    STATUS_TRY(file_bytes_read(path, "a file of weights", FILE_SIZE_MAX, &file));
    const Status status = weights_decode(path, file.bytes, file.size, weights);
    file_bytes_free(&file);
    return status;
}
