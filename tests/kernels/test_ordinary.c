/* Copies from and to ordinary memory, by kernels that hand slots to the host's threads (relay.h)
 * and in pieces: the rows arrive, and nothing beside them is written. Skipped without a device. */
#define _GNU_SOURCE /* gettid */
#include "device.h"
#include "test.h"

#include <cuda_runtime_api.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda_device.h"
#include "ordinary.h"
#include "relay.h"
#include "transfers.h"

enum { EXISTING = 0x5A, BESIDE = 64 };

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
    bool relayed;
} Case;

/* Memory of both sides, of which one is copied to the other. */
typedef struct Sides {
    uint8_t *from, *got, *want;
    void *device;
    size_t from_bytes, bytes;
} Sides;

static Sides open_sides(const Case *of, size_t device_bytes, unsigned seed) {
    Sides sides = {.from_bytes = of->rows * (of->width + of->from_gap),
                   .bytes = of->to + of->rows * of->to_stride + BESIDE};
    sides.from = memory_of_host(sides.from_bytes);
    sides.got = memory_of_host(sides.bytes);
    sides.want = memory_of_host(sides.bytes);
    fill(sides.from, sides.from_bytes, seed);
    memset(sides.got, EXISTING, sides.bytes);
    memset(sides.want, EXISTING, sides.bytes);
    for (size_t row = 0; of->relayed && row < of->rows; row++) {
        memcpy(sides.want + of->to + row * of->to_stride,
               sides.from + row * (of->width + of->from_gap), of->width);
    }
    assert_int_equal(cudaMalloc(&sides.device, device_bytes > 0 ? device_bytes : sides.bytes),
                     cudaSuccess);
    return sides;
}

static void close_sides(Sides *sides) {
    (void)cudaFree(sides->device);
    free(sides->from);
    free(sides->got);
    free(sides->want);
}

static Copy copy_of(const Case *of, uint8_t *to, const uint8_t *from) {
    return (Copy){.to = to + of->to,
                  .to_stride = of->to_stride,
                  .from = from,
                  .from_stride = of->width + of->from_gap,
                  .width = of->width,
                  .rows = of->rows};
}

