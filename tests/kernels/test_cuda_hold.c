/* A held device: what is queued runs without gaps, and nothing that waits for it hangs. A flush of
 * the caches reaches lines that persist. */
#include <time.h>

#include <cuda_runtime_api.h>

#include "backend_runner.h"
#include "clock.h"
#include "cuda_device.h"
#include "device.h"
#include "measure.h"
#include "number.h"
#include "run_options.h"
#include "test.h"
#include "variant.h"
#include "work.h"

static void sleep_milliseconds(long milliseconds) {
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* Empty kernels, the host asleep for 3 ms before each of them. */
static Status slow_launches(void *unused) {
    (void)unused;
    for (int i = 0; i < 8; i++) {
        sleep_milliseconds(3);
        STATUS_TRY(work_nothing());
    }
    return status_ok();
}

static Status one_millisecond(void *unused) {
    (void)unused;
    return work_nanoseconds(1000000);
}

static Status launch_and_wait(void *unused) {
    (void)unused;
    STATUS_TRY(work_nothing());
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return work_nothing();
}

/* More launches than a queue has room for. */
static Status many_launches(void *unused) {
    (void)unused;
    for (int i = 0; i < 5000; i++) {
        STATUS_TRY(work_nothing());
    }
    return status_ok();
}

static double seconds_of(Status (*run)(void *state), bool hold) {
    double seconds = NAN;
    if (hold) {
        assert_ok(cuda_backend.runner->hold());
    }
    assert_ok(cuda_backend.runner->clock_start());
    assert_ok(run(NULL));
    assert_ok(cuda_backend.runner->clock_stop(&seconds));
    return seconds;
}

TEST(a_held_device_does_not_wait_for_the_host) {
    need_device();
    assert_ok(work_nothing()); /* loads the code */
    const double launched = seconds_of(slow_launches, false);
    const double held = seconds_of(slow_launches, true);
    assert_true(cuda_backend.runner->was_held());
    print_message("8 empty kernels, 3 ms between launches: %.3g s, held %.3g s\n", launched, held);
    assert_true(launched > 0.02);
    assert_true(held > 0 && held < 0.01);
}

/* The clock starts when the hold has ended, so its time is that of the work. */
TEST(work_that_waits_ends_the_hold) {
    need_device();
    for (int i = 0; i < 2; i++) {
        const double started = clock_now();
        const double seconds = seconds_of(launch_and_wait, true);
        assert_false(cuda_backend.runner->was_held());
        assert_true(clock_now() - started > 0.09);
        assert_true(seconds > 0 && seconds < 0.05);
    }
    (void)seconds_of(one_millisecond, true);
    assert_true(cuda_backend.runner->was_held());
}

TEST(a_full_queue_ends_the_hold) {
    need_device();
    const double seconds = seconds_of(many_launches, true);
    print_message("5000 launches, %s: %.3g s\n",
                  cuda_backend.runner->was_held() ? "held" : "not held to the end", seconds);
    assert_true(seconds > 0);
    (void)seconds_of(one_millisecond, true);
    assert_true(cuda_backend.runner->was_held());
}

/* As after work that failed between hold and clock_stop. */
TEST(a_hold_that_was_left_is_released_by_the_next) {
    need_device();
    assert_ok(cuda_backend.runner->hold());
    const double seconds = seconds_of(one_millisecond, true);
    assert_true(cuda_backend.runner->was_held());
    assert_true(seconds >= 0.9e-3);
}

TEST(an_unheld_clock_works_beside_it) {
    need_device();
    const double held = seconds_of(one_millisecond, true);
    const double launched = seconds_of(one_millisecond, false);
    assert_true(held >= 0.9e-3 && held < 0.05);
    assert_true(launched >= 0.9e-3);
    assert_ok(cuda_backend.runner->synchronize());
}

/* --- Through the harness ---------------------------------------------------------------------- */

static const RunOptions options = {
    .ci_width = 0.01, .min_reps = 5, .max_time = 5, .warmup = 1, .reps = 5};

static Measurement measured(const Variant *variant) {
    Measurement measurement = {.options = &options, .variant = variant};
    assert_ok(measure_timer_overhead(&cuda_backend, &measurement.timer_overhead));
    assert_ok(measure_begin(&measurement));
    while (!measurement.done) {
        assert_ok(measure_sample(&measurement));
    }
    return measurement;
}

TEST(a_call_is_longer_than_the_kernel) {
    need_device();
    const Variant variant = {.name = "spin", .backend = &cuda_backend, .run = one_millisecond};
    Measurement measurement = measured(&variant);
    double call = NAN;
    assert_ok(measure_call(&measurement, &call));
    assert_true(measurement.held);
    assert_int_equal(measurement.samples.count, 5);
    const double kernel = median_in_place(measurement.samples.seconds, 5);
    print_message("1 ms kernel: %.4g s held, call %.4g s\n", kernel, call);
    assert_true(kernel >= 0.9e-3);
    assert_true(call > 0.95 * kernel);
    samples_release(&measurement.samples);
}

TEST(a_variant_that_waits_is_not_held) {
    need_device();
    const Variant variant = {.name = "waits", .backend = &cuda_backend, .run = launch_and_wait};
    Measurement measurement = measured(&variant);
    assert_false(measurement.held);
    assert_int_equal(measurement.samples.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(measurement.samples.seconds[i] > 0 && measurement.samples.seconds[i] < 0.05);
    }
    samples_release(&measurement.samples);
}

/* --- Lines that persist ----------------------------------------------------------------------- */

static void set_window(void *memory, size_t bytes) {
    cudaStreamAttrValue value = {.accessPolicyWindow = {.base_ptr = memory,
                                                        .num_bytes = bytes,
                                                        .hitRatio = 1.0F,
                                                        .hitProp = cudaAccessPropertyPersisting,
                                                        .missProp = cudaAccessPropertyNormal}};
    if (bytes == 0) {
        value.accessPolicyWindow.hitProp = cudaAccessPropertyNormal;
    }
    assert_int_equal(
        cudaStreamSetAttribute(cuda_stream(), cudaStreamAttributeAccessPolicyWindow, &value),
        cudaSuccess);
}

static double chase(void *chain) {
    double seconds = NAN;
    assert_ok(cuda_backend.runner->hold());
    assert_ok(cuda_backend.runner->clock_start());
    assert_ok(work_chase(chain));
    assert_ok(cuda_backend.runner->clock_stop(&seconds));
    return seconds;
}

/* The chain persists in the cache. The time of a chase afterwards is that of the cache. */
static double make_persist(void *chain) {
    set_window(chain, CHAIN_BYTES);
    (void)chase(chain);
    (void)chase(chain);
    set_window(chain, 0);
    return chase(chain);
}

TEST(a_flush_reaches_lines_that_persist) {
    need_device();
    int most = 0;
    int l2_bytes = 0;
    assert_ok(cuda_attribute(cudaDevAttrMaxPersistingL2CacheSize, &most));
    assert_ok(cuda_attribute(cudaDevAttrL2CacheSize, &l2_bytes));
    if (most < CHAIN_BYTES ||
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most) != cudaSuccess) {
        (void)cudaGetLastError();
        skip_needing(NEEDS_DEVICE, "no lines persist in the cache of this device");
    }
    void *chain = NULL;
    void *others = NULL;
    assert_ok(cuda_backend.alloc(CHAIN_BYTES, &chain));
    assert_ok(cuda_backend.alloc(2 * (size_t)l2_bytes, &others));
    assert_ok(work_link(chain));
    const double cached = make_persist(chain);
    assert_int_equal(cudaMemsetAsync(others, 0, 2 * (size_t)l2_bytes, cuda_stream()), cudaSuccess);
    assert_ok(cuda_backend.runner->synchronize());
    const double kept = chase(chain);
    (void)make_persist(chain);
    assert_ok(cuda_backend.runner->flush_caches());
    const double flushed = chase(chain);
    print_message("chase of 4 MiB: %.4g s in the cache, %.4g after other writes, %.4g flushed\n",
                  cached, kept, flushed);
    assert_true(flushed > 1.3 * cached);
    size_t reserved = 1;
    assert_int_equal(cudaDeviceGetLimit(&reserved, cudaLimitPersistingL2CacheSize), cudaSuccess);
    assert_int_equal(reserved, 0);
    cuda_backend.release(chain);
    cuda_backend.release(others);
}
