/* The state of the CPU while it measures: clocks, temperature, throttling, energy. */

#ifndef BENCH_MACHINE_CPU_STATE_H
#define BENCH_MACHINE_CPU_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* What cannot be read is NAN. `root` is the folder that
 * has /proc and /sys: system_root(), or another one in tests. */

/* BENCH_SYSTEM_ROOT, for containers that have the host's /sys and /proc elsewhere; "" without it.
 */
const char *system_root(void);

typedef struct CpuState {
    double clock_mhz;       /* of one logical processor, now */
    double clock_mhz_max;   /* the highest, which few busy cores reach */
    double clock_mhz_base;  /* that all busy cores hold together */
    double temperature;     /* °C, of the package */
    double throttle_events; /* times the package was too hot since the system started */
} CpuState;

/* The logical processor that runs the calling thread; 0 if unknown. */
int cpu_state_processor(void);

void cpu_state_read(const char *root, int processor, CpuState *state);

enum { PROCESSORS_MAX = 1024 };

/* Seconds that each logical processor has worked since the system was started. */
typedef struct ProcessorTimes {
    double busy[PROCESSORS_MAX];   /* 0 for those that there are not */
    double stolen[PROCESSORS_MAX]; /* of these: other guests had it, as the host tells a guest */
    size_t count;
} ProcessorTimes;

/* Reads /proc/stat. False when there is none. */
bool processor_times_read(const char *root, ProcessorTimes *times);

/* The sum of one of these lists over the `processors` that this process may use, or with `own` over
 * those that the calling thread may use now. */
double processor_times_sum(const ProcessorTimes *times, const double *list, bool own,
                           int *processors);

/* The CPU time that all programs have used since the system started on the processors that this
 * process may use, seconds for each of these `processors` on average. NAN if unknown. */
double cpu_time_used(const char *root, int *processors);

enum { CPU_PACKAGES_MAX = 16 };

/* RAPL's energy counters of every package: cores, caches and memory controller, not the memory. */
typedef struct CpuEnergy {
    size_t count;
    double joule[CPU_PACKAGES_MAX];
    double range[CPU_PACKAGES_MAX]; /* joule at which the counter wraps to 0 */
} CpuEnergy;

/* `count` is 0 if there are no counters or only the superuser may read them. */
void cpu_energy_read(const char *root, CpuEnergy *energy);

/* Joules used by all packages between two readings, between which a counter may wrap once. NAN
 * without counters. */
double cpu_energy_between(const CpuEnergy *before, const CpuEnergy *after);

#endif
