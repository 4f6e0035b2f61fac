/* States as tables of buffers (cuda_state.h): what upload and download move, what is left alone,
 * what a state that cannot be opened leaves behind. Skipped without a device. */
#include "device.h"
#include "test.h"

#include "backend_runner.h"
#include "cuda_state.h"

enum {
    WIDTH = 5,
    ROWS = 3,
    STRIDE = 8,
    OFFSET = 11,
    TAIL = 4,
    IMAGE_BYTES = OFFSET + ROWS * STRIDE + TAIL,
    MANY = 20, /* lines, more than are queued together */
    POISON = 0x5A
};

static const uint8_t pixels[ROWS][WIDTH] = {
    {1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}};

typedef struct Cell {
    CudaState state;
    uint8_t *image, *left, *cleared;
    uint8_t *second; /* within cleared */
    uint8_t *many[MANY];
    int32_t *pinned;
} Cell;

static Cell *new_cell(void) {
    need_device();
    Cell *cell = calloc(1, sizeof *cell);
    assert_non_null(cell);
    return cell;
}

static CudaRows image_rows(const void *host) {
    return (CudaRows){host, WIDTH, OFFSET, STRIDE, WIDTH, ROWS};
}

static void fetch(void *host, const void *device, size_t bytes) {
    assert_int_equal(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda_stream()),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
}

/* The image between zeros, or between what was there. */
static void assert_image(const Cell *cell, bool with_rows, uint8_t around) {
    uint8_t got[IMAGE_BYTES];
    uint8_t want[IMAGE_BYTES];
    memset(want, around, sizeof want);
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < WIDTH; x++) {
            want[OFFSET + y * STRIDE + x] = with_rows ? pixels[y][x] : POISON;
        }
    }
    fetch(got, cell->image, sizeof got);
    assert_memory_equal(got, want, sizeof got);
}

static void open_table(Cell *cell, CudaMove move, const void *host) {
    const CudaBuffer table[] = {
        cuda_buffer(&cell->image, IMAGE_BYTES, move, image_rows(host)),
        cuda_scratch(&cell->left, WIDTH),
        cuda_cleared(&cell->cleared, 2 * WIDTH),
    };
    assert_ok(cuda_buffers_open(&cell->state, table, 3));
    assert_ok(cuda_backend.runner->poison(POISON));
}

static void assert_bytes(const void *device, uint8_t value) {
    uint8_t got[WIDTH];
    uint8_t want[WIDTH];
    memset(want, value, sizeof want);
    fetch(got, device, sizeof got);
    assert_memory_equal(got, want, sizeof got);
}

TEST(upload_moves_and_clears_what_the_table_says) {
    Cell *cell = new_cell();
    open_table(cell, CUDA_UP_IN_ZEROS, pixels);
    assert_ok(cuda_state_upload(cell));
    assert_image(cell, true, 0);
    assert_bytes(cell->left, POISON);
    assert_bytes(cell->cleared, 0);
    cuda_state_close(cell);
}

TEST(rows_alone_leave_what_is_around_them) {
    Cell *cell = new_cell();
    open_table(cell, CUDA_UP, pixels);
    assert_ok(cuda_state_upload(cell));
    assert_image(cell, true, POISON);
    cuda_state_close(cell);
}

TEST(an_excepted_buffer_gets_its_zeros_and_no_rows) {
    Cell *cell = new_cell();
    open_table(cell, CUDA_UP_IN_ZEROS, pixels);
    assert_ok(cuda_upload_except(&cell->state, &cell->image));
    assert_image(cell, false, 0);
    assert_bytes(cell->cleared, 0);
    cuda_state_close(cell);
}

/* Rows are seen to come from the first state: those of the host have changed meanwhile. */
TEST(rows_of_one_place_come_from_the_first_state) {
    enum { BYTES = ROWS * WIDTH };
    uint8_t host[ROWS][WIDTH], other[ROWS][WIDTH];
    Cell *first = new_cell(), *second = new_cell(), *alone = new_cell();
    memcpy(host, pixels, BYTES);
    memcpy(other, pixels, BYTES);
    open_table(first, CUDA_UP_IN_ZEROS, host);
    open_table(second, CUDA_UP_IN_ZEROS, host);
    open_table(alone, CUDA_UP_IN_ZEROS, other);
    assert_false(cuda_state_share(&alone->state, &first->state, 1));
    assert_false(cuda_state_share(&second->state, &first->state, BYTES + 1));
    assert_true(cuda_state_share(&second->state, &first->state, BYTES));
    assert_ok(cuda_state_upload(first));
    memset(host, POISON, BYTES);
    assert_ok(cuda_state_upload(second));
    assert_image(second, true, 0);
    assert_bytes(second->cleared, 0);
    assert_ok(cuda_upload_except(&alone->state, &alone->image));
    assert_image(alone, false, 0);
    cuda_state_close(alone);
    cuda_state_close(second);
    cuda_state_close(first);
}

