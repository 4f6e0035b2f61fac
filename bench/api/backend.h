/*
 * Backend: how memory is had and how time is read. One row per kind of processor: cpu, cuda.
 *
 * Variants take all working memory that holds inputs, outputs and scratch from their backend's
 * alloc, so that it has guard bands and can be poisoned. After poison() nothing in that memory may
 * be relied on: upload() has to restore every input and table that run() reads.
 */
#ifndef BENCH_API_BACKEND_H
#define BENCH_API_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Backend ---------------------------------------------------------------------------------- */

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

/* --- Facts about a device --------------------------------------------------------------------- */

/* All that the harness knows of a device beyond its name: a backend fills a list, the harness
 * stores and prints it without knowing what the keys mean. */

enum { FACT_KEY_SIZE = 48, FACT_VALUE_SIZE = 256 };

typedef enum FactKind { FACT_TEXT, FACT_NUMBER } FactKind;

typedef struct DeviceFact {
    char key[FACT_KEY_SIZE]; /* snake_case with the unit last: "gpu_memory_bytes" */
    FactKind kind;
    char text[FACT_VALUE_SIZE]; /* FACT_TEXT: the value; FACT_NUMBER: empty */
    double number;              /* FACT_NUMBER: the value; FACT_TEXT: 0 */
    bool identity;              /* differs → not the same machine or build */
} DeviceFact;

/*
 * Fills at most `capacity` facts and returns how many were filled: 0 when CUDA was not compiled in
 * or there is no device. Keys: gpu_model (identity), gpu_compute_capability ("9.0"),
 * gpu_multiprocessors, gpu_clock_mhz, gpu_memory_clock_mhz, gpu_memory_bytes, gpu_l2_bytes,
 * gpu_pci_bus_id ("0000:18:00.0"), cuda_driver ("13.0"), cuda_runtime ("13.0"). A fact that cannot
 * be read is absent.
 */
size_t cuda_device_facts(DeviceFact *facts, size_t capacity);

/* --- State of a device ------------------------------------------------------------------------ */

/* Read through NVML, which is loaded at run time. Without the library or without a device every
 * number is NAN. */
typedef struct DeviceState {
    double clock_mhz, clock_mhz_max;
    double temperature;  /* °C */
    double power;        /* W */
    double energy;       /* J since the driver was loaded; differences are energy used */
    char throttle[160];  /* active reasons that slow the clock down, ", " between; empty: none */
    bool slowed;         /* one of them is a limit, not a clock that somebody set */
    int other_processes; /* processes of others that compute on the device; -1 when unknown */
} DeviceState;

/* The state of the CUDA device in use. */
void gpu_state_read(DeviceState *state);
/* DeviceState.energy alone, which takes less time. */
double gpu_energy_read(void);

#ifdef __cplusplus
}
#endif

#endif
