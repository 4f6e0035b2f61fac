/* The ceilings of several devices by hand, on a fake of CUDA's runtime whose copies and kernels
 * take as long as the test says. Those of other devices run alone. */
#include "backend.h"
#include "ceilings.h"
#include "cuda_device.h"
#include "devices.h"
#include "fake_cuda/fake_cuda.h"
#include "nccl.h"
#include "stops.h"
#include "test.h"

/* NCCL, which adds 200 GB/s to the clocks of its devices. */
struct Nccl {
    int count, gpus[CUDA_DEVICES_MAX];
};

static struct Nccl nccl_of;
static bool nccl_is_there;
static int closed;

Status nccl_open(const int *gpus, int count, const Nccl **nccl) {
    nccl_of.count = count;
    memcpy(nccl_of.gpus, gpus, (size_t)count * sizeof *gpus);
    *nccl = &nccl_of;
    return nccl_is_there ? status_ok() : status_skip("NCCL is not there");
}

void nccl_close_all(void) {
    closed++;
}

Status nccl_all_reduce(const Nccl *nccl, const NcclCall *call, size_t count) {
    for (int i = 0; i < nccl->count; i++) {
        assert_ptr_not_equal(call->sent[i], call->received[i]);
        assert_true(i == 0 || call->streams[i] != call->streams[i - 1]);
        fake_cuda.now[nccl->gpus[i]] += (double)count * sizeof(float) / 200e9;
    }
    return status_ok();
}

static Ceilings ceilings;

static void make_devices(void) {
    fake_cuda = (FakeCuda){.devices = 2,
                           .models = {"Model A", "Model A", "Model A"},
                           .kernel = {1e-3, 2e-3, 1e-3},
                           .up = {50e9, 25e9, 50e9},
                           .down = {40e9, 40e9, 40e9},
                           .within = {2000e9, 2000e9, 2000e9},
                           .to_peer = {100e9, 50e9, 50e9}};
}

ALL_TESTS(make_devices);

static void check(int devices, const char *key, double value) {
    const Ceiling *ceiling = ceilings_find_on(&ceilings, devices, key, 0);
    if (ceiling == NULL) {
        fail_msg("there is no %s of %d devices", key, devices);
        return;
    }
    if (!(fabs(ceiling->value / value - 1) < 1e-4)) {
        fail_msg("%s of %d devices is %g, not %g", key, devices, ceiling->value, value);
    }
}

static void measure(void) {
    ceilings = (Ceilings){.count = 0};
    const Status status = cuda_ceilings_measure(&ceilings);
    assert_string_equal(status.why, "");
}

/* The second device uploads at half the rate, and its kernels take twice as long. 8 blocks of 256
 * threads on each of 10 multiprocessors do 4096 · 8 steps. */
TEST(sums_are_by_the_time_of_the_slowest) {
    const double threads = 10 * 8 * 256;
    nccl_is_there = true;
    measure();
    check(1, "pcie_up_pinned", 50e9);
    check(2, "pcie_up_pinned", 50e9); /* 2 · 25 */
    check(1, "pcie_down_pinned", 40e9);
    check(2, "pcie_down_pinned", 80e9);
    check(1, "pcie_both_pinned", 2 / (1 / 50e9 + 1 / 40e9));
    check(2, "pcie_both_pinned", 4 / (1 / 25e9 + 1 / 40e9));
    check(1, "copy_dram", 4000e9); /* read and written at 2000 GB/s */
    check(2, "copy_dram", 8000e9);
    check(1, "fp32", threads * 4096 * 8 * 2 / 1e-3);
    check(2, "fp32", threads * 4096 * 8 * 2 / 1e-3); /* twice as much in twice the time */
    check(2, "int32", threads * 4096 * 8 / 1e-3);
    check(1, "empty_kernel", 1e-3);
    check(2, "empty_kernel", 2e-3);
    check(1, "launch", 1e-3);
    check(2, "launch", 2e-3);
    check(1, "copy_l2", 2.0 * 8192 * 64 / 1e-3); /* an eighth of 64 KiB, 64 times to and fro */
    check(2, "copy_l2", 2.0 * 8192 * 64 / 1e-3);
    check(1, "pcie_up_pageable", 50e9);
    assert_null(ceilings_find_on(&ceilings, 2, "pcie_up_pageable", 0));
    assert_true(ceilings_find_on(&ceilings, 2, "copy_l2", 0)->working_set == 4 * 8192);
}

