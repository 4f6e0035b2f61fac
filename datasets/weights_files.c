#include "weights_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "fnv.h"
#include "random.h"
#include "resources.h"
#include "text_lines.h"

/* === Table ==================================================================================== */

Status weights_create(const char *name, const WeightsKind *kind, int32_t bits, Weights *weights) {
    const char *slash = strrchr(name, '/');
    *weights = (Weights){.bits = bits, .columns = kind->columns};
    snprintf(weights->kind, sizeof weights->kind, "%s", kind->name);
    snprintf(weights->name, sizeof weights->name, "%s", slash != NULL ? slash + 1 : name);
    const size_t count = (size_t)bits * (size_t)weights->columns;
    weights->values = calloc(count, sizeof *weights->values);
    if (weights->values == NULL) {
        *weights = (Weights){0};
        return free_memory_short(name, count * sizeof *weights->values);
    }
    return status_ok();
}

void weights_finish(Weights *weights) {
    const size_t count = (size_t)weights->bits * (size_t)weights->columns;
    weights->hash = fnv_bytes(FNV_START, weights->values, count * sizeof *weights->values);
}

void weights_free(Weights *weights) {
    free(weights->values);
    *weights = (Weights){0};
}

/* === Text ===================================================================================== */

enum { WORD_SIZE = 32, KINDS_TEXT_SIZE = 160 };

static bool next_line(TextLines *lines, TextSpan *line) {
    while (text_next_line(lines, line)) {
        if (!text_is_comment(*line, NULL)) {
            return true;
        }
    }
    return false;
}

static Status wrong_line(const TextLines *lines, TextSpan line, const char *right) {
    char excerpt[TEXT_EXCERPT_SIZE];
    return status_make(STATUS_FILE, "%s: line %zu: is \"%s\"; %s would be right", lines->name,
                       lines->number, text_excerpt(line, excerpt), right);
}

static Status too_short(const TextLines *lines, const char *missing) {
    return status_make(STATUS_FILE, "%s: truncated: it ends after line %zu, before %s", lines->name,
                       lines->number, missing);
}

/* A line "key,value": the value. */
static Status read_setting(TextLines *lines, const char *key, TextSpan *line, TextSpan *value) {
    TextSpan rest, name;
    if (!next_line(lines, line)) {
        return too_short(lines, key);
    }
    rest = *line;
    if (!text_next_field(&rest, &name) || !text_equals(name, key) ||
        !text_next_field(&rest, value) || rest.text != NULL) {
        char right[WORD_SIZE];
        snprintf(right, sizeof right, "\"%s,\" and its value", key);
        return wrong_line(lines, *line, right);
    }
    return status_ok();
}

/* "kind,hashsift, kind,bad or kind,orb" */
static void kinds_text(const WeightsKind *const *kinds, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; kinds[i] != NULL && used < size; i++) {
        const char *before = i == 0 ? "" : kinds[i + 1] == NULL ? " or " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%skind,%s", before, kinds[i]->name);
    }
}

static Status read_kind(TextLines *lines, const WeightsKind *const *kinds,
                        const WeightsKind **kind) {
    TextSpan line, value;
    char right[KINDS_TEXT_SIZE];
    STATUS_TRY(read_setting(lines, "kind", &line, &value));
    for (size_t i = 0; kinds[i] != NULL; i++) {
        if (text_equals(value, kinds[i]->name)) {
            *kind = kinds[i];
            return status_ok();
        }
    }
    kinds_text(kinds, right, sizeof right);
    return wrong_line(lines, line, right);
}

static Status read_bits(TextLines *lines, int32_t *bits) {
    TextSpan line, value;
    STATUS_TRY(read_setting(lines, "bits", &line, &value));
    if (!text_equals(value, "256") && !text_equals(value, "512")) {
        return wrong_line(lines, line, "bits,256 or bits,512");
    }
    *bits = text_equals(value, "256") ? WEIGHTS_BITS_FEW : WEIGHTS_BITS_MANY;
    return status_ok();
}

static Status read_columns(TextLines *lines, int32_t columns) {
    TextSpan line, value;
    char number[WORD_SIZE / 2], right[WORD_SIZE];
    STATUS_TRY(read_setting(lines, "columns", &line, &value));
    snprintf(number, sizeof number, "%" PRId32, columns);
    snprintf(right, sizeof right, "columns,%s", number);
    return text_equals(value, number) ? status_ok() : wrong_line(lines, line, right);
}

static Status wrong_count(const TextLines *lines, const Weights *weights, const char *than) {
    return status_make(STATUS_FILE,
                       "%s: line %zu: has %s numbers than the %" PRId32 " that a row of %s has",
                       lines->name, lines->number, than, weights->columns, weights->kind);
}

