#include "overview_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amount_text.h"
#include "run_groups.h"
#include "significant.h"

static const TimeUnit units[] = {{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
enum { UNIT_COUNT = sizeof units / sizeof units[0], MILLISECONDS = 2 };

void time_range_add(TimeRange *range, double seconds) {
    if (seconds > 0.0 && isfinite(seconds)) {
        range->logarithms += log(seconds);
        range->count++;
    }
}

/* 999.5 would be written as 1000 of the smaller unit. */
static TimeUnit unit_of(double seconds) {
    size_t unit = 0;
    while (unit + 1 < UNIT_COUNT && seconds >= 0.9995 * units[unit + 1].seconds) {
        unit++;
    }
    return units[unit];
}

TimeUnit time_unit(const TimeRange *range) {
    return range->count > 0 ? unit_of(exp(range->logarithms / (double)range->count))
                            : units[MILLISECONDS];
}

void seconds_text(double seconds, char text[OVERVIEW_TEXT_SIZE]) {
    const TimeUnit unit = unit_of(seconds);
    char number[SIGNIFICANT_SIZE];
    significant_text(seconds / unit.seconds, OVERVIEW_DIGITS, number);
    snprintf(text, OVERVIEW_TEXT_SIZE, "%s %s", number, unit.name);
}

static void ends_text(double low, double high, const char *between, char text[OVERVIEW_TEXT_SIZE]) {
    enum { DIGITS_MAX = 5 };
    char from[SIGNIFICANT_SIZE];
    char to[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (!isfinite(low) || !isfinite(high)) {
        return;
    }
    int digits = OVERVIEW_DIGITS;
    do {
        significant_text(low, digits, from);
        significant_text(high, digits, to);
    } while (strcmp(from, to) == 0 && low < high && digits++ < DIGITS_MAX);
    snprintf(text, OVERVIEW_TEXT_SIZE, "%s%s%s", from, between, to);
}

void interval_text(double low, double high, char text[OVERVIEW_TEXT_SIZE]) {
    ends_text(low, high, " to ", text);
}

void ratio_text(double value, double low, double high, char text[OVERVIEW_TEXT_SIZE]) {
    char number[SIGNIFICANT_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    text[0] = '\0';
    if (!isfinite(value)) {
        return;
    }
    significant_text(value, OVERVIEW_DIGITS, number);
    ends_text(low, high, "–", ends);
    const bool known = ends[0] != '\0' && low < high;
    snprintf(text, OVERVIEW_TEXT_SIZE, "%.20s×%s%.60s%s", number, known ? " (" : "",
             known ? ends : "", known ? ")" : "");
}

/* Whether the name is nothing but the sides: "480x360", "512". */
static bool is_named_by_sides(const Row *row) {
    char sides[32];
    snprintf(sides, sizeof sides, "%dx%d", row->width, row->height);
    const bool square = row->width == row->height;
    return strcmp(row->size_name, sides) == 0 ||
           (square && strspn(row->size_name, "0123456789") == strlen(row->size_name));
}

void size_short(const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    if (!row_is_picture(row)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%.0f", row_size(row));
    } else if (is_named_by_sides(row)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%d×%d", row->width, row->height);
    } else {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s", row->size_name);
    }
}

void size_words(const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    if (!row_is_picture(row)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%.0f %s", row_size(row), row_size_unit(row));
    } else if (is_named_by_sides(row)) {
        size_short(row, text);
    } else {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s (%d×%d)", row->size_name, row->width, row->height);
    }
}

static void pixels_text(double size, char *text, size_t text_size) {
    amount_text(size, "pixel", text, text_size);
}

static void counted_text(double size, const char *unit, char *text, size_t text_size) {
    char number[SIGNIFICANT_SIZE];
    significant_text(size, OVERVIEW_DIGITS, number);
    snprintf(text, text_size, "%s %s", number, unit);
}

static void pictures_text(double size, char *text, size_t text_size) {
    counted_text(size, "pictures", text, text_size);
}

static void rows_text(double size, char *text, size_t text_size) {
    counted_text(size, "rows", text, text_size);
}

SizeText size_text_of(const Row *row) {
    return row_is_picture(row)                             ? pixels_text
           : row->algorithm->input == WORKLOAD_DESCRIPTORS ? rows_text
                                                           : pictures_text;
}
