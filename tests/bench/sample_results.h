/* Rows with known numbers for the tests of reporters. */
#ifndef TESTS_SAMPLE_RESULTS_H
#define TESTS_SAMPLE_RESULTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_internal.h"
#include "machine.h"
#include "registry.h"
#include "results.h"
#include "row.h"
#include "run_options.h"
#include "run_record.h"
#include "scratch_folder.h"

/* A skipped cell at 4×3 pixels of lbp's variant of this name. */
static inline Row sample_row(const char *variant) {
    Row row = row_empty();
    row.algorithm = registry_find_algorithm("lbp");
    row.variant = registry_find_variant(row.algorithm, variant);
    snprintf(row.input, sizeof row.input, "texture");
    snprintf(row.size_name, sizeof row.size_name, "tiny");
    row.width = 4;
    row.height = 3;
    row.input_hash = UINT64_C(0xFEDCBA9876543210);
    row.threads = 1;
    return row;
}

/* A verified cell whose samples are 1, 2, … 9 times `unit` seconds: the median is 5 units. */
static inline Row measured_row(const char *variant, double unit) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = row.best_tuning = true;
    row.agreement = 1.0;
    row.batch = 2;
    row.device_peak = 0;
    row.host_peak = UINT64_C(3) << 20;
    snprintf(row.verified_by, sizeof row.verified_by, "seq");
    snprintf(row.base, sizeof row.base, "seq (1 thread)");
    for (int i = 9; i >= 1; i--) {
        (void)samples_add(&row.kernel, i * unit);
        (void)samples_add(&row.end_to_end, 2 * i * unit);
    }
    (void)summarize(&row.kernel, &row.kernel_summary);
    (void)summarize(&row.end_to_end, &row.end_to_end_summary);
    row.cost = (Cost){.bytes = 24, .operations = 96, .items = 12};
    row.cpu_seconds = 4.5 * unit;
    row.speedup = 2.5;
    row.cost.operation = "fp32";
    snprintf(row.bound, sizeof row.bound, "dram");
    row.ceiling_bandwidth = 20e9;
    row.ceiling_operations = 50e9;
    return row;
}

static inline void set_threads(Row *row, int threads) {
    row->threads = threads;
    row->tuning.count = 1;
    row->tuning.axes[0] = row->variant->tuning[0];
    row->tuning.values[0].number = threads;
    snprintf(row->tuning.values[0].text, sizeof row->tuning.values[0].text, "%d", threads);
}

/* One ok, one skipped with a comma and quotes in the reason, one failed, one ok with threads. */
static inline Results sample_results(void) {
    Results results = {.rows = NULL};
    Row ok = measured_row("seq", 0.001);
    Row skipped = sample_row("cuda_naive");
    snprintf(skipped.why, sizeof skipped.why, "needs 2 GiB, \"1 GiB\" free");
    Row failed = sample_row("simd");
    failed.status = CELL_FAIL;
    snprintf(failed.why, sizeof failed.why, "codes differ at (1, 2)");
    Row threaded = measured_row("omp", 0.0001);
    set_threads(&threaded, 2);
    threaded.held = true;
    const Row *const rows[] = {&ok, &skipped, &failed, &threaded};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)results_add(&results, rows[i]);
    }
    ceilings_add(&results.ceilings, "copy_dram", CEILING_BANDWIDTH, 1, 20.5e9, 128e6);
    ceilings_add(&results.ceilings, "empty_kernel", CEILING_TIME, 0, 4.25e-6, 0);
    return results;
}

/* A record of `bench --algo lbp --input 'my photo.png'`. */
static inline const RunRecord *sample_record(void) {
    static char *argv[] = {"--algo", "lbp", "--input", "my photo.png", NULL};
    static const RunOptions options = {
        .arguments = {.argc = 4, .argv = argv}, .seed = 7, .density = 0.25};
    static Machine machine;
    static RunRecord record;
    machine = (Machine){
        .count = 3,
        .facts = {{.key = "cpu_model", .kind = FACT_TEXT, .text = "Test CPU", .identity = true},
                  {.key = "memory_bytes", .kind = FACT_NUMBER, .number = 8589934592.0},
                  {.key = "host_name", .kind = FACT_TEXT, .text = "tester"}},
        .cache_count = 1,
        .caches = {{.level = 1, .type = "Data", .size = 32768, .sharing = 2}},
        .cpu_count = 4,
        .mhz = 3000.0};
    record = (RunRecord){.options = &options,
                         .machine = &machine,
                         .started = "2026-01-02T03:04:05Z",
                         .elapsed = 1.5,
                         .timer_overhead_cpu = 2e-8,
                         .timer_overhead_cuda = NAN,
                         .complete = true,
                         .planned = 4};
    return &record;
}

#endif
