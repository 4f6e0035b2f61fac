/* The algorithms and their variants, those of modules included. */

#ifndef BENCH_BASE_REGISTRY_H
#define BENCH_BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithm.h"
#include "backend.h"
#include "paths.h"
#include "python.h"
#include "status.h"
#include "variant.h"

/* --- Registry --------------------------------------------------------------------------------- */

/* All algorithms and variants: those of algorithms.def, then those of modules. */

/* Appends an algorithm of a module, which outlives the process; `cuda` may be NULL. STATUS_SKIP
 * without memory. */
Status registry_add(const Algorithm *algorithm, const VariantTable *cuda);

size_t registry_algorithm_count(void);
const Algorithm *registry_algorithm(size_t index);
/* NULL when there is no algorithm of this name. */
const Algorithm *registry_find_algorithm(const char *name);

/* The variants of an algorithm, those on the CPU first; index 0 is the oracle. */
size_t registry_variant_count(const Algorithm *algorithm);
/* NULL when `index` is past the end. */
const Variant *registry_variant(const Algorithm *algorithm, size_t index);
const Variant *registry_find_variant(const Algorithm *algorithm, const char *name);

/* The libraries that the program knows for an algorithm of its own: bench/peers. They are variants
 * that are found by name, but none of those above. */
typedef struct RegisteredPeer {
    const Algorithm *algorithm;
    Variant variant;
} RegisteredPeer;

extern const RegisteredPeer registered_peers[];
extern const size_t registered_peer_count;

/* A variant of an algorithm, or behind them one of its peers; NULL when `index` is past the end. */
const Variant *registry_any(const Algorithm *algorithm, size_t index);

/* The algorithm that has the variant; NULL: it is not in the registry. */
const Algorithm *registry_algorithm_of(const Variant *variant);

size_t registry_backend_count(void);
const Backend *registry_backend(size_t index);

/* STATUS_SKIP with the reason when a variant cannot run on this machine. */
Status registry_variant_available(const Variant *variant);

/* --- Modules ---------------------------------------------------------------------------------- */

/* Algorithms in shared objects of their own (module.h). */

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
