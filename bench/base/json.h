/* JSON files. */

#ifndef BENCH_BASE_JSON_H
#define BENCH_BASE_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

/* Parses a whole file, plain or gzip, of at most `most` bytes, packed and unpacked; release `*root`
 * with cJSON_Delete. NaN and Infinity, which other programs write, become null. `what` names the
 * expected content in messages: "a model". STATUS_FILE with path and reason, and the line that is
 * not JSON; `*root` is NULL then. */
Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root);

/* The same of a text of `length` bytes and a NUL; `path` is for messages. */
Status json_text_read(const char *path, const char *text, size_t length, cJSON **root);

/* Whether a file has this "format" and "version". STATUS_FILE, for another format with the text
 * `otherwise` behind the path. */
Status json_format_check(const char *path, const cJSON *root, const char *format, int version,
                         const char *otherwise);

/* `root`; NULL, with the tree deleted, unless it is `complete`. */
cJSON *json_whole(cJSON *root, bool complete);

/* Both write the tree, indented, and delete it. NULL stands for a tree that could not be allocated.
 * STATUS_SKIP without memory, which names `what`; STATUS_FILE when the file cannot be written. */
Status json_print(FILE *stream, cJSON *root, const char *what);
Status json_file_write(const char *path, cJSON *root);

/* Copies the text of the key, cut to `size`; false and "" when there is none. */
bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size);

/* A greater number is none that was measured: 11 days are 1e15 ns. */
#define NUMBER_MOST 1e18

/* Whether a number that a file names can be one: finite, and not beyond NUMBER_MOST. */
bool number_possible(double number);

/* The number or the text of that key; `fallback`, NULL, when there is none that is possible. */
double json_number_or(const cJSON *object, const char *key, double fallback);
const char *json_text(const cJSON *object, const char *key);

/* A bare NaN or Infinity is not JSON: what is not a number, or empty, has no key. False without
 * memory. */
bool json_add_number(cJSON *object, const char *key, double number);
bool json_add_text(cJSON *object, const char *key, const char *text);

/* A new object at the end of a list, which owns it. NULL without memory, or for a list that is
 * NULL; the functions above return false for it. */
cJSON *json_add_object(cJSON *list);

#endif
