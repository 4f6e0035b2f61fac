/* The self-test: variants compared with themselves. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "cell.h"
#include "interrupt.h"
#include "noise_floor.h"
#include "plan.h"
#include "run.h"
#include "spread_files.h"
#include "sweep.h"

void selftest_summarize(const Ratio *ratios, size_t pairs, NoiseCell *cell) {
    double *away = malloc(pairs * sizeof *away);
    cell->pairs = pairs;
    cell->excluding_one = cell->beyond_threshold = 0;
    cell->typical = cell->floor = NAN;
    for (size_t i = 0; i < pairs; i++) {
        const Ratio *ratio = &ratios[i];
        cell->excluding_one += side_is_decided(ratio_side_beyond(ratio, 0));
        cell->beyond_threshold += side_is_decided(ratio_side_beyond(ratio, SELFTEST_THRESHOLD));
        if (away != NULL) {
            away[i] = fabs(ratio->value - 1);
        }
    }
    if (away != NULL) {
        cell->typical = median_in_place(away, pairs);
        cell->floor = quantile_sorted(away, pairs, 0.95);
    }
    free(away);
}

void selftest_release(SelftestResult *result) {
    free(result->cells);
    *result = (SelftestResult){.cells = NULL};
}

void selftest_spread(const Results *results, const char *measured, LaunchSpread *spread) {
    *spread = (LaunchSpread){.of = {{{0}}}};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        const Summary *summary = &row->kernel_summary;
        if (row->status == CELL_OK) {
            launch_spread_add(spread, row->threads, summary->median, summary->launch_spread,
                              summary->launches);
        }
    }
    for (size_t kind = 0; kind < SPREAD_KINDS; kind++) {
        for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
            Spread *pool = &spread->of[kind][decade];
            snprintf(pool->measured, sizeof pool->measured, "%s",
                     pool->degrees > 0 ? measured : "");
        }
    }
}

/* --- One cell -------------------------------------------------------------------------------- */

typedef struct Selftest {
    const RunOptions *options;
    const Plan *plan;
    History history;
    Devices devices;
    Progress progress;
    double *prices; /* expected seconds of all pairs of each cell */
    SelftestResult *result;
} Selftest;

static Status interrupted(void) {
    return interrupt_requested()
               ? status_make(STATUS_INTERRUPTED, "interrupted; nothing was stored")
               : status_ok();
}

/* One measurement as in a run, from verification to the last sample. */
static Status measure_once(Selftest *test, const CellJob *job, Samples *samples) {
    Cell cell;
    const SetWatch watch = {.progress = &test->progress, .seq = NAN};
    cell_init(&cell, job);
    Status status = cell_verify(&cell);
    STATUS_THEN(status, cell_set_sample(&cell, 1, &watch));
    STATUS_THEN(status, cell.status);
    if (status_is_ok(&status)) {
        *samples = cell.measurement.samples;
        cell.measurement.samples = (Samples){0};
    }
    cell_release(&cell);
    return status;
}

static double price_of(const Selftest *test, const PlanCell *cell) {
    return test->prices[cell - test->plan->cells];
}

/* The order of the two changes from pair to pair: A B, B A, … */
static Status measure_pair(Selftest *test, const CellJob *job, size_t pair, Ratio *ratio) {
    Samples sides[2] = {{0}, {0}};
    Status status = status_ok();
    for (size_t turn = 0; turn < 2 && status_is_ok(&status); turn++) {
        status = measure_once(test, job, &sides[(pair + turn) % 2]);
    }
    STATUS_THEN(status, interrupted());
    STATUS_THEN(status, ratio_of_medians(&sides[0], &sides[1], test->options->seed + pair, ratio));
    samples_release(&sides[0]);
    samples_release(&sides[1]);
    return status;
}

static Status measure_pairs(Selftest *test, const CellJob *job, NoiseCell *noise) {
    const size_t pairs = (size_t)test->options->pairs;
    Ratio *ratios = malloc(pairs * sizeof *ratios);
    Status status = ratios != NULL ? status_ok() : status_no_memory("for %zu pairs", pairs);
    for (size_t i = 0; i < pairs && status_is_ok(&status); i++) {
        char what[64];
        snprintf(what, sizeof what, "pair %zu of %zu", i + 1, pairs);
        progress_under_way(&test->progress, price_of(test, job->cell) * (double)i / (double)pairs);
        progress_show(&test->progress, noise->name, &(ProgressKnown){.words = what});
        status = measure_pair(test, job, i, &ratios[i]);
    }
    if (status_is_ok(&status)) {
        selftest_summarize(ratios, pairs, noise);
    }
    free(ratios);
    return status;
}

