/* The CPU quota: the processors' time that control groups allow a process. */

#ifndef BENCH_MACHINE_CPU_QUOTA_H
#define BENCH_MACHINE_CPU_QUOTA_H

#include "resources.h"

typedef struct Machine Machine; /* machine.h */

/* The processors' time that a process has by the limits of its control groups. When they have used
 * it, the kernel stops all of their threads until the next period, of 0.1 s mostly. */
typedef struct CpuQuota {
    ControlGroups groups; /* its own and those around it */
    double processors;    /* whose time the strictest of them allows; NAN: there is no limit */
} CpuQuota;

/* Release with cpu_quota_release. */
void cpu_quota_find(const char *root, CpuQuota *quota);
void cpu_quota_release(CpuQuota *quota);

/* That of this process, found at the first call. */
const CpuQuota *cpu_quota_here(void);

/* What a limit did meanwhile. */
typedef struct Throttling {
    double periods,
        throttled;  /* periods in which the group ran, and those in which it was stopped */
    double seconds; /* that it was stopped for, on each processor by itself */
} Throttling;

typedef struct ThrottlingCounters {
    Throttling of[CONTROL_GROUPS_MAX];
} ThrottlingCounters;

void throttling_begin(const CpuQuota *quota, ThrottlingCounters *counters);
/* Of the group that was stopped most often since. */
Throttling throttling_since(const CpuQuota *quota, const ThrottlingCounters *before);

/* The facts of a run that say what a limit did; zeros without them. */
Throttling machine_throttling(const Machine *machine);
/* Makes the sum of both the facts; adds none where there was no period. */
void machine_set_throttling(Machine *machine, const Throttling *before, const Throttling *since);

#endif
