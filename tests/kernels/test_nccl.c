/* NCCL as the program calls it, from a library that does the same on ordinary memory. */
#include <dlfcn.h>

#include "fake_nccl/fake_nccl.h"
#include "nccl.h"
#include "test.h"

static FakeNccl *fake;

static const int gpus[] = {2, 0, 5};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

static const Nccl *opened(void) {
    const Nccl *nccl = NULL;
    const Status status = nccl_open(gpus, GPUS, &nccl);
    assert_string_equal(status.why, "");
    assert_non_null(nccl);
    return nccl;
}

static void close_all(void) {
    nccl_close_all();
    memset(fake, 0, sizeof *fake);
}

/* The fake is there, though tests that run alone load another library. */
static void load_fake(void) {
    assert_int_equal(setenv("BENCH_NCCL_LIBRARY", FAKE_NCCL, 1), 0);
    void *library = dlopen(FAKE_NCCL, RTLD_NOW | RTLD_LOCAL);
    fake = library != NULL ? dlsym(library, "fake_nccl") : NULL;
    assert_non_null(fake);
}

ALL_TESTS(load_fake);
EACH_TEST(NULL, close_all);

TEST(opens_a_list_of_gpus_once) {
    const Nccl *nccl = opened();
    assert_int_equal(fake->opened, GPUS);
    assert_memory_equal(fake->gpus, gpus, sizeof gpus);
    assert_ptr_equal(opened(), nccl);
    assert_int_equal(fake->opened, GPUS);
    const Nccl *fewer = NULL;
    assert_ok(nccl_open(gpus, 2, &fewer));
    assert_ptr_not_equal(fewer, nccl);
    assert_int_equal(fake->opened, GPUS + 2);
    nccl_close_all();
    assert_int_equal(fake->closed, GPUS + 2);
}

TEST(version_is_text) {
    char text[NCCL_VERSION_SIZE];
    opened();
    nccl_version(text);
    assert_string_equal(text, "2.28.9");
}

TEST(one_gpu_for_several_is_refused) {
    const int twice[] = {3, 1, 3};
    const Nccl *nccl = NULL;
    const Status status = nccl_open(twice, 3, &nccl);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "NCCL cannot be used: GPU 3 stands for several");
    assert_null(nccl);
    assert_int_equal(fake->opened, 0);
}

TEST(refusal_says_why_and_keeps_nothing) {
    const Nccl *nccl = NULL;
    fake->refuses_to_open = 1;
    const Status status = nccl_open(gpus, GPUS, &nccl);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "NCCL cannot be used: unhandled cuda error (ncclCommInitAll)");
    fake->refuses_to_open = 0;
    opened();
}

/* Each sends from its own place in what it receives. */
TEST(gathers_bytes_of_all) {
    char memory[GPUS][GPUS * 2 + 1] = {"ab....", "..cd..", "....ef"};
    int queues[GPUS];
    void *sent[GPUS], *received[GPUS], *streams[GPUS];
    for (int i = 0; i < GPUS; i++) {
        received[i] = memory[i];
        sent[i] = memory[i] + i * 2;
        streams[i] = &queues[i];
    }
    const NcclCall call = {streams, sent, received};
    const Status status = nccl_all_gather(opened(), &call, 2);
    assert_string_equal(status.why, "");
    for (int i = 0; i < GPUS; i++) {
        assert_string_equal(memory[i], "abcdef");
        assert_ptr_equal(fake->streams[i], &queues[i]);
    }
    assert_int_equal(fake->groups, 1);
}

TEST(reduces_numbers_to_sums) {
    float memory[GPUS][2] = {{1, 10}, {2, 20}, {4, 40}};
    void *both[GPUS] = {memory[0], memory[1], memory[2]};
    void *streams[GPUS] = {NULL};
    const NcclCall call = {streams, both, both};
    const Status status = nccl_all_reduce(opened(), &call, 2);
    assert_string_equal(status.why, "");
    for (int i = 0; i < GPUS; i++) {
        assert_true(memory[i][0] == 7 && memory[i][1] == 70);
    }
}

/* The group is ended all the same: otherwise the next operation would belong to it. */
TEST(failing_operation_says_which) {
    char memory[GPUS][GPUS] = {{0}};
    void *both[GPUS] = {memory[0], memory[1], memory[2]};
    void *streams[GPUS] = {NULL};
    const NcclCall call = {streams, both, both};
    const Nccl *nccl = opened();
    fake->refuses_to_work = 5;
    const Status status = nccl_all_gather(nccl, &call, 1);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_string_equal(status.why, "NCCL: invalid usage (ncclAllGather)");
    assert_int_equal(fake->groups, 1);
}

/* In a program of its own, since a library is loaded once. */
TEST_ALONE(without_the_library) {
    setenv("BENCH_NCCL_LIBRARY", "./nowhere.so", 1);
    char version[NCCL_VERSION_SIZE];
    const Nccl *nccl = NULL;
    const Status status = nccl_open(gpus, GPUS, &nccl);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "NCCL cannot be loaded: ./nowhere.so: ");
    assert_says(status.why, "; install libnccl.so.2 or name its file in "
                            "BENCH_NCCL_LIBRARY");
    assert_null(nccl);
    nccl_version(version);
    assert_string_equal(version, "");
}

/* This library is one, but not NCCL. */
TEST_ALONE(another_library) {
    setenv("BENCH_NCCL_LIBRARY", "libm.so.6", 1);
    const Nccl *nccl = NULL;
    const Status status = nccl_open(gpus, GPUS, &nccl);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why,
                        "NCCL cannot be loaded: libm.so.6 has no function ncclGetVersion");
}
