/* Numbers as text: for files, with significant digits, with units. */

#include "base_internal.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Number text ============================================================================== */

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

/* === Significant ============================================================================== */

enum { DIGITS_MAX = 15, LEAST_PLAIN = -5, MOST_PLAIN = 15 };

/* The digits of a positive number and the power of ten of the first one. printf writes the point of
 * the locale between them: it is passed over. */
static int take_digits(double number, int count, char digits[DIGITS_MAX + 1]) {
    char text[SIGNIFICANT_SIZE];
    snprintf(text, sizeof text, "%.*e", count - 1, number);
    const char *exponent = strrchr(text, 'e');
    int taken = 0;
    for (const char *c = text; c < exponent && taken < count; c++) {
        if (*c >= '0' && *c <= '9') {
            digits[taken++] = *c;
        }
    }
    digits[taken] = '\0';
    return (int)strtol(exponent + 1, NULL, 10);
}

static void plain_digits(FILE *stream, const char *digits, int power) {
    const int count = (int)strlen(digits);
    for (int place = power > 0 ? power : 0; place >= 0 || power - place < count; place--) {
        const int i = power - place;
        if (place == -1) {
            fputc('.', stream);
        }
        fputc(i >= 0 && i < count ? digits[i] : '0', stream);
    }
}

void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]) {
    const char *sign = signbit(number) && number != 0 ? "-" : "";
    if (isnan(number) || isinf(number)) {
        snprintf(text, SIGNIFICANT_SIZE, "%s", isnan(number) ? "—" : number > 0 ? "∞" : "-∞");
        return;
    }
    if (number == 0) {
        snprintf(text, SIGNIFICANT_SIZE, "0");
        return;
    }
    char taken[DIGITS_MAX + 1];
    const int count = digits < 1 ? 1 : digits > DIGITS_MAX ? DIGITS_MAX : digits;
    const int power = take_digits(fabs(number), count, taken);
    if (power >= LEAST_PLAIN && power < MOST_PLAIN) {
        FILE *stream = fmemopen(text, SIGNIFICANT_SIZE, "w");
        if (stream == NULL) {
            text[0] = '\0';
            return;
        }
        fputs(sign, stream);
        plain_digits(stream, taken, power);
        fclose(stream);
    } else {
        snprintf(text, SIGNIFICANT_SIZE, "%s%c%s%se%d", sign, taken[0], count > 1 ? "." : "",
                 taken + 1, power);
    }
}

/* === Amount text ============================================================================== */

void amount_text(double amount, const char *unit, char *text, size_t size) {
    enum { DIGITS = 3 };
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
        significant_text(amount, DIGITS, digits);
    }
    snprintf(text, size, "%s %s%s", digits, prefixes[prefix], unit);
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

/* === Times and ratios for people ============================================================== */

void seconds_text(double seconds, char text[NUMBER_WORDS_SIZE]) {
    const TimeUnit *unit = time_unit_of(seconds, NUMBER_DIGITS);
    char number[SIGNIFICANT_SIZE];
    significant_text(seconds / unit->seconds, NUMBER_DIGITS, number);
    snprintf(text, NUMBER_WORDS_SIZE, "%s %s", number, unit->name);
}

static void ends_text(double low, double high, const char *between, char text[NUMBER_WORDS_SIZE]) {
    enum { MOST_DIGITS = 5 };
    char from[SIGNIFICANT_SIZE];
    char to[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (!isfinite(low) || !isfinite(high)) {
        return;
    }
    int digits = NUMBER_DIGITS;
    do {
        significant_text(low, digits, from);
        significant_text(high, digits, to);
    } while (strcmp(from, to) == 0 && low < high && digits++ < MOST_DIGITS);
    snprintf(text, NUMBER_WORDS_SIZE, "%s%s%s", from, between, to);
}

void interval_text(double low, double high, char text[NUMBER_WORDS_SIZE]) {
    ends_text(low, high, " to ", text);
}

void ratio_text(double value, double low, double high, char text[NUMBER_WORDS_SIZE]) {
    char number[SIGNIFICANT_SIZE];
    char ends[NUMBER_WORDS_SIZE];
    text[0] = '\0';
    if (!isfinite(value)) {
        return;
    }
    significant_text(value, NUMBER_DIGITS, number);
    ends_text(low, high, "–", ends);
    const bool known = ends[0] != '\0' && low < high;
    snprintf(text, NUMBER_WORDS_SIZE, "%.20s×%s%.60s%s", number, known ? " (" : "",
             known ? ends : "", known ? ")" : "");
}
