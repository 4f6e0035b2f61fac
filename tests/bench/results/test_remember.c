/* What earlier runs of the machine demand of the rows of a run, and what a run adds to them. */
#include "machine_internal.h"
#include "results_internal.h"
#include "run_options.h"
#include "sample_results.h"
#include "status_checks.h"
#include "stored_run.h"
#include "test.h"

static Results results;
static Machine machine;
static RunRecord record;
static StoredRun stored;

/* `seq` in launches of 10, 11, 12 … ms, and `omp` ten times as fast. */
static void set_launches(uint32_t launches) {
    for (size_t i = 0; i < results.count; i++) {
        Row *row = &results.rows[i];
        samples_release(&row->kernel);
        samples_release(&row->end_to_end);
        row_forget_summaries(row);
        row->cpu_seconds = row->threads * (row->threads == 1 ? 12e-3 : 12e-4);
        for (uint32_t launch = 0; row->status == CELL_OK && launch < launches; launch++) {
            const double seconds = (10 + launch) * (row->threads == 1 ? 1e-3 : 1e-4);
            row->kernel.origin.launch = row->end_to_end.origin.launch = launch;
            for (int sample = 0; sample < 3; sample++) {
                assert_ok(samples_add(&row->kernel, seconds));
                assert_ok(samples_add(&row->end_to_end, seconds));
            }
        }
    }
    row_complete_summaries(&results.rows[0]);
}

static void enter(void) {
    assert_int_equal(setenv("XDG_CACHE_HOME", test_folder, 1), 0);
    results = sample_results();
    record = *sample_record();
    machine = *record.machine;
    record.machine = &machine;
    record.elapsed = 45;
    set_launches(3);
}

static void leave(void) {
    results_release(&results);
}

EACH_TEST(enter, leave);

/* `median` and its ends, as multiples of it. */
static void check_range(const Row *row, double low, double high) {
    double ends[2];
    summary_range(&row->kernel_summary, &ends[0], &ends[1]);
    assert_true(fabs(ends[0] / row->kernel_summary.median - low) < 1e-9);
    assert_true(fabs(ends[1] / row->kernel_summary.median - high) < 1e-9);
}

/* A class of three runs: ×2 is demanded of times, ×3 of ratios. */
static void set_known(SpreadKind time, size_t decade) {
    const double factor = 2.2 / sqrt(2);
    machine.spread.runs[RUNS_HOURS][time][decade] =
        (RunSpread){.apart = log(2) / factor, .pairs = 3, .runs = 3};
    machine.spread.runs[RUNS_HOURS][SPREAD_RATIO][decade] =
        (RunSpread){.apart = log(3) / factor, .pairs = 3, .runs = 3};
}

static void derive(void) {
    memory_apply(&record, &results);
    results_derive(&results, 1);
}

TEST(without_earlier_runs_an_interval_is_of_its_time) {
    derive();
    check_range(&results.rows[0], 10.0 / 11, 12.0 / 11);
    assert_true(results.rows[0].kernel_summary.within == 45);
    assert_true(row_ratio(&results.rows[3], OVER_SEQ, TIME_KERNEL).within == 45);
}

/* Of six launches on, by how far they lie apart: half of 10 to 15 is nearer to the middle than the
 * mean of 11 and 14. */
TEST(without_earlier_runs_launches_widen_an_interval) {
    set_launches(6);
    derive();
    derive();
    const Summary *summary = &results.rows[0].kernel_summary;
    const double middle = log(12e-3 * 13e-3) / 2;
    const double deviation = (log(14e-3) - middle + middle - log(11e-3)) / 2;
    const double width = 1.96 * 1.4826 * 1.2 * deviation * sqrt(1.5707963267948966 / 6 + 0.16);
    assert_true(fabs(results.rows[0].kernel.memory.time - width) < 1e-12);
    assert_true(fabs(summary->ci_high / summary->median - exp(width)) < 1e-9);
    assert_true(summary->within == 45);
}

TEST(earlier_runs_widen_times_and_speedups) {
    set_known(SPREAD_THREADS, 3);
    derive();
    derive();
    check_range(&results.rows[0], 10.0 / 11, 12.0 / 11); /* one thread is not known */
    check_range(&results.rows[3], 0.5, 2);
    assert_true(results.rows[0].kernel_summary.within == 45);
    assert_true(results.rows[3].kernel_summary.within == 0);
    const Ratio ratio = row_ratio(&results.rows[3], OVER_SEQ, TIME_KERNEL);
    assert_true(fabs(ratio.value - 10) < 1e-9);
    assert_true(fabs(ratio.low - 10.0 / 3) < 1e-9 && fabs(ratio.high - 30) < 1e-9);
}

/* They widen it, and say nothing of another hour. */
TEST(runs_minutes_apart_leave_an_interval_of_its_time) {
    machine.spread.runs[RUNS_MINUTES][SPREAD_THREADS][3] =
        (RunSpread){.apart = log(2) / (2.2 / sqrt(2)), .pairs = 3, .runs = 3};
    derive();
    check_range(&results.rows[3], 0.5, 2);
    assert_true(results.rows[3].kernel_summary.within == 45);
}

