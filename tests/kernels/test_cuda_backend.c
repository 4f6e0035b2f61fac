/* The CUDA backend on a device: guards, poison, refusals, the clock. Skipped without a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef BENCH_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

#include "backend.h"
#include "device.h"
#include "device_facts.h"

static void probe_says_why_there_is_no_device(void **state) {
    (void)state;
    char description[STATUS_WHY_SIZE];
    const Status status = cuda_backend.probe(description, sizeof description);
    if (status_is_ok(&status)) {
        assert_true(strlen(description) > 0);
    } else {
        assert_int_equal(status.code, STATUS_SKIP);
        assert_true(strlen(status.why) > 0);
    }
}

static void memory_is_counted_and_given_back(void **state) {
    (void)state;
    need_device();
    BackendMemory memory;
    cuda_backend.memory(&memory);
    const uint64_t before = memory.in_use;
    cuda_backend.reset_peak();
    void *block = NULL;
    const Status status = cuda_backend.alloc(1000, &block);
    assert_true(status_is_ok(&status));
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 256, 0);
    cuda_backend.memory(&memory);
    assert_int_equal(memory.in_use, before + 1000);
    cuda_backend.release(block);
    cuda_backend.memory(&memory);
    assert_int_equal(memory.in_use, before);
    assert_int_equal(memory.peak, before + 1000);
    cuda_backend.release(NULL);
}

static void guards_hold_after_poison(void **state) {
    (void)state;
    need_device();
    void *blocks[3] = {NULL};
    for (size_t i = 0; i < 3; i++) {
        const Status status = cuda_backend.alloc(1 + i * 777, &blocks[i]);
        assert_true(status_is_ok(&status));
    }
    Status status = cuda_backend.poison(0xA5);
    assert_true(status_is_ok(&status));
    status = cuda_backend.check_guards();
    assert_true(status_is_ok(&status));
    for (size_t i = 0; i < 3; i++) {
        cuda_backend.release(blocks[i]);
    }
}

#ifdef BENCH_WITH_CUDA
static void writes_outside_are_found(void **state) {
    (void)state;
    need_device();
    const size_t bytes = 1000;
    const ptrdiff_t offsets[] = {-1, 1000, 1024};
    for (size_t i = 0; i < 3; i++) {
        void *block = NULL;
        Status status = cuda_backend.alloc(bytes, &block);
        assert_true(status_is_ok(&status));
        assert_int_equal(cudaMemset((uint8_t *)block + offsets[i], 0, 1), cudaSuccess);
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        status = cuda_backend.check_guards();
        assert_int_equal(status.code, STATUS_FAIL);
        assert_non_null(strstr(status.why, i == 0 ? "before its start" : "after its end"));
        cuda_backend.release(block);
    }
}
#endif

static void too_much_memory_is_a_skip_with_numbers(void **state) {
    (void)state;
    need_device();
    void *block = NULL;
    const Status status = cuda_backend.alloc((size_t)1 << 50, &block);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_non_null(strstr(status.why, "needs"));
    assert_non_null(strstr(status.why, "free"));
    assert_null(block);
}

static void clock_runs_forward(void **state) {
    (void)state;
    need_device();
    double seconds = -1.0;
    Status status = cuda_backend.clock_start();
    assert_true(status_is_ok(&status));
    status = cuda_backend.clock_stop(&seconds);
    assert_true(status_is_ok(&status));
    assert_true(seconds >= 0.0 && seconds < 1.0);
    status = cuda_backend.flush_caches();
    assert_true(status_is_ok(&status));
    status = cuda_backend.synchronize();
    assert_true(status_is_ok(&status));
}

static void facts_name_the_device(void **state) {
    (void)state;
    DeviceFact facts[32];
    char description[STATUS_WHY_SIZE];
    const size_t count = cuda_device_facts(facts, 32);
    if (cuda_backend.probe(description, sizeof description).code != STATUS_OK) {
        assert_int_equal(count, 0);
    }
    need_device();
    assert_true(count > 3);
    assert_string_equal(facts[0].key, "gpu_model");
    assert_true(facts[0].identity);
    DeviceFact one[1];
    assert_int_equal(cuda_device_facts(one, 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_says_why_there_is_no_device),
        cmocka_unit_test(memory_is_counted_and_given_back),
        cmocka_unit_test(guards_hold_after_poison),
#ifdef BENCH_WITH_CUDA
        cmocka_unit_test(writes_outside_are_found),
#endif
        cmocka_unit_test(too_much_memory_is_a_skip_with_numbers),
        cmocka_unit_test(clock_runs_forward),
        cmocka_unit_test(facts_name_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
