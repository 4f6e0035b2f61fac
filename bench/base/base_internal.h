/* What files of this room and tests share. */

#ifndef BENCH_BASE_BASE_INTERNAL_H
#define BENCH_BASE_BASE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* --- Suggestions ------------------------------------------------------------------------------ */

/*
 * Number of single-character insertions, deletions, substitutions and swaps of neighbours that turn
 * one name into the other (optimal string alignment distance), ignoring case. Only the first
 * SUGGEST_NAME_MAX characters count.
 */
enum { SUGGEST_NAME_MAX = 63 };

size_t edit_distance(const char *left, const char *right);

/* --- Child process ---------------------------------------------------------------------------- */

/* What process_state_check compares with. */
void process_state_keep(void);

/* Whether the fork that this thread is making, if any, is one of child_process_run. */
bool process_forks_itself(void);

/* --- Clock ------------------------------------------------------------------------------------ */

/* Seconds that reading the monotonic clock takes: the part of a measured interval that is not work.
 * Measured on each call, in less than a millisecond. */
double clock_overhead(void);

#endif
