/* State of the CPU: clocks, temperature, throttling, energy. What cannot be read is NAN. `root` is
 * the folder that /proc and /sys are looked for in: system_root(), or another one in tests. */
#ifndef BENCH_CPU_STATE_H
#define BENCH_CPU_STATE_H

#include <stddef.h>

typedef struct CpuState {
    double clock_mhz;       /* of the logical processor asked for, now */
    double clock_mhz_max;   /* with as few cores awake as the processor likes */
    double clock_mhz_base;  /* that all cores can hold together */
    double temperature;     /* °C, of the package */
    double throttle_events; /* times the package was too hot since the system started */
} CpuState;

/* The logical processor that the calling thread is on; 0 when unknown. */
int cpu_state_processor(void);
void cpu_state_read(const char *root, int processor, CpuState *state);

enum { CPU_PACKAGES_MAX = 16 };

/* RAPL's counters of every package: cores, caches and memory controller, not the memory. */
typedef struct CpuEnergy {
    size_t count;
    double joule[CPU_PACKAGES_MAX];
    double range[CPU_PACKAGES_MAX]; /* where the counter starts again at 0, in joule */
} CpuEnergy;

/* count is 0 when there are no counters, or when only the superuser may read them. */
void cpu_energy_read(const char *root, CpuEnergy *energy);
/* Joule used by all packages between two readings, which a counter may have started again between
 * once. NAN without counters. */
double cpu_energy_between(const CpuEnergy *before, const CpuEnergy *after);

#endif