TEST(launches_that_lie_apart_keep_their_interval) {
    set_known(SPREAD_THREADS, 3);
    for (int launches = 1; launches <= 3; launches += 2) {
        record.elapsed = launches == 1 ? 1 : 2 * LAUNCHES_APART;
        set_launches((uint32_t)launches);
        derive();
        assert_true(results.rows[3].kernel_summary.within == 0);
        assert_true(!results.rows[3].kernel_summary.remembered);
    }
    check_range(&results.rows[3], 10.0 / 11, 12.0 / 11);
}

/* Read elsewhere, where the machine's memory is another. */
TEST(a_stored_run_keeps_what_was_demanded_of_it) {
    set_known(SPREAD_THREADS, 3);
    derive();
    assert_ok(report_json(test_path("run.json"), &record, &results));
    assert_ok(stored_run_read(test_path("run.json"), &stored));
    for (int derived = 0; derived < 2; derived++) {
        check_range(&stored.results.rows[0], 10.0 / 11, 12.0 / 11);
        check_range(&stored.results.rows[3], 0.5, 2);
        results_derive(&stored.results, 1);
    }
    assert_true(stored.results.rows[0].kernel_summary.within == 45);
    assert_true(stored.results.rows[3].kernel_summary.remembered);
    const Ratio ratio = row_ratio(&stored.results.rows[3], OVER_SEQ, TIME_KERNEL);
    assert_true(fabs(ratio.low - 10.0 / 3) < 1e-9 && fabs(ratio.high - 30) < 1e-9);
    stored_run_release(&stored);
}

/* An interval beyond all samples is refused unless earlier runs demand it. */
TEST(an_interval_beyond_the_samples_needs_a_reason) {
    set_known(SPREAD_THREADS, 3);
    derive();
    results.rows[3].kernel.memory.time = 0.1;
    assert_ok(report_json(test_path("run.json"), &record, &results));
    assert_status(stored_run_read(test_path("run.json"), &stored), STATUS_FILE,
                  "kernel_launch_low_s");
    stored_run_release(&stored);
}

/* Files of earlier versions have no such keys, nor do runs whose launches lie apart. */
TEST(nothing_demanded_is_nothing_stored) {
    record.elapsed = 600;
    derive();
    assert_ok(report_json(test_path("run.json"), &record, &results));
    char *text = test_read("run.json");
    assert_null(strstr(text, "least_width"));
    assert_null(strstr(text, "launches_within"));
}

static size_t known_runs(SpreadKind kind, size_t decade) {
    machine_read_spread(&machine);
    return machine.spread.runs[RUNS_MINUTES][kind][decade].runs +
           machine.spread.runs[RUNS_HOURS][kind][decade].runs;
}

/* Two runs whose beginnings are an hour apart. */
TEST(a_finished_run_is_remembered) {
    for (int run = 0; run < 2; run++) {
        derive();
        assert_ok(memory_add(&record, &results));
        record.elapsed += 3600;
    }
    assert_int_equal(known_runs(SPREAD_ONE_THREAD, 4), 2);
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 2);
    assert_int_equal(known_runs(SPREAD_RATIO, 3), 2);
    assert_int_equal(known_runs(SPREAD_RATIO, 4), 2); /* seq, over the best CPU */
    assert_int_equal(known_runs(SPREAD_DEVICE, 3), 0);
}

/* `seq` was starved: neither its time nor a speedup over it says how far good runs lie apart. */
TEST(a_disturbed_time_is_not_remembered) {
    for (int run = 0; run < 2; run++) {
        for (size_t i = 0; i < results.count; i++) {
            results.rows[i].disturbed = results.rows[i].threads == 1 ? 3 : 0;
            snprintf(results.rows[i].disturbed_by, sizeof results.rows[i].disturbed_by,
                     "other guests of the host");
        }
        results_find_disturbances(&results);
        derive();
        assert_ok(memory_add(&record, &results));
        record.elapsed += 3600;
    }
    assert_int_equal(known_runs(SPREAD_ONE_THREAD, 4), 0);
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 2);
    assert_int_equal(known_runs(SPREAD_RATIO, 3), 0);
    assert_int_equal(known_runs(SPREAD_RATIO, 4), 0);
}

/* Page-locked memory makes another time of the same cell, as turns do. */
TEST(runs_of_other_options_are_no_pairs) {
    RunOptions options = *record.options;
    record.options = &options;
    derive();
    for (int run = 0; run < 4; run++) {
        options.pinned = run % 2 == 1;
        options.interleave = run < 2;
        assert_ok(memory_add(&record, &results));
        record.elapsed += 3600;
    }
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 0);
    assert_ok(memory_add(&record, &results)); /* as the last one */
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 2);
}

/* Another input, another size, another mode; two launches; one launch of a run. */
TEST(only_runs_of_one_cell_are_pairs) {
    RunOptions options = *record.options;
    record.options = &options;
    derive();
    assert_ok(memory_add(&record, &results));
    results.rows[3].input_hash++;
    assert_ok(memory_add(&record, &results));
    results.rows[3].width++;
    assert_ok(memory_add(&record, &results));
    results.rows[3].cold = true;
    assert_ok(memory_add(&record, &results));
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 0);
    options.pass = 1;
    assert_ok(memory_add(&record, &results));
    options.pass = 0;
    set_launches(2);
    derive();
    assert_ok(memory_add(&record, &results));
    assert_int_equal(known_runs(SPREAD_THREADS, 3), 0);
}
