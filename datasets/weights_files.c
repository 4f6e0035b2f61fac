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

int32_t weights_columns(const char *kind) {
    if (strcmp(kind, WEIGHTS_HASHSIFT) == 0) {
        return WEIGHTS_HASHSIFT_COLUMNS;
    }
    if (strcmp(kind, WEIGHTS_ORB) == 0) {
        return WEIGHTS_ORB_COLUMNS;
    }
    return strcmp(kind, WEIGHTS_BAD) == 0 ? WEIGHTS_BAD_COLUMNS : 0;
}

Status weights_create(const char *name, const char *kind, int32_t bits, Weights *weights) {
    const char *slash = strrchr(name, '/');
    *weights = (Weights){.bits = bits, .columns = weights_columns(kind)};
    snprintf(weights->kind, sizeof weights->kind, "%s", kind);
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

/* === Boxes ==================================================================================== */

enum { BAD_X1, BAD_Y1, BAD_X2, BAD_Y2, BAD_RADIUS, BAD_THRESHOLD };

static const char *const column_names[WEIGHTS_BAD_COLUMNS] = {
    [BAD_X1] = "x1", [BAD_Y1] = "y1",         [BAD_X2] = "x2",
    [BAD_Y2] = "y2", [BAD_RADIUS] = "radius", [BAD_THRESHOLD] = "threshold",
};

/* Held against the limits as floating point: what is far beyond them fits no integer. */
static bool is_inside(float centre, float radius) {
    return centre - radius >= 0 && centre + radius <= WEIGHTS_BAD_SIDE - 1;
}

/* The first `count` numbers of a row just read from `lines`. */
static Status check_whole(const TextLines *lines, const float *row, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (row[i] != floorf(row[i])) {
            return status_make(STATUS_FILE, "%s: line %zu: %s is %g; it has to be a whole number",
                               lines->name, lines->number, column_names[i], (double)row[i]);
        }
    }
    return status_ok();
}

/* A row of bad: whole numbers, boxes inside the patch. */
static Status weights_check_boxes(const TextLines *lines, const float *row) {
    STATUS_TRY(check_whole(lines, row, BAD_THRESHOLD));
    const float radius = row[BAD_RADIUS];
    if (radius < 0) {
        return status_make(STATUS_FILE, "%s: line %zu: the radius is %g; 0 or more would be right",
                           lines->name, lines->number, (double)radius);
    }
    for (size_t i = BAD_X1; i <= BAD_Y2; i++) {
        if (!is_inside(row[i], radius)) {
            return status_make(STATUS_FILE,
                               "%s: line %zu: with %s %g and radius %g a box leaves the patch, "
                               "pixels 0 to %d",
                               lines->name, lines->number, column_names[i], (double)row[i],
                               (double)radius, WEIGHTS_BAD_SIDE - 1);
        }
    }
    return status_ok();
}

/* A row of orb, whose columns are the first of bad: whole numbers, positions inside the patch. */
static Status weights_check_pairs(const TextLines *lines, const float *row) {
    STATUS_TRY(check_whole(lines, row, WEIGHTS_ORB_COLUMNS));
    for (size_t i = 0; i < WEIGHTS_ORB_COLUMNS; i++) {
        if (fabsf(row[i]) > WEIGHTS_ORB_REACH) {
            return status_make(STATUS_FILE,
                               "%s: line %zu: %s is %g and leaves the patch; -%d to %d would be "
                               "right",
                               lines->name, lines->number, column_names[i], (double)row[i],
                               WEIGHTS_ORB_REACH, WEIGHTS_ORB_REACH);
        }
    }
    return status_ok();
}

/* === Text ===================================================================================== */

enum { WORD_SIZE = 32 };

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

static Status read_kind(TextLines *lines, const char **kind) {
    static const char *const kinds[] = {WEIGHTS_HASHSIFT, WEIGHTS_BAD, WEIGHTS_ORB};
    TextSpan line, value;
    STATUS_TRY(read_setting(lines, "kind", &line, &value));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (text_equals(value, kinds[i])) {
            *kind = kinds[i];
            return status_ok();
        }
    }
    return wrong_line(lines, line, "kind,hashsift, kind,bad or kind,orb");
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

static Status read_row(const TextLines *lines, TextSpan line, const Weights *weights, int32_t row) {
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
    if (strcmp(weights->kind, WEIGHTS_ORB) == 0) {
        return weights_check_pairs(lines, values);
    }
    const bool boxes = strcmp(weights->kind, WEIGHTS_BAD) == 0;
    return boxes ? weights_check_boxes(lines, values) : status_ok();
}

/* Reads as many rows as there are, the first of which is `line`, and at most weights->bits. */
static Status read_rows(TextLines *lines, TextSpan line, const Weights *weights, int32_t *count) {
    *count = 0;
    do {
        if (*count == weights->bits) {
            return status_make(STATUS_FILE, "%s: line %zu: follows the last of %" PRId32 " rows",
                               lines->name, lines->number, weights->bits);
        }
        STATUS_TRY(read_row(lines, line, weights, (*count)++));
    } while (next_line(lines, &line));
    return status_ok();
}

