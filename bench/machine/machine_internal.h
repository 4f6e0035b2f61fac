/* What the files of the machine room, and tests, use beside machine.h. */

#ifndef BENCH_MACHINE_MACHINE_INTERNAL_H
#define BENCH_MACHINE_MACHINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "machine.h"
#include "spread.h"

/* --- Files of the system ---------------------------------------------------------------------- */

/* The text files of /proc and /sys, under a root folder: "" for this machine's own, another folder
 * in tests. */

enum { SYSTEM_PATH_SIZE = 512, SYSTEM_FLAGS_SIZE = 4096 };

/* Reads the first line of the file at the path, without its newline. False, with an empty line, if
 * it cannot be read. */
bool system_line(char *line, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* The number that the file starts with; NAN if there is none. */
double system_number(const char *format, ...) STATUS_PRINTF(1, 2);

/* Reads the value of `key` in /proc/cpuinfo for a logical processor. False, with an empty value, if
 * there is none. Long values are cut. */
bool system_cpuinfo(const char *root, int processor, const char *key, char *value, size_t size);

/* Whether `word` is one of the words of `text`, behind each of which is a space or a comma. */
bool system_has_word(const char *text, const char *word);

/* --- Parts of machine_read -------------------------------------------------------------------- */

/* Each adds the facts that it can read. */

/* Clocks, governor, boost, SMT, microcode, virtual machine, huge pages and runnable tasks, from the
 * files under `root`; what each processor has is read of those that this process may use. */
void machine_read_processor(Machine *machine, const char *root);

/* Limits that may change while the machine stays the same: the processors that this process may
 * use, the processors' time that its control group has, the highest clock that the owner allows. */
void machine_read_limits(Machine *machine, const char *root);

/* Driver, modes and use of the GPU, from NVML; after the facts from CUDA. */
void machine_read_gpu(Machine *machine);

/* gpu_pcie and gpu_links: how each GPU is connected to the host, and each pair with each other;
 * from NVML, after the facts from CUDA that say which devices were chosen. */
void machine_read_links(Machine *machine);

/* Those of cuda_variables that are set. */
void machine_read_cuda_variables(Machine *machine);
/* Whether one of them is set by which a tool is loaded into the program. */
bool cuda_variables_watch(void);

/* traced_by, ld_preload, cuda_mps: facts that are there only where there is such a thing. */
void machine_read_watchers(Machine *machine, const char *root);

/* Whether the facts say that cuda_variables[index] is set to something that changes times. */
bool cuda_variable_matters(const Machine *machine, size_t index);

/* The noise floor that `bench selftest` stored; after the facts that name the machine. */
void machine_read_noise(Machine *machine);

/* The spread that `bench selftest --launches` stored; as machine_read_noise. */
void machine_read_spread(Machine *machine);

/* --- NVML ------------------------------------------------------------------------------------- */

/* NVML, the NVIDIA driver's library about its devices, loaded at run time: neither its header nor
 * the library is needed to build or to run. */

/* NVML's handle of a device; opaque. */
typedef struct NvmlDeviceObject *NvmlDevice;

enum { NVML_SUCCESS = 0 };

typedef struct NvmlProcess {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
} NvmlProcess;

typedef struct NvmlUtilization {
    unsigned gpu, memory; /* % of the last sampling period */
} NvmlUtilization;

/* Where a device is on the PCI bus. */
typedef struct NvmlPci {
    char legacy_id[16];
    unsigned domain, bus, device;
    unsigned pci_device, pci_subsystem;
    char id[32];
    unsigned reserved[4]; /* of older versions of the structure */
} NvmlPci;

/* A number that is asked for by its field. */
typedef struct NvmlField {
    unsigned field, scope;
    long long timestamp, latency;
    int type, error; /* of `value`; NVML_SUCCESS if it is valid */
    union {
        double real;
        unsigned whole;
        unsigned long long long_whole;
    } value;
} NvmlField;

/* The functions used. Each returns NVML_SUCCESS or an error; NULL: missing in this library. */
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
    int (*pcie_generation_max)(NvmlDevice device, unsigned *generation);
    int (*pcie_width_max)(NvmlDevice device, unsigned *lanes);
    int (*common_ancestor)(NvmlDevice one, NvmlDevice other, int *level);
    int (*p2p_status)(NvmlDevice one, NvmlDevice other, int capability, int *status);
    int (*nvlink_state)(NvmlDevice device, unsigned link, int *active);
    int (*nvlink_remote_type)(NvmlDevice device, unsigned link, int *type);
    int (*nvlink_remote)(NvmlDevice device, unsigned link, NvmlPci *pci);
    int (*field_values)(NvmlDevice device, int count, NvmlField *fields);
} Nvml;

/* The library, loaded at the first call; NULL if there is none or it does not start.
 * BENCH_NVML_LIBRARY replaces libnvidia-ml.so.1. */
const Nvml *nvml_library(void);

/* The first device that CUDA uses; false if there is none. It is found by the PCI bus id given to
 * nvml_select, and then is `in_use`: known to hold a CUDA context of this process. Otherwise it is
 * the first entry of CUDA_VISIBLE_DEVICES, a number or a full UUID, or the first device that NVML
 * lists.
 */
bool nvml_device(NvmlDevice *device, bool *in_use);

/* One of the devices given to nvml_select; false if there is none of this index. */
bool nvml_device_at(int index, NvmlDevice *device);

/* Sets the PCI bus ids ("0000:18:00.0", with commas between several) of the devices that CUDA uses,
 * of which the first has a context; empty: unknown. */
void nvml_select(const char *bus_ids);

/* --- Noise floor ------------------------------------------------------------------------------ */

/* The greatest floor in a file of noise_floor_write; NAN if the file or the number is missing. */
double noise_floor_read(const char *path);

/* "<cache folder>/<what>-<fingerprint of host, processors and device>.json". STATUS_FILE. */
Status machine_file_path(const Machine *machine, const char *what, char *path, size_t size);

/* --- Launch-to-launch spread ------------------------------------------------------------------ */

/* What computes by its word in files; SPREAD_KINDS: none is called so. */
SpreadKind spread_kind_named(const char *word);
const char *spread_kind_word(SpreadKind kind);

/* Which of SPREAD_CLASSES, and where that begins. */
size_t spread_class_of(double seconds);
double spread_class_start(size_t decade);

/* What launch_spread_write and run_times_add wrote; nothing is known without a valid file. */
void launch_spread_read(const char *path, LaunchSpread *spread);

/* The list of launch_spread_json_add. Entries that are damaged, or of other classes, are left out.
 */
void launch_spread_json_read(const cJSON *object, LaunchSpread *spread);

#endif
