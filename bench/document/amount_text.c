#include "amount_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "significant.h"

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
