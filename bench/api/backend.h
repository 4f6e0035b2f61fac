/*
 * Backend: how memory is had and how time is read. One row per kind of processor: cpu, cuda.
 *
 * Variants take all working memory that holds inputs, outputs and scratch from their backend's
 * alloc, so that it has guard bands and can be poisoned. After poison() nothing in that memory may
 * be relied on: upload() has to restore every input and table that run() reads.
 */
#ifndef BENCH_API_BACKEND_H
#define BENCH_API_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BackendMemory {
    uint64_t in_use;    /* bytes that variants hold now */
    uint64_t peak;      /* most bytes held since reset_peak */
    uint64_t available; /* bytes that could still be had now */
} BackendMemory;

typedef struct Backend {
    const char *name;

    /* STATUS_SKIP with the reason when this backend cannot run here. `description` gets the
     * device's name ("NVIDIA H200", "AMD EPYC 9354"). Cheap to call again. */
    Status (*probe)(char *description, size_t size);

    /* Aligned to 256 bytes, guard bands on both sides, in place when it returns. STATUS_SKIP "needs
     * X, Y free" when it does not fit. Released by `release`; NULL is ignored there. */
    Status (*alloc)(size_t bytes, void **memory);
    void (*release)(void *memory);

    /* Waits for all queued work, then fills every live allocation with `pattern`, guard bands
     * excepted. */
    Status (*poison)(uint8_t pattern);
    /* Waits for all queued work. STATUS_FAIL naming the first guard band that was written. */
    Status (*check_guards)(void);

    /* Starts and stops the kernel clock. Stop waits for the work queued since start. */
    Status (*clock_start)(void);
    Status (*clock_stop)(double *seconds);
    /* Waits until everything queued on this backend is done, on streams of variants too. */
    Status (*synchronize)(void);
    /* Evicts inputs and outputs from the last-level cache (before a cold sample). */
    Status (*flush_caches)(void);

    void (*memory)(BackendMemory *memory);
    void (*reset_peak)(void);

    /* Page-locks caller-owned host memory for faster copies, and undoes it. NULL: not needed. */
    Status (*pin)(void *memory, size_t bytes);
    void (*unpin)(void *memory);
} Backend;

extern const Backend cpu_backend;
extern const Backend cuda_backend; /* probe says STATUS_SKIP when built without CUDA */

#ifdef __cplusplus
}
#endif

#endif
