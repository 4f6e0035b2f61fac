/*
 * Backend: what a variant has of one kind of processor, cpu or cuda: memory, and a queue.
 *
 * Variants allocate all working memory for inputs, outputs and scratch with their backend's alloc,
 * so that it has guard bands and can be poisoned: upload() must restore every input and table that
 * run() reads. What the runner does with a backend is in backend_runner.h.
 */
#ifndef BENCH_API_BACKEND_H
#define BENCH_API_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BackendRunner BackendRunner;

typedef struct Backend {
    uint32_t struct_bytes;
    const char *name;

    /* STATUS_SKIP with the reason when this backend cannot run here. Writes the device's name
     * ("NVIDIA H200", "AMD EPYC 9354") to `description`. Repeated calls are cheap. */
    Status (*probe)(char *description, size_t size);

    /* Aligned to 256 bytes, with guard bands on both sides. STATUS_SKIP "needs X, Y free" when it
     * does not fit. Free it with `release`, which ignores NULL. */
    Status (*alloc)(size_t bytes, void **memory);
    void (*release)(void *memory);

    uint64_t (*available)(void); /* bytes that can still be allocated now */
    uint64_t (*in_use)(void);    /* bytes that variants hold now */

    /* Where variants queue their work, so that the clock sees it: a cudaStream_t. NULL: there is no
     * queue. */
    void *(*queue)(void);

    const BackendRunner *runner; /* not for variants; NULL in a module */
} Backend;

extern const Backend cpu_backend;
extern const Backend cuda_backend; /* its probe returns STATUS_SKIP when built without CUDA */
/* The same devices for a variant that works on several at once: its clock is that of the slowest,
 * and its hold holds all of them. */
extern const Backend cuda_multi_backend;

enum { CUDA_DEVICES_MAX = 16 };

/* How many devices there are, those chosen or all; 0 without CUDA or without a device. */
int cuda_devices_count(void);

#ifdef __cplusplus
}
#endif

#endif