static Status read_row(const TextLines *lines, TextSpan line, const WeightsKind *kind,
                       const Weights *weights, int32_t row) {
    float *values = weights_row(weights, row);
    TextSpan field;
    for (int32_t i = 0; i < weights->columns; i++) {
        if (!text_next_field(&line, &field)) {
            return wrong_count(lines, weights, "fewer");
        }
        if (!text_number(field, &values[i])) {
            char what[WORD_SIZE];
            snprintf(what, sizeof what, "number %" PRId32, i + 1);
            return text_number_error(lines, what, field);
        }
    }
    if (line.text != NULL) {
        return wrong_count(lines, weights, "more");
    }
    const Status checked = kind->check != NULL ? kind->check(values) : status_ok();
    return status_is_ok(&checked) ? checked
                                  : status_make(STATUS_FILE, "%s: line %zu: %s", lines->name,
                                                lines->number, checked.why);
}

/* Reads as many rows as there are, the first of which is `line`, and at most weights->bits. */
static Status read_rows(TextLines *lines, TextSpan line, const WeightsKind *kind,
                        const Weights *weights, int32_t *count) {
    *count = 0;
    do {
        if (*count == weights->bits) {
            return status_make(STATUS_FILE, "%s: line %zu: follows the last of %" PRId32 " rows",
                               lines->name, lines->number, weights->bits);
        }
        STATUS_TRY(read_row(lines, line, kind, weights, (*count)++));
    } while (next_line(lines, &line));
    return status_ok();
}

static Status read_with_header(TextLines *lines, const WeightsKind *const *kinds,
                               Weights *weights) {
    const WeightsKind *kind = NULL;
    int32_t bits = 0;
    int32_t count = 0;
    TextSpan line;
    STATUS_TRY(read_kind(lines, kinds, &kind));
    STATUS_TRY(read_bits(lines, &bits));
    STATUS_TRY(read_columns(lines, kind->columns));
    STATUS_TRY(weights_create(lines->name, kind, bits, weights));
    if (next_line(lines, &line)) {
        STATUS_TRY(read_rows(lines, line, kind, weights, &count));
    }
    if (count < bits) {
        return status_make(STATUS_FILE, "%s: truncated: has %" PRId32 " rows of %" PRId32,
                           lines->name, count, bits);
    }
    return status_ok();
}

/* The kind that has a form without a head; NULL: none. */
static const WeightsKind *kind_of_lines(const WeightsKind *const *kinds) {
    while (*kinds != NULL && !(*kinds)->lines) {
        kinds++;
    }
    return *kinds;
}

static const WeightsKind *kind_of_raw(const WeightsKind *const *kinds) {
    while (*kinds != NULL && !(*kinds)->raw) {
        kinds++;
    }
    return *kinds;
}

/* How many bits there are shows at the end only. */
static Status read_lines(TextLines *lines, TextSpan line, const WeightsKind *kind,
                         Weights *weights) {
    int32_t count = 0;
    STATUS_TRY(weights_create(lines->name, kind, WEIGHTS_BITS_MANY, weights));
    STATUS_TRY(read_rows(lines, line, kind, weights, &count));
    if (!weights_has_bits(count)) {
        return status_make(STATUS_FILE,
                           "%s: has %" PRId32 " lines of numbers; 256 or 512 would be right",
                           lines->name, count);
    }
    weights->bits = count;
    return status_ok();
}

/* A stored run may name any file as its weights: one that is none is not shown. */
static Status no_weights(const TextLines *lines, TextSpan line) {
    static const char right[] = "\"" WEIGHTS_FIRST_LINE "\" or a line of six numbers";
    TextSpan rest;
    if (text_begins(line, "bench weights", &rest)) {
        return wrong_line(lines, line, right);
    }
    return status_make(STATUS_FILE, "%s: line %zu: begins no weights; %s would be right",
                       lines->name, lines->number, right);
}

/* Reads the text form or lines of six numbers. */
static Status weights_decode_text(TextLines *lines, const WeightsKind *const *kinds,
                                  Weights *weights) {
    const WeightsKind *headless = kind_of_lines(kinds);
    TextSpan line, field;
    float number = 0;
    if (!next_line(lines, &line)) {
        return status_make(STATUS_FILE, "%s: holds no weights; its first line would be \"%s\"",
                           lines->name, WEIGHTS_FIRST_LINE);
    }
    if (text_equals(line, WEIGHTS_FIRST_LINE)) {
        return read_with_header(lines, kinds, weights);
    }
    TextSpan rest = line;
    if (headless == NULL || !text_next_field(&rest, &field) || !text_number(field, &number)) {
        return no_weights(lines, line);
    }
    return read_lines(lines, line, headless, weights);
}

/* === Reading ================================================================================== */

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

