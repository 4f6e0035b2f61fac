/* The machine room: facts of machine and build, the state of processor and GPU while they measure,
 * the noise floor, the spread of launches, warnings. */

#ifndef BENCH_MACHINE_MACHINE_H
#define BENCH_MACHINE_MACHINE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithm.h"
#include "backend_runner.h"
#include "number.h"
#include "resources.h"
#include "status.h"

/* --- Facts ------------------------------------------------------------------------------------ */

/* Facts of the machine and the build that numbers were measured with. */

enum { FACTS_MAX = 96 };

/* key, kind, text, number, identity. Different identity facts mean another machine or build, which
 * --resume and compare refuse. */
typedef DeviceFact Fact;

typedef struct Cache {
    int level;
    char type[16]; /* "Data", "Instruction", "Unified" */
    size_t size;   /* bytes */
    int sharing;   /* logical processors sharing it */
} Cache;

/* What computes a cell. */
typedef enum SpreadKind {
    SPREAD_ONE_THREAD,
    SPREAD_THREADS, /* several CPU threads */
    SPREAD_DEVICE,
    SPREAD_END_TO_END, /* kernel and transfers of a device */
    SPREAD_RATIO,      /* of a CPU cell's time to that of another; and to those of a device: */
    SPREAD_RATIO_DEVICE,
    SPREAD_RATIO_END_TO_END,
    SPREAD_KINDS
} SpreadKind;

enum { SPREAD_CLASSES = 5, SPREAD_DATE_SIZE = 32 };

/* The standard deviation of the logarithms of launch medians, pooled over cells. */
typedef struct Spread {
    double value;
    size_t cells, degrees;           /* degrees of freedom; 0: not measured */
    char measured[SPREAD_DATE_SIZE]; /* ISO 8601, UTC */
} Spread;

/* How far apart in time two runs are. */
typedef enum RunDistance { RUNS_MINUTES, RUNS_HOURS, RUNS_DAYS, RUN_DISTANCES } RunDistance;

/* How far the medians of a cell in two runs lie apart, over all cells of a class. */
typedef struct RunSpread {
    double apart; /* 95th percentile of the difference of their logarithms */
    size_t pairs; /* of runs of one cell; 0: none is known */
    size_t runs;  /* that lie at least that far apart */
} RunSpread;

/* By what computes and by how long it takes. All zero: nothing is known. */
typedef struct LaunchSpread {
    Spread of[SPREAD_KINDS][SPREAD_CLASSES]; /* by the self-test */
    RunSpread runs[RUN_DISTANCES][SPREAD_KINDS]
                  [SPREAD_CLASSES]; /* by earlier runs; in no run's file */
} LaunchSpread;

typedef struct Machine {
    size_t count;
    Fact facts[FACTS_MAX];
    size_t cache_count;
    Cache caches[8];
    int cpu_count; /* logical processors this process may use */
    double mhz;
    LaunchSpread spread;
} Machine;

/* Reads the facts of this machine and build. Facts that cannot be read are missing. */
void machine_read(Machine *machine);

/* Adds the path of the module that the algorithm comes from, and the hash of its file, which is one
 * of the version, as the commit is. Nothing for the program's own. */
void machine_add_module(Machine *machine, const Algorithm *algorithm);

/* STATUS_USAGE unless each module that the run `run` was made with on `stored` is loaded here with
 * the same hash; it names the first that is not. `wanted` says for which algorithms this is asked;
 * NULL: all. */
Status machine_modules_check(const Machine *stored, const char *run,
                             bool (*wanted)(void *context, const char *algorithm), void *context);

/* NULL if the fact is missing. */
const Fact *machine_fact(const Machine *machine, const char *key);
/* Its text, "" if there is none; its number, NAN if there is none. */
const char *machine_text(const Machine *machine, const char *key);

/* "H200" for "NVIDIA H200", "Intel Xeon Gold 6326" for "Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz".
 */
