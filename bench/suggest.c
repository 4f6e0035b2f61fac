#include "suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char character(const char *text, size_t index) {
    return (char)tolower((unsigned char)text[index]);
}

static size_t smaller(size_t left, size_t right) {
    return left < right ? left : right;
}

size_t edit_distance(const char *left, const char *right) {
    const size_t rows = strnlen(left, SUGGEST_NAME_MAX);
    const size_t columns = strnlen(right, SUGGEST_NAME_MAX);
    size_t distance[SUGGEST_NAME_MAX + 1][SUGGEST_NAME_MAX + 1];
    for (size_t j = 0; j <= columns; j++) {
        distance[0][j] = j;
    }
    for (size_t i = 1; i <= rows; i++) {
        distance[i][0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const char a = character(left, i - 1);
            const char b = character(right, j - 1);
            size_t best = distance[i - 1][j - 1] + (a != b);
            best = smaller(best, distance[i - 1][j] + 1);
            best = smaller(best, distance[i][j - 1] + 1);
            const int swapped =
                i > 1 && j > 1 && a == character(right, j - 2) && b == character(left, i - 2);
            if (swapped) {
                best = smaller(best, distance[i - 2][j - 2] + 1);
            }
            distance[i][j] = best;
        }
    }
    return distance[rows][columns];
}

Suggestion suggest_start(const char *given) {
    const Suggestion suggestion = {.given = given, .nearest = NULL, .distance = SIZE_MAX};
    return suggestion;
}

static int has_same_letters(const char *left, const char *right) {
    int more[UCHAR_MAX + 1] = {0};
    for (size_t i = 0; left[i] != '\0'; i++) {
        more[(unsigned char)character(left, i)]++;
    }
    for (size_t i = 0; right[i] != '\0'; i++) {
        more[(unsigned char)character(right, i)]--;
    }
    for (size_t i = 0; i <= UCHAR_MAX; i++) {
        if (more[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* A third of the letters may be wrong, and at least one, or two that are merely out of place
 * ("agol"): farther names only mislead. */
static size_t distance_allowed(const char *given, const char *name) {
    const size_t given_length = strlen(given);
    const size_t name_length = strlen(name);
    const size_t longer = given_length > name_length ? given_length : name_length;
    const size_t least = has_same_letters(given, name) ? 2 : 1;
    const size_t allowed = longer / 3;
    return allowed > least ? allowed : least;
}

void suggest_offer(Suggestion *suggestion, const char *name) {
    if (suggestion->given[0] == '\0' || strlen(suggestion->given) > SUGGEST_NAME_MAX) {
        return;
    }
    const size_t distance = edit_distance(suggestion->given, name);
    /* Every letter changed is no likeness, however short the name. */
    const int alike = distance < strlen(suggestion->given) && distance < strlen(name);
    const int close =
        distance == 0 || (alike && distance <= distance_allowed(suggestion->given, name));
    if (close && distance < suggestion->distance) {
        suggestion->nearest = name;
        suggestion->distance = distance;
    }
}

const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]) {
    text[0] = '\0';
    if (suggestion->nearest != NULL) {
        snprintf(text, SUGGEST_TEXT_SIZE, "; did you mean '%s'?", suggestion->nearest);
    }
    return text;
}
