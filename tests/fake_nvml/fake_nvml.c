#include "fake_nvml.h"

#include <stdio.h>
#include <string.h>

/* Return values, constants and structures as NVML's documentation has them. */
enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };
enum { CLOCK_SM = 1, TEMPERATURE_GPU = 0 };

typedef struct nvmlDevice_st {
    int number;
} * nvmlDevice_t;

typedef struct nvmlProcessInfo_st {
    unsigned int pid;
    unsigned long long usedGpuMemory;
    unsigned int gpuInstanceId;
    unsigned int computeInstanceId;
} nvmlProcessInfo_t;

typedef struct nvmlUtilization_st {
    unsigned int gpu;
    unsigned int memory;
} nvmlUtilization_t;

/* Seen from outside: the functions by the program, the answers by the test. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

FakeNvml fake_nvml;
static struct nvmlDevice_st device;

static int answer(nvmlDevice_t asked) {
    return asked != &device ? INVALID_ARGUMENT : fake_nvml.refuses ? NOT_SUPPORTED : SUCCESS;
}

static int number(nvmlDevice_t asked, unsigned value, unsigned *out) {
    const int error = answer(asked);
    if (error == SUCCESS) {
        *out = value;
    }
    return error;
}

static int found(int known, const char *by, nvmlDevice_t *out) {
    fake_nvml.asked_by = by;
    if (known) {
        *out = &device;
    }
    return known ? SUCCESS : NOT_FOUND;
}

int nvmlInit_v2(void) {
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *out) {
    return found(index == 0, "index 0", out);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *out) {
    return found(strcmp(uuid, FAKE_NVML_UUID) == 0, "uuid", out);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *out) {
    return found(strcmp(bus_id, FAKE_NVML_BUS_ID) == 0, "bus id", out);
}

int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    snprintf(text, size, "550.1.2");
    return SUCCESS;
}

int nvmlSystemGetNVMLVersion(char *text, unsigned size) {
    snprintf(text, size, "12.550.1.2");
    return SUCCESS;
}

int nvmlDeviceGetClockInfo(nvmlDevice_t asked, int domain, unsigned *mhz) {
    return domain == CLOCK_SM ? number(asked, fake_nvml.clock_mhz, mhz) : INVALID_ARGUMENT;
}

int nvmlDeviceGetMaxClockInfo(nvmlDevice_t asked, int domain, unsigned *mhz) {
    return domain == CLOCK_SM ? number(asked, fake_nvml.clock_mhz_max, mhz) : INVALID_ARGUMENT;
}

int nvmlDeviceGetTemperature(nvmlDevice_t asked, int sensor, unsigned *celsius) {
    return sensor == TEMPERATURE_GPU ? number(asked, fake_nvml.celsius, celsius) : INVALID_ARGUMENT;
}

int nvmlDeviceGetPowerUsage(nvmlDevice_t asked, unsigned *milliwatt) {
    return number(asked, fake_nvml.milliwatt, milliwatt);
}

int nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t asked, unsigned *milliwatt) {
    return number(asked, 700000, milliwatt);
}

int nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t asked, unsigned long long *millijoule) {
    *millijoule = fake_nvml.millijoule;
    fake_nvml.millijoule += fake_nvml.millijoule_step;
    return answer(asked);
}

/* The name of older libraries; there is no nvmlDeviceGetCurrentClocksEventReasons here. */
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t asked, unsigned long long *bits) {
    *bits = fake_nvml.reasons;
    return answer(asked);
}

int nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t asked, unsigned *count,
                                            nvmlProcessInfo_t *list) {
    const unsigned room = *count;
    *count = fake_nvml.process_count;
    if (answer(asked) != SUCCESS || room < fake_nvml.process_count) {
        return answer(asked) != SUCCESS ? NOT_SUPPORTED : INSUFFICIENT_SIZE;
    }
    for (unsigned i = 0; i < fake_nvml.process_count; i++) {
        list[i] = (nvmlProcessInfo_t){.pid = fake_nvml.pids[i], .usedGpuMemory = 1 << 20};
    }
    return SUCCESS;
}

int nvmlDeviceGetUtilizationRates(nvmlDevice_t asked, nvmlUtilization_t *utilization) {
    *utilization = (nvmlUtilization_t){.gpu = 37, .memory = 5};
    return answer(asked);
}

int nvmlDeviceGetPersistenceMode(nvmlDevice_t asked, int *on) {
    *on = 1;
    return answer(asked);
}

int nvmlDeviceGetEccMode(nvmlDevice_t asked, int *on, int *later) {
    *on = 0;
    *later = 1;
    return answer(asked);
}
