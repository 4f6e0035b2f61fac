/* What NVML says about the device in use, beside what CUDA says. */
#include "device_state.h"
#include "machine_facts.h"
#include "machine_parts.h"
#include "nvml.h"

static void add_switch(Machine *machine, const char *key, int error, bool on) {
    machine_add_text(machine, key, error != NVML_SUCCESS ? "" : on ? "on" : "off", false);
}

static void add_versions(const Nvml *nvml, Machine *machine) {
    char text[NVML_VERSION_SIZE];
    if (nvml->driver_version != NULL && nvml->driver_version(text, sizeof text) == NVML_SUCCESS) {
        machine_add_text(machine, "gpu_driver", text, false);
    }
    if (nvml->nvml_version != NULL && nvml->nvml_version(text, sizeof text) == NVML_SUCCESS) {
        machine_add_text(machine, "nvml_version", text, false);
    }
}

static void add_modes(const Nvml *nvml, NvmlDevice device, Machine *machine) {
    int on = 0;
    int later = 0;
    if (nvml->persistence != NULL) {
        const int error = nvml->persistence(device, &on);
        add_switch(machine, "gpu_persistence_mode", error, on != 0);
    }
    if (nvml->ecc != NULL) {
        const int error = nvml->ecc(device, &on, &later);
        add_switch(machine, "gpu_ecc", error, on != 0);
    }
    unsigned mig = 0;
    unsigned mig_later = 0;
    if (nvml->mig != NULL) {
        const int error = nvml->mig(device, &mig, &mig_later);
        add_switch(machine, "gpu_mig", error, mig != 0);
    }
}

static void add_numbers(const Nvml *nvml, NvmlDevice device, Machine *machine) {
    unsigned milliwatt = 0;
    if (nvml->power_limit != NULL && nvml->power_limit(device, &milliwatt) == NVML_SUCCESS) {
        machine_add_number(machine, "gpu_power_limit_w", milliwatt * 1e-3, false);
    }
    NvmlUtilization utilization = {0};
    if (nvml->utilization != NULL && nvml->utilization(device, &utilization) == NVML_SUCCESS) {
        machine_add_number(machine, "gpu_utilization_pct", utilization.gpu, false);
    }
    DeviceState state;
    gpu_state_read(&state);
    machine_add_number(machine, "gpu_sm_clock_mhz_max", state.clock_mhz_max, false);
    machine_add_number(machine, "gpu_temperature_c", state.temperature, false);
    if (state.other_processes >= 0) {
        machine_add_number(machine, "gpu_other_processes", state.other_processes, false);
    }
}

void machine_read_gpu(Machine *machine) {
    const Fact *bus_id = machine_fact(machine, "gpu_pci_bus_id");
    nvml_select(bus_id != NULL ? bus_id->text : "");
    NvmlDevice device = NULL;
    bool in_use = false;
    if (nvml_device(&device, &in_use)) {
        add_versions(nvml_library(), machine);
        add_modes(nvml_library(), device, machine);
        add_numbers(nvml_library(), device, machine);
    }
}