TEST(download_brings_rows_and_what_a_view_points_at_then) {
    uint8_t rows[ROWS][WIDTH] = {{0}};
    uint8_t seen[WIDTH] = {0};
    Cell *cell = new_cell();
    open_table(cell, CUDA_DOWN, rows);
    const CudaBuffer view[] = {cuda_view_down(&cell->second, cuda_row(seen, WIDTH))};
    assert_ok(cuda_buffers_open(&cell->state, view, 1));
    for (int i = 0; i < 2; i++) {
        uint8_t *place = cell->cleared + i * WIDTH;
        assert_int_equal(cudaMemsetAsync(place, i + 1, WIDTH, cuda_stream()), cudaSuccess);
    }
    for (int i = 0; i < 2; i++) {
        cell->second = cell->cleared + i * WIDTH;
        assert_ok(cuda_state_download(cell));
        assert_int_equal(seen[0], i + 1);
        assert_int_equal(seen[WIDTH - 1], i + 1);
    }
    assert_int_equal(rows[ROWS - 1][WIDTH - 1], POISON);
    memset(rows, 0, sizeof rows);
    assert_ok(cuda_download_except(&cell->state, &cell->image));
    assert_int_equal(cudaStreamSynchronize(cuda_stream()), cudaSuccess);
    assert_int_equal(rows[0][0], 0);
    cuda_state_close(cell);
}

TEST(a_long_table_is_moved_whole) {
    Cell *cell = new_cell();
    for (int i = 0; i < MANY; i++) {
        const CudaBuffer line[] = {cuda_up(&cell->many[i], WIDTH, pixels[i % ROWS])};
        assert_ok(cuda_buffers_open(&cell->state, line, 1));
    }
    assert_ok(cuda_state_upload(cell));
    for (int i = 0; i < MANY; i++) {
        uint8_t got[WIDTH];
        fetch(got, cell->many[i], sizeof got);
        assert_memory_equal(got, pixels[i % ROWS], sizeof got);
    }
    cuda_state_close(cell);
}

TEST(a_state_that_does_not_fit_leaves_nothing_behind) {
    Cell *cell = new_cell();
    const uint64_t before = cuda_backend.in_use();
    const CudaBuffer table[] = {
        cuda_scratch(&cell->image, IMAGE_BYTES),
        cuda_pinned(&cell->pinned, sizeof *cell->pinned),
        cuda_scratch(&cell->left, SIZE_MAX / 4),
        cuda_scratch(&cell->cleared, WIDTH),
    };
    const Status status = cuda_buffers_open(&cell->state, table, 4);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "GiB of device memory");
    assert_null(cell->left);
    cuda_state_close(cell);
    assert_int_equal(cuda_backend.in_use(), before);
}

TEST(a_buffer_is_opened_again_with_more_bytes) {
    Cell *cell = new_cell();
    const uint64_t before = cuda_backend.in_use();
    const CudaBuffer small[] = {cuda_scratch(&cell->left, WIDTH)};
    const CudaBuffer large[] = {cuda_scratch(&cell->left, 2 * WIDTH)};
    open_table(cell, CUDA_UP, pixels);
    cuda_buffer_close(&cell->state, &cell->left);
    assert_null(cell->left);
    assert_ok(cuda_buffers_open(&cell->state, small, 1));
    cuda_buffer_close(&cell->state, &cell->left);
    assert_ok(cuda_buffers_open(&cell->state, large, 1));
    assert_int_equal(cuda_backend.in_use() - before, IMAGE_BYTES + 2 * WIDTH + 2 * WIDTH);
    assert_ok(cuda_backend.runner->check_guards());
    cuda_state_close(cell);
    assert_int_equal(cuda_backend.in_use(), before);
}

static char released[4];

static void note_release(void *object) {
    strncat(released, object, sizeof released - strlen(released) - 1);
}

TEST(what_was_opened_last_is_closed_first) {
    static char names[3][2] = {"a", "b", "c"};
    Cell *cell = new_cell();
    released[0] = '\0';
    for (int i = 0; i < 3; i++) {
        assert_ok(cuda_state_own(&cell->state, names[i], note_release));
    }
    assert_ok(cuda_state_own(&cell->state, NULL, note_release));
    cuda_state_close(cell);
    assert_string_equal(released, "cba");
    cuda_state_close(NULL);
}
