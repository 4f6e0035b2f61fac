/* Numbers as text: for files, with significant digits, with units. */

#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === For files ================================================================================ */

/* printf writes the decimal separator of the locale. */
static void use_point(char *text) {
    const char *point = localeconv()->decimal_point;
    char *found = strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
    if (found != NULL) {
        const size_t length = strlen(point);
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
}

void number_text(double number, char *text, size_t size) {
    if (!isfinite(number)) {
        text[0] = '\0';
        return;
    }
    /* Whole numbers (bytes, counts) stay whole. */
    const bool whole = number == floor(number) && fabs(number) < 1e15;
    snprintf(text, size, whole ? "%.0f" : "%.9g", number);
    use_point(text);
}

void number_text_exact(double number, char *text, size_t size) {
    if (!isfinite(number)) {
        text[0] = '\0';
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    use_point(text);
}

/* === Significant digits ======================================================================= */

enum { DIGITS_MAX = 15, LEAST_PLAIN = -5, MOST_PLAIN = 15 };

/* Writes the digits of a positive number; returns the power of ten of the first one. The point that
 * printf writes between them, which depends on the locale, is skipped. */
static int split_digits(double number, int count, char digits[DIGITS_MAX + 1]) {
    char text[SIGNIFICANT_SIZE];
    snprintf(text, sizeof text, "%.*e", count - 1, number);
    const char *exponent = strrchr(text, 'e');
    int found = 0;
    for (const char *c = text; c < exponent && found < count; c++) {
        if (*c >= '0' && *c <= '9') {
            digits[found++] = *c;
        }
    }
    digits[found] = '\0';
    return (int)strtol(exponent + 1, NULL, 10);
}

/* Writes a number below 10^MOST_PLAIN without an exponent. */
static void write_plain(const char *digits, int power, char *text) {
    const int count = (int)strlen(digits);
    for (int place = power > 0 ? power : 0; place >= 0 || power - place < count; place--) {
        const int i = power - place;
        if (place == -1) {
            *text++ = '.';
        }
        *text++ = i >= 0 && i < count ? digits[i] : '0';
    }
    *text = '\0';
}

void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]) {
    if (isnan(number) || isinf(number)) {
        snprintf(text, SIGNIFICANT_SIZE, "%s", isnan(number) ? "—" : number > 0 ? "∞" : "-∞");
        return;
    }
    if (number == 0) {
        snprintf(text, SIGNIFICANT_SIZE, "0");
        return;
    }
    char kept[DIGITS_MAX + 1];
    const int count = digits < 1 ? 1 : digits > DIGITS_MAX ? DIGITS_MAX : digits;
    const int power = split_digits(fabs(number), count, kept);
    if (number < 0) {
        *text++ = '-';
    }
    if (power >= LEAST_PLAIN && power < MOST_PLAIN) {
        write_plain(kept, power, text);
    } else {
        snprintf(text, SIGNIFICANT_SIZE - 1, "%c%s%se%d", kept[0], count > 1 ? "." : "", kept + 1,
                 power);
    }
}

void measured_text(double number, int digits, char text[SIGNIFICANT_SIZE]) {
    const double magnitude = fabs(number);
    const bool large = magnitude >= pow(10, digits) && magnitude < pow(10, DIGITS_MAX);
    significant_text(number, large ? 1 + (int)floor(log10(magnitude)) : digits, text);
}

/* === Amounts, shares and ratios =============================================================== */

void amount_text(double amount, const char *unit, char *text, size_t size) {
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    /* 999.5 would be written as 1000 of the smaller unit. */
    for (; amount >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++) {
        amount /= 1000;
    }
    char digits[SIGNIFICANT_SIZE];
    const bool whole = prefix == 0 && amount == floor(amount);
    if (whole) {
        snprintf(digits, sizeof digits, "%.0f", amount);
    } else {
        significant_text(amount, NUMBER_DIGITS, digits);
    }
    const bool bare = prefix == 0 && unit[0] == '\0';
    snprintf(text, size, "%s%s%s%s", digits, bare ? "" : " ", prefixes[prefix], unit);
}

void percent_text(double share, int decimals, char text[SIGNIFICANT_SIZE]) {
    enum { MOST_DECIMALS = 12 };
    text[0] = '\0';
    if (!isfinite(share)) {
        return;
    }
    do {
        snprintf(text, SIGNIFICANT_SIZE, "%.*f%%", decimals, 100 * share);
    } while (share < 1 && strncmp(text, "100", 3) == 0 && ++decimals <= MOST_DECIMALS);
    use_point(text);
}

