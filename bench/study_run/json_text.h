/* Texts out of a JSON tree. */
#ifndef BENCH_JSON_TEXT_H
#define BENCH_JSON_TEXT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Copies the text of that key, cut to `size`; false when there is none. */
bool json_text_copy(const cJSON *root, const char *key, char *text, size_t size);

#endif
