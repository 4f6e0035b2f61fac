/* The machine facts of a results file. */
#ifndef BENCH_MACHINE_JSON_H
#define BENCH_MACHINE_JSON_H

#include <cjson/cJSON.h>

#include "machine.h"

/* Adds the facts in "machine" of a file's context to `machine`, those named in "machine_identity"
 * as identity. Facts of another type than text and number are left out. */
void machine_json_read(const cJSON *context, Machine *machine);

#endif
