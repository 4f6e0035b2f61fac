/*
 * The part of a module that is the same in all of them: the exported symbol, and backends that pass
 * on to those of the program. Compiled into each module with BENCH_ALGORITHM, the name of its
 * symbols; with BENCH_CUDA_ROWS if it has a table of CUDA variants; and with BENCH_CUDA_MAJOR, the
 * CUDA runtime's version, if these are compiled in.
 */
#include "module.h"

#include <omp.h>
#include <stddef.h>
#include <string.h>

#define JOIN(a, b) a##b
#define SYMBOL(name, end) JOIN(name, end)

extern const Algorithm SYMBOL(BENCH_ALGORITHM, _algorithm);

static const ModuleHost *host;

/* Asking OpenMP for something starts its runtime, which sees the processors of the calling thread:
 * here these are all. Later the thread is bound to one. */
static void attach(const ModuleHost *given) {
    host = given;
    (void)omp_get_num_procs();
}

#define PASS_ON(backend)                                                                           \
    static Status backend##_probe(char *description, size_t size) {                                \
        return host->backend->probe(description, size);                                            \
    }                                                                                              \
    static Status backend##_alloc(size_t bytes, void **memory) {                                   \
        return host->backend->alloc(bytes, memory);                                                \
    }                                                                                              \
    static void backend##_release(void *memory) {                                                  \
        host->backend->release(memory);                                                            \
    }                                                                                              \
    static uint64_t backend##_available(void) {                                                    \
        return host->backend->available();                                                         \
    }                                                                                              \
    static uint64_t backend##_in_use(void) {                                                       \
        return host->backend->in_use();                                                            \
    }                                                                                              \
    static void *backend##_queue(void) {                                                           \
        return host->backend->queue != NULL ? host->backend->queue() : NULL;                       \
    }                                                                                              \
    const Backend backend##_backend = {.struct_bytes = sizeof(Backend),                            \
                                       .name = #backend,                                           \
                                       .probe = backend##_probe,                                   \
                                       .alloc = backend##_alloc,                                   \
                                       .release = backend##_release,                               \
                                       .available = backend##_available,                           \
                                       .in_use = backend##_in_use,                                 \
                                       .queue = backend##_queue}

PASS_ON(cpu);
PASS_ON(cuda);

/* For --gpus all. */
int cuda_devices_count(void) {
    return host->cuda_devices();
}

#ifdef BENCH_CUDA_ROWS
extern const VariantTable SYMBOL(BENCH_ALGORITHM, _cuda_variants);
#define CUDA_VARIANTS &SYMBOL(BENCH_ALGORITHM, _cuda_variants)
#else
#define CUDA_VARIANTS NULL
#endif

#ifndef BENCH_CUDA_MAJOR
#define BENCH_CUDA_MAJOR 0
#endif

/* The program's Cost may be of another release. */
static void cost(const Workload *workload, const Point *answer, Cost *given) {
    const uint32_t room = given->struct_bytes;
    Cost own = SYMBOL(BENCH_ALGORITHM, _algorithm).cost(workload, answer);
    own.struct_bytes = room;
    memcpy(given, &own, room < sizeof own ? room : sizeof own);
}

extern const BenchModule bench_module;

__attribute__((visibility("default"))) const BenchModule bench_module = {
    .struct_bytes = sizeof(BenchModule),
    .interface = BENCH_MODULE_INTERFACE,
    .magic = BENCH_MODULE_MAGIC,
    .headers = BENCH_HEADERS,
    .cuda_runtime = BENCH_CUDA_MAJOR,
    .algorithm = &SYMBOL(BENCH_ALGORITHM, _algorithm),
    .cuda = CUDA_VARIANTS,
    .cpu_backend = &cpu_backend,
    .cuda_backend = &cuda_backend,
    .attach = attach,
    .cost = cost,
};
