/* Without NVML every number is unknown, and nothing is an error. */
#include "devices.h"
#include "machine_internal.h"
#include "test.h"

static void hide_nvml(void) {
    assert_int_equal(setenv("BENCH_NVML_LIBRARY", "/nonexistent/libnvidia-ml.so.1", 1), 0);
}

ALL_TESTS(hide_nvml);

TEST(everything_is_unknown) {
    DeviceState state;
    gpu_state_read(&state);
    assert_true(isnan(state.clock_mhz) && isnan(state.clock_mhz_max) && isnan(state.temperature));
    assert_true(isnan(state.power) && isnan(gpu_energy_read(1)));
    assert_string_equal(state.throttle, "");
    assert_false(state.slowed);
    assert_int_equal(gpu_other_processes(), -1);
    assert_null(nvml_library());
}

TEST(there_are_no_facts) {
    static Machine machine;
    machine_read_gpu(&machine);
    assert_int_equal(machine.count, 0);
}