/* A timing of two devices reads two times, so that two of three timings have a stop in them. */
TEST(stopped_timings_are_taken_again) {
    stops_watch();
    fake_cuda.stops_every = 3;
    sums_are_by_the_time_of_the_slowest();
    fake_cuda.stops_every = 1;
    const Status status = cuda_ceilings_measure(&ceilings);
    assert_int_equal(status.code, STATUS_FAIL); /* a skip would be: no device */
    assert_says(status.why, "in each of 8 tries");
    fake_cuda.stops_every = 0;
    closed = 0;
    sums_are_by_the_time_of_the_slowest();
}

/* From device 0 to device 1 at 100 GB/s, back at 50. Of two devices both bandwidths of NCCL are
 * the same. */
TEST(devices_exchange) {
    check(2, "peer_one_way", 100e9);
    check(2, "peer_both_ways", 100e9); /* 2 · 50 */
    check(2, "allreduce_2kb", 2048 / 200e9);
    check(2, "allreduce_1mb_algbw", 200e9);
    check(2, "allreduce_256mb_busbw", 200e9);
    assert_null(ceilings_find(&ceilings, "peer_one_way", 0));
    assert_null(ceilings_find(&ceilings, "allreduce_2kb", 0));
    assert_string_equal(ceilings.note, "");
    assert_int_equal(closed, 1);
}

TEST(without_nccl_the_note_says_so) {
    nccl_is_there = false;
    measure();
    check(2, "peer_one_way", 100e9);
    assert_null(ceilings_find_on(&ceilings, 2, "allreduce_2kb", 0));
    assert_string_equal(ceilings.note, "no ceilings of an all-reduce: NCCL is not there");
}

/* Two streams of one device share all that it has, and it copies to no other one. */
TEST_ALONE(one_device_that_stands_for_two_has_its_own) {
    static const int twice[] = {0, 0};
    assert_ok(cuda_devices_choose(twice, 2));
    nccl_is_there = false;
    measure();
    check(1, "pcie_up_pinned", 50e9);
    check(2, "pcie_up_pinned", 50e9);
    check(2, "copy_dram", 4000e9);
    assert_null(ceilings_find_on(&ceilings, 2, "peer_one_way", 0));
    assert_null(ceilings_find_on(&ceilings, 2, "peer_both_ways", 0));
}

/* 1, 2 and all three, of which one has no partner. */
TEST_ALONE(three_devices_are_measured_as_two_and_three) {
    fake_cuda.devices = 3;
    nccl_is_there = true;
    measure();
    check(1, "pcie_down_pinned", 40e9);
    check(2, "pcie_down_pinned", 80e9);
    check(3, "pcie_down_pinned", 120e9);
    check(3, "peer_one_way", 100e9);
    check(3, "peer_both_ways", 100e9);
    check(3, "allreduce_1mb_busbw", 200e9 * 4 / 3);
    for (size_t i = 0; i < ceilings.count; i++) {
        assert_in_range(ceilings.list[i].devices, 1, 3);
    }
}

TEST(a_device_that_breaks_is_reported) {
    fake_cuda.breaks[0] = 1;
    ceilings = (Ceilings){.count = 0};
    const Status status = cuda_ceilings_measure(&ceilings);
    assert_int_equal(status.code, STATUS_DEVICE_LOST);
    assert_int_equal(ceilings.count, 0);
}
