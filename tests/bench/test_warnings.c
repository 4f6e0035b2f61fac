/* Warnings: each from the facts that call for it, and none from facts that are fine or unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "machine.h"

static Machine machine;
static Warnings warnings;

static int reset(void **state) {
    (void)state;
    machine = (Machine){.cpu_count = 8};
    return 0;
}

static void text(const char *key, const char *value) {
    machine_add_text(&machine, key, value, false);
}

static void number(const char *key, double value) {
    machine_add_number(&machine, key, value, false);
}

static void read_warnings(int threads, bool gpu) {
    const MachineUse use = {.threads = threads, .gpu = gpu};
    machine_warnings(&machine, &use, &warnings);
}

static void check_only(const char *part) {
    if (warnings.count != 1 || strstr(warnings.text[0], part) == NULL) {
        fail_msg("%zu warnings, the first is '%s', not '%s'", warnings.count, warnings.text[0],
                 part);
    }
}

static void nothing_known_warns_of_nothing(void **state) {
    (void)state;
    read_warnings(8, true);
    assert_int_equal(warnings.count, 0);
}

static void a_quiet_machine_warns_of_nothing(void **state) {
    (void)state;
    text("cpu_governor", "performance");
    text("virtual_machine", "no");
    text("cpu_smt", "on");
    number("cpu_cores", 4);
    number("load_average_1_min", 4.0);
    number("other_runnable_tasks", 3);
    number("gpu_other_processes", 0);
    number("gpu_utilization_pct", 9);
    read_warnings(4, true);
    assert_int_equal(warnings.count, 0);
}

/* Each has a warning of its own, with its name, where a cell runs on the GPU. */
static void variables_that_change_times_of_a_gpu(void **state) {
    for (size_t i = 0; i < cuda_variable_count; i++) {
        reset(state);
        text(cuda_variables[i].key, "0.5");
        read_warnings(1, false);
        assert_int_equal(warnings.count, 0);
        read_warnings(1, true);
        check_only(cuda_variables[i].effect);
        check_only(cuda_variables[i].name);
        reset(state);
        text(cuda_variables[i].key, cuda_variables[i].usual);
        read_warnings(1, true);
        assert_int_equal(warnings.count, 0);
    }
    reset(state);
    text("cuda_launch_blocking", "1");
    read_warnings(1, true);
    assert_string_equal(warnings.text[0],
                        "CUDA_LAUNCH_BLOCKING is set: each launch waits for its kernel, so kernel "
                        "times contain the launches");
}

/* A profiler sets several. */
static void variables_of_one_effect_are_one_warning(void **state) {
    (void)state;
    text("nsys_profiling_session_id", "77");
    text("cuda_injection64_path", "/opt/libinjection.so");
    read_warnings(1, true);
    check_only("CUDA_INJECTION64_PATH, NSYS_PROFILING_SESSION_ID are set: a profiler");
    text("cuda_launch_blocking", "1");
    read_warnings(1, true);
    assert_int_equal(warnings.count, 2);
}

static void governor_other_than_performance(void **state) {
    (void)state;
    text("cpu_governor", "powersave");
    read_warnings(1, false);
    check_only("governor is 'powersave'");
}

static void governors_that_differ(void **state) {
    (void)state;
    text("cpu_governor", "performance, powersave");
    read_warnings(1, false);
    check_only("different frequency governors (performance, powersave)");
}

/* Favoured cores are a little faster than the others. */
static void clocks_that_differ(void **state) {
    (void)state;
    number("cpu_mhz", 5000);
    number("cpu_mhz_least", 4800);
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
    reset(NULL);
    number("cpu_mhz", 5000);
    number("cpu_mhz_least", 2000);
    read_warnings(1, false);
    check_only("their highest clocks are 2000 to 5000 MHz");
}

static void more_threads_than_processors(void **state) {
    (void)state;
    read_warnings(9, false);
    check_only("up to 9 threads share the time of 8 processors");
    number("cpu_allowed", 1);
    read_warnings(2, false);
    check_only("up to 2 threads share the time of 1 processor");
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
}

static void fewer_threads_of_openmp_than_processors(void **state) {
    (void)state;
    number("omp_thread_limit", 8);
    read_warnings(8, false);
    assert_int_equal(warnings.count, 0);
    number("cpu_allowed", 16);
    read_warnings(8, false);
    check_only("OpenMP runs no more than 8 threads on 16 processors (OMP_THREAD_LIMIT)");
}

