/* The nearest known name to a misspelt one. */
#ifndef BENCH_SUGGEST_H
#define BENCH_SUGGEST_H

#include <stddef.h>

/*
 * Number of single-character insertions, deletions, substitutions and swaps of neighbours that turn
 * one name into the other (optimal string alignment distance), ignoring case. Only the first
 * SUGGEST_NAME_MAX characters count.
 */
enum { SUGGEST_NAME_MAX = 63 };
size_t edit_distance(const char *left, const char *right);

/* Collects candidates one at a time, because names live in tables of different kinds. */
typedef struct Suggestion {
    const char *given;
    const char *nearest; /* NULL while nothing is close enough */
    size_t distance;
} Suggestion;

Suggestion suggest_start(const char *given);
/* `name` must outlive the suggestion. The first of equally near names is kept. */
void suggest_offer(Suggestion *suggestion, const char *name);

enum { SUGGEST_TEXT_SIZE = 96 };
/* Writes "; did you mean 'NAME'?", or nothing when no name is close. Returns `text`. */
const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]);

#endif
