/* JSON files as trees. */
#ifndef BENCH_JSON_FILE_H
#define BENCH_JSON_FILE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* Bytes of a results.json that is read. */
enum { RUN_FILE_MOST = 1 << 30 };

/* Reads a whole file of at most `most` bytes into `*root`; release with cJSON_Delete. `what` is
 * what it should be, "a model". STATUS_FILE with the path, and the line where it stops being JSON;
 * `*root` is NULL then. */
Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root);

/* Writes the tree, indented, and releases it; NULL is one that memory did not suffice for.
 * STATUS_FAIL without memory, STATUS_FILE when it cannot be written. */
Status json_file_write(const char *path, cJSON *root);

/* Copies the text of that key, cut to `size`; false, with an empty text, when there is none. */
bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size);

#endif
