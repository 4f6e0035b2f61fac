/* Several devices, of which one is lost, on a fake of CUDA's runtime. */
#include <cuda_runtime_api.h>

#include "backend_runner.h"
#include "cuda_device.h"
#include "devices.h"
#include "fake_cuda/fake_cuda.h"
#include "multi.h"
#include "test.h"

static void make_devices(void) {
    fake_cuda = (FakeCuda){.devices = 2, .models = {"Model A", "Model B"}};
}

ALL_TESTS(make_devices);

/* The first of all tests: devices are chosen once in a process. */
TEST(a_device_that_is_not_there_is_refused) {
    static const int wrong[] = {0, 2};
    const Status status = cuda_devices_choose(wrong, 2);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_string_equal(status.why, "there is no CUDA device 2; this machine has 2, from 0 to 1");
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

/* Then its absence is the reason that every cell of a GPU gives. */
TEST(without_any_device_every_number_is_taken) {
    static const int numbers[] = {5};
    fake_cuda.devices = 0;
    assert_ok(cuda_devices_choose(numbers, 1));
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    fake_cuda.devices = 2;
    static const int reversed[] = {1, 0};
    assert_ok(cuda_devices_choose(reversed, 2));
}

static const DeviceFact *find(const DeviceFact *facts, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(facts[i].key, key) == 0) {
            return &facts[i];
        }
    }
    return NULL;
}

/* CUDA's device 1 stands first in the list. */
TEST(facts_are_of_the_devices_chosen) {
    DeviceFact facts[32];
    const size_t count = cuda_device_facts(facts, 32);
    assert_string_equal(find(facts, count, "gpu_model")->text, "Model B");
    assert_true(find(facts, count, "gpu_multiprocessors")->number == 101);
    assert_true(find(facts, count, "gpu_clock_mhz")->number == 2000);
    assert_string_equal(find(facts, count, "gpu_pci_bus_id")->text, "0000:19:00.0");
    assert_true(find(facts, count, "gpu_count")->number == 2);
    assert_string_equal(find(facts, count, "gpu_devices")->text, "Model B, Model A");
    assert_string_equal(find(facts, count, "gpu_numbers")->text, "1,0");
    assert_string_equal(find(facts, count, "gpu_bus_ids")->text, "0000:19:00.0,0000:18:00.0");
    char name[64];
    cuda_devices_name(1, name, sizeof name);
    assert_string_equal(name, "Model B");
    cuda_devices_name(2, name, sizeof name);
    assert_string_equal(name, "Model B, Model A");
    assert_int_equal(fake_cuda.opened[0], 0); /* naming a device does not open it */
}

static const Axis gpus = {
    .name = "gpus", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 16};

static Status devices_for(int count, int *devices) {
    Point tuning = {.count = 1, .axes = {&gpus}};
    tuning.values[0].number = count;
    return multi_devices(&(Request){.tuning = &tuning}, devices);
}

TEST(more_gpus_than_there_are_is_a_skip) {
    int devices = 0;
    Status status = devices_for(4, &devices);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "needs 4 GPUs, and there are 2");
    status = devices_for(2, &devices);
    assert_ok(status);
    assert_int_equal(devices, 2);
}

TEST(only_links_let_kernels_wait_for_each_other) {
    for (int links = 0; links < 2; links++) {
        bool linked = links == 0;
        fake_cuda.links = links;
        MultiReach reach;
        Status status = multi_open_peers(2, reach);
        assert_true(status_is_ok(&status));
        status = multi_find_links(2, reach, &linked);
        assert_true(status_is_ok(&status));
        assert_int_equal(linked, links != 0);
        reach[1][0] = false;
        status = multi_find_links(2, reach, &linked);
        assert_true(status_is_ok(&status));
        assert_false(linked);
    }
}

static Status work_for(void *context, int part) {
    const double *seconds = context;
    fake_cuda.now[cuda_device_number(part)] += seconds[part];
    return status_ok();
}

TEST(the_clock_is_that_of_the_slowest) {
    double seconds[] = {2e-3, 3e-3};
    double elapsed = 0;
    Status status = cuda_use_device(1); /* opened */
    assert_ok(status);
    status = cuda_use_device(0);
    assert_ok(status);
    for (int slower = 0; slower < 2; slower++) {
        status = cuda_multi_backend.runner->clock_start();
        assert_ok(status);
        status = multi_each(2, work_for, seconds);
        assert_ok(status);
        status = cuda_multi_backend.runner->clock_stop(&elapsed);
        assert_ok(status);
        assert_true(elapsed > 2.999e-3 && elapsed < 3.001e-3);
        seconds[0] = 3e-3;
        seconds[1] = 1e-3;
    }
    assert_int_equal(cuda_used_device(), 0);
}

