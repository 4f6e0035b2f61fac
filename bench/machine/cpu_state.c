#include "cpu_state.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system_files.h"

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

/* A file of the processor's frequency driver, which counts in kHz. */
static double cpufreq_mhz(const char *root, int processor, const char *file) {
    return system_number("%s/sys/devices/system/cpu/cpu%d/cpufreq/%s", root, processor, file) *
           1e-3;
}

/* Without the counters that this flag stands for, as in most virtual machines, the kernel repeats
 * the nominal clock, which says nothing about now. */
static bool clock_is_counted(const char *root) {
    char flags[SYSTEM_FLAGS_SIZE];
    return system_cpuinfo(root, 0, "flags", flags, sizeof flags) &&
           system_has_word(flags, "aperfmperf");
}

static double clock_now_mhz(const char *root, int processor) {
    const double mhz = cpufreq_mhz(root, processor, "scaling_cur_freq");
    char text[WORD_SIZE];
    if (isnan(mhz) && clock_is_counted(root) &&
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

/* First the sensors whose drivers are about processors, then what the firmware calls one. */
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

/* Zones of intel-rapl, which AMD processors use too, are numbered; its mmio twin counts the same
 * energy once more. Zones that are not packages hold parts of one, or the whole computer. */
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
