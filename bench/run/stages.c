#include "stages.h"

#include <math.h>

#include "clock.h"
#include "interrupt.h"
#include "stats.h"

/* Seconds by stage, then by pass. */
typedef double Passes[STAGES_MAX][STAGE_PASSES];

static Status time_pass(const Measurement *measurement, size_t count, size_t pass, Passes *passes) {
    const Variant *variant = measurement->variant;
    const Backend *backend = variant->backend;
    if (measurement->options->cold) {
        STATUS_TRY(backend->flush_caches());
    }
    for (size_t i = 0; i < count; i++) {
        STATUS_TRY(backend->clock_start());
        STATUS_TRY(variant->stages[i].run(measurement->state));
        STATUS_TRY(backend->clock_stop(&(*passes)[i][pass]));
    }
    return status_ok();
}

Status measure_stages(const Measurement *measurement, double run_seconds,
                      double seconds[STAGES_MAX]) {
    const size_t count = variant_stage_count(measurement->variant);
    const bool once = run_seconds > STAGES_LONG_RUN;
    Passes passes;
    size_t taken = 0;
    for (size_t i = 0; i < STAGES_MAX; i++) {
        seconds[i] = NAN;
    }
    if (!once) {
        STATUS_TRY(time_pass(measurement, count, 0, &passes));
    }
    const double started = clock_now();
    do {
        STATUS_TRY(time_pass(measurement, count, taken++, &passes));
    } while (!once && taken < STAGE_PASSES && !interrupt_requested() &&
             clock_now() - started < measurement->options->max_time / 4);
    for (size_t i = 0; i < count; i++) {
        seconds[i] = median_in_place(passes[i], taken);
    }
    return status_ok();
}
