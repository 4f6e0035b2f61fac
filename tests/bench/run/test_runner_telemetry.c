/* Runs on the fakes: warnings at the start, the state around each cell, energy where asked for. */
#include "bench/runner_fixture.h"
#include "exit_code.h"
#include "fake_nvml/load_fake_nvml.h"
#include "machine.h"
#include "row.h"
#include "test.h"

static void reset_all(void) {
    *fake = (FakeNvml){.clock_mhz = 1400,
                       .clock_mhz_max = 2000,
                       .celsius = 50,
                       .milliwatt = 250000,
                       .millijoule_step = 1000000};
    reset();
}

ALL_TESTS(load_fake_nvml);
EACH_TEST(reset_all);

static Outcome run_on_slow_governor(RunOptions options) {
    Outcome outcome = {.folder = scratch_make(), .machine = {.cpu_count = 4}};
    machine_add_text(&outcome.machine, "cpu_governor", "powersave", false);
    machine_add_number(&outcome.machine, "gpu_other_processes", 2, false);
    run_in(&options, &outcome);
    return outcome;
}

TEST(warnings_are_said_and_stored) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.quiet = false;
    Outcome outcome = run_on_slow_governor(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_non_null(strstr(outcome.noted, "warning: the CPU frequency governor is 'powersave'"));
    assert_non_null(strstr(outcome.noted, "warning: the GPU is shared: 2 other processes"));
    char *json = scratch_read(&outcome.folder, "run/results.json");
    assert_non_null(strstr(json, "governor is 'powersave'"));
    free(json);
    finish(&outcome);
}

TEST(quiet_runs_store_them_without_a_word) {
    Outcome outcome = run_on_slow_governor(request("seq", NULL, NULL));
    assert_null(strstr(outcome.noted, "warning"));
    char *json = scratch_read(&outcome.folder, "run/results.json");
    assert_non_null(strstr(json, "governor is 'powersave'"));
    assert_null(strstr(json, "GPU is shared"));
    free(json);
    finish(&outcome);
}

TEST(rows_have_the_state_around_them) {
    Outcome outcome = run(request("seq", "dev_good", NULL));
    const Row *row = &outcome.results.rows[1];
    check_ok(row, "dev_good");
    assert_true(row->clock_mhz_before == 1400 && row->clock_mhz_after == 1400);
    assert_true(row->clock_mhz_max == 2000 && row->temperature_after == 50);
    assert_true(row->power_before == 250 && row->power_after == 250);
    assert_true(row->throttled);
    assert_true(isnan(row->joule));
    assert_non_null(strstr(outcome.printed, "noisy (throttling"));
    assert_true(isnan(outcome.results.rows[0].power_after));
    finish(&outcome);
}

/* Without a second reading of the counter there would be no difference to divide. */
TEST(energy_is_measured_when_asked_for) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.energy = true;
    Outcome outcome = run(options);
    const Row *row = &outcome.results.rows[1];
    check_ok(row, "dev_good");
    assert_true(row->joule > 0 && row->joule <= 1000);
    finish(&outcome);
}

/* A run that is repeated without a pause is not a cold one. */
TEST(cold_runs_have_no_energy) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.energy = options.cold = true;
    Outcome outcome = run(options);
    check_ok(&outcome.results.rows[1], "dev_good");
    assert_true(isnan(outcome.results.rows[1].joule));
    finish(&outcome);
}

TEST(failed_rows_keep_no_state) {
    RunOptions options = request("seq", "dev_once_only", NULL);
    options.energy = true;
    Outcome outcome = run(options);
    const Row *row = &outcome.results.rows[1];
    assert_int_equal(row->status, CELL_FAIL);
    assert_true(isnan(row->clock_mhz_before) && isnan(row->clock_mhz_after));
    assert_true(isnan(row->joule));
    assert_false(row->throttled);
    finish(&outcome);
}
