/* Numbers for people: so many significant digits, and no more. */
#ifndef BENCH_SIGNIFICANT_H
#define BENCH_SIGNIFICANT_H

#include <stddef.h>

enum { SIGNIFICANT_SIZE = 48 };

/*
 * Rounded to `digits` (1…15) significant digits and written without an exponent from 1e-5 up to
 * 1e15: "12800", "0.0925", "2.50", and "1.2e-7" below; a point in every locale. An em dash for NAN,
 * "∞" for infinity.
 */
void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

#endif
