/* The state of the device in use, read through NVML. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "device_state.h"
#include "nvml.h"
#include "text_list.h"

enum { PROCESSES_MAX = 64 };

/* Bits of NVML's clock event reasons. An idle device slows down too, which is not worth a word. */
static const struct {
    unsigned long long bit;
    const char *word;
    bool chosen; /* somebody set it so; it is as fast as it was meant to be */
} reasons[] = {
    {0x002, "clocks set by the user", true},  {0x004, "power cap", false},
    {0x008, "hardware slowdown", false},      {0x010, "sync boost", false},
    {0x020, "software thermal limit", false}, {0x040, "hardware thermal limit", false},
    {0x080, "external power brake", false},   {0x100, "display clock setting", true},
};

typedef int (*ReadUnsigned)(NvmlDevice device, unsigned *value);

static double read_scaled(ReadUnsigned read, NvmlDevice device, double scale) {
    unsigned value = 0;
    return read != NULL && read(device, &value) == NVML_SUCCESS ? value * scale : (double)NAN;
}

typedef int (*ReadOfKind)(NvmlDevice device, int kind, unsigned *value);

static double read_kind(ReadOfKind read, NvmlDevice device, int kind) {
    unsigned value = 0;
    return read != NULL && read(device, kind, &value) == NVML_SUCCESS ? value : (double)NAN;
}

static double read_energy(const Nvml *nvml, NvmlDevice device) {
    unsigned long long millijoule = 0;
    const bool known = nvml->energy != NULL && nvml->energy(device, &millijoule) == NVML_SUCCESS;
    return known ? (double)millijoule * 1e-3 : (double)NAN;
}

static void read_reasons(const Nvml *nvml, NvmlDevice device, DeviceState *state) {
    unsigned long long bits = 0;
    if (nvml->clock_reasons == NULL || nvml->clock_reasons(device, &bits) != NVML_SUCCESS) {
        return;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if ((bits & reasons[i].bit) != 0) {
            text_append(state->throttle, sizeof state->throttle, "%s%s",
                        state->throttle[0] != '\0' ? ", " : "", reasons[i].word);
            state->slowed |= !reasons[i].chosen;
        }
    }
}

/* In a container the list may have the process ids of the host. This process is then not found in
 * it, though it is there when it has a context. */
static int count_others(const Nvml *nvml, NvmlDevice device, bool in_use) {
    NvmlProcess list[PROCESSES_MAX];
    unsigned count = PROCESSES_MAX;
    if (nvml->processes == NULL) {
        return -1;
    }
    const int error = nvml->processes(device, &count, list);
    if (error != NVML_SUCCESS && error != NVML_TOO_MANY) {
        return -1;
    }
    bool found = in_use && count > 0;
    for (unsigned i = 0; error == NVML_SUCCESS && i < count && i < PROCESSES_MAX; i++) {
        found |= list[i].pid == (unsigned)getpid();
    }
    return (int)count - (found ? 1 : 0);
}

void gpu_state_read(DeviceState *state) {
    *state = (DeviceState){.clock_mhz = NAN,
                           .clock_mhz_max = NAN,
                           .temperature = NAN,
                           .power = NAN,
                           .energy = NAN,
                           .other_processes = -1};
    NvmlDevice device = NULL;
    bool in_use = false;
    if (!nvml_device(&device, &in_use)) {
        return;
    }
    const Nvml *nvml = nvml_library();
    state->clock_mhz = read_kind(nvml->clock, device, NVML_CLOCK_SM);
    state->clock_mhz_max = read_kind(nvml->clock_max, device, NVML_CLOCK_SM);
    state->temperature = read_kind(nvml->temperature, device, NVML_SENSOR_GPU);
    state->power = read_scaled(nvml->power, device, 1e-3);
    state->energy = read_energy(nvml, device);
    read_reasons(nvml, device, state);
    state->other_processes = count_others(nvml, device, in_use);
}

double gpu_energy_read(void) {
    NvmlDevice device = NULL;
    bool in_use = false;
    return nvml_device(&device, &in_use) ? read_energy(nvml_library(), device) : (double)NAN;
}
