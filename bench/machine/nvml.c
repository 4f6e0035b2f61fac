/* NVML, loaded at the first use. */

#include "machine_internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { UUID_SIZE = 96 };

static char selected_bus_ids[FACT_VALUE_SIZE];

/* Names differ between versions of the library: the first that exists is used. */
static const struct {
    size_t offset;
    const char *names[2];
} symbols[] = {
    {offsetof(Nvml, start), {"nvmlInit_v2", "nvmlInit"}},
    {offsetof(Nvml, device_by_index), {"nvmlDeviceGetHandleByIndex_v2", NULL}},
    {offsetof(Nvml, device_by_uuid), {"nvmlDeviceGetHandleByUUID", NULL}},
    {offsetof(Nvml, device_by_bus_id), {"nvmlDeviceGetHandleByPciBusId_v2", NULL}},
    {offsetof(Nvml, driver_version), {"nvmlSystemGetDriverVersion", NULL}},
    {offsetof(Nvml, nvml_version), {"nvmlSystemGetNVMLVersion", NULL}},
    {offsetof(Nvml, clock), {"nvmlDeviceGetClockInfo", NULL}},
    {offsetof(Nvml, clock_max), {"nvmlDeviceGetMaxClockInfo", NULL}},
    {offsetof(Nvml, temperature), {"nvmlDeviceGetTemperature", NULL}},
    {offsetof(Nvml, power), {"nvmlDeviceGetPowerUsage", NULL}},
    {offsetof(Nvml, power_limit), {"nvmlDeviceGetEnforcedPowerLimit", NULL}},
    {offsetof(Nvml, energy), {"nvmlDeviceGetTotalEnergyConsumption", NULL}},
    {offsetof(Nvml, clock_reasons),
     {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}},
    {offsetof(Nvml, processes),
     {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}},
    {offsetof(Nvml, utilization), {"nvmlDeviceGetUtilizationRates", NULL}},
    {offsetof(Nvml, persistence), {"nvmlDeviceGetPersistenceMode", NULL}},
    {offsetof(Nvml, ecc), {"nvmlDeviceGetEccMode", NULL}},
    {offsetof(Nvml, mig), {"nvmlDeviceGetMigMode", NULL}},
    {offsetof(Nvml, pcie_generation_max), {"nvmlDeviceGetMaxPcieLinkGeneration", NULL}},
    {offsetof(Nvml, pcie_width_max), {"nvmlDeviceGetMaxPcieLinkWidth", NULL}},
    {offsetof(Nvml, common_ancestor), {"nvmlDeviceGetTopologyCommonAncestor", NULL}},
    {offsetof(Nvml, p2p_status), {"nvmlDeviceGetP2PStatus", NULL}},
    {offsetof(Nvml, nvlink_state), {"nvmlDeviceGetNvLinkState", NULL}},
    {offsetof(Nvml, nvlink_remote_type), {"nvmlDeviceGetNvLinkRemoteDeviceType", NULL}},
    {offsetof(Nvml, nvlink_remote), {"nvmlDeviceGetNvLinkRemotePciInfo_v2", NULL}},
    {offsetof(Nvml, field_values), {"nvmlDeviceGetFieldValues", NULL}},
};

static void find_symbols(void *library, Nvml *nvml) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *address = dlsym(library, symbols[i].names[0]);
        if (address == NULL && symbols[i].names[1] != NULL) {
            address = dlsym(library, symbols[i].names[1]);
        }
        memcpy((char *)nvml + symbols[i].offset, &address, sizeof address);
    }
}

const Nvml *nvml_library(void) {
    static Nvml nvml;
    static bool tried, usable;
    if (!tried) {
        tried = true;
        const char *given = getenv("BENCH_NVML_LIBRARY");
        const bool other = given != NULL && given[0] != '\0';
        /* Never closed: the driver's library stays in use until the program ends. */
        void *library = dlopen(other ? given : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) {
            find_symbols(library, &nvml);
            usable = nvml.start != NULL && nvml.start() == NVML_SUCCESS;
        }
    }
    return usable ? &nvml : NULL;
}

static bool visible_device(const Nvml *nvml, NvmlDevice *device) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char first[UUID_SIZE];
    snprintf(first, sizeof first, "%s", visible != NULL ? visible : "");
    first[strcspn(first, ",")] = '\0';
    if (strncmp(first, "GPU-", 4) == 0 || strncmp(first, "MIG-", 4) == 0) {
        return nvml->device_by_uuid != NULL && nvml->device_by_uuid(first, device) == NVML_SUCCESS;
    }
    const long index = strtol(first, NULL, 10);
    return index >= 0 && nvml->device_by_index != NULL &&
           nvml->device_by_index((unsigned)index, device) == NVML_SUCCESS;
}

/* One of those selected; false if there are fewer, or NVML does not know it. */
static bool selected_device(const Nvml *nvml, int index, NvmlDevice *device) {
    const char *ids = selected_bus_ids[0] != '\0' ? selected_bus_ids : NULL;
    char id[LIST_WORD_SIZE] = "";
    for (int i = 0; i <= index; i++) {
        if (ids == NULL) {
            return false;
        }
        const Status next = list_next(&ids, id);
        if (!status_is_ok(&next)) {
            return false;
        }
    }
    return nvml->device_by_bus_id != NULL && nvml->device_by_bus_id(id, device) == NVML_SUCCESS;
}

bool nvml_device(NvmlDevice *device, bool *in_use) {
    const Nvml *nvml = nvml_library();
    *in_use = nvml != NULL && selected_device(nvml, 0, device);
    return *in_use || (nvml != NULL && visible_device(nvml, device));
}

bool nvml_device_at(int index, NvmlDevice *device) {
    const Nvml *nvml = nvml_library();
    return nvml != NULL && selected_device(nvml, index, device);
}

void nvml_select(const char *bus_ids) {
    snprintf(selected_bus_ids, sizeof selected_bus_ids, "%s", bus_ids);
}
