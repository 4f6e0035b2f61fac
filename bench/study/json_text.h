/* Small JSON files: written whole, texts read out of them. */
#ifndef BENCH_JSON_TEXT_H
#define BENCH_JSON_TEXT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* STATUS_FILE when it cannot be written, STATUS_FAIL without memory. */
Status json_text_write(const char *path, const cJSON *root);

/* Copies the text of that key, cut to `size`; false when there is none. */
bool json_text_copy(const cJSON *root, const char *key, char *text, size_t size);

#endif
