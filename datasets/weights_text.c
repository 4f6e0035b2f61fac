#include "weights_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    static const char *const kinds[] = {WEIGHTS_HASHSIFT, WEIGHTS_BAD};
    TextSpan line, value;
    STATUS_TRY(read_setting(lines, "kind", &line, &value));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (text_equals(value, kinds[i])) {
            *kind = kinds[i];
            return status_ok();
        }
    }
    return wrong_line(lines, line, "kind,hashsift or kind,bad");
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

Status weights_decode_text(TextLines *lines, Weights *weights) {
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
        return wrong_line(lines, line, "\"" WEIGHTS_FIRST_LINE "\" or a line of six numbers");
    }
    return read_boxes(lines, line, weights);
}
