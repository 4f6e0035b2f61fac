/* CPU quotas: the strictest of a group and those around it, and how often they stopped a run. */
#include "bench/fake_system.h"
#include "bench/runner_fixture.h"
#include "cpu_quota.h"
#include "exit_code.h"
#include "machine_internal.h"
#include "stored_run.h"
#include "test.h"

static void make_root(void) {
    assert_int_equal(setenv("BENCH_SYSTEM_ROOT", test_folder, 1), 0);
    reset();
}

static void remove_root(void) {
    unsetenv("BENCH_SYSTEM_ROOT");
}

EACH_TEST(make_root, remove_root);

static double processors(void) {
    CpuQuota quota;
    cpu_quota_find(test_folder, &quota);
    cpu_quota_release(&quota);
    return quota.processors;
}

TEST(the_strictest_group_counts) {
    assert_true(isnan(processors()));
    system_write("proc/self/cgroup", "0::/job/step\n");
    system_write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    assert_true(isnan(processors()));
    system_write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    assert_true(processors() == 0.5);
    system_write("sys/fs/cgroup/job/step/cpu.max", "800000 100000\n");
    assert_true(processors() == 0.5);
    system_write("sys/fs/cgroup/job/step/cpu.max", "10000 50000\n");
    assert_true(processors() == 0.2);
}

TEST(version_1_has_files_of_its_own) {
    system_write("proc/self/cgroup", "4:cpu,cpuacct:/a/b\n");
    system_write("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
    system_write("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
    assert_true(isnan(processors()));
    system_write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "150000\n");
    system_write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    assert_true(processors() == 1.5);
}

/* The group itself and its parent are counted apart; the one that stopped more is named. */
TEST(throttling_is_that_of_the_group_that_stopped_most) {
    RELEASED_BY(cpu_quota_release) CpuQuota quota;
    ThrottlingCounters before;
    system_write("proc/self/cgroup", "0::/job/step\n");
    system_write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    system_write("sys/fs/cgroup/job/step/cpu.stat",
                 "usage_usec 5\nnr_periods 9\nnr_throttled 4\nthrottled_usec 1000000\n");
    system_write("sys/fs/cgroup/job/cpu.stat",
                 "usage_usec 5\nnr_periods 10\nnr_throttled 5\nthrottled_usec 1000000\n");
    cpu_quota_find(test_folder, &quota);
    throttling_begin(&quota, &before);
    Throttling since = throttling_since(&quota, &before);
    assert_true(since.periods == 0 && since.throttled == 0 && since.seconds == 0);
    system_write("sys/fs/cgroup/job/cpu.stat",
                 "usage_usec 5\nnr_periods 67\nnr_throttled 60\nthrottled_usec 3500000\n");
    since = throttling_since(&quota, &before);
    assert_true(since.periods == 57 && since.throttled == 55);
    assert_true(fabs(since.seconds - 2.5) < 1e-9);
}

TEST(version_1_counts_nanoseconds) {
    RELEASED_BY(cpu_quota_release) CpuQuota quota;
    ThrottlingCounters before;
    system_write("proc/self/cgroup", "4:cpu:/a\n");
    system_write("sys/fs/cgroup/cpu/a/cpu.stat",
                 "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    cpu_quota_find(test_folder, &quota);
    throttling_begin(&quota, &before);
    system_write("sys/fs/cgroup/cpu/a/cpu.stat",
                 "nr_periods 3\nnr_throttled 2\nthrottled_time 1500000000\n");
    const Throttling since = throttling_since(&quota, &before);
    assert_true(since.periods == 3 && since.throttled == 2);
    assert_true(fabs(since.seconds - 1.5) < 1e-9);
}

TEST(what_runs_were_stopped_adds_up) {
    static Machine machine;
    const Throttling none = {.periods = 0};
    const Throttling first = {.periods = 10, .throttled = 4, .seconds = 0.5};
    machine = (Machine){.count = 0};
    machine_set_throttling(&machine, &none, &none);
    assert_int_equal(machine.count, 0);
    machine_set_throttling(&machine, &none, &first);
    const Throttling told = machine_throttling(&machine);
    machine_set_throttling(&machine, &told, &first);
    const Throttling both = machine_throttling(&machine);
    assert_int_equal(machine.count, 3);
    assert_true(both.periods == 20 && both.throttled == 8 && both.seconds == 1);
}

/* --- A run ------------------------------------------------------------------------------------ */

static int counted; /* runs of the variant */

/* Each run takes a period in which the group is stopped. */
static Status run_throttled(void *state) {
    char text[128];
    counted++;
    snprintf(text, sizeof text, "nr_periods %d\nnr_throttled %d\nthrottled_usec %d\n",
             100 + counted, 50 + counted, 80000 * counted);
    system_write("sys/fs/cgroup/job/cpu.stat", text);
    return fake_run(state);
}

TEST(a_run_says_that_it_was_stopped) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("simd", run_throttled)};
    RunOptions options = fake_options_of(variants, 2);
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    counted = 0;
    system_write("proc/self/cgroup", "0::/job\n");
    system_write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    system_write("sys/fs/cgroup/job/cpu.stat",
                 "nr_periods 100\nnr_throttled 50\nthrottled_usec 0\n");
    machine_read_limits(&outcome.machine, test_folder);
    options.quiet = false;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    const char *early = strstr(outcome.noted, "a CPU quota allows the control group the time of "
                                              "0.5 processors");
    const char *late = strstr(outcome.noted, "stopped this run in");
    assert_true(early != NULL && late != NULL && early < late);
    const Row *rows = outcome.results.rows;
    assert_false(rows[0].throttled);
    assert_string_equal(rows[0].throttle, "");
    assert_true(rows[1].throttled);
    assert_string_equal(rows[1].throttle, "CPU quota");
    char path[600];
    RELEASED_BY(stored_run_release) StoredRun stored;
    snprintf(path, sizeof path, "%s/results.json", outcome.run);
    assert_ok(stored_run_read(path, &stored));
    assert_true(machine_number(&stored.machine, "cpu_quota") == 0.5);
    const Throttling told = machine_throttling(&stored.machine);
    assert_true(told.periods == counted && told.throttled == counted);
    assert_true(fabs(told.seconds - 0.08 * counted) < 1e-9);
}

TEST(without_a_quota_nothing_is_said) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", "simd", NULL));
    char path[600];
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_null(strstr(outcome.noted, "quota"));
    assert_false(outcome.results.rows[0].throttled);
    snprintf(path, sizeof path, "%s/results.json", outcome.run);
    assert_ok(stored_run_read(path, &stored));
    assert_null(machine_fact(&stored.machine, "cpu_quota_periods"));
}
