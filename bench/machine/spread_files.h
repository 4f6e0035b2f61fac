/* The spread of launches and of runs as this machine remembers it. */

#ifndef BENCH_MACHINE_SPREAD_FILES_H
#define BENCH_MACHINE_SPREAD_FILES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spread.h"
#include "status.h"

typedef struct Machine Machine; /* machine.h */

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

#endif
