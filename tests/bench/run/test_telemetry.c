/* Telemetry: the processor's state around a cell, and joules of a run; on fakes of both. */
#include <signal.h>

#include "bench/fake_system.h"
#include "bench/fakes.h"
#include "cell.h"
#include "clock.h"
#include "fake_nvml/load_fake_nvml.h"
#include "test.h"

static void set_up(void) {
    *fake = (FakeNvml){.clock_mhz = 1900, .clock_mhz_max = 2000, .celsius = 40, .milliwatt = 90000};
    memset(&fake_device, 0, sizeof fake_device);
    assert_int_equal(setenv("BENCH_SYSTEM_ROOT", test_folder, 1), 0);
}

static void tear_down(void) {
    assert_int_equal(unsetenv("BENCH_SYSTEM_ROOT"), 0);
}

ALL_TESTS(load_fake_nvml);
EACH_TEST(set_up, tear_down);

static Row row_of(const char *variant, int threads) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant(variant);
    row.threads = threads;
    return row;
}

/* --- GPU ------------------------------------------------------------------------------------- */

TEST(gpu_state_before_and_after) {
    Telemetry telemetry;
    Row row = row_of("dev_good", 0);
    telemetry_before(&telemetry, &row);
    fake->clock_mhz = 1980;
    fake->celsius = 55;
    fake->milliwatt = 410000;
    telemetry_after(&telemetry, &row);
    assert_true(row.clock_mhz_before == 1900 && row.clock_mhz_after == 1980);
    assert_true(row.clock_mhz_max == 2000);
    assert_true(row.temperature_before == 40 && row.temperature_after == 55);
    assert_true(row.power_before == 90 && row.power_after == 410);
    assert_string_equal(row.throttle, "");
    assert_false(row.throttled);
}

TEST(gpu_clock_under_three_quarters_marks_the_row) {
    Telemetry telemetry;
    Row row = row_of("dev_good", 0);
    fake->clock_mhz = 300;
    telemetry_before(&telemetry, &row);
    fake->clock_mhz = 1500;
    telemetry_after(&telemetry, &row);
    assert_false(row.throttled);
    fake->clock_mhz = 1499;
    telemetry_after(&telemetry, &row);
    assert_true(row.throttled);
}

TEST(gpu_reason_marks_the_row_unless_somebody_set_it) {
    Telemetry telemetry;
    Row row = row_of("dev_good", 0);
    telemetry_before(&telemetry, &row);
    fake->reasons = 0x2;
    telemetry_after(&telemetry, &row);
    assert_string_equal(row.throttle, "clocks set by the user");
    assert_false(row.throttled);
    fake->reasons = 0x4;
    telemetry_after(&telemetry, &row);
    assert_string_equal(row.throttle, "power cap");
    assert_true(row.throttled);
}

TEST(unknown_state_marks_nothing) {
    Telemetry telemetry;
    Row row = row_of("dev_good", 0);
    fake->refuses = 1;
    telemetry_before(&telemetry, &row);
    telemetry_after(&telemetry, &row);
    assert_true(isnan(row.clock_mhz_after) && isnan(row.power_after));
    assert_false(row.throttled);
}

/* --- CPU ------------------------------------------------------------------------------------- */

/* The thread may be on any processor. */
static void write_for_all(const char *file, const char *text) {
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (int processor = 0; processor < processors; processor++) {
        char path[128];
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/%s", processor, file);
        system_write(path, text);
    }
}

static void write_clocks(const char *now, const char *base) {
    write_for_all("cpufreq/scaling_cur_freq", now);
    write_for_all("cpufreq/cpuinfo_max_freq", "4000000\n");
    write_for_all("cpufreq/base_frequency", base);
}

static Row around_cpu_cell(int threads) {
    Telemetry telemetry;
    Row row = row_of("omp", threads);
    telemetry_before(&telemetry, &row);
    telemetry_after(&telemetry, &row);
    return row;
}

