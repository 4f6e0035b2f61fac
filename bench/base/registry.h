/* The algorithms and their variants: those of algorithms.def, then those of modules. */

#ifndef BENCH_BASE_REGISTRY_H
#define BENCH_BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct Algorithm Algorithm;       /* algorithm.h */
typedef struct Backend Backend;           /* backend.h */
typedef struct Variant Variant;           /* variant.h */
typedef struct VariantTable VariantTable; /* the same */

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

/* A variant of an algorithm, or behind them one of its peers (registered_peers.h); NULL when
 * `index` is past the end. */
const Variant *registry_any(const Algorithm *algorithm, size_t index);

/* The algorithm that has the variant; NULL: it is not in the registry. */
const Algorithm *registry_algorithm_of(const Variant *variant);

size_t registry_backend_count(void);
const Backend *registry_backend(size_t index);
/* That of this name; the processor's for any other. */
const Backend *registry_find_backend(const char *name);

/* STATUS_SKIP with the reason when a variant cannot run on this machine. */
Status registry_variant_available(const Variant *variant);

#endif
