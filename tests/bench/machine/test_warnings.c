/* Warnings: each from the facts that call for it, and none from facts that are fine or unknown. */
#include "cuda_variables.h"
#include "machine.h"
#include "test.h"
#include "warnings.h"

static Machine machine;
static Warnings warnings;

static void reset(void) {
    machine = (Machine){.cpu_count = 8};
}

EACH_TEST(reset);

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

TEST(nothing_known_warns_of_nothing) {
    read_warnings(8, true);
    assert_int_equal(warnings.count, 0);
}

TEST(a_quiet_machine_warns_of_nothing) {
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
TEST(variables_that_change_times_of_a_gpu) {
    for (size_t i = 0; i < cuda_variable_count; i++) {
        reset();
        text(cuda_variables[i].key, "0.5");
        read_warnings(1, false);
        assert_int_equal(warnings.count, 0);
        read_warnings(1, true);
        check_only(cuda_variables[i].effect);
        check_only(cuda_variables[i].name);
        reset();
        text(cuda_variables[i].key, cuda_variables[i].usual);
        read_warnings(1, true);
        assert_int_equal(warnings.count, 0);
    }
    reset();
    text("cuda_launch_blocking", "1");
    read_warnings(1, true);
    assert_string_equal(warnings.text[0],
                        "CUDA_LAUNCH_BLOCKING is set: each launch waits for its kernel, so kernel "
                        "times contain the launches");
}

/* A profiler sets several. */
TEST(variables_of_one_effect_are_one_warning) {
    text("nsys_profiling_session_id", "77");
    text("cuda_injection64_path", "/opt/libinjection.so");
    read_warnings(1, true);
    check_only("CUDA_INJECTION64_PATH, NSYS_PROFILING_SESSION_ID are set: a profiler");
    text("cuda_launch_blocking", "1");
    read_warnings(1, true);
    assert_int_equal(warnings.count, 2);
}

TEST(governor_other_than_performance) {
    text("cpu_governor", "powersave");
    read_warnings(1, false);
    check_only("governor is 'powersave'");
}

TEST(governors_that_differ) {
    text("cpu_governor", "performance, powersave");
    read_warnings(1, false);
    check_only("different frequency governors (performance, powersave)");
}

/* Favoured cores are a little faster than the others. */
TEST(clocks_that_differ) {
    number("cpu_mhz", 5000);
    number("cpu_mhz_least", 4800);
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
    reset();
    number("cpu_mhz", 5000);
    number("cpu_mhz_least", 2000);
    read_warnings(1, false);
    check_only("their highest clocks are 2000 to 5000 MHz");
}

TEST(more_threads_than_processors) {
    read_warnings(9, false);
    check_only("up to 9 threads share the time of 8 processors");
    number("cpu_allowed", 1);
    read_warnings(2, false);
    check_only("up to 2 threads share the time of 1 processor");
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
}

TEST(fewer_threads_of_openmp_than_processors) {
    number("omp_thread_limit", 8);
    read_warnings(8, false);
    assert_int_equal(warnings.count, 0);
    number("cpu_allowed", 16);
    read_warnings(8, false);
    check_only("OpenMP runs no more than 8 threads on 16 processors (OMP_THREAD_LIMIT)");
}

TEST(a_quota_that_is_enough_is_none) {
    number("cpu_quota", 4);
    number("cpu_quota_periods", 20);
    number("cpu_quota_throttled_periods", 0);
    read_warnings(4, false);
    assert_int_equal(warnings.count, 0);
    read_warnings(0, true); /* the host's thread beside a GPU */
    assert_int_equal(warnings.count, 0);
}

TEST(a_quota_of_fewer_processors_than_threads) {
    number("cpu_quota", 2);
    read_warnings(8, false);
    check_only("the time of 2 processors: up to 8 threads are stopped");
    reset();
    number("cpu_quota", 0.5);
    read_warnings(0, true);
    check_only("the time of 0.5 processors: up to 1 thread is stopped");
}

TEST(a_quota_that_stopped_the_run) {
    number("cpu_quota_periods", 57);
    number("cpu_quota_throttled_periods", 55);
    number("cpu_quota_throttled_s", 4.25);
    read_warnings(1, false);
    check_only("stopped this run in 55 of 57 periods (4.25 s in all)");
}

TEST(virtual_machine) {
    text("virtual_machine", "yes");
    read_warnings(1, false);
    check_only("other guests and changes of the clock cannot be seen");
}

TEST(virtual_machine_whose_host_tells) {
    text("virtual_machine", "yes");
    text("steal_time", "seen");
    read_warnings(1, false);
    check_only("the time that other guests take is seen, changes of the clock are not");
}

TEST(load_above_half_of_the_processors) {
    number("load_average_1_min", 4.01);
    read_warnings(1, false);
    check_only("load average 4.01 in the last minute on 8 processors");
}

TEST(tasks_that_run_now) {
    number("other_runnable_tasks", 4);
    read_warnings(1, false);
    check_only("4 tasks besides this one");
}

TEST(one_task_that_runs_now) {
    number("other_runnable_tasks", 1);
    machine.cpu_count = 2;
    read_warnings(1, false);
    check_only("1 task besides this one on 2 processors");
}

TEST(threads_that_share_cores) {
    text("cpu_smt", "on");
    number("cpu_cores", 4);
    read_warnings(8, false);
    check_only("up to 8 threads run on 4 cores");
}

TEST(more_threads_than_cores_without_smt_share_none) {
    text("cpu_smt", "off");
    number("cpu_cores", 4);
    read_warnings(8, false);
    assert_int_equal(warnings.count, 0);
}

TEST(shared_gpu) {
    number("gpu_other_processes", 1);
    read_warnings(1, true);
    check_only("the GPU is shared: 1 other process computes on it");
}

TEST(busy_gpu) {
    number("gpu_utilization_pct", 10);
    read_warnings(1, true);
    check_only("the GPU was busy before the run: 10% of the time");
}

TEST(mps_lets_others_on_the_gpu) {
    text("cuda_mps", "yes");
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
    read_warnings(1, true);
    check_only("MPS is running");
}

TEST(a_program_that_traces_this_one) {
    text("traced_by", "gdb");
    read_warnings(1, false);
    check_only("gdb traces the program");
}

TEST(libraries_that_are_preloaded) {
    text("ld_preload", "/opt/libprofiler.so");
    read_warnings(1, false);
    check_only("LD_PRELOAD loads /opt/libprofiler.so into the program");
}

/* One thread runs on one processor whatever the mask is. */
TEST(a_mask_of_fewer_processors) {
    number("cpu_online", 8);
    number("cpu_allowed", 8);
    read_warnings(8, false);
    assert_int_equal(warnings.count, 0);
    reset();
    number("cpu_online", 32);
    number("cpu_allowed", 16);
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
    read_warnings(16, false);
    check_only("the program may use 16 of 32 processors (affinity mask or cpuset)");
}

TEST(gpu_that_is_not_measured_does_not_matter) {
    number("gpu_other_processes", 5);
    number("gpu_utilization_pct", 100);
    read_warnings(1, false);
    assert_int_equal(warnings.count, 0);
}
