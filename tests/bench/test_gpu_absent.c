/* Without NVML every number is unknown, and nothing is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "backend.h"
#include "machine_internal.h"

static void everything_is_unknown(void **unused) {
    (void)unused;
    DeviceState state;
    gpu_state_read(&state);
    assert_true(isnan(state.clock_mhz) && isnan(state.clock_mhz_max) && isnan(state.temperature));
    assert_true(isnan(state.power) && isnan(state.energy) && isnan(gpu_energy_read(1)));
    assert_string_equal(state.throttle, "");
    assert_false(state.slowed);
    assert_int_equal(state.other_processes, -1);
    assert_null(nvml_library());
}

static void there_are_no_facts(void **unused) {
    (void)unused;
    static Machine machine;
    machine_read_gpu(&machine);
    assert_int_equal(machine.count, 0);
}

int main(void) {
    if (setenv("BENCH_NVML_LIBRARY", "/nonexistent/libnvidia-ml.so.1", 1) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_unknown),
        cmocka_unit_test(there_are_no_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