static Status upload(const Case *of, Sides *sides, bool *done) {
    const Copy copy = copy_of(of, sides->device, sides->from);
    CUDA_TRY(cudaMemsetAsync(sides->device, EXISTING, sides->bytes, cuda_stream()));
    STATUS_TRY(relay_copy(&copy, RELAY_UP, done));
    CUDA_TRY(cudaMemcpyAsync(sides->got, sides->device, sides->bytes, cudaMemcpyDeviceToHost,
                             cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

typedef Status Down(const Copy *copy, bool *done);

static Status relay_down(const Copy *copy, bool *done) {
    return relay_copy(copy, RELAY_DOWN, done);
}

static Status download(const Case *of, Sides *sides, Down *down, bool *done) {
    const Copy copy = copy_of(of, sides->got, sides->device);
    CUDA_TRY(cudaMemcpyAsync(sides->device, sides->from, sides->from_bytes, cudaMemcpyHostToDevice,
                             cuda_stream()));
    return down(&copy, done);
}

static void check(const Case *of, unsigned seed) {
    RELEASED_BY(close_sides) Sides sides = open_sides(of, 0, seed);
    bool done = false;
    assert_ok(upload(of, &sides, &done));
    assert_int_equal(done, of->relayed);
    assert_memory_equal(sides.got, sides.want, sides.bytes);
}

static void check_down(const Case *of, unsigned seed, Down *down) {
    RELEASED_BY(close_sides)
    Sides sides = open_sides(of, of->rows * (of->width + of->from_gap), seed);
    bool done = false;
    assert_ok(download(of, &sides, down, &done));
    assert_int_equal(done, of->relayed);
    assert_memory_equal(sides.got, sides.want, sides.bytes);
}

static void check_relayed_down(const Case *of, unsigned seed) {
    check_down(of, seed, relay_down);
}

static void check_in_pieces(const Case *of, unsigned seed) {
    check_down(of, seed, ordinary_down);
}

/* Again and again, so that slots are used anew. */
static void check_all(const Case *cases, size_t count, void (*check_one)(const Case *, unsigned)) {
    for (unsigned round = 0; round < 3; round++) {
        for (size_t i = 0; i < count; i++) {
            check_one(&cases[i], round);
        }
    }
}

/* Skips the test where launches block or a kernel does not run beside the host. */
static void need_relay(void) {
    enum { BYTES = 1 << 18 };
    uint8_t *from = memory_of_host(BYTES);
    void *device = NULL;
    bool done = false;
    need_device();
    fill(from, BYTES, 0);
    assert_int_equal(cudaMalloc(&device, BYTES), cudaSuccess);
    const Copy copy = copy_bytes(device, from, BYTES);
    assert_ok(relay_copy(&copy, RELAY_UP, &done));
    assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
    (void)cudaFree(device);
    free(from);
    if (!done) {
        skip_needing(NEEDS_DEVICE, "kernels do not run while the host goes on");
    }
}

/* Rows of any length that begin at multiples of 16 bytes, one row, rows without gaps, more than the
 * ring holds. */
TEST(rows_come_up) {
    need_relay();
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
    check_all(cases, sizeof cases / sizeof cases[0], check);
}

/* The same down: here strides of the host are any, and those of the device multiples of 16. */
TEST(rows_are_relayed_down) {
    need_relay();
    static const Case cases[] = {
        {1, 1, 0, 1, 3, true},
        {640, 360, 0, 640, 5, true},
        {641, 360, 15, 700, 1, true},
        {131072, 5, 0, 131072, 0, true},
        {131071, 3, 1, 131079, 32, true},
        {131073, 1, 0, 131073, 0, true},
        {5, 200000, 11, 6, 0, true},
        {3840, 2160, 16, 3841, 0, true},
        {9000001, 1, 0, 9000001, 7, true},
        {15360, 2000, 128, 15361, 128, true},
        {640, 10, 1, 640, 0, false},
    };
    check_all(cases, sizeof cases / sizeof cases[0], check_relayed_down);
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

/* Later ones are timed. */
TEST(the_first_copy_chooses_the_way) {
    need_device();
    enum { BYTES = 3 << 20 };
    uint8_t *memory = memory_of_host(BYTES);
    void *device = NULL;
    fill(memory, BYTES, 0);
    assert_int_equal(cudaMalloc(&device, BYTES), cudaSuccess);
    const Copy up = copy_bytes(device, memory, BYTES);
    const Copy down = copy_bytes(memory, device, BYTES);
    bool done = false;
    assert_false(ordinary_is_chosen(BYTES, cudaMemcpyHostToDevice));
    assert_ok(ordinary_copy(&up, cudaMemcpyHostToDevice, &done));
    assert_true(done);
    assert_true(ordinary_is_chosen(BYTES, cudaMemcpyHostToDevice));
    assert_false(ordinary_is_chosen(BYTES, cudaMemcpyDeviceToHost));
    assert_ok(ordinary_copy(&down, cudaMemcpyDeviceToHost, &done));
    assert_true(ordinary_is_chosen(BYTES, cudaMemcpyDeviceToHost));
    (void)cudaFree(device);
    free(memory);
}

/* Whichever way is chosen. */
TEST(the_chosen_way_up_brings_the_same) {
    need_device();
    enum { WIDTH = 1000, ROWS = 1000 };
    uint8_t *from = memory_of_host((size_t)WIDTH * ROWS);
    uint8_t *got = memory_of_host((size_t)WIDTH * ROWS);
    void *device = NULL;
    assert_int_equal(cudaMalloc(&device, (size_t)WIDTH * ROWS), cudaSuccess);
    for (unsigned round = 0; round < 8; round++) {
        const Copy copy = {device, WIDTH, from, WIDTH, WIDTH, ROWS, 0};
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

/* Fewer rows than a piece has, as many as all buffers hold and more, rows without gaps with a rest,
 * rows that no buffer holds. */
TEST(rows_come_down) {
    need_device();
    static const Case cases[] = {
        {640, 360, 0, 640, 0, true},
        {641, 4000, 7, 700, 3, true},
        {1 << 20, 8, 1, 1 << 20, 0, true},
        {(2 << 20) - 1, 11, 9, 2 << 20, 1, true},
        {65536, 1, 0, 65536, 0, true},
        {9000001, 1, 0, 9000001, 5, true},
        {15360, 1200, 0, 15360, 0, true},
        {65535, 1, 0, 65535, 0, true},
        {(4 << 20) + 1, 3, 1, 5 << 20, 0, true},
    };
    check_all(cases, sizeof cases / sizeof cases[0], check_in_pieces);
}

/* Both directions, whichever way is chosen, beside a copy that is too small. */
TEST(the_chosen_way_down_brings_the_same) {
    need_device();
    enum { WIDTH = 1500, ROWS = 1000, BYTES = WIDTH * ROWS, SMALL = 99 };
    uint8_t *from = memory_of_host(BYTES), *got = memory_of_host(BYTES + SMALL);
    uint8_t *device = NULL;
    assert_int_equal(cudaMalloc((void **)&device, BYTES), cudaSuccess);
    for (unsigned round = 0; round < 8; round++) {
        fill(from, BYTES, round);
        assert_int_equal(
            cudaMemcpyAsync(device, from, BYTES, cudaMemcpyHostToDevice, cuda_stream()),
            cudaSuccess);
        const Copy copies[] = {{got, WIDTH, device, WIDTH, WIDTH, ROWS, 0},
                               copy_bytes(got + BYTES, device, SMALL)};
        assert_ok(copies_queue(copies, 2, cudaMemcpyDeviceToHost));
        assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
        assert_memory_equal(got, from, BYTES);
        assert_memory_equal(got + BYTES, from, SMALL);
    }
    (void)cudaFree(device);
    free(from);
    free(got);
}

typedef struct Members {
    int ids[HOST_COPY_THREADS];
} Members;

static Members members_of_team(void) {
    Members members = {.ids = {0}};
#pragma omp parallel num_threads(HOST_COPY_THREADS)
    members.ids[omp_get_thread_num()] = gettid();
    return members;
}

/* Copies of one slot, of a few and of many, each way and in pieces: none takes a smaller team,
 * whose missing threads OpenMP would end and start anew for the next copy. */
TEST(all_copies_are_made_by_the_same_threads) {
    static const Case cases[] = {
        {RELAY_SLOT_BYTES, 1, 0, RELAY_SLOT_BYTES, 0, true},
        {RELAY_SLOT_BYTES, 3, 0, RELAY_SLOT_BYTES, 0, true},
        {RELAY_SLOT_BYTES, 60, 0, RELAY_SLOT_BYTES, 0, true},
    };
    const int most = omp_get_max_threads();
    need_relay();
    omp_set_num_threads(HOST_COPY_THREADS);
    (void)host_copy_threads(HOST_COPY_THREADS); /* the first call starts threads to count them */
    const Members before = members_of_team();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&cases[i], 0);
        check_relayed_down(&cases[i], 0);
        check_in_pieces(&cases[i], 0);
        const Members after = members_of_team();
        assert_memory_equal(&after, &before, sizeof before);
    }
    omp_set_num_threads(most);
}

/* The kernel would wait for a host that waits for it. */
TEST(nothing_is_relayed_where_launches_block) {
    need_device();
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    if (blocking == NULL || strcmp(blocking, "1") != 0) {
        skip_needing(NEEDS_DEVICE, "needs CUDA_LAUNCH_BLOCKING=1");
    }
    const Case of = {640, 360, 0, 640, 0, false};
    check(&of, 0);
}