void machine_short_name(const char *model, char text[NUMBER_WORDS_SIZE]);
double machine_number(const Machine *machine, const char *key);
/* The GPUs of a run for people: "NVIDIA H200", "2 × NVIDIA H200"; "" if there was none. */
const char *machine_gpus(const Machine *machine);

/* STATUS_USAGE naming the first identity fact that differs between two machines. */
Status machine_same(const Machine *before, const Machine *now);

/* The same, but the commit may differ: comparing versions is what comparison is for. */
Status machine_comparable(const Machine *before, const Machine *now);

/* The same text for machines and builds that machine_comparable finds alike, another one otherwise:
 * 16 hexadecimal digits. */
enum { MACHINE_ID_SIZE = 17 };
void machine_id(const Machine *machine, char id[MACHINE_ID_SIZE]);

/* Appends a fact. Empty texts, numbers that are not finite and facts past FACTS_MAX are dropped. */
void machine_add_text(Machine *machine, const char *key, const char *text, bool identity);

void machine_add_number(Machine *machine, const char *key, double number, bool identity);
/* The same, in the place of the fact with that key if there is one. */
void machine_set_number(Machine *machine, const char *key, double number);

/* Notes other processes that compute on the GPU now, if they are more than before. */
void machine_note_gpu_processes(Machine *machine);

/* Adds the facts in "machine" of a results file's context; those named in "machine_identity" are
 * identity facts. Facts that are neither text nor number are left out. Reads "launch_spread". */
void machine_json_read(const cJSON *context, Machine *machine);

/* A variable that changes times of a GPU. Where it is set its value is a fact. */
typedef struct CudaVariable {
    const char *key, *name;
    const char *usual;  /* value that changes nothing; "": there is none */
    const char *effect; /* of any other, for a warning */
} CudaVariable;

extern const CudaVariable cuda_variables[];
extern const size_t cuda_variable_count;

/* Whether a debugger, a profiler or a preloaded library watches this process, which may see none
 * that it starts. */
bool machine_is_watched(void);

/* --- State of the CPU ------------------------------------------------------------------------- */

/* Clocks, temperature, throttling, energy. What cannot be read is NAN. `root` is the folder that
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

/* --- CPU quota -------------------------------------------------------------------------------- */

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

/* The facts of a run that say so; zeros without them. */
Throttling machine_throttling(const Machine *machine);
/* Makes the sum of both the facts; adds none where there was no period. */
void machine_set_throttling(Machine *machine, const Throttling *before, const Throttling *since);

/* --- Noise floor ------------------------------------------------------------------------------ */

/* The noise floor of this machine: the distance from 1 of the ratio of two measurements of the same
 * variant, as `bench selftest` measured it. Stored in the cache folder, in one file for each
 * machine, and a fact of every later run. */

enum { NOISE_NAME_SIZE = 512 };

/* One cell compared with itself. */
typedef struct NoiseCell {
    char name[NOISE_NAME_SIZE];
    size_t pairs;
    size_t excluding_one;    /* pairs whose interval of the ratio excludes 1 */
    size_t beyond_threshold; /* pairs whose whole interval is beyond the threshold */
    double typical;          /* median of |ratio - 1| */
    double floor;            /* its 95th percentile */
} NoiseCell;

/* "<cache folder>/noise-<fingerprint of host, processors and device>.json". STATUS_FILE. */
Status noise_floor_path(const Machine *machine, char *path, size_t size);

/* Writes at least one cell, and the greatest of their floors; makes the folder. `measured` is the
 * date, ISO 8601, UTC; `threshold` is that of beyond_threshold. STATUS_FILE. */
Status noise_floor_write(const char *path, const char *measured, double threshold,
                         const NoiseCell *cells, size_t count);

/* The greatest of the cells' floors. */
double noise_floor_of(const NoiseCell *cells, size_t count);

/* --- Launch-to-launch spread ------------------------------------------------------------------ */

/* How far launches of the program lie apart on this machine, as `bench selftest --launches`
 * measured it. Stored beside the noise floor, and read with the machine. */

