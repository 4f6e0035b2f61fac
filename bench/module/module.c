/*
 * The part of a module that is the same in all of them: the exported symbol, and backends that pass
 * on to those of the program. Compiled into each module with BENCH_ALGORITHM, the name of its
 * symbols; with BENCH_CUDA_ROWS if it has a table of CUDA variants; and with BENCH_CUDA_MAJOR, the
 * CUDA runtime's version, if these are compiled in.
 */
#include "module.h"

#include <omp.h>
#include <stddef.h>

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

/* What variants call of a backend; the rest is the runner's. */
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
    static Status backend##_synchronize(void) {                                                    \
        return host->backend->synchronize();                                                       \
    }                                                                                              \
    static void backend##_memory(BackendMemory *memory) {                                          \
        host->backend->memory(memory);                                                             \
    }                                                                                              \
    static void *backend##_queue(void) {                                                           \
        return host->backend->queue != NULL ? host->backend->queue() : NULL;                       \
    }                                                                                              \
    const Backend backend##_backend = {.name = #backend,                                           \
                                       .probe = backend##_probe,                                   \
                                       .alloc = backend##_alloc,                                   \
                                       .release = backend##_release,                               \
                                       .synchronize = backend##_synchronize,                       \
                                       .memory = backend##_memory,                                 \
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

#define FACT_VALUE(name, value, text) .name = (uint32_t)(value),

extern const BenchModule bench_module_v1;

__attribute__((visibility("default"))) const BenchModule bench_module_v1 = {
    .facts = {.magic = BENCH_MODULE_MAGIC,
              .bytes = sizeof(ModuleFacts),
              MODULE_FACTS(FACT_VALUE).host = sizeof(ModuleHost),
              .cuda = BENCH_CUDA_MAJOR},
    .algorithm = &SYMBOL(BENCH_ALGORITHM, _algorithm),
    .cuda = CUDA_VARIANTS,
    .cpu_backend = &cpu_backend,
    .cuda_backend = &cuda_backend,
    .attach = attach,
};
