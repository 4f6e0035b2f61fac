/* JSON files as trees. */
#ifndef BENCH_JSON_FILE_H
#define BENCH_JSON_FILE_H

#include <cjson/cJSON.h>

#include "status.h"

/* Reads a whole file into `*root`; release with cJSON_Delete. STATUS_FILE with the path, and the
 * line where it stops being JSON; `*root` is NULL then. */
Status json_file_read(const char *path, cJSON **root);

#endif
