#include "console_notes.h"

#include <math.h>
#include <string.h>

#include "complexity.h"

static bool is_unconverged(const Row *row) {
    return !row->converged;
}

static bool is_throttled(const Row *row) {
    return row->throttled;
}

static bool is_autocorrelated(const Row *row) {
    return row->autocorrelated;
}

static bool is_multimodal(const Row *row) {
    return row->multimodal;
}

static bool is_over_roof(const Row *row) {
    return row->over_roof;
}

static const struct {
    char letter;
    bool (*applies)(const Row *row);
    const char *meaning;
} marks_table[] = {
    {'*', is_unconverged, "not converged: the interval is wider than asked for"},
    {'!', is_throttled, "throttled: the processor ran clearly below its clock"},
    {'~', is_autocorrelated,
     "autocorrelated: samples resemble their neighbours, and the interval is too narrow"},
    {'^', is_multimodal, "multimodal: the samples have more than one mode, a median may jump"},
    {'>', is_over_roof,
     "over the roof: the cost model or a ceiling is wrong ('bench roof --fresh')"},
};
enum { MARK_COUNT = sizeof marks_table / sizeof marks_table[0] };
_Static_assert(MARK_COUNT + 2 <= CONSOLE_MARKS_SIZE, "a blank, every mark and the end fit");

void console_marks(const Row *row, char marks[CONSOLE_MARKS_SIZE]) {
    size_t length = 0;
    for (size_t i = 0; i < MARK_COUNT; i++) {
        if (marks_table[i].applies(row)) {
            marks[length] = length == 0 ? ' ' : marks[length];
            length += length == 0;
            marks[length++] = marks_table[i].letter;
        }
    }
    marks[length] = '\0';
}

typedef bool (*SameTable)(const Row *a, const Row *b);

static bool is_shown(const Results *results, size_t first, size_t index, SameTable same_table) {
    const Row *row = &results->rows[index];
    return row->status == CELL_OK && same_table(row, &results->rows[first]);
}

void console_legend_print(FILE *stream, const Results *results, size_t first,
                          bool (*same_table)(const Row *a, const Row *b)) {
    bool any[MARK_COUNT] = {false};
    size_t mild = 0;
    size_t severe = 0;
    size_t samples = 0;
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!is_shown(results, first, i, same_table)) {
            continue;
        }
        for (size_t mark = 0; mark < MARK_COUNT; mark++) {
            any[mark] |= marks_table[mark].applies(row);
        }
        mild += row->outliers_mild;
        severe += row->outliers_severe;
        samples += row->kernel.count;
    }
    for (size_t mark = 0; mark < MARK_COUNT; mark++) {
        if (any[mark]) {
            fprintf(stream, "%c %s\n", marks_table[mark].letter, marks_table[mark].meaning);
        }
    }
    if (mild + severe > 0) {
        fprintf(stream, "outliers: %zu mild, %zu severe of %zu samples; none is left out\n", mild,
                severe, samples);
    }
}

static bool told_before(const Results *results, size_t first, size_t index, SameTable same_table) {
    for (size_t i = first; i < index; i++) {
        if (is_shown(results, first, i, same_table) &&
            same_complexity(&results->rows[i], &results->rows[index])) {
            return true;
        }
    }
    return false;
}

void console_complexity_print(FILE *stream, const Results *results, size_t first,
                              bool (*same_table)(const Row *a, const Row *b)) {
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!is_shown(results, first, i, same_table) || !isfinite(row->exponent) ||
            told_before(results, first, i, same_table)) {
            continue;
        }
        const char *item = row->algorithm->item != NULL ? row->algorithm->item : "item";
        fprintf(stream, "%s: time ~ %ss^%.2f [%.2f, %.2f]\n", row->variant->name, item,
                row->exponent, row->exponent_low, row->exponent_high);
    }
}
