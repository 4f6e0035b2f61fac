#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "row.h"
#include "test.h"

EACH_TEST(reset);

TEST_BOTH(right_variants_are_timed) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", "simd", "omp"));
    assert_ok(outcome.status);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 4);
    const Row *rows = outcome.results.rows;
    check_ok(&rows[0], "seq");
    check_ok(&rows[1], "simd");
    check_ok(&rows[2], "omp");
    check_ok(&rows[3], "omp");
    assert_int_equal(rows[0].threads, 1);
    assert_int_equal(rows[3].threads, 2);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rows[i].kernel.count, 7);
        assert_int_equal(rows[i].end_to_end.count, 7);
        assert_true(rows[i].input_hash != 0 && rows[i].input_hash == rows[0].input_hash);
        assert_true(isnan(rows[i].upload) && isnan(rows[i].download));
        assert_true(isnan(rows[i].call) && !rows[i].held);
        assert_true(rows[i].with_alloc_summary.median > 0);
        assert_true(rows[i].device[0] != '\0');
        assert_true(rows[i].batch >= 1);
        assert_string_equal(rows[i].base, "seq (1 thread)");
        assert_true(rows[i].speedup > 0);
    }
    /* input, oracle, answer: 128 + 2·(128 + 64 padded to 64) bytes */
    assert_int_equal(rows[0].host_peak, 128 + 2 * 192);
    assert_int_equal(rows[0].device_peak, 0);
}

TEST_BOTH(a_device_has_transfers_and_peaks) {
    Outcome outcome = run(request("seq", "dev_good", "dev_stream"));
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 3);
    for (size_t i = 1; i < 3; i++) {
        const Row *row = &outcome.results.rows[i];
        check_ok(row, i == 1 ? "dev_good" : "dev_stream");
        assert_int_equal(row->threads, 0);
        assert_true(fabs(row->kernel_summary.median - 1e-3) < 1e-12);
        assert_true(fabs(row->upload - 1e-3) < 1e-12 && fabs(row->download - 1e-3) < 1e-12);
        assert_int_equal(row->end_to_end.count, 7);
        assert_int_equal(row->device_peak, 128 + 192);
        assert_string_equal(row->device, "Fake Device 1");
        assert_true(row->with_alloc_summary.median > 0);
        assert_true(row->call > 0 && row->held);
    }
    finish(&outcome);
    fake_device.waits = true;
    outcome = run(request("dev_good", NULL, NULL));
    check_ok(&outcome.results.rows[0], "dev_good");
    assert_false(outcome.results.rows[0].held);
    assert_true(fabs(outcome.results.rows[0].kernel_summary.median - 1e-3) < 1e-12);
    finish(&outcome);
}

/* The first summary of a run with a budget does not wait for what its second launch measures. */
TEST_BOTH(with_a_budget_the_second_launch_measures_the_rest) {
    for (int pass = 1; pass <= 3; pass++) {
        RunOptions options = request("seq", "dev_good", "dev_stream");
        options.launches = 12;
        options.budget = 6;
        options.pass = pass;
        RELEASED_BY(finish) Outcome outcome = run(options);
        assert_int_equal(outcome.exit_code, EXIT_OK);
        for (size_t i = 0; i < 3; i++) {
            const Row *row = &outcome.results.rows[i];
            check_ok(row, i == 0 ? "seq" : i == 1 ? "dev_good" : "dev_stream");
            assert_true(row->verified && row->kernel.count > 0);
            assert_int_equal(isfinite(row->with_alloc_summary.median), pass == 2);
            assert_int_equal(isfinite(row->call), pass == 2 && i > 0);
        }
        assert_int_equal(isfinite(outcome.results.rows[1].upload), pass == 2);
    }
}

/* What is measured beside the samples is so in the first launch only. */
TEST_BOTH(later_launches_take_the_samples_alone) {
    RunOptions options = request("seq", "dev_good", "dev_stream");
    options.launches = 2;
    options.pass = 2;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    for (size_t i = 0; i < 3; i++) {
        const Row *row = &outcome.results.rows[i];
        check_ok(row, i == 0 ? "seq" : i == 1 ? "dev_good" : "dev_stream");
        assert_int_equal(row->kernel.count, 8); /* the least of a launch */
        assert_true(row->end_to_end.count > 0);
        assert_true(isnan(row->upload) && isnan(row->download) && isnan(row->call));
        assert_true(isnan(row->with_alloc_summary.median) == (i == 0)); /* has no allocation */
        assert_int_equal(row->device_peak, i == 0 ? 0 : 128 + 192);
    }
}

