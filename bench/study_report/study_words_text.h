/* Sentences: a text that grows, and numbers as they stand in one. */
#ifndef BENCH_STUDY_WORDS_TEXT_H
#define BENCH_STUDY_WORDS_TEXT_H

#include "document.h"
#include "significant.h"

typedef struct Words {
    Document *document; /* owns the text */
    const char *text;   /* NULL: nothing said yet */
} Words;

/* Appends, printf-like. */
void words_say(Words *words, const char *format, ...) STATUS_PRINTF(2, 3);
/* Appends a blank if something is said already: what follows is another sentence. */
void words_sentence(Words *words);
/* Adds what was said to the document as a paragraph; nothing if nothing was. */
void words_end(Words *words);

/* A number with three significant digits, without zeros at the end: "0.0925", "12800", "1.2"; four
 * where three would make it 1. */
void words_number_write(double number, char text[SIGNIFICANT_SIZE]);
/* The same; lives as long as the document, "" without memory. */
const char *words_number(Document *document, double number);
/* "1.2 to 3.4", or one number where both look the same. */
const char *words_range(Document *document, double low, double high);
/* Adds an item to an enumeration of `count`: "a", "a and b", "a, b and c". `index` from 0. */
void words_item(Words *words, size_t index, size_t count, const char *item);

#endif
