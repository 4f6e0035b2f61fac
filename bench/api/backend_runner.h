/*
 * Backend runner: what measures and checks on one kind of processor, beside the memory that
 * variants see in backend.h; the devices, and what is known of them. Not for variants and not for
 * modules.
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

/* --- What the runner does with a backend ------------------------------------------------------ */

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

/* --- Several devices -------------------------------------------------------------------------- */

/*
 * The devices that CUDA variants use, by CUDA's numbers, before the first probe: variants of one
 * device take the first. A number may stand in the list several times: then the device stands for
 * several, each with a stream and memory of its own. Without this call: all devices there are. The
 * same list again changes nothing. STATUS_USAGE for more than CUDA_DEVICES_MAX, for a device that
 * there is not beside others, and for another list after the first probe. Where there is no device
 * at all, the probe says so.
 */
Status cuda_devices_choose(const int *numbers, size_t count);

/* The names of the first `count` of them: "2 × NVIDIA H200", "NVIDIA H200, NVIDIA L4", or "NVIDIA
 * H200 as 3 devices" where one stands for three. Empty without a device. */
void cuda_devices_name(int count, char *text, size_t size);

/* --- Facts about a device --------------------------------------------------------------------- */

/* Properties of a device. The backend fills the list; the harness stores and prints it without
 * interpreting the keys. */

enum { FACT_KEY_SIZE = 48, FACT_VALUE_SIZE = 256 };

typedef enum FactKind { FACT_TEXT, FACT_NUMBER } FactKind;

typedef struct DeviceFact {
    char key[FACT_KEY_SIZE]; /* snake_case with the unit last: "gpu_memory_bytes" */
    FactKind kind;
    char text[FACT_VALUE_SIZE]; /* FACT_TEXT: the value; FACT_NUMBER: empty */
    double number;              /* FACT_NUMBER: the value; FACT_TEXT: 0 */
    bool identity;              /* a different value means another machine or build */
} DeviceFact;

/*
 * Fills at most `capacity` facts and returns their number: 0 without CUDA or without a device.
 * Keys, of the first device chosen: gpu_model (identity), gpu_compute_capability ("9.0"),
 * gpu_multiprocessors, gpu_clock_mhz, gpu_memory_clock_mhz, gpu_memory_bytes, gpu_l2_bytes,
 * gpu_pci_bus_id ("0000:18:00.0"). Of all chosen: gpu_count, and of more than one gpu_devices (as
 * cuda_devices_name), gpu_numbers ("0,1", as --device has them) and gpu_bus_ids
 * ("0000:18:00.0,0000:2A:00.0"). And cuda_driver ("13.0"), cuda_runtime ("13.0"). A fact that
 * cannot be read is absent.
 */
size_t cuda_device_facts(DeviceFact *facts, size_t capacity);

/* --- State of a device ------------------------------------------------------------------------ */

/* Read through NVML, which is loaded at run time. Every number is NAN without the library or
 * without a device. */
typedef struct DeviceState {
    double clock_mhz, clock_mhz_max;
    double temperature; /* °C */
    double power;       /* W */
    char throttle[160]; /* active reasons that slow the clock down, ", " between; empty: none */
    bool slowed;        /* one of them is a limit, not a clock that was set on purpose */
} DeviceState;

/* The state of the first CUDA device in use. */
void gpu_state_read(DeviceState *state);

/* Other processes that compute on it; -1: unknown. */
int gpu_other_processes(void);

/* Joules since the driver was loaded, of the first `gpus` devices together; NAN if one of them has
 * no counter. */
double gpu_energy_read(int gpus);

#ifdef __cplusplus
}
#endif

#endif
