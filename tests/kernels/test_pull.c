/* Uploads by a kernel that reads what the host fills meanwhile (pull.h): the rows arrive, and
 * nothing beside them is written. Skipped without a device. */
#include "device.h"
#include "test.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "cuda_device.h"
#include "pull.h"

enum { EXISTING = 0x5A, BESIDE = 64 };

static void assert_ok(Status status) {
    assert_string_equal(status.why, "");
}

static uint8_t *memory_of_host(size_t bytes) {
    uint8_t *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

static void fill(uint8_t *bytes, size_t count, unsigned seed) {
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 251 + seed);
    }
}

typedef struct Case {
    size_t width, rows, from_gap, to_stride, to;
    bool pulled;
} Case;

static Status upload(const Case *of, const uint8_t *from, uint8_t *device, size_t bytes,
                     uint8_t *got, bool *done) {
    const Copy copy = {.to = device + of->to,
                       .to_stride = of->to_stride,
                       .from = from,
                       .from_stride = of->width + of->from_gap,
                       .width = of->width,
                       .rows = of->rows};
    CUDA_TRY(cudaMemsetAsync(device, EXISTING, bytes, cuda_stream()));
    STATUS_TRY(pull_rows_always(&copy, done));
    CUDA_TRY(cudaMemcpyAsync(got, device, bytes, cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

static void check(const Case *of, unsigned seed) {
    const size_t from_bytes = of->rows * (of->width + of->from_gap);
    const size_t bytes = of->to + of->rows * of->to_stride + BESIDE;
    uint8_t *from = memory_of_host(from_bytes);
    uint8_t *got = memory_of_host(bytes), *want = memory_of_host(bytes);
    void *device = NULL;
    bool done = false;
    fill(from, from_bytes, seed);
    memset(want, EXISTING, bytes);
    for (size_t row = 0; of->pulled && row < of->rows; row++) {
        memcpy(want + of->to + row * of->to_stride, from + row * (of->width + of->from_gap),
               of->width);
    }
    assert_int_equal(cudaMalloc(&device, bytes), cudaSuccess);
    assert_ok(upload(of, from, device, bytes, got, &done));
    assert_int_equal(done, of->pulled);
    assert_memory_equal(got, want, bytes);
    (void)cudaFree(device);
    free(from);
    free(got);
    free(want);
}

/* Rows of any length that begin at multiples of 16 bytes, one row, rows without gaps, more than the
 * ring holds; again and again, so that slots are used anew. */
TEST(rows_arrive) {
    need_device();
    static const Case cases[] = {
        {1, 1, 0, 16, 0, true},
        {640, 360, 0, 640, 0, true},
        {641, 360, 3, 656, 16, true},
        {131072, 5, 0, 131072, 0, true},
        {131071, 3, 1, 131072, 32, true},
        {131073, 1, 0, 131073, 0, true},
        {5, 200000, 0, 16, 0, true},
        {3840, 2160, 256, 3856, 0, true},
        {9000000, 1, 0, 9000000, 0, true},
        {15360, 2000, 0, 15488, 128, true},
    };
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            check(&cases[i], round);
        }
    }
}

TEST(other_rows_are_left_to_a_call) {
    need_device();
    static const Case cases[] = {
        {640, 10, 0, 641, 0, false},
        {640, 10, 0, 640, 8, false},
        {131073, 2, 1, 131088, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&cases[i], 0);
    }
}

/* Whichever way is chosen. */
TEST(the_chosen_way_brings_the_same) {
    need_device();
    enum { WIDTH = 1000, ROWS = 1000 };
    uint8_t *from = memory_of_host((size_t)WIDTH * ROWS);
    uint8_t *got = memory_of_host((size_t)WIDTH * ROWS);
    void *device = NULL;
    assert_int_equal(cudaMalloc(&device, (size_t)WIDTH * ROWS), cudaSuccess);
    for (unsigned round = 0; round < 8; round++) {
        const Copy copy = {device, WIDTH, from, WIDTH, WIDTH, ROWS};
        fill(from, (size_t)WIDTH * ROWS, round);
        assert_ok(copies_queue(&copy, 1, cudaMemcpyHostToDevice));
        assert_int_equal(cudaMemcpyAsync(got, device, (size_t)WIDTH * ROWS, cudaMemcpyDeviceToHost,
                                         cuda_stream()),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
        assert_memory_equal(got, from, (size_t)WIDTH * ROWS);
    }
    (void)cudaFree(device);
    free(from);
    free(got);
}

/* The kernel would wait for a host that waits for it. */
TEST(nothing_is_pulled_where_launches_block) {
    need_device();
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    if (blocking == NULL || strcmp(blocking, "1") != 0) {
        skip_needing(NEEDS_DEVICE, "needs CUDA_LAUNCH_BLOCKING=1");
    }
    const Case of = {640, 360, 0, 640, 0, false};
    check(&of, 0);
}
