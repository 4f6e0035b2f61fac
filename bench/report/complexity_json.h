/* The exponents of a run as JSON. */
#ifndef BENCH_COMPLEXITY_JSON_H
#define BENCH_COMPLEXITY_JSON_H

#include <cjson/cJSON.h>

#include "result.h"

/* Adds the list "complexity" to `root`: an object for each algorithm, variant, input, answer point
 * and mode that has an exponent. False when memory runs out. */
bool complexity_json_write(cJSON *root, const Results *results);

#endif