static void a_quota_that_is_enough_is_none(void **state) {
    (void)state;
    number("cpu_quota", 4);
    number("cpu_quota_periods", 20);
    number("cpu_quota_throttled_periods", 0);
    read_warnings(4, false);
    assert_int_equal(warnings.count, 0);
    read_warnings(0, true); /* the host's thread beside a GPU */
    assert_int_equal(warnings.count, 0);
}

static void a_quota_of_fewer_processors_than_threads(void **state) {
    (void)state;
    number("cpu_quota", 2);
    read_warnings(8, false);
    check_only("the time of 2 processors: up to 8 threads are stopped");
    reset(NULL);
    number("cpu_quota", 0.5);
    read_warnings(0, true);
    check_only("the time of 0.5 processors: up to 1 thread is stopped");
}

static void a_quota_that_stopped_the_run(void **state) {
    (void)state;
    number("cpu_quota_periods", 57);
    number("cpu_quota_throttled_periods", 55);
    number("cpu_quota_throttled_s", 4.25);
    read_warnings(1, false);
    check_only("stopped this run in 55 of 57 periods (4.25 s in all)");
}

static void virtual_machine(void **state) {
    (void)state;
    text("virtual_machine", "yes");
    read_warnings(1, false);
    check_only("other guests and changes of the clock cannot be seen");
}

static void virtual_machine_whose_host_tells(void **state) {
    (void)state;
    text("virtual_machine", "yes");
    text("steal_time", "seen");
    read_warnings(1, false);
    check_only("of other guests only the time that they take is seen ($)");
}

static void load_above_half_of_the_processors(void **state) {
    (void)state;
    number("load_average_1_min", 4.01);
    read_warnings(1, false);
    check_only("load average 4.01 in the last minute on 8 processors");
}

static void tasks_that_run_now(void **state) {
    (void)state;
    number("other_runnable_tasks", 4);
    read_warnings(1, false);
    check_only("4 tasks besides this one");
}

static void threads_that_share_cores(void **state) {
    (void)state;
    text("cpu_smt", "on");
    number("cpu_cores", 4);
    read_warnings(8, false);
    check_only("up to 8 threads run on 4 cores");
}

static void more_threads_than_cores_without_smt_share_none(void **state) {
    (void)state;
    text("cpu_smt", "off");
    number("cpu_cores", 4);
    read_warnings(8, false);
    assert_int_equal(warnings.count, 0);
}

static void shared_gpu(void **state) {
    (void)state;
    number("gpu_other_processes", 1);
    read_warnings(1, true);
    check_only("the GPU is shared: 1 other process computes on it");
}

static void busy_gpu(void **state) {
    (void)state;
    number("gpu_utilization_pct", 10);
    read_warnings(1, true);
    check_only("the GPU was busy before the run: 10% of the time");
}

static void gpu_that_is_not_measured_does_not_matter(void **state) {
    (void)state;
    number("gpu_other_processes", 5);
    number("gpu_utilization_pct", 100);
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_known_warns_of_nothing, reset),
        cmocka_unit_test_setup(a_quiet_machine_warns_of_nothing, reset),
        cmocka_unit_test_setup(variables_that_change_times_of_a_gpu, reset),
        cmocka_unit_test_setup(variables_of_one_effect_are_one_warning, reset),
        cmocka_unit_test_setup(governor_other_than_performance, reset),
        cmocka_unit_test_setup(governors_that_differ, reset),
        cmocka_unit_test_setup(clocks_that_differ, reset),
        cmocka_unit_test_setup(more_threads_than_processors, reset),
        cmocka_unit_test_setup(fewer_threads_of_openmp_than_processors, reset),
        cmocka_unit_test_setup(a_quota_that_is_enough_is_none, reset),
        cmocka_unit_test_setup(a_quota_of_fewer_processors_than_threads, reset),
        cmocka_unit_test_setup(a_quota_that_stopped_the_run, reset),
        cmocka_unit_test_setup(virtual_machine, reset),
        cmocka_unit_test_setup(virtual_machine_whose_host_tells, reset),
        cmocka_unit_test_setup(load_above_half_of_the_processors, reset),
        cmocka_unit_test_setup(tasks_that_run_now, reset),
        cmocka_unit_test_setup(threads_that_share_cores, reset),
        cmocka_unit_test_setup(more_threads_than_cores_without_smt_share_none, reset),
        cmocka_unit_test_setup(shared_gpu, reset),
        cmocka_unit_test_setup(busy_gpu, reset),
        cmocka_unit_test_setup(gpu_that_is_not_measured_does_not_matter, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
