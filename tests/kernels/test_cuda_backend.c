/* The CUDA backend on a device: guards, poison, refusals, the clock. Skipped without a device. */
#include <stdatomic.h>
#include <time.h>

#ifdef BENCH_WITH_CUDA
#include <cuda_runtime_api.h>

#include "cuda_device.h"
#include "test.h"
#endif

#include "backend_runner.h"
#include "device.h"
#include "devices.h"

TEST(probe_says_why_there_is_no_device) {
    char description[STATUS_WHY_SIZE];
    const Status status = cuda_backend.probe(description, sizeof description);
    if (status_is_ok(&status)) {
        assert_true(strlen(description) > 0);
    } else {
        assert_int_equal(status.code, STATUS_SKIP);
        assert_true(strlen(status.why) > 0);
    }
}

TEST(memory_is_counted_and_given_back) {
    need_device();
    const uint64_t before = cuda_backend.in_use();
    cuda_backend.runner->reset_peak();
    void *block = NULL;
    assert_ok(cuda_backend.alloc(1000, &block));
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 256, 0);
    assert_int_equal(cuda_backend.in_use(), before + 1000);
    cuda_backend.release(block);
    assert_int_equal(cuda_backend.in_use(), before);
    assert_int_equal(cuda_backend.runner->peak(), before + 1000);
    cuda_backend.release(NULL);
}

/* 16 allocations at 128 places: all at one place is out of the question. */
TEST(memory_taken_again_lies_elsewhere) {
    need_device();
    uintptr_t first = 0;
    bool moved = false;
    for (int i = 0; i < 16; i++) {
        void *block = NULL;
        assert_ok(cuda_backend.alloc(4096, &block));
        assert_int_equal((uintptr_t)block % 512, 0);
        first = i == 0 ? (uintptr_t)block : first;
        moved |= (uintptr_t)block != first;
        cuda_backend.release(block);
    }
    assert_true(moved);
}

TEST(guards_hold_after_poison) {
    need_device();
    void *blocks[3] = {NULL};
    for (size_t i = 0; i < 3; i++) {
        assert_ok(cuda_backend.alloc(1 + i * 777, &blocks[i]));
    }
    assert_ok(cuda_backend.runner->poison(0xA5));
    assert_ok(cuda_backend.runner->check_guards());
    for (size_t i = 0; i < 3; i++) {
        cuda_backend.release(blocks[i]);
    }
}

#ifdef BENCH_WITH_CUDA
/* As variants have them: nothing orders it with the backend's stream. All streams are idle. */
static cudaStream_t stream_of_its_own(void) {
    cudaStream_t stream = NULL;
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    return stream;
}

/* Far longer than a write takes that does not wait for it. */
static void CUDART_CB doze(void *unused) {
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
}

/* What is queued on `stream` from now on begins late. */
static void occupy(cudaStream_t stream) {
    assert_int_equal(cudaLaunchHostFunc(stream, doze, NULL), cudaSuccess);
}

static void assert_found(const char *place) {
    const Status status = cuda_backend.runner->check_guards();
    assert_int_equal(status.code, STATUS_FAIL);
    assert_says(status.why, place);
}

static void *alloc_1000(void) {
    void *block = NULL;
    assert_ok(cuda_backend.alloc(1000, &block));
    return block;
}

/* The guards are in place when alloc returns, however busy the backend's stream is. */
TEST(writes_outside_are_found) {
    need_device();
    cudaStream_t stream = stream_of_its_own();
    const ptrdiff_t offsets[] = {-1, 1000, 1024};
    for (size_t i = 0; i < 3; i++) {
        occupy(cuda_stream());
        uint8_t *block = alloc_1000();
        assert_int_equal(cudaMemsetAsync(block + offsets[i], 0, 1, stream), cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
        assert_found(i == 0 ? "before its start" : "after its end");
        cuda_backend.release(block);
    }
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(late_writes_outside_are_found) {
    need_device();
    cudaStream_t stream = stream_of_its_own();
    uint8_t *block = alloc_1000();
    occupy(stream);
    assert_int_equal(cudaMemsetAsync(block + 1000, 0, 1, stream), cudaSuccess);
    assert_found("after its end");
    cuda_backend.release(block);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

/* Written before the poison in program order, and after it on a stream that is behind. */
TEST(poison_comes_after_late_writes) {
    need_device();
    cudaStream_t stream = stream_of_its_own();
    uint8_t *block = alloc_1000();
    occupy(stream);
    assert_int_equal(cudaMemsetAsync(block, 0, 1000, stream), cudaSuccess);
    assert_ok(cuda_backend.runner->poison(0xA5));
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    uint8_t read = 0;
    assert_int_equal(cudaMemcpy(&read, block + 500, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(read, 0xA5);
    cuda_backend.release(block);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(poison_is_there_when_it_returns) {
    need_device();
    cudaStream_t stream = stream_of_its_own();
    uint8_t *block = alloc_1000();
    assert_int_equal(cudaMemset(block, 0, 1000), cudaSuccess);
    occupy(cuda_stream());
    assert_ok(cuda_backend.runner->poison(0xA5));
    uint8_t read = 0;
    assert_int_equal(cudaMemcpyAsync(&read, block + 500, 1, cudaMemcpyDeviceToHost, stream),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(read, 0xA5);
    cuda_backend.release(block);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

static void CUDART_CB doze_and_tell(void *done) {
    doze(NULL);
    atomic_store((atomic_bool *)done, true);
}

TEST(synchronize_waits_for_every_stream) {
    need_device();
    cudaStream_t stream = stream_of_its_own();
    atomic_bool done = false;
    assert_int_equal(cudaLaunchHostFunc(stream, doze_and_tell, &done), cudaSuccess);
    const Status status = cuda_backend.runner->synchronize();
    const bool waited = atomic_load(&done);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_ok(status);
    assert_true(waited);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}
#endif

TEST(too_much_memory_is_a_skip_with_numbers) {
    need_device();
    void *block = NULL;
    const Status status = cuda_backend.alloc((size_t)1 << 50, &block);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "needs");
    assert_says(status.why, "free");
    assert_null(block);
}

TEST(clock_runs_forward) {
    need_device();
    double seconds = -1.0;
    assert_ok(cuda_backend.runner->clock_start());
    assert_ok(cuda_backend.runner->clock_stop(&seconds));
    assert_true(seconds >= 0.0 && seconds < 1.0);
    assert_ok(cuda_backend.runner->flush_caches());
    assert_ok(cuda_backend.runner->synchronize());
}

TEST(facts_name_the_device) {
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
