/* Numbers as the texts of an overview: three significant digits, with the unit that fits. */
#ifndef BENCH_OVERVIEW_TEXT_H
#define BENCH_OVERVIEW_TEXT_H

#include <stddef.h>

#include "result.h"

enum { OVERVIEW_TEXT_SIZE = 128, OVERVIEW_DIGITS = 3 };

/* A unit for all times of a table, so that they can be compared at a glance. */
typedef struct TimeUnit {
    const char *name; /* "ms" */
    double seconds;
} TimeUnit;

/* Collects times; those that are NAN are passed over. Starts zeroed. */
typedef struct TimeRange {
    double logarithms;
    size_t count;
} TimeRange;

void time_range_add(TimeRange *range, double seconds);
/* The unit in which the geometric mean is from 1 to 1000; milliseconds of nothing. */
TimeUnit time_unit(const TimeRange *range);

/* "92.5 µs" */
void seconds_text(double seconds, char text[OVERVIEW_TEXT_SIZE]);
/* "36.2 to 37.1"; as many digits as it takes to tell the ends apart, up to five. "" without them.
 */
void interval_text(double low, double high, char text[OVERVIEW_TEXT_SIZE]);
/* "36.8× (36.2–37.1)", the interval where there is one; "" for NAN. */
void ratio_text(double value, double low, double high, char text[OVERVIEW_TEXT_SIZE]);
/* "16K (15360×8640)", "480×360", "60000 pictures", "100000 rows" */
void size_words(const Row *row, char text[OVERVIEW_TEXT_SIZE]);
/* "16K", "480×360", "60000": for tables, whose notes have the rest. */
void size_short(const Row *row, char text[OVERVIEW_TEXT_SIZE]);
/* How the function that writes sizes alone is called: "133 Mpixel", "5000 pictures". */
typedef void (*SizeText)(double size, char *text, size_t text_size);
SizeText size_text_of(const Row *row);

#endif
