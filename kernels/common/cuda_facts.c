#include <cuda_runtime_api.h>
#include <stdio.h>

#include "backend.h"
#include "cuda_device.h"
#include "devices.h"

typedef struct FactList {
    DeviceFact *facts;
    size_t count, capacity;
} FactList;

static DeviceFact *add(FactList *list, const char *key, FactKind kind) {
    static DeviceFact beyond_capacity;
    DeviceFact *fact =
        list->count < list->capacity ? &list->facts[list->count++] : &beyond_capacity;
    *fact = (DeviceFact){.kind = kind};
    snprintf(fact->key, sizeof fact->key, "%s", key);
    return fact;
}

static void add_number(FactList *list, const char *key, double number) {
    add(list, key, FACT_NUMBER)->number = number;
}

/* CUDA writes 13.0 as 13000. */
static void add_version(FactList *list, const char *key, int version) {
    DeviceFact *fact = add(list, key, FACT_TEXT);
    snprintf(fact->text, sizeof fact->text, "%d.%d", version / 1000, version % 1000 / 10);
}

static void add_attribute(FactList *list, const char *key, enum cudaDeviceAttr attribute,
                          double scale) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute, cuda_device_number(0)) == cudaSuccess) {
        add_number(list, key, value * scale);
    }
    (void)cudaGetLastError();
}

/* What tells one choice of devices from another. */
static void add_devices(FactList *list, int count) {
    add_number(list, "gpu_count", count);
    if (count == 1) {
        return;
    }
    DeviceFact *devices = add(list, "gpu_devices", FACT_TEXT);
    DeviceFact *numbers = add(list, "gpu_numbers", FACT_TEXT);
    DeviceFact *ids = add(list, "gpu_bus_ids", FACT_TEXT);
    cuda_devices_name(count, devices->text, sizeof devices->text);
    size_t used = 0;
    size_t ids_used = 0;
    for (int i = 0; i < count; i++) {
        const char *comma = i > 0 ? "," : "";
        char id[32] = "";
        (void)cudaDeviceGetPCIBusId(id, sizeof id, cuda_device_number(i));
        used += (size_t)snprintf(numbers->text + used, sizeof numbers->text - used, "%s%d", comma,
                                 cuda_device_number(i));
        ids_used +=
            (size_t)snprintf(ids->text + ids_used, sizeof ids->text - ids_used, "%s%s", comma, id);
    }
}

size_t cuda_device_facts(DeviceFact *facts, size_t capacity) {
    FactList list = {.facts = facts, .capacity = capacity};
    char name[FACT_VALUE_SIZE];
    const Status probe = cuda_backend.probe(name, sizeof name);
    if (!status_is_ok(&probe)) {
        return 0;
    }
    const int first = cuda_device_number(0);
    DeviceFact *model = add(&list, "gpu_model", FACT_TEXT);
    snprintf(model->text, sizeof model->text, "%s", name);
    model->identity = true;

    struct cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, first) == cudaSuccess) {
        DeviceFact *capability = add(&list, "gpu_compute_capability", FACT_TEXT);
        snprintf(capability->text, sizeof capability->text, "%d.%d", properties.major,
                 properties.minor);
        add_number(&list, "gpu_multiprocessors", properties.multiProcessorCount);
        add_number(&list, "gpu_memory_bytes", (double)properties.totalGlobalMem);
        add_number(&list, "gpu_l2_bytes", properties.l2CacheSize);
    }
    char bus_id[FACT_VALUE_SIZE];
    if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, first) == cudaSuccess) {
        DeviceFact *bus = add(&list, "gpu_pci_bus_id", FACT_TEXT);
        snprintf(bus->text, sizeof bus->text, "%s", bus_id);
    }
    add_devices(&list, cuda_devices_count());
    add_attribute(&list, "gpu_clock_mhz", cudaDevAttrClockRate, 1e-3);
    add_attribute(&list, "gpu_memory_clock_mhz", cudaDevAttrMemoryClockRate, 1e-3);
    int version = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess) {
        add_version(&list, "cuda_driver", version);
    }
    if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
        add_version(&list, "cuda_runtime", version);
    }
    (void)cudaGetLastError();
    return list.count;
}
