/*
 * Backend runner: what measures and checks on one kind of processor, beside the memory that
 * variants see in backend.h. Not for variants and not for modules.
 */
#ifndef BENCH_API_BACKEND_RUNNER_H
#define BENCH_API_BACKEND_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the backend cannot run, all are NULL. */
struct BackendRunner {
    /* Waits for all queued work, then fills every live allocation with `pattern`, guard bands
     * excepted. */
    Status (*poison)(uint8_t pattern);
    /* Waits for all queued work. STATUS_FAIL names the first guard band that was overwritten. */
    Status (*check_guards)(void);

    /* Starts and stops the kernel clock. Stop waits for all work queued since the start. */
    Status (*clock_start)(void);
    Status (*clock_stop)(double *seconds);
    /*
     * Before clock_start: holds the device back until clock_stop, so that all that is queued in
     * between runs without waiting for the host. The hold ends by itself after a tenth of a second,
     * for instance because the work waits for the device. was_held says after clock_stop whether it
     * lasted. Both NULL: work begins when it is queued, as on the CPU.
     */
    Status (*hold)(void);
    bool (*was_held)(void);
    /* Waits for all work queued on this backend, including streams of variants. */
    Status (*synchronize)(void);
    /* Evicts inputs and outputs from the last-level cache (before a cold sample), lines that were
     * set to persist included; nothing of it stays reserved for those. */
    Status (*flush_caches)(void);

    uint64_t (*peak)(void); /* most bytes that variants have held since reset_peak */
    void (*reset_peak)(void);

    /* Begins a range of this name for profilers; NULL ends it. NULL: there are no profilers. */
    void (*range)(const char *name);

    /* After STATUS_DEVICE_LOST: whether a variant can still work on the first `devices` of those
     * that were chosen, in this process; STATUS_SKIP with the reason. NULL: none can. */
    Status (*usable)(int devices);

    /* Queues a copy of `rows` rows of `width` bytes to the device, or back: then it has ended when
     * the function returns. NULL: there is no memory but the host's. */
    Status (*copy)(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                   size_t rows, bool to_device);

    /* Reads a few bytes of allocation number `index` as they are now, and writes some. Neither
     * waits for work that is queued. `there`: there is one of this number; `fits`: it has these
     * bytes, which were read. Both NULL: there is no memory but the host's. */
    Status (*peek)(size_t index, size_t at, void *bytes, size_t size, bool *there, bool *fits);
    Status (*poke)(size_t index, size_t at, const void *bytes, size_t size);

    /* STATUS_FAIL if variants have left something of the device set that others are measured with;
     * it is set back. NULL: there is no such thing. */
    Status (*check_settings)(void);

    /* Page-lock and unlock host memory of the caller, for faster copies. NULL: not needed. */
    Status (*pin)(void *memory, size_t bytes);
    void (*unpin)(void *memory);
};

#ifdef __cplusplus
}
#endif

#endif
