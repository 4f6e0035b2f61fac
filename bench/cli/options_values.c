#include "options_values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double seconds_max = 1e6;

Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number) {
    const bool digits = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
    errno = 0;
    const unsigned long long value = digits ? strtoull(text, NULL, 10) : 0;
    if (!digits || errno != 0 || value < minimum || value > maximum) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is not a whole number from %" PRIu64 " to %" PRIu64, text,
                           minimum, maximum);
    }
    *number = value;
    return status_ok();
}

/* A plain decimal number and where it ends. strtod alone would also take "nan", "inf", exponents,
 * hexadecimal and leading spaces. */
static bool parse_decimal(const char *text, double *number, const char **end) {
    const size_t length = strspn(text, "0123456789.");
    if (length == 0 || strspn(text, ".") == length) {
        return false;
    }
    char *stop;
    *number = strtod(text, &stop);
    *end = stop;
    return stop == text + length;
}

Status parse_duration(const char *text, double *seconds) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1.0}, {"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60.0}};
    double number;
    const char *unit;
    if (parse_decimal(text, &number, &unit)) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            const double value = number * units[i].seconds;
            if (strcmp(unit, units[i].unit) == 0 && value > 0.0 && value <= seconds_max) {
                *seconds = value;
                return status_ok();
            }
        }
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is not a time above 0 and up to %.0f s; write 10, 10s, 500ms or "
                       "2min",
                       text, seconds_max);
}

/* A number above 0, as 1% or 0.01. */
static bool parse_part(const char *text, double *part) {
    double number;
    const char *unit;
    if (!parse_decimal(text, &number, &unit)) {
        return false;
    }
    const bool percent = strcmp(unit, "%") == 0;
    *part = percent ? number / 100.0 : number;
    return (percent || unit[0] == '\0') && *part > 0.0;
}

Status parse_share(const char *text, double *share) {
    double value;
    if (parse_part(text, &value) && value <= 1.0) {
        *share = value;
        return status_ok();
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is not a share above 0 and up to 1; write 10%% or 0.1", text);
}

Status parse_ratio(const char *text, double *ratio) {
    double value;
    if (parse_part(text, &value) && value < 1.0) {
        *ratio = value;
        return status_ok();
    }
    return status_make(STATUS_USAGE, "'%.40s' is not a ratio between 0 and 1; write 1%% or 0.01",
                       text);
}
