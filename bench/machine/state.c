/* State of the processor and the device around a cell: clocks, temperature, energy. */

#define _GNU_SOURCE /* sched_getaffinity */

#include "backend.h"
#include "cpu_state.h"
#include "machine_internal.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child_process.h"
#include "devices.h"
#include "text.h"

/* === CPU ====================================================================================== */

enum { SENSORS_MAX = 64, WORD_SIZE = 64 };

int cpu_state_processor(void) {
    unsigned processor = 0;
#ifdef SYS_getcpu
    if (syscall(SYS_getcpu, &processor, NULL, NULL) != 0) {
        return 0;
    }
#endif
    return (int)processor;
}

/* A file of the processor's frequency driver, in kHz. */
static double cpufreq_mhz(const char *root, int processor, const char *file) {
    return system_number("%s/sys/devices/system/cpu/cpu%d/cpufreq/%s", root, processor, file) *
           1e-3;
}

/* Whether /proc/cpuinfo has the clock of now. Without the counters of this flag, as in most virtual
 * machines, the kernel repeats the nominal clock. */
static bool clock_is_counted(const char *root, int processor) {
    char flags[SYSTEM_FLAGS_SIZE];
    return system_cpuinfo(root, processor, "flags", flags, sizeof flags) &&
           system_has_word(flags, "aperfmperf");
}

static double clock_now_mhz(const char *root, int processor) {
    const double mhz = cpufreq_mhz(root, processor, "scaling_cur_freq");
    char text[WORD_SIZE];
    if (isnan(mhz) && clock_is_counted(root, processor) &&
        system_cpuinfo(root, processor, "cpu MHz", text, sizeof text)) {
        return strtod(text, NULL);
    }
    return mhz;
}

static bool is_word(const char *word, const char *const *words) {
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* First the sensors of processor drivers, then the thermal zones of the firmware. */
static double read_temperature(const char *root) {
    static const char *const drivers[] = {"coretemp", "k10temp", "zenpower", "cpu_thermal", NULL};
    static const char *const zones[] = {"x86_pkg_temp", "cpu-thermal", "cpu_thermal", NULL};
    char word[WORD_SIZE];
    for (int i = 0; i < SENSORS_MAX; i++) {
        if (system_line(word, sizeof word, "%s/sys/class/hwmon/hwmon%d/name", root, i) &&
            is_word(word, drivers)) {
            const double reading = system_number("%s/sys/class/hwmon/hwmon%d/temp1_input", root, i);
            if (!isnan(reading)) {
                return reading * 1e-3;
            }
        }
    }
    for (int i = 0; i < SENSORS_MAX; i++) {
        if (system_line(word, sizeof word, "%s/sys/class/thermal/thermal_zone%d/type", root, i) &&
            is_word(word, zones)) {
            return system_number("%s/sys/class/thermal/thermal_zone%d/temp", root, i) * 1e-3;
        }
    }
    return NAN;
}

void cpu_state_read(const char *root, int processor, CpuState *state) {
    *state =
        (CpuState){.clock_mhz = clock_now_mhz(root, processor),
                   .clock_mhz_max = cpufreq_mhz(root, processor, "cpuinfo_max_freq"),
                   .clock_mhz_base = cpufreq_mhz(root, processor, "base_frequency"),
                   .temperature = read_temperature(root),
                   .throttle_events = system_number(
                       "%s/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count",
                       root, processor)};
}

/* Ticks of user, nice, system, idle, iowait, irq, softirq and steal. */
static void read_ticks(const char *text, double *busy, double *stolen) {
    enum { IDLE = 3, IOWAIT, STEAL = 7, FIELDS };
    *busy = *stolen = 0;
    for (int field = 0; field < FIELDS; field++) {
        char *end;
        const double ticks = strtod(text, &end);
        if (end == text) {
            break;
        }
        *busy += field == IDLE || field == IOWAIT ? 0 : ticks;
        *stolen += field == STEAL ? ticks : 0;
        text = end;
    }
}

bool processor_times_read(const char *root, ProcessorTimes *times) {
    char path[SYSTEM_PATH_SIZE], line[SYSTEM_FLAGS_SIZE];
    const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *times = (ProcessorTimes){.count = 0};
    snprintf(path, sizeof path, "%s/proc/stat", root);
    FILE *file = fopen(path, "r");
    /* The processors come first; lines of interrupts may be longer than this. */
    while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "cpu", 3) == 0) {
        char *end = line;
        const unsigned long processor = strtoul(line + 3, &end, 10);
        if (line[3] == ' ' || processor >= PROCESSORS_MAX) {
            continue; /* the first line is of all of them together */
        }
        double busy, stolen;
        read_ticks(end, &busy, &stolen);
        times->busy[processor] = tick * busy;
        times->stolen[processor] = tick * stolen;
        times->count = processor + 1 > times->count ? processor + 1 : times->count;
    }
    if (file != NULL) {
        fclose(file);
    }
    return times->count > 0;
}

