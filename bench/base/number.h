/* Numbers as texts: exact in files, rounded for people; units of time. */

#ifndef BENCH_BASE_NUMBER_H
#define BENCH_BASE_NUMBER_H

#include <stddef.h>

#include "text_sizes.h"

/* --- Numbers in files ------------------------------------------------------------------------- */

/* A point in every locale. Empty for NAN and infinities: the field of a number that was not
 * measured. */

/* Nine significant digits; a whole number below 1e15 in full. */
void number_text(double number, char *text, size_t size);

/* The number of that text; NAN for infinities too. */
double number_written(double number);

/* As many digits as it takes to read the same double back, 15 to 17. */
void number_text_exact(double number, char *text, size_t size);

/* --- Numbers for people ----------------------------------------------------------------------- */

/*
 * All numbers that the program prints or writes into a report. A point in every locale.
 *
 *   significant_text    "0.0925"                  so many significant digits
 *   measured_text       "12834"                   the same, and every digit before the point
 *   amount_text         "173 kpixel", "1.23 MB/s" three digits and a decimal prefix
 *   bytes_text          "12.3 GiB"                resources.h: api has no base
 *   percent_text        "99.2%"
 *   times_text          "36.7×"                   a ratio
 *   interval_text       "36.2 to 37.1"
 *   seconds_text        "92.5 µs"
 *   seconds_text_ascii  "92.46 us"
 *   duration_text       "1:02:05"
 *   time_range_text     "20–30 s"
 */

enum { NUMBER_DIGITS = 3 };

/*
 * Rounded to `digits` (1…15) significant digits and written without an exponent from 1e-5 up to
 * 1e15: "12800", "0.0925", "2.50", and "1.2e-7" below. An em dash for NAN, "∞" for infinity.
 */
void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

/* The same, but digits before the point are never rounded to zeros: "12834" and not "12830". */
void measured_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

/* Three significant digits; a whole number below 1000 in full. `unit` may be empty. */
void amount_text(double amount, const char *unit, char *text, size_t size);

/* A share of 1 in percent with `decimals` decimals, or with more where a share below 1 would be
 * written as 100%. "" for NAN and infinities. */
void percent_text(double share, int decimals, char text[SIGNIFICANT_SIZE]);

/* Three significant digits. "" for NAN and infinities. */
void times_text(double ratio, char text[SIGNIFICANT_SIZE]);

/* Three significant digits, or up to five where three write both ends the same. "" where an end is
 * NAN. */
void interval_text(double low, double high, char text[NUMBER_WORDS_SIZE]);

/* Three significant digits and the unit that fits. */
void seconds_text(double seconds, char text[NUMBER_WORDS_SIZE]);

/* For tables that are aligned by bytes: "us" for µs. */
void seconds_text_ascii(double seconds, int digits, char text[NUMBER_WORDS_SIZE]);

/* Minutes and seconds, from an hour on hours before them. */
enum { DURATION_SIZE = 32 };
void duration_text(double seconds, char text[DURATION_SIZE]);

/* What is left of a time, between two numbers of seconds, as roughly as such an estimate is known:
 * "10–15 s", "about 25 s", "a few seconds", "1–2 min", "2–3 h". */
void time_range_text(double low, double high, char text[NUMBER_WORDS_SIZE]);

/* --- Order ------------------------------------------------------------------------------------ */

/* For qsort: doubles, or structures that begin with one, in ascending order. */
int compare_doubles(const void *left, const void *right);

/* Median of values in any order; sorts them in place. NAN when n is 0. */
double median_in_place(double *values, size_t n);

/* --- Numbers with ends -------------------------------------------------------------------------
 */

/* A number of which its interval is all that is known. Ends: NAN for none. */
typedef struct Estimate {
    double value, low, high;
} Estimate;

/* --- Units of time ---------------------------------------------------------------------------- */

typedef enum TimeUnitIndex {
    TIME_NS,
    TIME_US,
    TIME_MS,
    TIME_S,
    TIME_MIN,
    TIME_UNITS
} TimeUnitIndex;

typedef struct TimeUnit {
    const char *word; /* "us": on command lines and in files */
    const char *name; /* "µs": for people */
    double seconds;
} TimeUnit;

extern const TimeUnit time_units[TIME_UNITS];

/* The unit of this word among those from `first` to `last`; NULL when there is none. */
const TimeUnit *time_unit_find(const char *word, TimeUnitIndex first, TimeUnitIndex last);

/* The largest unit up to seconds in which the time, rounded to so many significant digits, is 1 or
 * more; nanoseconds below. Digits 0: not rounded. */
const TimeUnit *time_unit_of(double seconds, int digits);

/* --- Out of texts ------------------------------------------------------------------------------
 */

/* The number that a text begins with, as 24 of "24:3"; NAN: none. `*rest` is what stands behind it,
 * unless `rest` is NULL. */
double leading_number(const char *text, const char **rest);

/* The finite number that a text is; NAN: it is none, or something else too. */
double whole_number(const char *text);

#endif
