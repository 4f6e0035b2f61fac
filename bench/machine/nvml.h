/*
 * NVML, the NVIDIA driver's library about its devices, loaded at run time: the program needs
 * neither its header nor the library to be built or to run.
 */
#ifndef BENCH_NVML_H
#define BENCH_NVML_H

#include <stdbool.h>

/* A device as NVML knows it; opaque. */
typedef struct NvmlDeviceObject *NvmlDevice;

enum { NVML_SUCCESS = 0, NVML_TOO_MANY = 7 }; /* TOO_MANY: the list given was too short */
enum { NVML_CLOCK_SM = 1, NVML_SENSOR_GPU = 0, NVML_VERSION_SIZE = 96 };

typedef struct NvmlProcess {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
} NvmlProcess;

typedef struct NvmlUtilization {
    unsigned gpu, memory; /* % of the last sampling period */
} NvmlUtilization;

/* The functions used; every one returns NVML_SUCCESS or an error. NULL: this library has no such
 * function. */
typedef struct Nvml {
    int (*start)(void);
    int (*device_by_index)(unsigned index, NvmlDevice *device);
    int (*device_by_uuid)(const char *uuid, NvmlDevice *device);
    int (*device_by_bus_id)(const char *bus_id, NvmlDevice *device);
    int (*driver_version)(char *text, unsigned size);
    int (*nvml_version)(char *text, unsigned size);
    int (*clock)(NvmlDevice device, int domain, unsigned *mhz);
    int (*clock_max)(NvmlDevice device, int domain, unsigned *mhz);
    int (*temperature)(NvmlDevice device, int sensor, unsigned *celsius);
    int (*power)(NvmlDevice device, unsigned *milliwatt);
    int (*power_limit)(NvmlDevice device, unsigned *milliwatt);
    int (*energy)(NvmlDevice device, unsigned long long *millijoule);
    int (*clock_reasons)(NvmlDevice device, unsigned long long *bits);
    int (*processes)(NvmlDevice device, unsigned *count, NvmlProcess *list);
    int (*utilization)(NvmlDevice device, NvmlUtilization *utilization);
    int (*persistence)(NvmlDevice device, int *on);
    int (*ecc)(NvmlDevice device, int *on, int *on_after_reset);
    int (*mig)(NvmlDevice device, unsigned *on, unsigned *on_after_reset);
} Nvml;

/* The library, loaded at the first call; NULL when there is none or it does not start.
 * BENCH_NVML_LIBRARY names another file than libnvidia-ml.so.1. */
const Nvml *nvml_library(void);

/*
 * The device that CUDA uses. False when there is none. `in_use` says whether it is known to hold a
 * CUDA context of this process.
 *
 * CUDA's device 0 by its PCI bus id when nvml_select was told it. Otherwise the first entry of
 * CUDA_VISIBLE_DEVICES, a number or a full UUID, or the first device that NVML lists.
 */
bool nvml_device(NvmlDevice *device, bool *in_use);

/* PCI bus id ("0000:18:00.0") of the device that CUDA uses, whose context exists. Empty: unknown.
 */
void nvml_select(const char *bus_id);

#endif
