#include "topology.h"

#include "resources.h"

hwloc_topology_t topology_load(void) {
    const uint64_t enough = (uint64_t)8 << 20;
    hwloc_topology_t topology;
    if (available_memory() < enough || hwloc_topology_init(&topology) != 0) {
        return NULL;
    }
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        return NULL;
    }
    return topology;
}
