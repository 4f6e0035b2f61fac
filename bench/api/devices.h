/*
 * Devices: those that CUDA variants use, and what is known of them. Not for variants and not for
 * modules.
 */
#ifndef BENCH_API_DEVICES_H
#define BENCH_API_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

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
