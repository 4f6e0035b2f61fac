#include "number_text.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
