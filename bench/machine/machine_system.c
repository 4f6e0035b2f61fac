#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpu_state.h"
#include "machine_facts.h"
#include "machine_parts.h"
#include "system_files.h"

/* BENCH_HOST_NAME replaces the host's name in results that are to be published. */
static void read_names(Machine *machine) {
    char host[FACT_VALUE_SIZE] = "";
    const char *given = getenv("BENCH_HOST_NAME");
    if (given != NULL && given[0] != '\0') {
        snprintf(host, sizeof host, "%s", given);
    } else if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    machine_add_text(machine, "host_name", host, false);
    struct utsname names;
    if (uname(&names) == 0) {
        char kernel[FACT_VALUE_SIZE];
        snprintf(kernel, sizeof kernel, "%.60s %.100s", names.sysname, names.release);
        machine_add_text(machine, "kernel", kernel, false);
        machine_add_text(machine, "architecture", names.machine, false);
    }
}

static void read_load(Machine *machine) {
    static const char *const keys[] = {"load_average_1_min", "load_average_5_min",
                                       "load_average_15_min"};
    double loads[3];
    const int count = getloadavg(loads, 3);
    for (int i = 0; i < count; i++) {
        machine_add_number(machine, keys[i], loads[i], false);
    }
}

/* The highest clock of the first processor: cpufreq where there is a driver, else what the kernel
 * says it runs at now. */
static double cpu_mhz(void) {
    CpuState state;
    char text[FACT_VALUE_SIZE];
    cpu_state_read(system_root(), 0, &state);
    if (isnan(state.clock_mhz_max) &&
        system_cpuinfo(system_root(), 0, "cpu MHz", text, sizeof text)) {
        return strtod(text, NULL);
    }
    return state.clock_mhz_max;
}

/* What the kernel manages in all; hwloc adds up nodes, which leaves out memory added later. */
static void read_memory(Machine *machine) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_size > 0) {
        machine_add_number(machine, "memory_bytes", (double)pages * (double)page_size, false);
    }
}

/* How threads are placed changes times of every threaded variant. */
static void read_environment(Machine *machine) {
    static const char *const names[][2] = {{"omp_proc_bind", "OMP_PROC_BIND"},
                                           {"omp_places", "OMP_PLACES"},
                                           {"omp_num_threads", "OMP_NUM_THREADS"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i][1]);
        machine_add_text(machine, names[i][0], value != NULL ? value : "", false);
    }
}

void machine_read_system(Machine *machine) {
    char line[FACT_VALUE_SIZE];
    read_names(machine);
    const double mhz = cpu_mhz();
    machine->mhz = isfinite(mhz) ? mhz : 0.0;
    machine_add_number(machine, "cpu_mhz", mhz, false);
    system_line(line, sizeof line, "%s/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                system_root());
    machine_add_text(machine, "cpu_governor", line, false);
    system_line(line, sizeof line, "%s/proc/sys/kernel/randomize_va_space", system_root());
    if (line[0] != '\0') {
        machine_add_text(machine, "aslr", strcmp(line, "0") != 0 ? "yes" : "no", false);
    }
    read_memory(machine);
    read_load(machine);
    read_environment(machine);
}
