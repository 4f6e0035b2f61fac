/* Ceilings to and from JSON: the list "ceilings". */
#ifndef BENCH_CEILINGS_JSON_H
#define BENCH_CEILINGS_JSON_H

#include <cjson/cJSON.h>

#include "ceilings.h"

/* Adds the list to `object`. False when memory runs out. */
bool ceilings_json_add(cJSON *object, const Ceilings *ceilings);

/* Reads the list of `object`. False when there is none, or an entry is not one of
 * ceilings_json_add; what could be read is in `ceilings` then. */
bool ceilings_json_read(const cJSON *object, Ceilings *ceilings);

#endif