double processor_times_sum(const ProcessorTimes *times, const double *list, bool own,
                           int *processors) {
    cpu_set_t set;
    double sum = 0;
    *processors = 0;
    own = own && sched_getaffinity(0, sizeof set, &set) == 0;
    for (size_t i = 0; i < times->count; i++) {
        if (own ? i < CPU_SETSIZE && CPU_ISSET(i, &set) : processor_is_allowed((int)i)) {
            sum += list[i];
            ++*processors;
        }
    }
    return sum;
}

double cpu_time_used(const char *root, int *processors) {
    ProcessorTimes times;
    processor_times_read(root, &times);
    const double sum = processor_times_sum(&times, times.busy, false, processors);
    return *processors > 0 ? sum / *processors : (double)NAN;
}

/* Zones of intel-rapl, which AMD processors have too, are numbered. intel-rapl-mmio counts the same
 * energy again. Zones that are no packages are parts of one, or the whole computer. */
void cpu_energy_read(const char *root, CpuEnergy *energy) {
    *energy = (CpuEnergy){.count = 0};
    for (int zone = 0; zone < 2 * CPU_PACKAGES_MAX && energy->count < CPU_PACKAGES_MAX; zone++) {
        char folder[SYSTEM_PATH_SIZE / 2];
        char name[WORD_SIZE];
        snprintf(folder, sizeof folder, "%s/sys/class/powercap/intel-rapl:%d", root, zone);
        if (!system_line(name, sizeof name, "%s/name", folder) ||
            strncmp(name, "package", 7) != 0) {
            continue;
        }
        const double microjoule = system_number("%s/energy_uj", folder);
        if (isnan(microjoule)) {
            *energy = (CpuEnergy){.count = 0};
            return;
        }
        energy->joule[energy->count] = microjoule * 1e-6;
        energy->range[energy->count++] = system_number("%s/max_energy_range_uj", folder) * 1e-6;
    }
}

double cpu_energy_between(const CpuEnergy *before, const CpuEnergy *after) {
    if (before->count == 0 || before->count != after->count) {
        return NAN;
    }
    double sum = 0;
    for (size_t i = 0; i < after->count; i++) {
        const double used = after->joule[i] - before->joule[i];
        sum += used < 0 ? used + after->range[i] : used;
    }
    return sum;
}

/* === GPU ====================================================================================== */

enum { PROCESSES_MAX = 64 };
/* Constants of NVML. TOO_MANY: the list given was too short. */
enum { NVML_TOO_MANY = 7, NVML_CLOCK_SM = 1, NVML_SENSOR_GPU = 0 };

/* Bits of NVML's clock event reasons, without that of an idle device. */
static const struct {
    unsigned long long bit;
    const char *word;
    bool chosen; /* set by a person: not slower than intended */
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

/* Other processes on the device. In a container the list may have the host's process ids: this
 * process is then not found in it, but is in it if it has a context. */
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
    *state =
        (DeviceState){.clock_mhz = NAN, .clock_mhz_max = NAN, .temperature = NAN, .power = NAN};
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
    read_reasons(nvml, device, state);
}

int gpu_other_processes(void) {
    NvmlDevice device = NULL;
    bool in_use = false;
    return nvml_device(&device, &in_use) ? count_others(nvml_library(), device, in_use) : -1;
}

/* A device that stands for several uses its energy once. */
static bool is_among(NvmlDevice device, const NvmlDevice *seen, int count) {
    for (int i = 0; i < count; i++) {
        if (seen[i] == device) {
            return true;
        }
    }
    return false;
}

double gpu_energy_read(int gpus) {
    NvmlDevice devices[CUDA_DEVICES_MAX] = {NULL};
    bool in_use = false;
    double sum = 0;
    if (!nvml_device(&devices[0], &in_use)) {
        return NAN;
    }
    for (int i = 0; i < gpus && i < CUDA_DEVICES_MAX; i++) {
        if (i > 0 && !nvml_device_at(i, &devices[i])) {
            return NAN;
        }
        if (!is_among(devices[i], devices, i)) {
            sum += read_energy(nvml_library(), devices[i]);
        }
    }
    return sum;
}
