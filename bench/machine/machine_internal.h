/* What files of this room and tests share. */

#ifndef BENCH_MACHINE_MACHINE_INTERNAL_H
#define BENCH_MACHINE_MACHINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "machine.h"
#include "status.h"

/* --- System files ----------------------------------------------------------------------------- */

/* The small text files in which Linux says what the machine is and does, under a root folder: ""
 * for this machine's own, another folder in tests. */

enum { SYSTEM_PATH_SIZE = 512, SYSTEM_FLAGS_SIZE = 4096 };

/* First line of the file at the path, without its newline. False, with an empty line, when it
 * cannot be read. */
bool system_line(char *line, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* The number that the file starts with; NAN when there is none. */
double system_number(const char *format, ...) STATUS_PRINTF(1, 2);

/* What /proc/cpuinfo says under `key` about logical processor `processor`. False, with an empty
 * value, when it says nothing. Long values are cut. */
bool system_cpuinfo(const char *root, int processor, const char *key, char *value, size_t size);

/* Whether `word` is one of the words in `text`, which spaces separate. */
bool system_has_word(const char *text, const char *word);

/* --- Machine parts ---------------------------------------------------------------------------- */

/* The parts that machine_read puts together; each adds the facts it can read. */

/* Boost, SMT, microcode, virtual machine, huge pages, tasks that run now; from the files under
 * `root`. */
void machine_read_processor(Machine *machine, const char *root);

/* NVML: driver, modes and use of the GPU. After the facts that CUDA knows have been added. */
void machine_read_gpu(Machine *machine);

/* What `bench selftest` stored: the noise floor. After the facts that name the machine. */
void machine_read_noise(Machine *machine);

/* --- Nvml ------------------------------------------------------------------------------------- */

/*
 * NVML, the NVIDIA driver's library about its devices, loaded at run time: the program needs
 * neither its header nor the library to be built or to run.
 */

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

/* --- Noise floor ------------------------------------------------------------------------------ */

/* The greatest floor in a file of noise_floor_write; NAN when there is no such file, or no such
 * number in it. */
double noise_floor_read(const char *path);

#endif
