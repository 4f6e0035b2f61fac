/* UTF-8: characters of a text, whatever bytes it has. */
#ifndef BENCH_UTF8_H
#define BENCH_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the sequence at the start of a text that ends with '\0', in its shortest form, and its
 * number in `code`; 0 when there is none, and then `code` is as it was. The number may be a
 * surrogate or beyond Unicode, so that readers can replace such a sequence as a whole:
 * utf8_is_character tells.
 */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether Unicode has the number for a character: no surrogate, at most U+10FFFF. */
bool utf8_is_character(uint32_t code);

/* Whether the byte is 10xxxxxx, which continues a character. */
bool utf8_continues(char byte);

/* Characters in the first bytes of a text: those that continue one are not counted. */
size_t utf8_width(const char *text, size_t bytes);

/* Bytes of the text, fewer than `size`, that end where a character ends. */
size_t utf8_cut(const char *text, size_t size);

/* Copies the text, cut between characters to what fits `size` bytes. */
void utf8_copy(char *copy, size_t size, const char *text);

/* Mends a text that was cut to a buffer of `size` bytes: where it fills the buffer, a character
 * whose end was cut off goes too. */
void utf8_trim(char *text, size_t size);

#endif
