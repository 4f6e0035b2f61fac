#include "telemetry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cpu_state.h"
#include "device_state.h"
#include "interrupt.h"
#include "system_files.h"

/* A clock below this share of its maximum marks the row. */
static const double clock_share = 0.75;
/* The base clock is nominal: readings lie a little to both sides of it. */
static const double base_share = 0.95;
/* Counters advance in steps of up to a tenth of a second. */
static const double energy_seconds = 1.0;
/* The device is waited for this often, so that the queue of runs stays short. */
static const double chunk_seconds = 0.02;

enum { CHUNK_MAX = 1 << 20 };

static CpuState read_cpu(void) {
    CpuState state;
    cpu_state_read(system_root(), cpu_state_processor(), &state);
    return state;
}

void telemetry_before(Telemetry *telemetry, Row *row) {
    if (variant_is_on_cpu(row->variant)) {
        const CpuState state = read_cpu();
        telemetry->throttle_events = state.throttle_events;
        row->clock_mhz_before = state.clock_mhz;
        row->temperature_before = state.temperature;
        return;
    }
    DeviceState state;
    gpu_state_read(&state);
    row->clock_mhz_before = state.clock_mhz;
    row->temperature_before = state.temperature;
    row->power_before = state.power;
}

/* The highest clock is that of one busy core. What several keep up together is the base clock;
 * where that is unknown, nothing can be said about them. */
static double expected_mhz(const CpuState *state, int threads) {
    return threads <= 1 ? clock_share * state->clock_mhz_max : base_share * state->clock_mhz_base;
}

static void cpu_after(const Telemetry *telemetry, Row *row) {
    const CpuState state = read_cpu();
    row->clock_mhz_after = state.clock_mhz;
    row->clock_mhz_max = state.clock_mhz_max;
    row->temperature_after = state.temperature;
    row->throttle[0] = '\0';
    row->throttled = state.clock_mhz < expected_mhz(&state, row->threads);
    if (state.throttle_events > telemetry->throttle_events) {
        snprintf(row->throttle, sizeof row->throttle, "package too hot");
        row->throttled = true;
    }
}

static void gpu_after(Row *row) {
    DeviceState state;
    gpu_state_read(&state);
    row->clock_mhz_after = state.clock_mhz;
    row->clock_mhz_max = state.clock_mhz_max;
    row->temperature_after = state.temperature;
    row->power_after = state.power;
    snprintf(row->throttle, sizeof row->throttle, "%s", state.throttle);
    row->throttled = state.slowed || state.clock_mhz < clock_share * state.clock_mhz_max;
}

void telemetry_after(const Telemetry *telemetry, Row *row) {
    if (variant_is_on_cpu(row->variant)) {
        cpu_after(telemetry, row);
    } else {
        gpu_after(row);
    }
}

void telemetry_forget(Row *row) {
    row->clock_mhz_before = row->clock_mhz_after = row->clock_mhz_max = NAN;
    row->temperature_before = row->temperature_after = NAN;
    row->power_before = row->power_after = NAN;
    row->throttle[0] = '\0';
    row->throttled = false;
}

void telemetry_copy(const Row *from, Row *to) {
    to->clock_mhz_before = from->clock_mhz_before;
    to->clock_mhz_after = from->clock_mhz_after;
    to->clock_mhz_max = from->clock_mhz_max;
    to->temperature_before = from->temperature_before;
    to->temperature_after = from->temperature_after;
    to->power_before = from->power_before;
    to->power_after = from->power_after;
    memcpy(to->throttle, from->throttle, sizeof to->throttle);
    to->throttled = from->throttled;
}

/* --- Energy ---------------------------------------------------------------------------------- */

typedef struct EnergyReading {
    CpuEnergy cpu;
    double gpu;
} EnergyReading;

static EnergyReading read_energy(const Variant *variant) {
    EnergyReading reading = {.gpu = NAN};
    if (variant_is_on_cpu(variant)) {
        cpu_energy_read(system_root(), &reading.cpu);
    } else {
        reading.gpu = gpu_energy_read();
    }
    return reading;
}

static double used_between(const Variant *variant, const EnergyReading *before,
                           const EnergyReading *after) {
    return variant_is_on_cpu(variant) ? cpu_energy_between(&before->cpu, &after->cpu)
                                      : after->gpu - before->gpu;
}

static Status run_chunk(const Variant *variant, void *state, size_t runs) {
    for (size_t i = 0; i < runs; i++) {
        STATUS_TRY(variant->run(state));
    }
    return variant->backend->synchronize();
}

static size_t chunk_size(double run_seconds) {
    const double runs = run_seconds > 0 ? chunk_seconds / run_seconds : 1;
    return runs < 1 ? 1 : runs < CHUNK_MAX ? (size_t)runs : CHUNK_MAX;
}

Status telemetry_energy(const Variant *variant, void *state, double run_seconds, double *joule) {
    *joule = NAN;
    const EnergyReading before = read_energy(variant);
    if (isnan(used_between(variant, &before, &before))) {
        return status_ok();
    }
    const size_t chunk = chunk_size(run_seconds);
    const double started = clock_now();
    double runs = 0;
    while (clock_now() - started < energy_seconds && !interrupt_requested()) {
        STATUS_TRY(run_chunk(variant, state, chunk));
        runs += (double)chunk;
    }
    const EnergyReading after = read_energy(variant);
    const double used = used_between(variant, &before, &after);
    /* A counter that stands still has not measured anything. */
    if (used > 0 && !interrupt_requested()) {
        *joule = used / runs;
    }
    return status_ok();
}
