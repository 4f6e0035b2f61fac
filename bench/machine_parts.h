/* The parts that machine_read puts together; each adds the facts it can read. */
#ifndef BENCH_MACHINE_PARTS_H
#define BENCH_MACHINE_PARTS_H

#include <stdbool.h>

#include "machine.h"

/* Appends a fact. Empty texts, numbers that are not finite and facts past FACTS_MAX are dropped. */
void machine_add_text(Machine *machine, const char *key, const char *text, bool identity);
void machine_add_number(Machine *machine, const char *key, double number, bool identity);

/* hwloc: processor model, packages, cores, threads, caches, NUMA nodes. */
void machine_read_topology(Machine *machine);
/* Operating system: kernel, host name, governor, clock, memory, load, address-space randomisation,
 * how OpenMP threads are placed. */
void machine_read_system(Machine *machine);
/* This binary: version, commit, compilers, flags, CUDA architectures. */
void machine_read_build(Machine *machine);

#endif
