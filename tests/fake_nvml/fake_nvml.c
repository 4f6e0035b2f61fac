#include "fake_nvml.h"

#include <stdio.h>
#include <string.h>

/* Return values, constants and structures as NVML's documentation has them. */
enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };
enum { CLOCK_SM = 1, TEMPERATURE_GPU = 0, REMOTE_GPU = 0, REMOTE_SWITCH = 2, REMOTE_UNKNOWN = 255 };
enum { FIELD_SPEED = 90, P2P_NVLINK = 2, P2P_OK = 0, P2P_NOT_SUPPORTED = 5 };
enum { FIRST_BUS = 0x18 };

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
static struct nvmlDevice_st devices[FAKE_NVML_DEVICES_MAX];

static unsigned device_count(void) {
    return fake_nvml.devices > 0 ? fake_nvml.devices : 1;
}

static int index_of(nvmlDevice_t asked) {
    return (int)(asked - devices);
}

static int answer(nvmlDevice_t asked) {
    return asked < devices || asked >= devices + device_count() ? INVALID_ARGUMENT
           : fake_nvml.refuses                                  ? NOT_SUPPORTED
                                                                : SUCCESS;
}

static int number(nvmlDevice_t asked, unsigned value, unsigned *out) {
    const int error = answer(asked);
    if (error == SUCCESS) {
        *out = value;
    }
    return error;
}

static int found(unsigned index, const char *by, nvmlDevice_t *out) {
    fake_nvml.asked_by = by;
    if (index < device_count()) {
        *out = &devices[index];
    }
    return index < device_count() ? SUCCESS : NOT_FOUND;
}

int nvmlInit_v2(void) {
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *out) {
    return found(index, "index 0", out);
}

int nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *out) {
    return found(strcmp(uuid, FAKE_NVML_UUID) == 0 ? 0 : device_count(), "uuid", out);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *out) {
    unsigned domain = 1;
    unsigned bus = 0;
    (void)sscanf(bus_id, "%x:%x", &domain, &bus);
    return found(domain == 0 && bus >= FIRST_BUS ? bus - FIRST_BUS : device_count(), "bus id", out);
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
    *millijoule = fake_nvml.millijoule + 1000ULL * (unsigned long long)index_of(asked);
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

/* === Links ==================================================================================== */

typedef struct nvmlPciInfo_st {
    char busIdLegacy[16];
    unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
} nvmlPciInfo_t;

typedef union nvmlValue_st {
    double dVal;
    unsigned int uiVal;
    unsigned long long ullVal;
} nvmlValue_t;

typedef struct nvmlFieldValue_st {
    unsigned int fieldId, scopeId;
    long long timestamp, latencyUsec;
    int valueType, nvmlReturn;
    nvmlValue_t value;
} nvmlFieldValue_t;

/* The last number is that of the answer; 0 is refused. */
static int known_number(nvmlDevice_t asked, unsigned value, unsigned *out) {
    return value == 0 ? NOT_SUPPORTED : number(asked, value, out);
}

int nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t asked, unsigned *generation) {
    return known_number(asked, fake_nvml.pcie[index_of(asked)][0], generation);
}

int nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t asked, unsigned *lanes) {
    return known_number(asked, fake_nvml.pcie[index_of(asked)][1], lanes);
}

int nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t one, nvmlDevice_t other, int *level) {
    const int i = index_of(one) < index_of(other) ? index_of(one) : index_of(other);
    const int j = index_of(one) < index_of(other) ? index_of(other) : index_of(one);
    *level = fake_nvml.levels[i][j];
    return *level < 0 ? NOT_SUPPORTED : answer(one);
}

int nvmlDeviceGetP2PStatus(nvmlDevice_t one, nvmlDevice_t other, int capability, int *status) {
    (void)other;
    *status = capability == P2P_NVLINK && fake_nvml.copies_over_nvlink ? P2P_OK : P2P_NOT_SUPPORTED;
    return answer(one);
}

static int remote_of(nvmlDevice_t asked, unsigned link) {
    return fake_nvml.nvlinks[index_of(asked)][link];
}

int nvmlDeviceGetNvLinkState(nvmlDevice_t asked, unsigned link, int *active) {
    if (link >= FAKE_NVML_LINKS) {
        return INVALID_ARGUMENT;
    }
    *active = remote_of(asked, link) != FAKE_LINK_OFF;
    return answer(asked);
}

int nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t asked, unsigned link, int *type) {
    const int remote = remote_of(asked, link);
    *type = remote == FAKE_LINK_TO_SWITCH ? REMOTE_SWITCH
            : remote == FAKE_LINK_HIDDEN  ? REMOTE_UNKNOWN
                                          : REMOTE_GPU;
    return answer(asked);
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t asked, unsigned link, nvmlPciInfo_t *pci) {
    if (remote_of(asked, link) == FAKE_LINK_HIDDEN) {
        return NOT_SUPPORTED;
    }
    *pci = (nvmlPciInfo_t){.bus = (unsigned)(FIRST_BUS + remote_of(asked, link) - 1)};
    snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", pci->bus);
    return answer(asked);
}

int nvmlDeviceGetFieldValues(nvmlDevice_t asked, int count, nvmlFieldValue_t *fields) {
    for (int i = 0; i < count; i++) {
        const int known = fields[i].fieldId == FIELD_SPEED && fake_nvml.nvlink_mbps > 0;
        fields[i].nvmlReturn = known ? SUCCESS : NOT_SUPPORTED;
        fields[i].value.uiVal = fake_nvml.nvlink_mbps;
    }
    return answer(asked);
}
