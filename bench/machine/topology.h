/* Processors, caches and NUMA nodes of this machine, as hwloc lists them. */
#ifndef BENCH_MACHINE_TOPOLOGY_H
#define BENCH_MACHINE_TOPOLOGY_H

#include <hwloc.h>

/* A topology to give to hwloc_topology_destroy; it leaves out the processors that this process may
 * not use. NULL where hwloc cannot load it, or little memory is left: hwloc does not survive an
 * allocation that fails. */
hwloc_topology_t topology_load(void);

#endif
