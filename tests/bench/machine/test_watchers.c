/* What watches the process: a debugger, preloaded libraries, MPS. */
#include "bench/fake_system.h"
#include "bench/scratch_folder.h"
#include "machine_internal.h"
#include "test.h"

static Machine machine;

static void make_root(void) {
    unsetenv("LD_PRELOAD");
    unsetenv("CUDA_MPS_PIPE_DIRECTORY");
}

static void remove_root(void) {
    make_root();
}

EACH_TEST(make_root, remove_root);

static const char *fact(const char *key) {
    machine = (Machine){.count = 0};
    machine_read_watchers(&machine, test_folder);
    return machine_text(&machine, key);
}

TEST(nothing_watches) {
    system_write("proc/self/status", "Name:\tbench\nTracerPid:\t0\n");
    fact("traced_by");
    assert_int_equal(machine.count, 0);
}

TEST(a_tracer_is_named) {
    system_write("proc/self/status", "Name:\tbench\nTracerPid:\t42\nUid:\t0\n");
    assert_string_equal(fact("traced_by"), "process 42");
    system_write("proc/42/comm", "gdb\n");
    assert_string_equal(fact("traced_by"), "gdb");
}

TEST(preloaded_libraries) {
    setenv("LD_PRELOAD", "/opt/libprofiler.so", 1);
    assert_string_equal(fact("ld_preload"), "/opt/libprofiler.so");
}

/* Without the facts: the program asks before it starts another process. */
TEST(whoever_watches_is_noticed) {
    system_write("proc/self/status", "TracerPid:\t0\n");
    assert_int_equal(setenv("BENCH_SYSTEM_ROOT", test_folder, 1), 0);
    assert_false(machine_is_watched());
    setenv("LD_PRELOAD", "/opt/libprofiler.so", 1);
    assert_true(machine_is_watched());
    unsetenv("LD_PRELOAD");
    setenv("NSYS_PROFILING_SESSION_ID", "7", 1);
    assert_true(machine_is_watched());
    unsetenv("NSYS_PROFILING_SESSION_ID");
    setenv("CUDA_FORCE_PTX_JIT", "1", 1); /* changes times, and watches nothing */
    assert_false(machine_is_watched());
    unsetenv("CUDA_FORCE_PTX_JIT");
    system_write("proc/self/status", "TracerPid:\t42\n");
    assert_true(machine_is_watched());
    unsetenv("BENCH_SYSTEM_ROOT");
}

/* The variable alone says nothing: the daemon has to be there. */
TEST(mps_is_there_with_its_pipe) {
    setenv("CUDA_MPS_PIPE_DIRECTORY", test_path("pipes"), 1);
    assert_string_equal(fact("cuda_mps"), "");
    system_write("pipes/control", "");
    assert_string_equal(fact("cuda_mps"), "yes");
    unsetenv("CUDA_MPS_PIPE_DIRECTORY");
    assert_string_equal(fact("cuda_mps"), "");
    system_write("tmp/nvidia-mps/control", "");
    assert_string_equal(fact("cuda_mps"), "yes");
}