/* "CPU, one thread"; "10 to 100 µs". */
const char *spread_kind_name(SpreadKind kind);
const char *spread_class_name(size_t decade);

/* Adds the spread of a cell's `launches` to that of its class; `threads` is 0 on a device,
 * `seconds` the cell's time. The pooled variance weighs a cell by launches - 1. A cell of one
 * launch adds nothing. */
void launch_spread_add(LaunchSpread *spread, int threads, double seconds, double of_cell,
                       size_t launches);

/* The spread of the class of such a cell; NULL: not known. */
const Spread *launch_spread_find(const LaunchSpread *spread, int threads, double seconds);

/* Takes the classes that `spread` does not know from an earlier measurement. */
void launch_spread_keep(const LaunchSpread *earlier, LaunchSpread *spread);

/* Launches a side of the comparison that spread_smallest_change is about, and its alpha. */
enum { SPREAD_LAUNCHES_A_SIDE = 8 };
#define SPREAD_ALPHA 0.01

/* The smallest relative change of a cell's time that a comparison finds with this probability
 * (0 … 1): SPREAD_LAUNCHES_A_SIDE launches a side, log-normal with this spread, the exact two-sided
 * Mann–Whitney test at SPREAD_ALPHA, one cell. */
double spread_smallest_change(double spread, double power);

/* "<cache folder>/spread-<fingerprint>.json", as noise_floor_path. */
Status launch_spread_path(const Machine *machine, char *path, size_t size);

/* Writes the classes that are known, and keeps what the file has of runs; makes the folder.
 * STATUS_FILE; STATUS_SKIP without memory. */
Status launch_spread_write(const char *path, const LaunchSpread *spread);

/* Adds the list "launch_spread" unless nothing is known. False without memory. */
bool launch_spread_json_add(cJSON *object, const LaunchSpread *spread);

/* --- Memory of runs --------------------------------------------------------------------------- */

/*
 * The file of the launch-to-launch spread also has the last times of every cell, from which
 * machine_read derives LaunchSpread.runs: the interval of launches that follow each other is at
 * least as wide as these demand (run_spread.c).
 */

/* A time, or a ratio of times, of a finished run: the median over its launches. */
typedef struct RunTime {
    uint64_t cell;   /* a hash of all that two runs must have in common to be compared */
    SpreadKind kind; /* what it is of */
    double seconds;  /* the time, that of the denominator of a ratio */
    double value;    /* the time or the ratio */
} RunTime;

/* What computes a cell with so many CPU threads, 0 on a device; and the ratio of a CPU cell to it.
 */
SpreadKind spread_kind_of(int threads, bool end_to_end);
SpreadKind spread_ratio_of(int threads, bool end_to_end);

/* Adds the times of a run that began at `when`, seconds of the epoch, to the file, which other
 * processes may be adding to; makes it and its folder. STATUS_FILE; STATUS_SKIP without memory. */
Status run_times_add(const char *path, double when, const RunTime *times, size_t count);

/* The least half width, as a logarithm, that the runs that are known demand of the interval of such
 * a median; 0: they are too few. */
double run_spread_width(const LaunchSpread *spread, SpreadKind kind, double seconds);

/* --- Warnings --------------------------------------------------------------------------------- */

/* Properties of this machine that make its numbers doubtful. */

enum { WARNINGS_MAX = 16, WARNING_SIZE = 320 };

typedef struct Warnings {
    size_t count;
    char text[WARNINGS_MAX][WARNING_SIZE]; /* one sentence each, without a full stop */
} Warnings;

/* What a run will use. */
typedef struct MachineUse {
    int threads; /* the most CPU threads of a cell */
    bool gpu;    /* some cell runs on the GPU */
} MachineUse;

/* Fills `warnings` from the facts. Missing facts cause no warning. */
void machine_warnings(const Machine *machine, const MachineUse *use, Warnings *warnings);

#endif
