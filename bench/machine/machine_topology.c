#include <hwloc.h>
#include <stdio.h>

#include "machine_facts.h"
#include "machine_parts.h"

static const char *cache_type(hwloc_obj_cache_type_t type) {
    switch (type) {
    case HWLOC_OBJ_CACHE_UNIFIED: return "Unified";
    case HWLOC_OBJ_CACHE_DATA: return "Data";
    case HWLOC_OBJ_CACHE_INSTRUCTION: return "Instruction";
    }
    return "Unified";
}

/* One entry for each kind of cache: that of the first processor stands for all. */
static void read_caches(hwloc_topology_t topology, Machine *machine) {
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE,
                                             HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_L4CACHE};
    const size_t capacity = sizeof machine->caches / sizeof machine->caches[0];
    for (size_t i = 0; i < sizeof types / sizeof types[0] && machine->cache_count < capacity; i++) {
        const hwloc_obj_t object = hwloc_get_obj_by_type(topology, types[i], 0);
        if (object == NULL) {
            continue;
        }
        Cache *cache = &machine->caches[machine->cache_count++];
        *cache = (Cache){.level = (int)object->attr->cache.depth,
                         .size = (size_t)object->attr->cache.size,
                         .sharing = hwloc_bitmap_weight(object->cpuset)};
        snprintf(cache->type, sizeof cache->type, "%s", cache_type(object->attr->cache.type));
    }
}

/* hwloc keeps the model with the package, or with the machine where packages are unknown. */
static const char *cpu_model(hwloc_topology_t topology) {
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (model == NULL) {
        model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
    }
    return model != NULL ? model : "";
}

static void read_counts(hwloc_topology_t topology, Machine *machine) {
    static const struct {
        const char *key;
        hwloc_obj_type_t type;
    } counts[] = {{"cpu_packages", HWLOC_OBJ_PACKAGE},
                  {"cpu_cores", HWLOC_OBJ_CORE},
                  {"numa_nodes", HWLOC_OBJ_NUMANODE}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const int count = hwloc_get_nbobjs_by_type(topology, counts[i].type);
        if (count > 0) {
            machine_add_number(machine, counts[i].key, count, false);
        }
    }
}

void machine_read_topology(Machine *machine) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    /* Default flags leave out the processors this process may not use. */
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) == 0) {
        machine->cpu_count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
        machine_add_text(machine, "cpu_model", cpu_model(topology), true);
        machine_add_number(machine, "cpu_count", machine->cpu_count, true);
        read_counts(topology, machine);
        read_caches(topology, machine);
    }
    hwloc_topology_destroy(topology);
}
