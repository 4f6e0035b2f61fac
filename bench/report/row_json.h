/* Rows to and from JSON. Times are seconds; what was not measured has no key. */
#ifndef BENCH_ROW_JSON_H
#define BENCH_ROW_JSON_H

#include <cjson/cJSON.h>

#include "result.h"

/* Adds every member of the row but its status and `why` to `object`. False when memory runs out. */
bool row_json_write(cJSON *object, const Row *row);

/* The entry of a row in report_json's lists, and in `list` the name of the one it belongs in. NULL
 * when memory runs out. */
cJSON *row_json_entry(const Row *row, const char **list);

typedef enum RowRead {
    ROW_READ,    /* the row is filled and owns its samples */
    ROW_UNKNOWN, /* of an algorithm, variant or axis that does not exist here */
    ROW_INVALID  /* a key is missing or of the wrong type; it is named in `key` */
} RowRead;

/* Fills `row` from an object of row_json_write, status and `why` excepted. Nothing needs releasing
 * unless it returns ROW_READ. */
RowRead row_json_read(const cJSON *object, Row *row, const char **key);

#endif
