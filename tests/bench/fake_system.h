/* Files in which a system says what it is, in the folder of the test. */
#ifndef TESTS_BENCH_FAKE_SYSTEM_H
#define TESTS_BENCH_FAKE_SYSTEM_H

#include "bench/scratch_folder.h"

/* Writes a file, with the folders it lies in. */
static inline void system_write(const char *path, const char *text) {
    char folder[512];
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%s/%.*s", test_folder, (int)(slash - path), path);
        mkdir(folder, 0755);
    }
    test_write(path, text);
}

#define FAKE_CPUFREQ(processor, file) "sys/devices/system/cpu/cpu" #processor "/cpufreq/" file
#define FAKE_RAPL(zone, file) "sys/class/powercap/intel-rapl:" #zone "/" file

#endif
