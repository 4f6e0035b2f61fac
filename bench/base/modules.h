/* Modules: algorithms in shared objects of their own (module.h), and in files of Python. */

#ifndef BENCH_BASE_MODULES_H
#define BENCH_BASE_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "cost.h"
#include "paths.h"
#include "python.h"
#include "status.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Point Point;         /* axis.h */
typedef struct Variant Variant;     /* variant.h */
typedef struct Workload Workload;   /* workload.h */

typedef struct Module {
    const Algorithm *algorithm;
    char path[DATA_FOLDER_PATH_SIZE]; /* as it was named */
    uint64_t hash;                    /* FNV-1a 64 of the file */
    char with[PYTHON_WITH_SIZE];      /* of a file of Python: versions; else empty */
} Module;

/*
 * Loads what this process needs, before its options are parsed: the files that BENCH_PATH names
 * with colons between and every *.so in the folders that it names, in the order of their names;
 * then the file of each --plugin, which is added to BENCH_PATH for programs that this one starts.
 * What BENCH_PATH names and cannot be loaded has a line on standard error; of --plugin it is the
 * status. An axis of a module may not be named like one of the program's options, which `is_option`
 * knows.
 */
Status modules_start(int argc, char **argv, bool (*is_option)(const char *name));

/* Whether this would load any: BENCH_PATH or a --plugin names something. */
bool modules_are_named(int argc, char **argv);

enum { MODULE_NAME_MAX = 31 };

/* Whether an algorithm of a module may have this name, unless it is taken: small letters, digits
 * and underscores. */
bool module_name_is_valid(const char *name);

/* NULL: the algorithm is the program's own. */
const Module *module_of(const Algorithm *algorithm);

/* Whether the variant is a module's, and its functions are so. */
bool module_has_variant(const Variant *variant);

/* Algorithm.cost, of a module's algorithm too. */
Cost module_cost(const Algorithm *algorithm, const Workload *workload, const Point *answer);

/* A status that a module has returned, as the harness can use it: STATUS_OK, STATUS_SKIP,
 * STATUS_FAIL or, of a device, STATUS_DEVICE_LOST, with a text that ends. Any other is a failure.
 */
Status module_status(const Variant *variant, const Status *returned);

#endif