static size_t raw_size(const WeightsKind *kind, int32_t bits) {
    return (size_t)bits * (size_t)kind->columns * FLOAT_SIZE;
}

static float little_endian_float(const uint8_t *bytes) {
    const uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static Status decode_raw(const char *name, const WeightsKind *kind, const uint8_t *bytes,
                         size_t size, Weights *weights) {
    const int32_t bits =
        size == raw_size(kind, WEIGHTS_BITS_FEW) ? WEIGHTS_BITS_FEW : WEIGHTS_BITS_MANY;
    if (size != raw_size(kind, bits)) {
        STATUS_TRY(text_check_encoding(name, bytes, size));
        return status_make(STATUS_FILE,
                           "%s: is no text and has %zu bytes; weights of %s as float32 have %zu "
                           "for 256 bits, %zu for 512",
                           name, size, kind->name, raw_size(kind, WEIGHTS_BITS_FEW),
                           raw_size(kind, WEIGHTS_BITS_MANY));
    }
    STATUS_TRY(weights_create(name, kind, bits, weights));
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

static Status decode_text(const char *name, const WeightsKind *const *kinds, const void *bytes,
                          size_t size, Weights *weights) {
    TextLines lines = text_lines(name, bytes, size);
    const PlainLocale locale = plain_locale_enter();
    const Status status = weights_decode_text(&lines, kinds, weights);
    plain_locale_leave(&locale);
    return status;
}

Status weights_decode(const char *name, const WeightsKind *const *kinds, const void *bytes,
                      size_t size, Weights *weights) {
    *weights = (Weights){0};
    const WeightsKind *raw = is_raw(bytes, size) ? kind_of_raw(kinds) : NULL;
    const Status status = raw != NULL ? decode_raw(name, raw, bytes, size, weights)
                                      : decode_text(name, kinds, bytes, size, weights);
    if (!status_is_ok(&status)) {
        weights_free(weights);
        return status;
    }
    weights_finish(weights);
    return status;
}

Status weights_read(const char *path, const WeightsKind *const *kinds, Weights *weights) {
    FileBytes file;
    *weights = (Weights){0};
    STATUS_TRY(file_bytes_read(path, "a file of weights", FILE_SIZE_MAX, &file));
    const Status status = weights_decode(path, kinds, file.bytes, file.size, weights);
    file_bytes_free(&file);
    return status;
}

/* === Writing ================================================================================== */

/* Control characters become spaces: a file that has them is not read as text. */
static void write_comment(FILE *stream, const char *comment) {
    bool begins = true;
    for (const char *at = comment; *at != '\0'; at++) {
        if (begins) {
            fputs("# ", stream);
        }
        begins = *at == '\n';
        fputc((unsigned char)*at < ' ' && !begins ? ' ' : *at, stream);
    }
    if (!begins) {
        fputc('\n', stream);
    }
}

static void write_rows(FILE *stream, const Weights *weights) {
    for (int32_t row = 0; row < weights->bits; row++) {
        const float *values = weights_row(weights, row);
        for (int32_t i = 0; i < weights->columns; i++) {
            fprintf(stream, "%s%.9g", i > 0 ? "," : "", (double)values[i]);
        }
        fputc('\n', stream);
    }
}

Status weights_write(const char *path, const Weights *weights, const char *comment) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const PlainLocale locale = plain_locale_enter();
    write_comment(file.stream, comment != NULL ? comment : "");
    fprintf(file.stream, WEIGHTS_FIRST_LINE "\nkind,%s\nbits,%" PRId32 "\ncolumns,%" PRId32 "\n",
            weights->kind, weights->bits, weights->columns);
    write_rows(file.stream, weights);
    plain_locale_leave(&locale);
    return atomic_file_commit(&file);
}

/* === Random weights =========================================================================== */

static void draw_uniform(const WeightsKind *kind, Draw *draw, float *row) {
    for (int32_t i = 0; i < kind->columns; i++) {
        row[i] = (float)(2 * draw_share(draw_number(draw)) - 1);
    }
}

Status weights_random(const WeightsKind *kind, int32_t bits, uint64_t seed, Weights *weights) {
    *weights = (Weights){0};
    if (!weights_has_bits(bits)) {
        return status_make(STATUS_USAGE, "no weights for %d bits; 256 or 512 would be right",
                           (int)bits);
    }
    STATUS_TRY(weights_create("random", kind, bits, weights));
    Draw draw = {.seed = seed};
    for (int32_t row = 0; row < bits; row++) {
        if (kind->draw != NULL) {
            kind->draw(&draw, weights_row(weights, row));
        } else {
            draw_uniform(kind, &draw, weights_row(weights, row));
        }
    }
    weights_finish(weights);
    return status_ok();
}
