/* The parts that machine_read puts together; each adds the facts it can read. */
#ifndef BENCH_MACHINE_PARTS_H
#define BENCH_MACHINE_PARTS_H

#include "machine.h"

/* hwloc: processor model, packages, cores, threads, caches, NUMA nodes. */
void machine_read_topology(Machine *machine);
/* Operating system: kernel, host name, governor, clock, memory, load, address-space randomisation,
 * how OpenMP threads are placed. */
void machine_read_system(Machine *machine);
/* Boost, SMT, microcode, virtual machine, huge pages, tasks that run now; from the files under
 * `root`. */
void machine_read_processor(Machine *machine, const char *root);
/* NVML: driver, modes and use of the GPU. After the facts that CUDA knows have been added. */
void machine_read_gpu(Machine *machine);
/* What `bench selftest` stored: the noise floor. After the facts that name the machine. */
void machine_read_noise(Machine *machine);
/* This binary: version, commit, compilers, flags, CUDA architectures. */
void machine_read_build(Machine *machine);

#endif
