/* Amounts of a unit for people, with the prefix that fits. */
#ifndef BENCH_AMOUNT_TEXT_H
#define BENCH_AMOUNT_TEXT_H

#include <stddef.h>

/* "173 kpixel", "1.23 MB/s": three significant digits; a whole number below 1000 as it is. */
void amount_text(double amount, const char *unit, char *text, size_t size);

#endif
