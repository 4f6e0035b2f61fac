/* How the processor is set up: what makes the same model faster, slower or less steady. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_facts.h"
#include "machine_parts.h"
#include "system_files.h"

/* no_turbo of intel_pstate is the opposite of boost, which other drivers have. */
static void add_boost(Machine *machine, const char *root) {
    const double no_turbo = system_number("%s/sys/devices/system/cpu/intel_pstate/no_turbo", root);
    const double boost = system_number("%s/sys/devices/system/cpu/cpufreq/boost", root);
    if (!isnan(no_turbo)) {
        machine_add_text(machine, "cpu_boost", no_turbo != 0 ? "off" : "on", false);
    } else if (!isnan(boost)) {
        machine_add_text(machine, "cpu_boost", boost != 0 ? "on" : "off", false);
    }
}

static void add_frequency(Machine *machine, const char *root) {
    char line[FACT_VALUE_SIZE];
    system_line(line, sizeof line, "%s/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", root);
    machine_add_text(machine, "cpu_frequency_driver", line, false);
    machine_add_number(
        machine, "cpu_base_mhz",
        system_number("%s/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", root) * 1e-3, false);
    add_boost(machine, root);
}

static void add_cpuinfo(Machine *machine, const char *root) {
    char text[SYSTEM_FLAGS_SIZE];
    if (system_cpuinfo(root, 0, "microcode", text, FACT_VALUE_SIZE)) {
        machine_add_text(machine, "cpu_microcode", text, false);
    }
    if (system_cpuinfo(root, 0, "flags", text, sizeof text)) {
        const bool guest = system_has_word(text, "hypervisor");
        machine_add_text(machine, "virtual_machine", guest ? "yes" : "no", false);
    }
}

/* "1.04 0.79 1.01 3/128 31942": of 128 tasks 3 can run now, and this one is among them. */
static void add_runnable(Machine *machine, const char *root) {
    char line[FACT_VALUE_SIZE];
    system_line(line, sizeof line, "%s/proc/loadavg", root);
    const char *slash = strchr(line, '/');
    while (slash != NULL && slash > line && slash[-1] >= '0' && slash[-1] <= '9') {
        slash--;
    }
    const long runnable = slash != NULL ? strtol(slash, NULL, 10) : 0;
    if (runnable > 0) {
        machine_add_number(machine, "other_runnable_tasks", (double)(runnable - 1), false);
    }
}

/* "always [madvise] never": the chosen one is in brackets. */
static void add_huge_pages(Machine *machine, const char *root) {
    char line[FACT_VALUE_SIZE];
    system_line(line, sizeof line, "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
    char *chosen = strchr(line, '[');
    if (chosen != NULL) {
        chosen[strcspn(chosen, "]")] = '\0';
        machine_add_text(machine, "transparent_huge_pages", chosen + 1, false);
    }
}

void machine_read_processor(Machine *machine, const char *root) {
    add_frequency(machine, root);
    const double smt = system_number("%s/sys/devices/system/cpu/smt/active", root);
    if (!isnan(smt)) {
        machine_add_text(machine, "cpu_smt", smt != 0 ? "on" : "off", false);
    }
    add_cpuinfo(machine, root);
    add_huge_pages(machine, root);
    add_runnable(machine, root);
}
