/* UTF-8: the characters of a text that may hold any bytes. */
#ifndef BENCH_UTF8_H
#define BENCH_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decodes the sequence at the start of a NUL-terminated text: returns its bytes and sets `code` to
 * its number. Returns 0, with `code` unchanged, for bytes that are no sequence or not the shortest
 * one. The number may be a surrogate or beyond Unicode (utf8_is_character), so that readers can
 * replace such a sequence as a whole.
 */
size_t utf8_decode(const char *text, uint32_t *code);

/* Whether the number is a Unicode character: no surrogate, at most U+10FFFF. */
bool utf8_is_character(uint32_t code);

/* Whether the byte is 10xxxxxx: not the first of its character. */
bool utf8_continues(char byte);

/* Characters in the first `bytes` bytes of a text. */
size_t utf8_width(const char *text, size_t bytes);

/* The length at which to cut the text so that it fits `size` bytes with its NUL and ends with a
 * whole character. */
size_t utf8_cut(const char *text, size_t size);

/* Copies the text, cut between characters to what fits `size` bytes. */
void utf8_copy(char *copy, size_t size, const char *text);

/* Removes an incomplete character from the end of a text that fills its buffer of `size` bytes:
 * snprintf may have cut it there. */
void utf8_trim(char *text, size_t size);

#endif
