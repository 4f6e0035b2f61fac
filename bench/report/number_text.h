/* Numbers as text that every program reads the same way. */
#ifndef BENCH_NUMBER_TEXT_H
#define BENCH_NUMBER_TEXT_H

#include <stddef.h>

/* Nine significant digits, all of them for a whole number below 1e15, a point as decimal separator
 * in every locale, empty for NAN and infinities: a number that was not measured is an empty field.
 */
void number_text(double number, char *text, size_t size);

/* As many digits as it takes to read the same double back, 15 to 17. */
void number_text_exact(double number, char *text, size_t size);

#endif
