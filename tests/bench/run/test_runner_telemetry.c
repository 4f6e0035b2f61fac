/* Runs on the fakes: warnings at the start, the state around each cell, energy where asked for. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/fake_system.h"
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
    RELEASED_BY(finish) Outcome outcome = run_on_slow_governor(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_says(outcome.noted, "warning: the CPU frequency governor is 'powersave'");
    assert_says(outcome.noted, "warning: the GPU is shared: 2 other processes");
    char *json = scratch_read(&outcome.folder, "run/results.json");
    assert_says(json, "governor is 'powersave'");
}

TEST(quiet_runs_store_them_without_a_word) {
    RELEASED_BY(finish) Outcome outcome = run_on_slow_governor(request("seq", NULL, NULL));
    assert_null(strstr(outcome.noted, "warning"));
    char *json = scratch_read(&outcome.folder, "run/results.json");
    assert_says(json, "governor is 'powersave'");
    assert_null(strstr(json, "GPU is shared"));
}

TEST(rows_have_the_state_around_them) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", "dev_good", NULL));
    const Row *row = &outcome.results.rows[1];
    check_ok(row, "dev_good");
    assert_true(row->clock_mhz_before == 1400 && row->clock_mhz_after == 1400);
    assert_true(row->clock_mhz_max == 2000 && row->temperature_after == 50);
    assert_true(row->power_before == 250 && row->power_after == 250);
    assert_true(row->throttled);
    assert_true(isnan(row->joule));
    assert_says(outcome.printed, "noisy (throttling");
    assert_true(isnan(outcome.results.rows[0].power_after));
}

/* Without a second reading of the counter there would be no difference to divide. */
TEST(energy_is_measured_when_asked_for) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.energy = true;
    options.energy_window = 0.02;
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *row = &outcome.results.rows[1];
    check_ok(row, "dev_good");
    assert_true(row->joule > 0 && row->joule <= 1000);
    assert_int_equal(row->energy_samples.count, 3);
    assert_true(row->joule == row->energy_summary.median);
    assert_true(row->idle_watt > 0);
}

/* A processor that has used energy between any two readings: its counter is a pipe full of lines of
 * eight bytes, of which a reader takes the 512 of its buffer and believes the first. */
static int start_meter(void) {
    enum { LINE = 8, BYTES = 1 << 20 };
    const char *path = test_path(FAKE_RAPL(0, "energy_uj"));
    char *lines = malloc(BYTES + 1);
    assert_non_null(lines);
    for (int i = 0; i < BYTES / LINE; i++) {
        snprintf(lines + (size_t)i * LINE, LINE + 1, "%07d\n", i);
    }
    system_write(FAKE_RAPL(0, "name"), "package-0\n");
    system_write(FAKE_RAPL(0, "max_energy_range_uj"), "262143328850\n");
    assert_int_equal(mkfifo(path, 0600), 0);
    const int pipe_end = open(path, O_RDWR);
    assert_true(fcntl(pipe_end, F_SETPIPE_SZ, BYTES) >= BYTES);
    assert_int_equal(write(pipe_end, lines, BYTES), BYTES);
    free(lines);
    assert_int_equal(setenv("BENCH_SYSTEM_ROOT", test_folder, 1), 0);
    return pipe_end;
}

TEST(of_several_tunings_the_fastest_has_joules) {
    RunOptions options = request("seq", "tiled", NULL);
    options.energy = true;
    options.energy_window = 0.02;
    options.interleave = true;
    const int meter = start_meter();
    RELEASED_BY(finish) Outcome outcome = run(options);
    close(meter);
    unsetenv("BENCH_SYSTEM_ROOT");
    size_t tunings = 0, measured = 0;
    for (size_t i = 0; i < outcome.results.count; i++) {
        const Row *row = &outcome.results.rows[i];
        tunings += strcmp(row->variant->name, "tiled") == 0;
        measured += strcmp(row->variant->name, "tiled") == 0 && row->joule > 0;
        assert_int_equal(row->joule > 0, row->best_tuning);
        assert_int_equal(row->idle_watt > 0, row->best_tuning);
    }
    assert_true(tunings > 1);
    assert_int_equal(measured, 1);
}

/* A run that is repeated without a pause is not a cold one. */
TEST(cold_runs_have_no_energy) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.energy = options.cold = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    check_ok(&outcome.results.rows[1], "dev_good");
    assert_true(isnan(outcome.results.rows[1].joule));
}

TEST(failed_rows_keep_no_state) {
    RunOptions options = request("seq", "dev_once_only", NULL);
    options.energy = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    const Row *row = &outcome.results.rows[1];
    assert_int_equal(row->status, CELL_FAIL);
    assert_true(isnan(row->clock_mhz_before) && isnan(row->clock_mhz_after));
    assert_true(isnan(row->joule));
    assert_false(row->throttled);
}
