/* A cell from its verification to its row, and the state of the processor around it. */

#include <math.h>
#include <string.h>

#include "backend_runner.h"
#include "calls.h"
#include "cell.h"
#include "clock.h"
#include "cpu_state.h"
#include "datasets.h"
#include "devices.h"
#include "inputs.h"
#include "interrupt.h"
#include "mapped_file.h"
#include "modules.h"
#include "plan.h"
#include "proofs.h"
#include "resources.h"
#include "stops.h"
#include "supervisor.h"
#include "sweep.h"
#include "text.h"
#include "verify.h"

/* === State of the processor =================================================================== */

/* A clock below this share of its maximum marks the row. */
static const double clock_share = 0.75;
/* The base clock is nominal: readings scatter around it. */
static const double base_share = 0.95;
/* Seconds of the longest pass that is timed with allocation in a run with a budget. */
static const double alloc_pass_limit = 0.005;

static CpuState read_cpu(void) {
    CpuState state;
    cpu_state_read(system_root(), cpu_state_processor(), &state);
    return state;
}

void telemetry_before(Telemetry *telemetry, Row *row) {
    if (row_is_on_cpu(row)) {
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

/* One busy core reaches the highest clock, several together the base clock. NAN, which no clock is
 * below, if that is unknown. */
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
    if (row_is_on_cpu(row)) {
        cpu_after(telemetry, row);
    } else {
        gpu_after(row);
    }
}

static void telemetry_copy(const Row *from, Row *to) {
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

/* === Memory =================================================================================== */

static Status interrupted(void) {
    return interrupt_requested() ? status_skip("interrupted") : status_ok();
}

/* Against an oracle of which only the digest is kept. */
static Status verify_digest(Cell *cell, uint64_t digest) {
    const CellJob *job = &cell->job;
    STATUS_TRY(check_all_guards(job->cell->variant, job->scratch));
    if (digest != job->oracle->digest) {
        return status_fail("wrong answer: its digest is not that of %s; where memory holds two "
                           "answers the difference is named",
                           job->oracle->by);
    }
    cell->row.agreement = 1;
    return status_ok();
}

static Status verify_now(Cell *cell) {
    const CellJob *job = &cell->job;
    const uint64_t digest = answer_digest(job->cell->algorithm, job->scratch);
    if (job->known != NULL) {
        STATUS_TRY(check_all_guards(job->cell->variant, job->scratch));
        return digest == job->known->answer_digest
                   ? status_ok()
                   : status_fail("wrong answer: not the one of the first launch");
    }
    if (job->oracle->pending) {
        cell->row.agreement = 1;
        STATUS_TRY(check_all_guards(job->cell->variant, job->scratch));
    } else {
        STATUS_TRY(job->oracle->digest != 0
                       ? verify_digest(cell, digest)
                       : verify_answer(job->cell->algorithm, job->cell->variant, &job->cell->answer,
                                       job->scratch, &job->oracle->answer, &cell->row.agreement));
    }
    /* A right answer that is not always the same has no digest. */
    const bool same = !cell->compared || cell->row.answer_digest == digest;
    cell->row.answer_digest = same ? digest : 0;
    cell->compared = true;
    return status_ok();
}

static void reset_peaks(const Backend *backend) {
    peak_memory_reset();
    cpu_backend.runner->reset_peak();
    if (backend != &cpu_backend) {
        backend->runner->reset_peak();
    }
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Memory of the input and the oracle, which are not allocated through the backend. */
static uint64_t held_beside(const CellJob *job) {
    const Image *image = &job->workload->image;
    const uint64_t pixels = (uint64_t)image->stride * (uint64_t)image->height;
    const bool whole_oracle = job->oracle == NULL || job->oracle->digest == 0;
    const Image *second = &job->workload->second;
    return (image_is_mapped(image) ? 0 : pixels) +
           (uint64_t)second->stride * (uint64_t)second->height +
           (whole_oracle ? (uint64_t)job->scratch->layout.bytes : 0);
}

/* No other cell is open. */
static void record_peaks(Cell *cell) {
    const CellJob *job = &cell->job;
    const Backend *backend = job->cell->variant->backend;
    cell->row.host_peak =
        larger(cell->row.host_peak, cpu_backend.runner->peak() + held_beside(job));
    cell->row.peak_memory = larger(cell->row.peak_memory, peak_memory());
    if (backend != &cpu_backend) {
        cell->row.device_peak = larger(cell->row.device_peak, backend->runner->peak());
    }
}

/* === Opening and closing ====================================================================== */

static void name_mapped(const CellJob *job, char *text, size_t size) {
    const bool input = image_is_mapped(&job->workload->image);
    const bool answer = mapped_file_holds(job->scratch->data);
    snprintf(text, size, "%s%s%s", input ? "input" : "", input && answer ? "+" : "",
             answer ? "answer" : "");
}

void cell_init(Cell *cell, const CellJob *job) {
    const PlanCell *planned = job->cell;
    *cell = (Cell){
        .job = *job,
        .request = {.struct_bytes = sizeof(Request),
                    .workload = job->workload,
                    .answer = &planned->answer,
                    .tuning = &planned->tuning,
                    .output = job->scratch},
        .measurement = {.options = job->options,
                        .variant = planned->variant,
                        .timer_overhead = job->device->timer_overhead,
                        .threads = plan_threads(planned->variant, &planned->tuning),
                        .gpus = plan_gpus(&planned->tuning),
                        .baseline = plan_cell_is_seq(planned),
                        .answer = variant_is_on_cpu(planned->variant) ? job->scratch : NULL},
        .row = plan_row(job->plan, planned, job->options->cold),
    };
    row_name(&cell->row, cell->name, sizeof cell->name);
    name_mapped(job, cell->row.mapped, sizeof cell->row.mapped);
    cell->row.input_hash = workload_hash_of(job->workload, planned->algorithm);
    /* The plan knows only the shape of the input; the cost may depend on its pixels. */
    cell->row.cost = algorithm_cost(planned->algorithm, job->workload, &planned->answer);
    snprintf(cell->row.verified_by, sizeof cell->row.verified_by, "%s",
             job->known != NULL ? job->known->verified_by : job->oracle->by);
    if (job->known != NULL) {
        cell->row.agreement = job->known->agreement;
        cell->row.answer_digest = job->known->answer_digest;
    }
    snprintf(cell->row.device, sizeof cell->row.device, "%s", job->device->description);
    if (cell->measurement.gpus > 1 && cuda_devices_count() >= cell->measurement.gpus) {
        cuda_devices_name(cell->measurement.gpus, cell->row.device, sizeof cell->row.device);
    }
}

void cell_close(Cell *cell) {
    if (cell->measurement.state != NULL) {
        variant_close(cell->job.cell->variant, cell->measurement.state);
        cell->measurement.state = NULL;
    }
}

void cell_drop_numbers(Cell *cell) {
    const Row none = row_empty();
    Row *row = &cell->row;
    Measurement *measurement = &cell->measurement;
    samples_release(&measurement->samples);
    samples_release(&measurement->end_to_end);
    row_release(row);
    row->upload = row->download = row->cpu_seconds = NAN;
    row->call = NAN;
    row_forget_stages(row);
    row_forget_summaries(row);
    row->joule = row->idle_watt = row->sentinel_chain = row->sentinel_copy = row->stolen_share =
        NAN;
    row->repeated = NAN;
    telemetry_copy(&none, row);
    row->batch = 0;
    row->converged = row->verified = row->held = false;
    cell->sampled = false;
    *measurement = (Measurement){.options = measurement->options,
                                 .variant = measurement->variant,
                                 .state = measurement->state,
                                 .timer_overhead = measurement->timer_overhead,
                                 .threads = measurement->threads,
                                 .gpus = measurement->gpus,
                                 .baseline = measurement->baseline,
                                 .answer = measurement->answer};
}

void cell_release(Cell *cell) {
    cell_close(cell);
    cell_drop_numbers(cell);
}

static Status open_state(Cell *cell) {
    const Variant *variant = cell->job.cell->variant;
    STATUS_TRY(variant_open(variant, &cell->request, &cell->measurement.state));
    snprintf(cell->row.exchange, sizeof cell->row.exchange, "%s",
             variant_exchanges_by(variant, cell->measurement.state));
    snprintf(cell->row.path, sizeof cell->row.path, "%s",
             variant_path(variant, cell->measurement.state));
    const char *version = variant_peer_version(variant, cell->measurement.state);
    if (version[0] != '\0') {
        snprintf(cell->row.library, sizeof cell->row.library, "%.30s %.30s", variant->peer->library,
                 version);
    }
    return status_ok();
}

/* Runs a step on a state opened for it alone. */
static Status with_state(Cell *cell, Status (*step)(Cell *cell)) {
    STATUS_TRY(open_state(cell));
    const Status status = step(cell);
    cell_close(cell);
    return status;
}

/* The same, and records how much memory it takes. */
static Status with_peaks(Cell *cell, Status (*step)(Cell *cell)) {
    reset_peaks(cell->job.cell->variant->backend);
    STATUS_TRY(open_state(cell));
    const Status status = step(cell);
    record_peaks(cell);
    cell_close(cell);
    return status;
}

static Status upload_open(const Cell *cell) {
    return variant_upload(cell->job.cell->variant, cell->measurement.state);
}

/* === Proofs against modules =================================================================== */

static bool is_of_module(const Cell *cell) {
    return module_has_variant(cell->job.cell->variant);
}

static ProofSubject proof_subject(const Cell *cell) {
    const CellJob *job = &cell->job;
    return (ProofSubject){.algorithm = job->cell->algorithm,
                          .variant = job->cell->variant,
                          .answer = &job->cell->answer,
                          .scratch = job->scratch,
                          .state = cell->measurement.state,
                          .digest = cell->row.answer_digest};
}

/* Runs of a second each are proof enough of what they cost. */
static bool can_run_again(const Cell *cell) {
    return is_of_module(cell) && !measure_is_long(cell->job.options, cell->run_seconds);
}

/* Alone, on its first open state. */
static Status prove_first(Cell *cell) {
    const ProofSubject subject = proof_subject(cell);
    const Oracle *oracle = cell->job.oracle;
    if (!is_of_module(cell)) {
        return status_ok();
    }
    if (can_run_again(cell) && oracle->digest == 0) {
        STATUS_TRY(damage_verify(&subject, &oracle->answer, true));
    }
    STATUS_TRY(other_input_verify(&subject, cell->job.other));
    STATUS_TRY(thread_watch_idle(&cell->threads));
    process_processors_check();
    return device_check_settings(cell->job.cell->variant);
}

/* After the samples; what they were taken of is uploaded again. */
static Status prove_last(Cell *cell) {
    const ProofSubject subject = proof_subject(cell);
    STATUS_TRY(is_of_module(cell) ? device_check_settings(cell->job.cell->variant) : status_ok());
    return can_run_again(cell) ? other_input_verify(&subject, cell->job.other) : status_ok();
}

/* Whether the answer is the one that was right before, to the bit. */
static bool has_known_digest(const Cell *cell) {
    const uint64_t known = cell->row.answer_digest;
    return known != 0 && answer_digest(cell->job.cell->algorithm, cell->job.scratch) == known;
}

/* Why an answer is wrong that was right before the samples. */
static Status explain_late(const Cell *cell, const Status *status) {
    const size_t samples = cell->measurement.samples.count;
    return status->code != STATUS_FAIL || (!cell->compared && cell->job.known == NULL)
               ? *status
               : status_fail("it was right at first, and is not after %zu %s: %.360s", samples,
                             plural(samples, "sample", "samples"), status->why);
}

Status cell_look(Cell *cell) {
    enum { ONE_OUT_OF = 8 };
    const size_t looked = cell->looked;
    if (!is_of_module(cell)) {
        return status_ok();
    }
    cell->looked = cell->measurement.samples.count;
    STATUS_TRY(process_state_check());
    const bool has_answer = cell->measurement.answer != NULL && cell->looked > looked;
    if (!has_answer || proof_draw(ONE_OUT_OF) != 0 || has_known_digest(cell)) {
        return status_ok();
    }
    const Status status = verify_now(cell);
    return explain_late(cell, &status);
}

/* === Steps of a cell ========================================================================== */

static void watch_begin(const Cell *cell, ThreadWatch *watch) {
    *watch = (ThreadWatch){.before.list = NULL};
    if (cell->measurement.threads > 1) {
        thread_watch_begin(watch);
    }
}

/* The status of what was watched; if it is STATUS_OK and `tells` how many threads work, whether
 * these are enough. */
static Status watch_end(const Cell *cell, ThreadWatch *watch, Status status, bool tells) {
    if (status_is_ok(&status) && tells && !interrupt_requested()) {
        status = thread_watch_check(watch, cell->measurement.threads);
    }
    thread_watch_end(watch);
    return status;
}

/* Of shorter runs the warm-up tells how many threads work. */
static Status verify_open(Cell *cell) {
    ThreadWatch watch;
    watch_begin(cell, &watch);
    const Status status = run_on_poison(cell->job.cell->variant, cell->measurement.state,
                                        cell->job.scratch, POISON_CANDIDATE, &cell->run_seconds);
    STATUS_TRY(
        watch_end(cell, &watch, status, measure_is_long(cell->job.options, cell->run_seconds)));
    STATUS_TRY(verify_now(cell));
    return prove_first(cell);
}

Status cell_verify(Cell *cell) {
    cell->threads = (ThreadWatch){.before.list = NULL};
    if (is_of_module(cell)) {
        process_processors_keep();
        thread_watch_begin(&cell->threads);
    }
    const Status status = with_peaks(cell, verify_open);
    thread_watch_end(&cell->threads);
    return status;
}

/* Runs once before the device memory is poisoned: a variant that works only the first time after
 * opening would otherwise leave that answer to be found after the last sample. The first launch
 * tells of it for all. */
Status cell_open(Cell *cell) {
    STATUS_TRY(open_state(cell));
    if (cell->job.cell->variant->download == NULL || cell->job.known != NULL) {
        return status_ok();
    }
    const Status status = run_once(cell->job.cell->variant, cell->measurement.state);
    if (!status_is_ok(&status)) {
        cell_close(cell);
    }
    return status;
}

/* The first launch has found out how long a run of one thread takes. */
static Status begin_samples(Cell *cell) {
    const Row *known = cell->job.known;
    if (known != NULL &&
        measure_begin_known(&cell->measurement, known->batch, known->kernel_summary.median)) {
        return status_ok();
    }
    ThreadWatch watch;
    watch_begin(cell, &watch);
    const Status status = measure_begin(&cell->measurement);
    return watch_end(cell, &watch, status, cell->measurement.poisoned == NULL);
}

/* The first launch has found out how fast the device is when its clock is up. */
static Status warm_device(Cell *cell, Warmth *warmth) {
    const Row *known = cell->job.known;
    Measurement *measurement = &cell->measurement;
    const bool is_known = known != NULL && known->kernel_summary.count > 0 && known->batch > 0;
    if (is_known) {
        measurement->batch = known->batch;
        measurement->fastest = known->kernel_summary.median;
        measurement->held = known->held;
    }
    const Status status = measure_warm_device(measurement, warmth);
    measurement->held = false;
    return status;
}

/* Cells that were opened after this one may have taken what its threads need. */
Status cell_begin(Cell *cell, Warmth *warmth) {
    STATUS_TRY(tuning_check_threads(cell->request.tuning));
    STATUS_TRY(upload_open(cell));
    const Variant *variant = cell->job.cell->variant;
    const bool on_cpu = variant_is_on_cpu(variant);
    if (on_cpu && variant->download == NULL &&
        measure_is_long(cell->job.options, cell->run_seconds)) {
        cell->measurement.poisoned = cell->job.scratch;
        cell->measurement.latest = cell->run_seconds;
    } else if (!on_cpu && cell->job.known != NULL) {
        cell->measurement.latest = cell->run_seconds; /* without transfers */
    }
    STATUS_TRY(warm_device(cell, warmth));
    STATUS_TRY(begin_samples(cell));
    measure_note_warmth(&cell->measurement, warmth);
    telemetry_before(&cell->telemetry, &cell->row);
    return status_ok();
}

/* Compares the answer of the last kernel sample, then that of one more end-to-end pass. All cells
 * write to the same memory: a variant that has stopped writing would pass with the answer of
 * another, so it works on poison once more, unless its samples did. */
static Status prove(Cell *cell) {
    const Variant *variant = cell->job.cell->variant;
    void *state = cell->measurement.state;
    if (cell->measurement.poisoned != NULL) {
        return verify_now(cell);
    }
    if (variant->download == NULL || is_whole_pass(variant, state)) {
        STATUS_TRY(verify_now(cell));
        answer_poison(cell->job.scratch, POISON_CANDIDATE);
        STATUS_TRY(variant_run(variant, state));
    } else {
        answer_poison(cell->job.scratch, POISON_CANDIDATE);
        STATUS_TRY(variant_download(variant, state));
    }
    STATUS_TRY(variant_wait(variant, state));
    STATUS_TRY(verify_now(cell));
    if (!measure_has_transfers(variant)) {
        return status_ok();
    }
    answer_poison(cell->job.scratch, POISON_CANDIDATE);
    STATUS_TRY(measure_pass(&cell->measurement));
    return verify_now(cell);
}

Status cell_check(Cell *cell) {
    telemetry_after(&cell->telemetry, &cell->row);
    Status status = prove(cell);
    STATUS_THEN(status, prove_last(cell));
    cell->sampled = status_is_ok(&status);
    return explain_late(cell, &status);
}

double cell_anew_limit = 0.02;

/* Its answer is damaged where the run has written it: the samples have to write it again. */
static Status open_elsewhere(Cell *cell) {
    const Variant *variant = cell->job.cell->variant;
    const Output *right = cell->job.scratch; /* since it was proved */
    Damage damage = {.count = 0};
    STATUS_TRY(prove(cell));
    if (is_of_module(cell)) {
        damage_draw(variant, right, &damage);
    }
    cell_close(cell);
    STATUS_TRY(open_state(cell));
    STATUS_TRY(upload_open(cell));
    if (damage.piece_count > 0) {
        STATUS_TRY(variant_wait(variant, cell->measurement.state));
        STATUS_TRY(damage_look(variant, right, &damage));
    }
    STATUS_TRY(variant_run(variant, cell->measurement.state));
    STATUS_TRY(variant_wait(variant, cell->measurement.state));
    return damage_do(variant, right, &damage);
}

Status cell_open_anew(Cell *cell) {
    const Variant *variant = cell->job.cell->variant;
    if (variant_is_on_cpu(variant) || is_whole_pass(variant, cell->measurement.state) ||
        cell->measurement.end_to_end_latest + cell->anew_seconds > cell_anew_limit) {
        return status_ok();
    }
    const double started = clock_now();
    const Status status = open_elsewhere(cell);
    cell->anew_seconds = clock_now() - started;
    return status;
}

/* === Measurements after the samples =========================================================== */

static Status time_open_transfers(Cell *cell) {
    const Variant *variant = cell->job.cell->variant;
    Row *row = &cell->row;
    Warmth warmth = {.backend = NULL};
    STATUS_TRY(run_once(variant, cell->measurement.state));
    STATUS_TRY(measure_warm_device(&cell->measurement, &warmth));
    if (!measure_is_own_warm_up(&cell->measurement)) {
        STATUS_TRY(measure_call(&cell->measurement, &row->call));
    }
    STATUS_TRY(measure_transfers(&cell->measurement, &row->upload, &row->download));
    STATUS_TRY(interrupted());
    /* Alone it can be poisoned all over: a pass that takes an earlier upload for its own is found.
     */
    STATUS_TRY(poison_everything(variant, cell->job.scratch, POISON_CANDIDATE));
    STATUS_TRY(measure_pass(&cell->measurement));
    return verify_now(cell);
}

static Status time_transfers(Cell *cell) {
    return measure_has_transfers(cell->job.cell->variant) ? with_peaks(cell, time_open_transfers)
                                                          : status_ok();
}

/* Its passes are the only ones of a long seq that nothing else is open beside: memory is looked at
 * here too. */
static Status look_at_memory(Cell *cell) {
    (void)cell;
    return status_ok();
}

static double least(const Samples *samples) {
    double seconds = INFINITY;
    for (size_t i = 0; i < samples->count; i++) {
        seconds = fmin(seconds, samples->seconds[i]);
    }
    return seconds;
}

/* A run with little time times allocation where it and a pass take little. */
static bool has_time_for_alloc(const Cell *cell) {
    const Measurement *measurement = &cell->measurement;
    const Samples *passes = measure_has_transfers(cell->job.cell->variant)
                                ? &measurement->end_to_end
                                : &measurement->samples;
    return cell->job.options->budget <= 0 ||
           (measurement->poisoned == NULL && least(passes) <= alloc_pass_limit);
}

static Status time_with_alloc(Cell *cell) {
    if (!has_time_for_alloc(cell)) {
        const bool is_seen = measure_has_transfers(cell->job.cell->variant);
        return is_seen ? status_ok() : with_peaks(cell, look_at_memory);
    }
    reset_peaks(cell->job.cell->variant->backend);
    answer_poison(cell->job.scratch, POISON_CANDIDATE);
    Samples *samples = &cell->row.with_alloc;
    STATUS_TRY(tuning_check_threads(cell->request.tuning));
    STATUS_TRY(measure_with_alloc(cell->job.options, cell->job.cell->variant, &cell->request,
                                  samples, &cell->measurement.repeated));
    STATUS_TRY(summarize(samples, &cell->row.with_alloc_summary));
    record_peaks(cell);
    return verify_now(cell);
}

static Status measure_open_energy(Cell *cell) {
    Measurement *measurement = &cell->measurement;
    const double idle = energy_idle(measurement);
    answer_poison(cell->job.scratch, POISON_CANDIDATE);
    STATUS_TRY(run_once(measurement->variant, measurement->state));
    STATUS_TRY(
        energy_of_runs(measurement, measurement->samples.seconds[0], &cell->row.energy_samples));
    cell->row.idle_watt = cell->row.energy_samples.count > 0 ? idle : (double)NAN;
    STATUS_TRY(summarize(&cell->row.energy_samples, &cell->row.energy_summary));
    cell->row.joule = cell->row.energy_summary.median;
    return verify_now(cell);
}

/* Of the tunings of a variant the fastest, which later launches know of the first. Not with cold
 * caches: the runs follow each other without a pause. */
static Status measure_energy(Cell *cell) {
    const RunOptions *options = cell->job.options;
    const Row *known = cell->job.known;
    const bool best = known != NULL ? known->best_tuning : !cell->is_slower_tuning;
    return options->energy && !options->cold && best && energy_windows(options) > 0
               ? with_state(cell, measure_open_energy)
               : status_ok();
}

/* Poison proves that the stages compute the answer. */
static Status time_open_stages(Cell *cell) {
    Measurement *measurement = &cell->measurement;
    const Variant *variant = measurement->variant;
    const double run_seconds = measurement->samples.seconds[0];
    if (run_seconds < LONG_RUN) {
        Warmth warmth = {.backend = NULL};
        STATUS_TRY(upload_open(cell));
        STATUS_TRY(measure_warm_device(measurement, &warmth));
    }
    STATUS_TRY(poison_everything(variant, cell->job.scratch, POISON_CANDIDATE));
    STATUS_TRY(upload_open(cell));
    STATUS_TRY(measure_stages(measurement, run_seconds, cell->row.stage_seconds));
    STATUS_TRY(variant_download(variant, measurement->state));
    STATUS_TRY(variant_wait(variant, measurement->state));
    return verify_now(cell);
}

static Status time_stages(Cell *cell) {
    return variant_stage_count(cell->job.cell->variant) > 0 ? with_state(cell, time_open_stages)
                                                            : status_ok();
}

static double counted_runs(const Measurement *measurement) {
    return (double)measurement->samples.count * (double)measurement->batch;
}

/* Fills what follows from the samples besides their times. */
static void describe_samples(const Measurement *measurement, Row *row) {
    row->batch = measurement->batch;
    row->converged = measurement->converged;
    row->held = measurement->held;
    row->cpu_seconds = measurement->cpu_seconds / counted_runs(measurement);
    row->verified = true;
    row->repeated = (double)measurement->repeated;
    if (measurement->stolen.began > 0) { /* else it was restored */
        stolen_note(&measurement->stolen, row);
    }
    if (measurement->sentinel.chain > 0) {
        row->sentinel_chain = measurement->sentinel.chain;
        row->sentinel_copy = measurement->sentinel.copy;
    }
}

/* Without transfers the kernel samples are the end-to-end samples. */
static Status summarize_row(const Measurement *measurement, Row *row) {
    if (!measure_has_transfers(measurement->variant)) {
        STATUS_TRY(samples_copy(&row->kernel, &row->end_to_end));
    }
    STATUS_TRY(summarize(&row->kernel, &row->kernel_summary));
    return summarize(&row->end_to_end, &row->end_to_end_summary);
}

/* Moves what was measured into the row. */
static Status fill_row(Cell *cell) {
    Measurement *measurement = &cell->measurement;
    Row *row = &cell->row;
    describe_samples(measurement, row);
    row->kernel = measurement->samples;
    row->end_to_end = measurement->end_to_end;
    measurement->samples = measurement->end_to_end = (Samples){0};
    return summarize_row(measurement, row);
}

Status cell_sampled_row(const Cell *cell, Row *row) {
    Row made = cell->row;
    describe_samples(&cell->measurement, &made);
    made.status = CELL_OK;
    made.unfinished = true;
    STATUS_TRY(samples_copy(&cell->measurement.samples, &made.kernel));
    Status status = samples_copy(&cell->measurement.end_to_end, &made.end_to_end);
    STATUS_THEN(status, summarize_row(&cell->measurement, &made));
    if (!status_is_ok(&status)) {
        row_release(&made);
        return status;
    }
    *row = made;
    return status;
}

Status cell_restore(Cell *cell, const Row *row) {
    Measurement *measurement = &cell->measurement;
    STATUS_TRY(samples_copy(&row->kernel, &measurement->samples));
    if (measure_has_transfers(measurement->variant)) {
        STATUS_TRY(samples_copy(&row->end_to_end, &measurement->end_to_end));
    }
    measurement->batch = row->batch;
    measurement->converged = row->converged;
    measurement->held = row->held;
    measurement->repeated = row->repeated > 0 ? (size_t)row->repeated : 0;
    measurement->cpu_seconds = row->cpu_seconds * counted_runs(measurement);
    measurement->done = measurement->end_to_end_done = true;
    telemetry_copy(row, &cell->row);
    cell->row.sentinel_chain = row->sentinel_chain;
    cell->row.sentinel_copy = row->sentinel_copy;
    cell->row.stolen_share = row->stolen_share;
    cell->row.answer_digest = row->answer_digest;
    cell->row.agreement = row->agreement;
    cell->compared = row->verified;
    cell->sampled = true;
    return status_ok();
}

/* A run with little time measures once what the first launch found best of each variant. */
static bool is_measured_once(const CellJob *job) {
    return launch_measures_once(job->options) &&
           (job->options->budget <= 0 || job->known == NULL || job->known->best_tuning);
}

static Status finish_here(Cell *cell) {
    const RunOptions *options = cell->job.options;
    if (!is_measured_once(&cell->job)) {
        const bool allocates = options->budget <= 0 && !variant_is_on_cpu(cell->job.cell->variant);
        STATUS_TRY(allocates ? time_with_alloc(cell) : status_ok());
        STATUS_TRY(measure_energy(cell));
        return fill_row(cell);
    }
    STATUS_TRY(time_transfers(cell));
    STATUS_TRY(interrupted());
    STATUS_TRY(time_stages(cell));
    STATUS_TRY(interrupted());
    STATUS_TRY(time_with_alloc(cell));
    STATUS_TRY(measure_energy(cell));
    return fill_row(cell);
}

Status cell_finish(Cell *cell) {
    placement_enter(&cell->measurement);
    const Status status = finish_here(cell);
    placement_leave();
    return status;
}
