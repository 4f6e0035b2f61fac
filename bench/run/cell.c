#include "cell.h"

#include <math.h>
#include <stdio.h>

#include "interrupt.h"
#include "measure.h"
#include "stats.h"
#include "verify.h"

static Status interrupted(void) {
    return interrupt_requested() ? status_skip("interrupted") : status_ok();
}

static Status verify_now(const CellJob *job, Row *row) {
    return verify_answer(job->cell->algorithm, job->cell->variant, job->scratch,
                         &job->oracle->answer, &row->agreement);
}

/* Everything is poisoned again before timing: a variant that only works the first time leaves
 * poison behind, which the comparison after timing finds. */
static Status sample_kernel(const CellJob *job, Measurement *measurement) {
    const Variant *variant = measurement->variant;
    STATUS_TRY(poison_everything(variant, job->scratch, POISON_CANDIDATE));
    if (variant->upload != NULL) {
        STATUS_TRY(variant->upload(measurement->state));
    }
    STATUS_TRY(measure_begin(measurement));
    while (!measurement->done) {
        STATUS_TRY(interrupted());
        STATUS_TRY(measure_sample(measurement));
    }
    return interrupted();
}

static Status verify_after_kernel(const CellJob *job, const Measurement *measurement, Row *row) {
    const Variant *variant = measurement->variant;
    if (variant->download != NULL) {
        answer_poison(job->scratch, POISON_CANDIDATE);
        STATUS_TRY(variant->download(measurement->state));
        STATUS_TRY(variant->backend->synchronize());
    }
    return verify_now(job, row);
}

static Status time_with_transfers(const CellJob *job, const Measurement *measurement, Row *row) {
    const Variant *variant = measurement->variant;
    if (variant->upload == NULL && variant->download == NULL && variant->stream == NULL) {
        return measure_end_to_end(measurement, &row->end_to_end);
    }
    STATUS_TRY(measure_transfers(measurement, &row->upload, &row->download));
    STATUS_TRY(interrupted());
    STATUS_TRY(poison_everything(variant, job->scratch, POISON_CANDIDATE));
    STATUS_TRY(measure_end_to_end(measurement, &row->end_to_end));
    return verify_now(job, row);
}

static Status run_open_cell(const CellJob *job, Measurement *measurement, Row *row) {
    const PlanCell *cell = job->cell;
    STATUS_TRY(verify_state(cell->algorithm, cell->variant, measurement->state, job->scratch,
                            &job->oracle->answer, &row->agreement));
    STATUS_TRY(interrupted());
    STATUS_TRY(sample_kernel(job, measurement));
    STATUS_TRY(verify_after_kernel(job, measurement, row));
    STATUS_TRY(time_with_transfers(job, measurement, row));
    return interrupted();
}

static Status time_with_alloc(const CellJob *job, const Request *request, Row *row) {
    answer_poison(job->scratch, POISON_CANDIDATE);
    STATUS_TRY(measure_with_alloc(job->options, job->cell->variant, request, &row->with_alloc));
    return verify_now(job, row);
}

static void take_peaks(const CellJob *job, Row *row) {
    const Backend *backend = job->cell->variant->backend;
    BackendMemory memory = {0};
    cpu_backend.memory(&memory);
    /* The input and the oracle are held too, but not through the backend. */
    row->host_peak = memory.peak +
                     (uint64_t)job->workload->image.stride * (uint64_t)job->workload->image.height +
                     job->oracle->answer.layout.bytes;
    if (backend != &cpu_backend) {
        backend->memory(&memory);
        row->device_peak = memory.peak;
    }
}

static void reset_peaks(const Backend *backend) {
    cpu_backend.reset_peak();
    if (backend != &cpu_backend) {
        backend->reset_peak();
    }
}

/* Moves what was measured into the row. */
static Status fill_row(Measurement *measurement, Row *row) {
    const double runs = (double)measurement->samples.count * (double)measurement->batch;
    row->kernel = measurement->samples;
    measurement->samples = (Samples){0};
    row->batch = measurement->batch;
    row->converged = measurement->converged;
    row->cpu_seconds = measurement->cpu_seconds / runs;
    row->verified = true;
    STATUS_TRY(summarize(&row->kernel, &row->kernel_summary));
    return summarize(&row->end_to_end, &row->end_to_end_summary);
}

static void drop_numbers(Row *row) {
    row_release(row);
    row->upload = row->download = row->with_alloc = row->cpu_seconds = NAN;
    row->kernel_summary = row->end_to_end_summary = summary_none();
    row->batch = 0;
    row->converged = row->verified = false;
}

Status cell_run(const CellJob *job, Row *row) {
    const PlanCell *cell = job->cell;
    const Request request = {job->workload, &cell->answer, &cell->tuning, job->scratch};
    Measurement measurement = {
        .options = job->options, .variant = cell->variant, .timer_overhead = job->timer_overhead};
    row->input_hash = job->workload->hash;
    snprintf(row->verified_by, sizeof row->verified_by, "%s", job->oracle->by);
    reset_peaks(cell->variant->backend);
    Status status = cell->variant->open(&request, &measurement.state);
    if (status_is_ok(&status)) {
        status = run_open_cell(job, &measurement, row);
        take_peaks(job, row);
        cell->variant->close(measurement.state);
    }
    if (status_is_ok(&status)) {
        status = time_with_alloc(job, &request, row);
    }
    if (status_is_ok(&status)) {
        status = fill_row(&measurement, row);
    }
    samples_release(&measurement.samples);
    if (!status_is_ok(&status)) {
        drop_numbers(row);
    }
    return status;
}