void times_text(double ratio, char text[SIGNIFICANT_SIZE]) {
    char number[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (isfinite(ratio)) {
        significant_text(ratio, NUMBER_DIGITS, number);
        snprintf(text, SIGNIFICANT_SIZE, "%.40s×", number);
    }
}

/* === Units of time ============================================================================ */

const TimeUnit time_units[TIME_UNITS] = {[TIME_NS] = {"ns", "ns", 1e-9},
                                         [TIME_US] = {"us", "µs", 1e-6},
                                         [TIME_MS] = {"ms", "ms", 1e-3},
                                         [TIME_S] = {"s", "s", 1},
                                         [TIME_MIN] = {"min", "min", 60}};

const TimeUnit *time_unit_find(const char *word, TimeUnitIndex first, TimeUnitIndex last) {
    for (int i = (int)first; i <= (int)last; i++) {
        if (strcmp(word, time_units[i].word) == 0) {
            return &time_units[i];
        }
    }
    return NULL;
}

const TimeUnit *time_unit_of(double seconds, int digits) {
    /* 999.5 in three digits would be written as 1000 of the smaller unit. */
    const double least = digits > 0 ? 1 - 0.5 * pow(10, -digits) : 1;
    int unit = TIME_NS;
    while (unit < TIME_S && seconds >= least * time_units[unit + 1].seconds) {
        unit++;
    }
    return &time_units[unit];
}

void seconds_text(double seconds, char text[NUMBER_WORDS_SIZE]) {
    const TimeUnit *unit = time_unit_of(seconds, NUMBER_DIGITS);
    char number[SIGNIFICANT_SIZE];
    significant_text(seconds / unit->seconds, NUMBER_DIGITS, number);
    snprintf(text, NUMBER_WORDS_SIZE, "%s %s", number, unit->name);
}

void seconds_text_ascii(double seconds, int digits, char text[NUMBER_WORDS_SIZE]) {
    const TimeUnit *unit = time_unit_of(seconds, digits);
    char number[SIGNIFICANT_SIZE];
    measured_text(seconds / unit->seconds, digits, number);
    snprintf(text, NUMBER_WORDS_SIZE, "%s %s", number, unit->word);
}

/* === Intervals ================================================================================ */

void interval_text(double low, double high, char text[NUMBER_WORDS_SIZE]) {
    enum { MOST_DIGITS = 5 };
    char from[SIGNIFICANT_SIZE], to[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (!isfinite(low) || !isfinite(high)) {
        return;
    }
    int digits = NUMBER_DIGITS;
    do {
        significant_text(low, digits, from);
        significant_text(high, digits, to);
    } while (strcmp(from, to) == 0 && low < high && digits++ < MOST_DIGITS);
    snprintf(text, NUMBER_WORDS_SIZE, "%s to %s", from, to);
}

void duration_text(double seconds, char text[DURATION_SIZE]) {
    const long whole = (long)(seconds + 0.5);
    if (whole < 3600) {
        snprintf(text, DURATION_SIZE, "%ld:%02ld", whole / 60, whole % 60);
    } else {
        snprintf(text, DURATION_SIZE, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    }
}

/* Up to so many seconds an estimate is rounded to such steps. */
typedef struct RangeStep {
    double most, step, unit;
    const char *word;
} RangeStep;

static const RangeStep range_steps[] = {{20, 1, 1, "s"},
                                        {60, 5, 1, "s"},
                                        {120, 10, 1, "s"},
                                        {7200, 60, 60, "min"},
                                        {INFINITY, 3600, 3600, "h"}};

void time_range_text(double low, double high, char text[NUMBER_WORDS_SIZE]) {
    static const double few = 5;
    const RangeStep *of = range_steps;
    while (high > of->most) {
        of++;
    }
    const double least = fmax(round(low / of->step), 1) * of->step / of->unit;
    const double most = fmax(round(high / of->step), 1) * of->step / of->unit;
    if (!(high >= few)) {
        snprintf(text, NUMBER_WORDS_SIZE, "a few seconds");
    } else if (least < most) {
        snprintf(text, NUMBER_WORDS_SIZE, "%.0f–%.0f %s", least, most, of->word);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "about %.0f %s", most, of->word);
    }
}

/* === Order ==================================================================================== */

int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

double median_in_place(double *values, size_t n) {
    if (n == 0) {
        return NAN;
    }
    qsort(values, n, sizeof *values, compare_doubles);
    const size_t below = (n - 1) / 2;
    return n % 2 == 1 ? values[below] : values[below] + (values[below + 1] - values[below]) * 0.5;
}

/* === Out of texts ============================================================================= */

double leading_number(const char *text, const char **rest) {
    char *end;
    const double number = strtod(text, &end);
    if (rest != NULL) {
        *rest = end;
    }
    return end != text ? number : (double)NAN;
}

double number_written(double number) {
    char text[32];
    number_text(number, text, sizeof text);
    return whole_number(text);
}

double whole_number(const char *text) {
    const char *rest;
    const double number = leading_number(text, &rest);
    return *rest == '\0' && isfinite(number) ? number : (double)NAN;
}