TEST(one_cpu_thread_is_held_against_the_highest_clock) {
    write_clocks("3000000\n", "2000000\n");
    Row row = around_cpu_cell(1);
    assert_true(fabs(row.clock_mhz_before - 3000) < 1e-6 &&
                fabs(row.clock_mhz_after - 3000) < 1e-6);
    assert_true(fabs(row.clock_mhz_max - 4000) < 1e-6);
    assert_false(row.throttled);
    write_clocks("2999000\n", "2000000\n");
    assert_true(around_cpu_cell(1).throttled);
}

TEST(several_cpu_threads_are_held_against_the_base_clock) {
    write_clocks("1990000\n", "2000000\n");
    assert_false(around_cpu_cell(8).throttled);
    write_clocks("1890000\n", "2000000\n");
    assert_true(around_cpu_cell(8).throttled);
    write_clocks("1890000\n", "");
    assert_false(around_cpu_cell(8).throttled);
}

TEST(a_package_that_got_too_hot_marks_the_row) {
    Telemetry telemetry;
    Row row = row_of("seq", 1);
    write_for_all("thermal_throttle/package_throttle_count", "4\n");
    telemetry_before(&telemetry, &row);
    telemetry_after(&telemetry, &row);
    assert_false(row.throttled);
    write_for_all("thermal_throttle/package_throttle_count", "5\n");
    telemetry_after(&telemetry, &row);
    assert_true(row.throttled);
    assert_string_equal(row.throttle, "package too hot");
}

/* --- Energy ---------------------------------------------------------------------------------- */

static long runs;

static Status count_run(void *state) {
    (void)state;
    runs++;
    return status_ok();
}

static Status count_run_and_use_energy(void *state) {
    char text[32];
    /* A quarter of a joule each. */
    snprintf(text, sizeof text, "%ld\n", 250000 * ++runs);
    system_write(FAKE_RAPL(0, "energy_uj"), text);
    return state == NULL ? status_ok() : status_fail("ran into a wall");
}

static const RunOptions quick = {.launches = 1, .energy = true, .energy_window = 0.05};

/* The windows of a measurement of the variant. */
static Samples windows_of(const RunOptions *options, const Variant *variant, void *state,
                          double run_seconds) {
    Measurement measurement = {.options = options, .variant = variant, .gpus = 1, .state = state};
    Samples windows = {.count = 0};
    assert_ok(energy_of_runs(&measurement, run_seconds, &windows));
    return windows;
}

static Status count_run_and_use_a_joule(void *state) {
    fake->millijoule += 1000;
    return count_run(state);
}

/* Whatever ran before the window is in neither of its readings. */
TEST(a_window_divides_the_energy_of_its_runs_by_their_number) {
    const Variant variant = {
        .name = "v", .backend = &fake_backend, .run = count_run_and_use_a_joule};
    RELEASED_BY(samples_release) Samples windows = windows_of(&quick, &variant, NULL, 1e-3);
    assert_int_equal(windows.count, 3);
    for (size_t i = 0; i < windows.count; i++) {
        assert_true(fabs(windows.seconds[i] - 1) < 1e-9);
    }
}

/* 50 ms each, after 10 ms and a phase below 100 ms: 0, 62 and 24 ms. */
TEST(windows_take_their_time_and_begin_at_phases_of_their_own) {
    const Variant variant = {
        .name = "v", .backend = &fake_backend, .run = count_run_and_use_a_joule};
    const double started = clock_now();
    Samples windows = windows_of(&quick, &variant, NULL, 1);
    const double took = clock_now() - started;
    samples_release(&windows);
    assert_true(took > 0.18 + 0.085);
    RunOptions last = quick;
    last.launches = 6;
    last.pass = 6; /* one window, at 9 ms */
    const double again = clock_now();
    windows = windows_of(&last, &variant, NULL, 1);
    assert_int_equal(windows.count, 1);
    assert_true(clock_now() - again > 0.069);
    samples_release(&windows);
}

TEST(there_are_three_windows_or_more_over_all_launches) {
    RunOptions options = quick;
    assert_int_equal(energy_windows(&options), 3);
    static const int launches[] = {1, 2, 3, 6}, each[] = {3, 2, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        options.launches = launches[i];
        for (options.pass = 1; options.pass <= options.launches; options.pass++) {
            assert_int_equal(energy_windows(&options), each[i]);
        }
    }
    options.budget = 60;
    options.pass = 1;
    assert_int_equal(energy_windows(&options), 0);
    options.pass = 2;
    assert_int_equal(energy_windows(&options), 3);
    options.pass = 3;
    assert_int_equal(energy_windows(&options), 0);
}