static Status read_with_header(TextLines *lines, Weights *weights) {
    const char *kind = NULL;
    int32_t bits = 0;
    int32_t count = 0;
    TextSpan line;
    STATUS_TRY(read_kind(lines, &kind));
    STATUS_TRY(read_bits(lines, &bits));
    STATUS_TRY(read_columns(lines, weights_columns(kind)));
    STATUS_TRY(weights_create(lines->name, kind, bits, weights));
    if (next_line(lines, &line)) {
        STATUS_TRY(read_rows(lines, line, weights, &count));
    }
    if (count < bits) {
        return status_make(STATUS_FILE, "%s: truncated: has %" PRId32 " rows of %" PRId32,
                           lines->name, count, bits);
    }
    return status_ok();
}

/* How many bits there are shows at the end only. */
static Status read_boxes(TextLines *lines, TextSpan line, Weights *weights) {
    int32_t count = 0;
    STATUS_TRY(weights_create(lines->name, WEIGHTS_BAD, WEIGHTS_BITS_MANY, weights));
    STATUS_TRY(read_rows(lines, line, weights, &count));
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
static Status weights_decode_text(TextLines *lines, Weights *weights) {
    TextSpan line, field;
    float number = 0;
    if (!next_line(lines, &line)) {
        return status_make(STATUS_FILE, "%s: holds no weights; its first line would be \"%s\"",
                           lines->name, WEIGHTS_FIRST_LINE);
    }
    if (text_equals(line, WEIGHTS_FIRST_LINE)) {
        return read_with_header(lines, weights);
    }
    TextSpan rest = line;
    if (!text_next_field(&rest, &field) || !text_number(field, &number)) {
        return no_weights(lines, line);
    }
    return read_boxes(lines, line, weights);
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
        STATUS_TRY(text_check_encoding(name, bytes, size));
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

enum {
    RADIUS_MAX = 7,
    UNIFORMS = 12, /* their sum has the variance 1 and is as good as normal up to 3 deviations */
    UNIFORM_BITS = 16,
    UNIFORMS_OF_A_NUMBER = 64 / UNIFORM_BITS,
    UNIFORM_MAX = (1 << UNIFORM_BITS) - 1,
    AVERAGE_VALUE = 28 /* of SIFT: that of OpenCV's keypoints in the Oxford graf image is 27.9 */
};

/*
 * Normally distributed, in units of 2^-16, as a sum of uniform numbers: whole numbers are the same
 * on every machine, where logarithm and cosine differ in their last bit.
 */
static int32_t draw_normal(Draw *draw) {
    int32_t sum = -UNIFORMS * UNIFORM_MAX / 2;
    for (int32_t i = 0; i < UNIFORMS / UNIFORMS_OF_A_NUMBER; i++) {
        uint64_t number = draw_number(draw);
        for (int32_t j = 0; j < UNIFORMS_OF_A_NUMBER; j++) {
            sum += (int32_t)(number & UNIFORM_MAX);
            number >>= UNIFORM_BITS;
        }
    }
    return sum;
}

static void draw_projection(Draw *draw, float *row) {
    const double unit = 1.0 / (1 << UNIFORM_BITS);
    int64_t sum = 0;
    for (int32_t i = 1; i < WEIGHTS_HASHSIFT_COLUMNS; i++) {
        const int32_t factor = draw_normal(draw);
        row[i] = (float)(factor * unit);
        sum += factor;
    }
    row[0] = (float)((double)(-AVERAGE_VALUE * sum) * unit);
}

/* Boxes at the same place would make a bit that is always 1. */
static void draw_boxes(Draw *draw, float *row) {
    const int32_t radius = draw_below(draw, RADIUS_MAX + 1);
    do {
        for (int32_t i = 0; i < 4; i++) {
            row[i] = (float)(radius + draw_below(draw, WEIGHTS_BAD_SIDE - 2 * radius));
        }
    } while (row[0] == row[2] && row[1] == row[3]);
    row[4] = (float)radius;
    row[5] = 0;
}

/* A pair at one place would make a bit that is always 0. */
static void draw_pair(Draw *draw, float *row) {
    do {
        for (int32_t i = 0; i < WEIGHTS_ORB_COLUMNS; i++) {
            row[i] = (float)(draw_below(draw, 2 * WEIGHTS_ORB_REACH + 1) - WEIGHTS_ORB_REACH);
        }
    } while (row[0] == row[2] && row[1] == row[3]);
}

Status weights_random(const char *kind, int32_t bits, uint64_t seed, Weights *weights) {
    *weights = (Weights){0};
    if (weights_columns(kind) == 0) {
        return status_make(STATUS_USAGE, "no weights of kind \"%s\"; %s, %s or %s would be right",
                           kind, WEIGHTS_HASHSIFT, WEIGHTS_BAD, WEIGHTS_ORB);
    }
    if (!weights_has_bits(bits)) {
        return status_make(STATUS_USAGE, "no weights for %d bits; 256 or 512 would be right",
                           (int)bits);
    }
    STATUS_TRY(weights_create("random", kind, bits, weights));
    Draw draw = {.seed = seed};
    void (*const draw_row)(Draw *, float *) = strcmp(kind, WEIGHTS_ORB) == 0   ? draw_pair
                                              : strcmp(kind, WEIGHTS_BAD) == 0 ? draw_boxes
                                                                               : draw_projection;
    for (int32_t row = 0; row < bits; row++) {
        draw_row(&draw, weights_row(weights, row));
    }
    weights_finish(weights);
    return status_ok();
}