static Status measure_with_oracle(Selftest *test, CellJob *job, const Output *scratch,
                                  Oracle *oracle, NoiseCell *noise) {
    job->scratch = scratch;
    job->oracle = oracle;
    STATUS_TRY(oracle_compute(&test->history, test->options, job->cell->algorithm, job->workload,
                              &job->cell->answer, scratch, NULL, oracle));
    return measure_pairs(test, job, noise);
}

static Status measure_loaded(Selftest *test, CellJob *job, NoiseCell *noise) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    Output scratch;
    Oracle oracle = {.stood_in = false};
    STATUS_TRY(algorithm_layout(job->cell->algorithm, job->workload, &job->cell->answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &scratch));
    const Status status = measure_with_oracle(test, job, &scratch, &oracle, noise);
    oracle_release(&oracle);
    answer_release_guarded(&scratch);
    return status;
}

static Status test_cell(Selftest *test, const PlanCell *cell, NoiseCell *noise) {
    const PlanWorkload *planned = &test->plan->workloads[cell->workload];
    Device *device = devices_get(&test->devices, cell->variant->backend);
    Workload workload;
    STATUS_TRY(cell->ready);
    STATUS_TRY(device->usable);
    STATUS_TRY(workload_load(planned->input, &planned->size, test->options->seed, &workload));
    CellJob job = {.options = test->options,
                   .plan = test->plan,
                   .cell = cell,
                   .workload = &workload,
                   .device = device};
    const Status status = measure_loaded(test, &job, noise);
    workload_release(&workload);
    return status;
}

/* --- All cells ------------------------------------------------------------------------------- */

static Status test_cells(Selftest *test) {
    for (size_t i = 0; i < test->plan->cell_count; i++) {
        const PlanCell *cell = &test->plan->cells[i];
        NoiseCell *noise = &test->result->cells[test->result->count];
        const Row row = plan_row(test->plan, cell, test->options->cold);
        row_name(&row, noise->name, sizeof noise->name);
        progress_show(&test->progress, noise->name, NULL);
        const Status status = test_cell(test, cell, noise);
        STATUS_TRY(interrupted());
        if (status.code == STATUS_SKIP) {
            char text[STATUS_WHY_SIZE + 32];
            snprintf(text, sizeof text, "left out: %s", status.why);
            progress_warning(&test->progress, noise->name, text);
            progress_leave_out(&test->progress, price_of(test, cell));
            test->result->skipped++;
        } else if (!status_is_ok(&status)) {
            return status_make(status.code, "%.200s: %.300s", noise->name, status.why);
        } else {
            test->result->count++;
        }
        progress_done(&test->progress, status_is_ok(&status) ? price_of(test, cell) : 0);
    }
    return test->result->count > 0 ? status_ok()
                                   : status_skip("no cell could be measured; see above why");
}

/* Both cells of each pair. */
static void set_prices(Selftest *test) {
    const RunOptions *options = test->options;
    double sum = 0;
    if (test->progress.quiet) {
        return;
    }
    expect_probe(options, test->plan, &test->history);
    for (size_t i = 0; i < test->plan->cell_count; i++) {
        test->prices[i] = 2 * options->pairs * expect_cell(options, test->plan, i, &test->history);
        sum += test->prices[i];
    }
    progress_expect(&test->progress, sum);
}

static Status test_plan(const RunOptions *options, const Plan *plan, FILE *notes,
                        SelftestResult *result) {
    Selftest *test = calloc(1, sizeof *test); /* History is large */
    result->cells = calloc(plan->cell_count, sizeof *result->cells);
    Status status = status_no_memory("for the self-test");
    if (test != NULL) {
        test->prices = calloc(plan->cell_count, sizeof *test->prices);
    }
    if (test != NULL && test->prices != NULL && result->cells != NULL) {
        test->options = options;
        test->plan = plan;
        test->result = result;
        progress_start(&test->progress, notes, plan->cell_count, plan->cell_count, options->quiet);
        set_prices(test);
        status = test_cells(test);
        progress_end(&test->progress);
    }
    if (test != NULL) {
        free(test->prices);
    }
    free(test);
    return status;
}

Status selftest_run(const RunOptions *options, FILE *notes, SelftestResult *result) {
    InputList inputs;
    Plan plan;
    *result = (SelftestResult){.cells = NULL};
    STATUS_TRY(inputs_open(options, notes, &inputs));
    Status status = plan_make(options, &inputs, &plan);
    if (status_is_ok(&status)) {
        status = test_plan(options, &plan, notes, result);
        plan_release(&plan);
    }
    inputs_release(&inputs);
    return status;
}
