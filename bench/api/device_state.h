/*
 * Device state: clocks, temperature, power and energy of a GPU, read through NVML, which is loaded
 * at run time. Without the library or without a device every number is NAN.
 */
#ifndef BENCH_API_DEVICE_STATE_H
#define BENCH_API_DEVICE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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
