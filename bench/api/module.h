/*
 * Module: an algorithm in a shared object of its own, which `bench --plugin FILE` loads.
 *
 * A module exports one symbol, bench_module_v1, and needs none of the program's. Its rows name the
 * backends of the module (module.c), which pass on to those of the program: attach() hands them
 * over. Before anything else of a module is used its facts are compared with the program's, because
 * both lay the same structures out in memory.
 *
 * Nobody writes a BenchModule by hand: bench_add_algorithm of CMake compiles module.c and what else
 * is in the folder `module_sources` of pkg-config into the module, with BENCH_ALGORITHM as the name
 * of its symbols: <name>_algorithm and, with BENCH_CUDA_ROWS, <name>_cuda_variants.
 */
#ifndef BENCH_API_MODULE_H
#define BENCH_API_MODULE_H

#include <stdint.h>

#include "algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_MODULE_SYMBOL "bench_module_v1"

/* The characters "bench.mo", the first one in the lowest byte. */
#define BENCH_MODULE_MAGIC UINT64_C(0x6f6d2e68636e6562)

enum { BENCH_MODULE_VERSION = 1 };

/* What the program does for a module. Append only: a module that knows fewer members works. */
typedef struct ModuleHost {
    const Backend *cpu, *cuda;
    int (*cuda_devices)(void); /* cuda_devices_count() */
} ModuleHost;

/* The facts that must be equal on both sides, and their texts for messages. */
#define MODULE_FACTS(FACT)                                                                         \
    FACT(version, BENCH_MODULE_VERSION, "the version of the interface")                            \
    FACT(pointer, sizeof(void *), "the size of a pointer")                                         \
    FACT(status, sizeof(Status), "the size of Status")                                             \
    FACT(axis, sizeof(Axis), "the size of Axis")                                                   \
    FACT(axis_values, sizeof(AxisValues), "the size of AxisValues")                                \
    FACT(point, sizeof(Point), "the size of Point")                                                \
    FACT(workload, sizeof(Workload), "the size of Workload")                                       \
    FACT(output, sizeof(Output), "the size of Output")                                             \
    FACT(verdict, sizeof(Verdict), "the size of Verdict")                                          \
    FACT(cost, sizeof(Cost), "the size of Cost")                                                   \
    FACT(algorithm, sizeof(Algorithm), "the size of Algorithm")                                    \
    FACT(variant, sizeof(Variant), "the size of Variant")                                          \
    FACT(request, sizeof(Request), "the size of Request")                                          \
    FACT(stage, sizeof(Stage), "the size of Stage")                                                \
    FACT(steps, sizeof(Steps), "the size of Steps")                                                \
    FACT(backend, sizeof(Backend), "the size of Backend")

/* Numbers of one width, so that there is no padding. */
typedef struct ModuleFacts {
    uint64_t magic;
    uint32_t bytes; /* of this structure */
#define MODULE_FACT(name, value, text) uint32_t name;
    MODULE_FACTS(MODULE_FACT)
#undef MODULE_FACT
    uint32_t host; /* bytes of ModuleHost: the program's may be more */
    uint32_t cuda; /* major version of the CUDA runtime that it is built with; 0: without CUDA */
    uint32_t unused;
} ModuleFacts;

typedef struct BenchModule {
    ModuleFacts facts;
    const Algorithm *algorithm;
    const VariantTable *cuda;                  /* NULL: no CUDA variants */
    const Backend *cpu_backend, *cuda_backend; /* those that its rows name */
    void (*attach)(const ModuleHost *host);
} BenchModule;

#ifdef __cplusplus
}
#endif

#endif
