/* Registry: every algorithm and every variant there is. The only place that reads algorithms.def.
 */
#ifndef BENCH_REGISTRY_H
#define BENCH_REGISTRY_H

#include "algorithm.h"
#include "backend.h"

size_t registry_algorithm_count(void);
const Algorithm *registry_algorithm(size_t index);
/* NULL when there is no algorithm of this name. */
const Algorithm *registry_find_algorithm(const char *name);

/* Variants of an algorithm, CPU rows first; index 0 is the oracle. NULL past the end. */
size_t registry_variant_count(const Algorithm *algorithm);
const Variant *registry_variant(const Algorithm *algorithm, size_t index);
const Variant *registry_find_variant(const Algorithm *algorithm, const char *name);

size_t registry_backend_count(void);
const Backend *registry_backend(size_t index);

/* STATUS_SKIP with the reason when a variant cannot run on this machine. */
Status registry_variant_available(const Variant *variant);

#endif
