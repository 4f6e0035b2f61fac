/* Telemetry: the state of the processor around a cell, and the energy that a run takes. */
#ifndef BENCH_TELEMETRY_H
#define BENCH_TELEMETRY_H

#include "result.h"

/* What has to be remembered between the two readings. */
typedef struct Telemetry {
    double throttle_events;
} Telemetry;

/* Before the first sample, and after the last one while the clock is still what it was: fills
 * clock_mhz, temperature and power, each _before or _after, and clock_mhz_max of the row, which has
 * its variant. What cannot be read stays NAN. */
void telemetry_before(Telemetry *telemetry, Row *row);
/* Fills throttle and throttled, too. */
void telemetry_after(const Telemetry *telemetry, Row *row);

/* Empties what the two filled, or copies it to another row. */
void telemetry_forget(Row *row);
void telemetry_copy(const Row *from, Row *to);

/*
 * Repeats the run of an open, uploaded state for at least a second and divides what the energy
 * counter of its processor (NVML's of the device, RAPL's of all CPU packages) advanced by the
 * number of runs. What the processor takes when idle is included. `run_seconds` is about how long
 * a run takes. NAN without a counter, and when interrupted.
 */
Status telemetry_energy(const Variant *variant, void *state, double run_seconds, double *joule);

#endif
