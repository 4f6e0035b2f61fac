/* What CPU quotas of control groups allow, and how often they have stopped this process. */

#include "cpu_quota.h"
#include "cpu_state.h"
#include "machine_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 128 };

/* "max 100000" or "200000 100000": microseconds in each period. Version 1 has them in files of
 * their own, and -1 without a limit. */
static double read_limit(const char *folder) {
    char line[LINE_SIZE];
    double quota = NAN, period = NAN;
    if (system_line(line, sizeof line, "%s/cpu.max", folder)) {
        return sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0 ? quota / period
                                                                           : (double)NAN;
    }
    quota = system_number("%s/cpu.cfs_quota_us", folder);
    period = system_number("%s/cpu.cfs_period_us", folder);
    return quota > 0 && period > 0 ? quota / period : (double)NAN;
}

/* Lines "key number"; version 1 counts nanoseconds. */
static Throttling read_counters(const char *folder) {
    char path[SYSTEM_PATH_SIZE], line[LINE_SIZE];
    double number = 0;
    Throttling counted = {.periods = 0};
    snprintf(path, sizeof path, "%s/cpu.stat", folder);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "nr_periods %lf", &number) == 1) {
            counted.periods = number;
        } else if (sscanf(line, "nr_throttled %lf", &number) == 1) {
            counted.throttled = number;
        } else if (sscanf(line, "throttled_usec %lf", &number) == 1) {
            counted.seconds = number * 1e-6;
        } else if (sscanf(line, "throttled_time %lf", &number) == 1) {
            counted.seconds = number * 1e-9;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return counted;
}

void cpu_quota_find(const char *root, CpuQuota *quota) {
    *quota = (CpuQuota){.processors = NAN};
    control_groups_find(root, "cpu", &quota->groups);
    for (size_t i = 0; i < quota->groups.count; i++) {
        quota->processors = fmin(quota->processors, read_limit(quota->groups.folders[i]));
    }
}

void cpu_quota_release(CpuQuota *quota) {
    control_groups_release(&quota->groups);
}

const CpuQuota *cpu_quota_here(void) {
    static CpuQuota quota;
    static char root[SYSTEM_PATH_SIZE] = "\n"; /* that it was found under: none yet */
    if (strncmp(root, system_root(), sizeof root - 1) != 0) {
        cpu_quota_release(&quota);
        snprintf(root, sizeof root, "%s", system_root());
        cpu_quota_find(root, &quota);
    }
    return &quota;
}

void throttling_begin(const CpuQuota *quota, ThrottlingCounters *counters) {
    for (size_t i = 0; i < quota->groups.count; i++) {
        counters->of[i] = read_counters(quota->groups.folders[i]);
    }
}

Throttling throttling_since(const CpuQuota *quota, const ThrottlingCounters *before) {
    Throttling most = {.periods = 0};
    for (size_t i = 0; i < quota->groups.count; i++) {
        const Throttling now = read_counters(quota->groups.folders[i]);
        const Throttling here = {.periods = now.periods - before->of[i].periods,
                                 .throttled = now.throttled - before->of[i].throttled,
                                 .seconds = now.seconds - before->of[i].seconds};
        most = here.throttled > most.throttled || most.periods <= 0 ? here : most;
    }
    return most;
}

/* === Facts of a run =========================================================================== */

static const char *const keys[] = {"cpu_quota_periods", "cpu_quota_throttled_periods",
                                   "cpu_quota_throttled_s"};

static double known_or_0(double number) {
    return isnan(number) ? 0 : number;
}

Throttling machine_throttling(const Machine *machine) {
    return (Throttling){.periods = known_or_0(machine_number(machine, keys[0])),
                        .throttled = known_or_0(machine_number(machine, keys[1])),
                        .seconds = known_or_0(machine_number(machine, keys[2]))};
}

void machine_set_throttling(Machine *machine, const Throttling *before, const Throttling *since) {
    const double sums[] = {before->periods + since->periods, before->throttled + since->throttled,
                           before->seconds + since->seconds};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && sums[0] > 0; i++) {
        machine_set_number(machine, keys[i], sums[i]);
    }
}