TEST(what_windows_take_is_known_before) {
    const Variant variant = {.name = "v", .backend = &fake_backend, .run = count_run};
    RunOptions options = quick;
    options.energy_window = 5;
    assert_true(fabs(energy_seconds(&options, &variant) - 3 * 6.05) < 1e-9);
    fake->refuses = 1;
    assert_true(energy_seconds(&options, &variant) == 0);
}

static Status count_run_and_stop_once(void *state) {
    if (runs == 0) {
        raise(SIGCONT);
    }
    return count_run_and_use_a_joule(state);
}

/* What was used while the process was stopped is of no run: the window is measured anew. */
TEST(a_stop_begins_the_window_anew) {
    const Variant variant = {.name = "v", .backend = &fake_backend, .run = count_run_and_stop_once};
    Measurement measurement = {.options = &quick, .variant = &variant, .gpus = 1};
    RELEASED_BY(samples_release) Samples windows = {.count = 0};
    runs = 0;
    stops_watch();
    assert_ok(energy_of_runs(&measurement, 1e-3, &windows));
    assert_int_equal(measurement.repeated, 1);
    assert_int_equal(windows.count, 3);
}

TEST(cpu_energy_is_divided_by_the_runs) {
    const Variant variant = {.name = "v", .backend = &cpu_backend, .run = count_run_and_use_energy};
    runs = 0;
    system_write(FAKE_RAPL(0, "name"), "package-0\n");
    system_write(FAKE_RAPL(0, "energy_uj"), "0\n");
    system_write(FAKE_RAPL(0, "max_energy_range_uj"), "262143328850\n");
    RELEASED_BY(samples_release) Samples windows = windows_of(&quick, &variant, NULL, 0.1);
    assert_int_equal(windows.count, 3);
    assert_true(fabs(windows.seconds[2] - 0.25) < 1e-9);
}

TEST(without_a_counter_nothing_runs) {
    const Backend *const backends[] = {&cpu_backend, &fake_backend};
    fake->refuses = 1;
    runs = 0;
    for (size_t i = 0; i < 2; i++) {
        const Variant variant = {.name = "v", .backend = backends[i], .run = count_run};
        const Measurement measurement = {.options = &quick, .variant = &variant, .gpus = 1};
        const double started = clock_now();
        assert_int_equal(windows_of(&quick, &variant, NULL, 1e-3).count, 0);
        assert_true(isnan(energy_idle(&measurement)));
        assert_true(clock_now() - started < 0.04);
    }
    assert_int_equal(runs, 0);
}

TEST(a_counter_that_stands_still_measures_nothing) {
    const Variant variant = {.name = "v", .backend = &fake_backend, .run = count_run};
    assert_int_equal(windows_of(&quick, &variant, NULL, 1e-3).count, 0);
}

TEST(a_run_that_fails_is_reported) {
    const Variant variant = {
        .name = "v", .backend = &fake_backend, .run = count_run_and_use_energy};
    Measurement measurement = {.options = &quick, .variant = &variant, .gpus = 1, .state = &runs};
    Samples windows = {.count = 0};
    runs = 0;
    fake->millijoule_step = 1000;
    system_write(FAKE_RAPL(0, "name"), "package-0\n");
    const Status status = energy_of_runs(&measurement, 1e-3, &windows);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_int_equal(windows.count, 0);
}

/* 20 J between two readings that lie 50 ms apart or a little more: below 400 W. */
TEST(idle_power_is_measured_once) {
    const Variant variant = {.name = "v", .backend = &fake_backend, .run = count_run};
    const Measurement measurement = {.options = &quick, .variant = &variant, .gpus = 1};
    fake->millijoule_step = 20000;
    runs = 0;
    const double watt = energy_idle(&measurement);
    assert_true(watt > 100 && watt <= 400);
    assert_int_equal(runs, 0);
    const double started = clock_now();
    assert_true(energy_idle(&measurement) == watt);
    assert_true(clock_now() - started < 0.04);
}
