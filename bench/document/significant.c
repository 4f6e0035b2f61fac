#include "significant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