TEST_BOTH(a_row_says_how_devices_exchange_and_which_way_was_taken) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", "dev_good", "dev_exchange"));
    assert_int_equal(outcome.exit_code, EXIT_OK);
    check_ok(&outcome.results.rows[2], "dev_exchange");
    assert_string_equal(outcome.results.rows[2].exchange, "pigeons; no wire");
    assert_string_equal(outcome.results.rows[1].exchange, "");
    assert_string_equal(outcome.results.rows[2].path, "by air");
    assert_string_equal(outcome.results.rows[1].path, "");
    char *csv = scratch_read(&outcome.folder, "run/results.csv");
    char *json = scratch_read(&outcome.folder, "run/results.json");
    assert_says(csv, ",\"pigeons; no wire\",");
    assert_says(json, "\"exchange\":\t\"pigeons; no wire\"");
    assert_says(json, "\"path\":\t\"by air\"");
}

static void check_one_failure(const char *variant, const char *reason) {
    RELEASED_BY(finish)
    Outcome outcome = run(request("seq", variant, "dev_later")); /* the last of the table */
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    assert_int_equal(outcome.status.code, STATUS_FAIL);
    assert_int_equal(outcome.results.count, 3);
    size_t failed = 0;
    for (size_t i = 0; i < 3; i++) {
        const Row *row = &outcome.results.rows[i];
        if (strcmp(row->variant->name, variant) == 0) {
            check_failed(row, reason);
            failed++;
        } else {
            check_ok(row, row->variant->name); /* the sweep goes on */
        }
    }
    assert_int_equal(failed, 1);
}

TEST_BOTH(one_wrong_byte_is_found) {
    check_one_failure("one_wrong", "inverse (15, 7) is ");
}

TEST_BOTH(a_write_past_the_end_is_found) {
    check_one_failure("past_end", "out of bounds");
}

TEST_BOTH(a_byte_that_is_not_written_is_found) {
    check_one_failure("unwritten", "inverse (15, 7) is 165, expected");
}

TEST_BOTH(an_answer_that_goes_wrong_while_timing_is_found) {
    check_one_failure("wrong_later", "inverse (15, 7) is ");
}

/* Its first answer is right and so is that after the samples, both on poison; those between are
 * not.
 */
TEST_BOTH(samples_that_were_wrong_are_found) {
    check_one_failure("on_poison", "inverse (15, 7) is ");
}

TEST_BOTH(a_variant_that_stops_working_is_found) {
    check_one_failure("once_only", "wrong answer");
    check_one_failure("dev_once_only", "wrong answer");
}

TEST_BOTH(a_stream_without_upload_is_found) {
    check_one_failure("dev_stale", "wrong answer");
    check_one_failure("dev_saving", "wrong answer");
}

TEST_BOTH(errors_become_failures) {
    check_one_failure("fails", "the fake ran into a wall");
    check_one_failure("open_fails", "the fake could not be opened");
}

TEST_BOTH(skips_are_rows_with_reasons) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", "open_skips", "never"));
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 3);
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_string_equal(outcome.results.rows[1].why, "the fake wants a larger picture");
    assert_int_equal(outcome.results.rows[2].status, CELL_SKIP);
    assert_string_equal(outcome.results.rows[2].why, "this processor has no fake instructions");
}

TEST_BOTH(nothing_measured_is_exit_code_6) {
    fake_device.absent = true;
    RELEASED_BY(finish) Outcome outcome = run(request("dev_good", "never", NULL));
    assert_int_equal(outcome.exit_code, EXIT_NO_SAMPLE);
    assert_int_equal(outcome.results.count, 2);
    assert_says(outcome.status.why, "this processor has no fake instructions");
    assert_string_equal(outcome.results.rows[1].why, "no fake device here");
}

/* A lost device ends its own cells; the CPU, here after it in the plan, goes on. */
TEST_BOTH(a_lost_device_takes_only_its_own_cells) {
    RunOptions options = request("dev_lost", "dev_later", "tiled");
    options.axis_count = 2;
    options.axes[0] = (AxisRequest){"threads", "1"};
    options.axes[1] = (AxisRequest){"tile", "4"};
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    assert_int_equal(outcome.results.count, 3);
    check_failed(&outcome.results.rows[0], "an illegal address was met");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "fake/dev_lost/texture/16x8");
    assert_says(outcome.results.rows[1].why, "an illegal address was met");
    check_ok(&outcome.results.rows[2], "tiled");
}
