#include "axis.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 256 };

static Status add_value(AxisValues *values, int64_t number, const char *text) {
    for (size_t i = 0; i < values->count; i++) {
        if (strcmp(values->values[i].text, text) == 0) {
            return status_ok();
        }
    }
    if (values->count == AXIS_VALUES_MAX) {
        return status_make(STATUS_USAGE, "an axis takes at most %d values", AXIS_VALUES_MAX);
    }
    AxisValue *value = &values->values[values->count++];
    value->number = number;
    snprintf(value->text, sizeof value->text, "%s", text);
    return status_ok();
}

Status axis_values_add(AxisValues *values, int64_t number) {
    char text[AXIS_TEXT_SIZE];
    snprintf(text, sizeof text, "%" PRId64, number);
    return add_value(values, number, text);
}

/* Reads a decimal number at *text and moves *text past it. False when there is none or it does not
 * fit. strtoll would also accept leading blanks and a plus sign. */
static bool scan_number(const char **text, int64_t *number) {
    const char *at = *text;
    const bool negative = *at == '-';
    at += negative;
    if (*at < '0' || *at > '9') {
        return false;
    }
    int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        const int64_t digit = negative ? -(*at - '0') : *at - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return false;
        }
    }
    *text = at;
    *number = value;
    return true;
}

static Status integer_usage(const Axis *axis, const char *word) {
    char bounds[96];
    if (axis->maximum == INT64_MAX) {
        snprintf(bounds, sizeof bounds, "of at least %" PRId64, axis->minimum);
    } else {
        snprintf(bounds, sizeof bounds, "from %" PRId64 " to %" PRId64, axis->minimum,
                 axis->maximum);
    }
    return status_make(STATUS_USAGE, "--%s takes whole numbers %s, not '%s'", axis->name, bounds,
                       word);
}

static bool in_bounds(const Axis *axis, int64_t number) {
    return number >= axis->minimum && number <= axis->maximum;
}

static Status add_range(const Axis *axis, const char *word, int64_t first, int64_t last,
                        int64_t step, AxisValues *values) {
    if (step < 1) {
        return status_make(STATUS_USAGE, "--%s: the step of a range is at least 1, unlike in '%s'",
                           axis->name, word);
    }
    if (first > last) {
        return status_make(STATUS_USAGE,
                           "--%s: a range goes from the smaller to the larger number, unlike '%s'",
                           axis->name, word);
    }
    if (((uint64_t)last - (uint64_t)first) / (uint64_t)step >= AXIS_VALUES_MAX) {
        return status_make(STATUS_USAGE, "--%s takes at most %d values, '%s' is more", axis->name,
                           AXIS_VALUES_MAX, word);
    }
    for (int64_t number = first;; number += step) {
        STATUS_TRY(axis_values_add(values, number));
        if ((uint64_t)last - (uint64_t)number < (uint64_t)step) {
            return status_ok();
        }
    }
}

/* "8", "1..8" or "0..255:16". */
static Status parse_integers(const Axis *axis, const char *word, AxisValues *values) {
    const char *at = word;
    int64_t first = 0;
    if (!scan_number(&at, &first)) {
        return integer_usage(axis, word);
    }
    int64_t last = first;
    int64_t step = 1;
    if (strncmp(at, "..", 2) == 0) {
        at += 2;
        if (!scan_number(&at, &last)) {
            return integer_usage(axis, word);
        }
        if (*at == ':') {
            at++;
            if (!scan_number(&at, &step)) {
                return integer_usage(axis, word);
            }
        }
    }
    if (*at != '\0' || !in_bounds(axis, first) || !in_bounds(axis, last)) {
        return integer_usage(axis, word);
    }
    return add_range(axis, word, first, last, step, values);
}

static Status parse_choice(const Axis *axis, const char *word, AxisValues *values) {
    char known[MESSAGE_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; axis->choices[i] != NULL; i++) {
        if (strcmp(axis->choices[i], word) == 0) {
            return add_value(values, (int64_t)i, word);
        }
        const char *separator = i == 0 ? "" : axis->choices[i + 1] == NULL ? " or " : ", ";
        if (used < sizeof known) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", separator,
                                     axis->choices[i]);
        }
    }
    return status_make(STATUS_USAGE, "--%s takes %s, not '%s'", axis->name, known, word);
}

static Status parse_text(const Axis *axis, const char *word, AxisValues *values) {
    if (axis->check != NULL) {
        STATUS_TRY(axis->check(word));
    }
    return add_value(values, 0, word);
}

static Status parse_word(const Axis *axis, const char *word, const Workload *workload,
                         AxisValues *values) {
    if (axis->expand != NULL) {
        const Status expanded = axis->expand(word, workload, values);
        if (expanded.code != STATUS_NO_MATCH) {
            return expanded;
        }
    }
    switch (axis->kind) {
    case AXIS_INTEGER: return parse_integers(axis, word, values);
    case AXIS_CHOICE: return parse_choice(axis, word, values);
    case AXIS_TEXT: return parse_text(axis, word, values);
    }
    return status_fail("the axis '%s' has no kind", axis->name);
}

/* Longest word: a range of three 64-bit numbers. */
enum { WORD_SIZE = 72 };

Status axis_parse(const Axis *axis, const char *list, const Workload *workload,
                  AxisValues *values) {
    values->count = 0;
    for (const char *at = list;;) {
        const size_t length = strcspn(at, ",");
        if (length == 0) {
            return status_make(STATUS_USAGE,
                               "--%s takes values separated by single commas, not '%s'", axis->name,
                               list);
        }
        const size_t limit = axis->kind == AXIS_INTEGER ? WORD_SIZE : AXIS_TEXT_SIZE;
        if (length >= limit) {
            return status_make(STATUS_USAGE, "--%s: the value '%.40s…' is too long", axis->name,
                               at);
        }
        char word[WORD_SIZE];
        memcpy(word, at, length);
        word[length] = '\0';
        STATUS_TRY(parse_word(axis, word, workload, values));
        if (at[length] == '\0') {
            return status_ok();
        }
        at += length + 1;
    }
}

const Axis *axis_in_list(const Axis *const *axes, const char *name) {
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        if (strcmp(axes[i]->name, name) == 0) {
            return axes[i];
        }
    }
    return NULL;
}

const AxisValue *point_value(const Point *point, const char *name) {
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, name) == 0) {
            return &point->values[i];
        }
    }
    return NULL;
}

int64_t point_integer(const Point *point, const char *name, int64_t fallback) {
    const AxisValue *value = point_value(point, name);
    return value == NULL ? fallback : value->number;
}

const char *point_text(const Point *point, const char *name) {
    const AxisValue *value = point_value(point, name);
    return value == NULL ? "" : value->text;
}

bool point_equal(const Point *a, const Point *b) {
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->axes[i]->name, b->axes[i]->name) != 0 ||
            strcmp(a->values[i].text, b->values[i].text) != 0) {
            return false;
        }
    }
    return true;
}

bool point_equal_but(const Point *a, const Point *b, const char *name) {
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const char *own = a->axes[i]->name;
        if (strcmp(own, name) != 0 && strcmp(a->values[i].text, point_text(b, own)) != 0) {
            return false;
        }
    }
    return true;
}

void point_format(const Point *point, char *text, size_t size) {
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    size_t used = 0;
    for (size_t i = 0; i < point->count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s:%s", i == 0 ? "" : ",",
                                 point->axes[i]->name, point->values[i].text);
    }
}
