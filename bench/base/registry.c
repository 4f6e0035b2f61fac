/* The registry: all algorithms of algorithms.def and of modules with their variants, and the
 * backends. */

#include "algorithm.h"
#include "modules.h"
#include "registered_peers.h"

#include <string.h>

#include "list.h"
#include "registry.h"
#include "supervisor.h"

#define ALGORITHM(name)                                                                            \
    extern const Algorithm name##_algorithm;                                                       \
    extern const VariantTable name##_cuda_variants;
#include "algorithms.def"
#undef ALGORITHM

typedef struct Entry {
    const Algorithm *algorithm;
    const VariantTable *cuda;
} Entry;

static const Entry entries[] = {
#define ALGORITHM(name) {&name##_algorithm, &name##_cuda_variants},
#include "algorithms.def"
#undef ALGORITHM
};

enum { ENTRIES = sizeof entries / sizeof entries[0], AVAILABLE_SECONDS = 30 };

/* Those of modules; they stay until the process ends. */
static struct {
    Entry *entries;
    size_t count, capacity;
} loaded;

static const Backend *const backends[] = {&cpu_backend, &cuda_backend};

Status registry_add(const Algorithm *algorithm, const VariantTable *cuda) {
    LIST_ADD(NULL, loaded.entries, loaded.count, loaded.capacity, "algorithms",
             (Entry){.algorithm = algorithm, .cuda = cuda});
    return status_ok();
}

static const Entry *entry_at(size_t index) {
    return index < ENTRIES ? &entries[index] : &loaded.entries[index - ENTRIES];
}

size_t registry_algorithm_count(void) {
    return ENTRIES + loaded.count;
}

const Algorithm *registry_algorithm(size_t index) {
    return index < registry_algorithm_count() ? entry_at(index)->algorithm : NULL;
}

const Algorithm *registry_find_algorithm(const char *name) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        if (strcmp(entry_at(i)->algorithm->name, name) == 0) {
            return entry_at(i)->algorithm;
        }
    }
    return NULL;
}

static const VariantTable *cuda_table(const Algorithm *algorithm) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        if (entry_at(i)->algorithm == algorithm) {
            return entry_at(i)->cuda;
        }
    }
    return NULL;
}

size_t registry_variant_count(const Algorithm *algorithm) {
    const VariantTable *cuda = cuda_table(algorithm);
    return algorithm->cpu.count + (cuda != NULL ? cuda->count : 0);
}

const Variant *registry_variant(const Algorithm *algorithm, size_t index) {
    if (index >= registry_variant_count(algorithm)) {
        return NULL;
    }
    if (index < algorithm->cpu.count) {
        return &algorithm->cpu.rows[index];
    }
    return &cuda_table(algorithm)->rows[index - algorithm->cpu.count];
}

const Variant *registry_find_variant(const Algorithm *algorithm, const char *name) {
    const Variant *variant = NULL;
    for (size_t i = 0; (variant = registry_any(algorithm, i)) != NULL; i++) {
        if (strcmp(variant->name, name) == 0) {
            break;
        }
    }
    return variant;
}

static const Variant *registry_peer(const Algorithm *algorithm, size_t index) {
    for (size_t i = 0; i < registered_peer_count; i++) {
        if (registered_peers[i].algorithm == algorithm && index-- == 0) {
            return &registered_peers[i].variant;
        }
    }
    return NULL;
}

const Variant *registry_any(const Algorithm *algorithm, size_t index) {
    const size_t own = registry_variant_count(algorithm);
    return index < own ? registry_variant(algorithm, index) : registry_peer(algorithm, index - own);
}

size_t registry_backend_count(void) {
    return sizeof backends / sizeof backends[0];
}

const Backend *registry_backend(size_t index) {
    return index < registry_backend_count() ? backends[index] : NULL;
}

const Backend *registry_find_backend(const char *name) {
    return strcmp(name, cuda_backend.name) == 0 ? &cuda_backend : &cpu_backend;
}

Status registry_variant_available(const Variant *variant) {
    char description[STATUS_WHY_SIZE];
    STATUS_TRY(variant->backend->probe(description, sizeof description));
    if (variant->available == NULL || !module_has_variant(variant)) {
        return variant->available != NULL ? variant->available() : status_ok();
    }
    char subject[CALL_SUBJECT_SIZE];
    snprintf(subject, sizeof subject, "%s/%s, available", registry_algorithm_of(variant)->name,
             variant->name);
    STATUS_TRY(call_about(subject, variant, AVAILABLE_SECONDS));
    call_step(CALL_AVAILABLE);
    const Status status = variant->available();
    call_step(CALL_NONE);
    return module_status(variant, &status);
}

const Algorithm *registry_algorithm_of(const Variant *variant) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Entry *entry = entry_at(i);
        const VariantTable *tables[] = {&entry->algorithm->cpu, entry->cuda};
        for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
            if (tables[t] != NULL && variant >= tables[t]->rows &&
                variant < tables[t]->rows + tables[t]->count) {
                return entry->algorithm;
            }
        }
    }
    for (size_t i = 0; i < registered_peer_count; i++) {
        if (&registered_peers[i].variant == variant) {
            return registered_peers[i].algorithm;
        }
    }
    return NULL;
}
