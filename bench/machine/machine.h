/* The machine of a run: facts, state while it measures, noise floor, warnings. */

#ifndef BENCH_MACHINE_MACHINE_H
#define BENCH_MACHINE_MACHINE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "backend.h"
#include "status.h"

/* --- Machine ---------------------------------------------------------------------------------- */

/* Machine facts: what a stranger needs to know about where numbers were measured. */

enum { FACTS_MAX = 96 };

/* key, kind, text, number, identity: a fact of the host has the shape of a device's. Identity
 * facts that differ mean another machine or build: --resume and compare refuse. */
typedef DeviceFact Fact;

typedef struct Cache {
    int level;
    char type[16]; /* "Data", "Instruction", "Unified" */
    size_t size;   /* bytes */
    int sharing;   /* logical processors sharing it */
} Cache;

typedef struct Machine {
    size_t count;
    Fact facts[FACTS_MAX];
    size_t cache_count;
    Cache caches[8];
    int cpu_count; /* logical processors this process may use */
    double mhz;
} Machine;

/* Reads the facts of this machine and build. Facts that cannot be read are absent. */
void machine_read(Machine *machine);

/* NULL when the fact is absent. */
const Fact *machine_fact(const Machine *machine, const char *key);

/* STATUS_USAGE naming the first identity fact that differs between two machines. */
Status machine_same(const Machine *stored, const Machine *here);

/* --- Machine facts ---------------------------------------------------------------------------- */

/* Adding facts to a machine's list, for those that read them. */

/* Appends a fact. Empty texts, numbers that are not finite and facts past FACTS_MAX are dropped. */
void machine_add_text(Machine *machine, const char *key, const char *text, bool identity);

void machine_add_number(Machine *machine, const char *key, double number, bool identity);

/* --- System files ----------------------------------------------------------------------------- */

/* BENCH_SYSTEM_ROOT, for containers that see the host's /sys and /proc elsewhere; "" without it. */
const char *system_root(void);

/* --- Machine json ----------------------------------------------------------------------------- */

/* The machine facts of a results file. */

/* Adds the facts in "machine" of a file's context to `machine`, those named in "machine_identity"
 * as identity. Facts of another type than text and number are left out. */
void machine_json_read(const cJSON *context, Machine *machine);

/* --- Cpu state -------------------------------------------------------------------------------- */

/* State of the CPU: clocks, temperature, throttling, energy. What cannot be read is NAN. `root` is
 * the folder that /proc and /sys are looked for in: system_root(), or another one in tests. */

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

/* --- Noise floor ------------------------------------------------------------------------------ */

/*
 * Noise floor: how far the ratio of two measurements of the same thing is from 1 on this machine,
 * as `bench selftest` found it. Stored in the cache folder, in one file for each machine, and part
 * of the facts of every later run.
 */

enum { NOISE_NAME_SIZE = 512 };

/* One cell that was held against itself. */
typedef struct NoiseCell {
    char name[NOISE_NAME_SIZE];
    size_t pairs;
    size_t excluding_one;    /* pairs whose interval of the ratio does not hold 1 */
    size_t beyond_threshold; /* pairs whose whole interval is beyond the threshold */
    double typical;          /* median of |ratio - 1| */
    double floor;            /* its 95th percentile */
} NoiseCell;

/* "<cache folder>/noise-<fingerprint of host, processors and device>.json". STATUS_FILE. */
Status noise_floor_path(const Machine *machine, char *path, size_t size);

/* Writes the cells, at least one, and the greatest of their floors; makes the folder. `measured` is
 * ISO 8601, UTC; `threshold` is that of beyond_threshold. STATUS_FILE. */
Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count);

/* The greatest of the cells' floors. */
double noise_floor_of(const NoiseCell *cells, size_t count);

/* --- Warnings --------------------------------------------------------------------------------- */

/* Warnings: what about this machine makes its numbers less certain than they look. */

enum { WARNINGS_MAX = 12, WARNING_SIZE = 320 };

typedef struct Warnings {
    size_t count;
    char text[WARNINGS_MAX][WARNING_SIZE]; /* one sentence each, without a full stop */
} Warnings;

/* What is going to be measured. */
typedef struct MachineUse {
    int threads; /* most CPU threads of a cell */
    bool gpu;    /* some cell runs on the GPU */
} MachineUse;

/* Fills `warnings` from the facts; facts that are not known warn of nothing. */
void machine_warnings(const Machine *machine, const MachineUse *use, Warnings *warnings);

#endif