/* A part of the cache that a variant has reserved would be out of a flush's reach, and lines that
 * persist stay: both end on every device before its cache is overwritten. */
TEST(a_flush_gives_back_what_is_reserved) {
    for (int i = 0; i < 2; i++) {
        fake_cuda.reserved[i] = 4096;
        fake_cuda.persisting[i] = 1;
        fake_cuda.half_flushed[i] = fake_cuda.reserves[i] = 0;
    }
    for (int flush = 0; flush < 2; flush++) {
        assert_ok(cuda_multi_backend.runner->flush_caches());
        for (int i = 0; i < 2; i++) {
            assert_int_equal(fake_cuda.reserved[i], 0);
            assert_int_equal(fake_cuda.persisting[i], 0);
            assert_int_equal(fake_cuda.half_flushed[i], 0);
            assert_int_equal(fake_cuda.reserves[i], 1); /* not where nothing is reserved */
        }
    }
}

/* What others would be measured without is named once, and set back. */
TEST(what_a_variant_leaves_reserved_is_named) {
    Status status = cuda_backend.runner->check_settings();
    assert_ok(status);
    fake_cuda.reserved[1] = (unsigned long)3 << 19;
    status = cuda_backend.runner->check_settings();
    assert_int_equal(status.code, STATUS_FAIL);
    assert_string_equal(status.why, "it left 1.5 MiB of the device's L2 cache reserved for lines "
                                    "that persist, which other variants are measured without");
    assert_int_equal(fake_cuda.reserved[1], 0);
    status = cuda_backend.runner->check_settings();
    assert_ok(status);
}

/* A few bytes of those that are taken, by their number. */
TEST(a_few_bytes_are_read_and_written) {
    void *memory = NULL;
    uint8_t bytes[4] = {1, 2, 3, 4}, read[4] = {0};
    bool there = false, fits = false;
    Status status = cuda_backend.alloc(1000, &memory);
    assert_ok(status);
    status = cuda_backend.runner->poke(0, 996, bytes, 4);
    assert_ok(status);
    status = cuda_backend.runner->peek(0, 996, read, 4, &there, &fits);
    assert_true(status_is_ok(&status) && there && fits);
    assert_memory_equal(read, bytes, 4);
    status = cuda_backend.runner->peek(0, 997, read, 4, &there, &fits);
    assert_true(status_is_ok(&status) && there && !fits);
    status = cuda_backend.runner->peek(1, 0, read, 4, &there, &fits);
    assert_true(status_is_ok(&status) && !there && !fits);
    status = cuda_backend.runner->check_guards();
    assert_ok(status);
    cuda_backend.release(memory);
}

/* The second of the list: CUDA's device 0. */
TEST(the_loss_of_one_device_is_its_own) {
    void *kept = NULL;
    void *lost = NULL;
    double elapsed = 0;
    Status status = cuda_backend.alloc(1000, &kept);
    assert_ok(status);
    status = cuda_use_device(1);
    assert_ok(status);
    status = cuda_backend.alloc(1000, &lost);
    assert_ok(status);
    status = cuda_use_device(0);
    assert_ok(status);
    status = cuda_multi_backend.runner->usable(2);
    assert_ok(status);
    status = cuda_multi_backend.runner->clock_start();
    assert_ok(status);

    fake_cuda.breaks[0] = 1;
    status = cuda_multi_backend.runner->clock_stop(&elapsed);
    assert_int_equal(status.code, STATUS_DEVICE_LOST);
    assert_says(status.why, "an illegal memory access was encountered");
    status = cuda_multi_backend.runner->usable(2);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "CUDA device 0 cannot be used any more");
    status = cuda_backend.runner->usable(1);
    assert_ok(status);

    /* The other one goes on, and is in use. */
    assert_int_equal(cuda_used_device(), 0);
    status = cuda_backend.runner->poison(0xA5);
    assert_ok(status);
    assert_int_equal(*(const uint8_t *)kept, 0xA5);
    status = cuda_backend.runner->check_guards();
    assert_ok(status);
    status = cuda_backend.runner->synchronize();
    assert_ok(status);
    status = cuda_backend.runner->flush_caches();
    assert_ok(status);
    cuda_backend.release(lost);
    assert_int_equal(cudaGetLastError(), cudaSuccess); /* no launch finds the error of the other */
    cuda_backend.release(kept);
}

TEST(without_the_first_device_none_is_usable) {
    fake_cuda.broken[1] = 1;
    const Status status = cuda_backend.runner->usable(1);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "CUDA device 1 cannot be used any more");
}
