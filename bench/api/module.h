/*
 * Module: an algorithm in a shared object of its own, which `bench --plugin FILE` loads.
 *
 * A module exports one symbol, bench_module, and needs none of the program's. Its rows name the
 * backends of the module (module.c), which pass on to those of the program: attach() hands them
 * over. crossing.h says how modules and programs of different releases work together.
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

/* The release whose headers these are. */
#define BENCH_HEADERS "1.1.0"

#define BENCH_MODULE_SYMBOL "bench_module"

/* What modules of 1.0.0 export, which had other structures. */
#define BENCH_MODULE_SYMBOL_1 "bench_module_v1"

/* The characters "bench.mo", the first one in the lowest byte. */
#define BENCH_MODULE_MAGIC UINT64_C(0x6f6d2e68636e6562)

/* Of all that crosses. A program loads modules of its own interface alone: the number changes when
 * a change cannot be an appended member. */
enum { BENCH_MODULE_INTERFACE = 2, BENCH_HEADERS_SIZE = 16 };

/* What the program does for a module. */
typedef struct ModuleHost {
    uint32_t struct_bytes;
    const Backend *cpu, *cuda;
    int (*cuda_devices)(void); /* cuda_devices_count() */
} ModuleHost;

typedef struct BenchModule {
    uint32_t struct_bytes;            /* sizeof(BenchModule) */
    uint32_t interface;               /* BENCH_MODULE_INTERFACE */
    uint64_t magic;                   /* BENCH_MODULE_MAGIC */
    char headers[BENCH_HEADERS_SIZE]; /* BENCH_HEADERS */

    uint32_t cuda_runtime; /* the major version that it is built with; 0: without CUDA */
    const Algorithm *algorithm;
    const VariantTable *cuda;                  /* NULL: no CUDA variants */
    const Backend *cpu_backend, *cuda_backend; /* those that its rows name */
    void (*attach)(const ModuleHost *host);
    /* Algorithm.cost, which returns by value: as much of it as `cost` has room for. */
    void (*cost)(const Workload *workload, const Point *answer, Cost *cost);
} BenchModule;

#ifdef __cplusplus
}
#endif

#endif
