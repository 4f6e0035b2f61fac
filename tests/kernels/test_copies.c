/* Copies that are queued together (copies.h): by calls and by the kernel of a captured graph the
 * same bytes arrive, and no others change. Skipped without a device. */
#include "device.h"
#include "test.h"

#include <cuda_runtime_api.h>

#include "backend.h"
#include "copies.h"
#include "cuda_device.h"

enum { BYTES = 1 << 14, TABLE = 77, EXISTING = 0x5A };

/* Memory of one side, and what it should have. */
static struct {
    uint8_t *host, *device; /* the host's is page-locked */
    uint8_t want[BYTES];
} memory;

/* Where the rows of a case begin, and how long they are. */
typedef struct Case {
    size_t from, to, width, rows, from_gap, to_gap;
} Case;

static Status open_memory(void) {
    CUDA_TRY(cudaMallocHost((void **)&memory.host, BYTES));
    CUDA_TRY(cudaMalloc((void **)&memory.device, BYTES));
    return status_ok();
}

static Status close_memory(void) {
    CUDA_TRY(cudaFree(memory.device));
    CUDA_TRY(cudaFreeHost(memory.host));
    return status_ok();
}

static void fill(uint8_t *bytes) {
    for (size_t i = 0; i < BYTES; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    }
}

/* The bytes that are copied on one side, and EXISTING on the other. */
static Status prepare(enum cudaMemcpyKind direction) {
    const bool up = direction == cudaMemcpyHostToDevice;
    fill(memory.host);
    CUDA_TRY(
        cudaMemcpyAsync(memory.device, memory.host, BYTES, cudaMemcpyHostToDevice, cuda_stream()));
    if (up) {
        CUDA_TRY(cudaMemsetAsync(memory.device, EXISTING, BYTES, cuda_stream()));
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    if (!up) {
        memset(memory.host, EXISTING, BYTES);
    }
    memset(memory.want, EXISTING, BYTES);
    return status_ok();
}

/* The copies of a case: its rows, nothing, a table behind the rows and, on the device, a fill. */
static int make_copies(const Case *of, enum cudaMemcpyKind direction, Copy copies[4]) {
    const bool up = direction == cudaMemcpyHostToDevice;
    uint8_t *to = up ? memory.device : memory.host;
    const uint8_t *from = up ? memory.host : memory.device;
    const size_t behind = of->to + of->rows * (of->width + of->to_gap);
    copies[0] = (Copy){.to = to + of->to,
                       .to_stride = of->width + of->to_gap,
                       .from = from + of->from,
                       .from_stride = of->width + of->from_gap,
                       .width = of->width,
                       .rows = of->rows};
    copies[1] = (Copy){.width = 0};
    copies[2] = copy_bytes(to + behind, from + 1, TABLE);
    copies[3] = copy_clear(to + behind + TABLE, TABLE);
    return up ? 4 : 3;
}

static void want_copies(const Copy *copies, int count, const uint8_t *to, const uint8_t *from) {
    uint8_t bytes[BYTES];
    fill(bytes);
    for (int i = 0; i < count; i++) {
        for (size_t row = 0; row < copies[i].rows; row++) {
            uint8_t *at = memory.want + ((uint8_t *)copies[i].to - to) + row * copies[i].to_stride;
            if (copies[i].from == NULL) {
                memset(at, 0, copies[i].width);
            } else {
                const size_t first = (size_t)((const uint8_t *)copies[i].from - from);
                memcpy(at, bytes + first + row * copies[i].from_stride, copies[i].width);
            }
        }
    }
}

/* All of them are one node, which is launched. */
static Status launch_captured(const Copy *copies, int count, enum cudaMemcpyKind direction) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t launched = NULL;
    size_t nodes = 0;
    CUDA_TRY(cudaStreamBeginCapture(cuda_stream(), cudaStreamCaptureModeThreadLocal));
    const Status queued = copies_queue(copies, count, direction);
    CUDA_TRY(cudaStreamEndCapture(cuda_stream(), &graph));
    STATUS_TRY(queued);
    CUDA_TRY(cudaGraphGetNodes(graph, NULL, &nodes));
    assert_int_equal(nodes, 1);
    CUDA_TRY(cudaGraphInstantiateWithFlags(&launched, graph, 0));
    CUDA_TRY(cudaGraphLaunch(launched, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    CUDA_TRY(cudaGraphExecDestroy(launched));
    CUDA_TRY(cudaGraphDestroy(graph));
    return status_ok();
}

static Status check(const Case *of, enum cudaMemcpyKind direction, bool captured) {
    const bool up = direction == cudaMemcpyHostToDevice;
    Copy copies[4];
    STATUS_TRY(prepare(direction));
    const int count = make_copies(of, direction, copies);
    want_copies(copies, count, up ? memory.device : memory.host, up ? memory.host : memory.device);
    STATUS_TRY(captured ? launch_captured(copies, count, direction)
                        : copies_queue(copies, count, direction));
    if (up) {
        CUDA_TRY(cudaMemcpyAsync(memory.host, memory.device, BYTES, cudaMemcpyDeviceToHost,
                                 cuda_stream()));
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    if (memcmp(memory.host, memory.want, BYTES) != 0) {
        return status_fail("%s, %s: wrong from +%zu to +%zu, %zu rows of %zu, gaps of %zu and %zu",
                           up ? "up" : "down", captured ? "captured" : "calls", of->from, of->to,
                           of->rows, of->width, of->from_gap, of->to_gap);
    }
    return status_ok();
}

static void check_all(const Case *of) {
    for (int captured = 0; captured < 2; captured++) {
        assert_ok(check(of, cudaMemcpyHostToDevice, captured != 0));
        assert_ok(check(of, cudaMemcpyDeviceToHost, captured != 0));
    }
}

TEST(rows_may_begin_and_end_anywhere) {
    static const size_t places[] = {0, 1, 2, 3, 4, 125, 130};
    static const size_t widths[] = {1, 3, 4, 6, 127, 128, 129, 260, 641};
    enum { PLACES = sizeof places / sizeof places[0], WIDTHS = sizeof widths / sizeof widths[0] };
    need_device();
    assert_ok(open_memory());
    for (size_t i = 0; i < (size_t)PLACES * PLACES * WIDTHS; i++) {
        const size_t from = i % PLACES;
        const size_t to = i / PLACES % PLACES;
        const size_t width = widths[i / PLACES / PLACES];
        const Case one = {places[from], places[to], width, 1, 0, 0};
        const Case more = {places[from], places[to], width, 5, from, to};
        check_all(&one);
        check_all(&more);
    }
    assert_ok(close_memory());
}

/* Copies that the copy engines make faster stay what they are. */
TEST(long_copies_are_left_to_the_copy_engines) {
    enum { LONG = 2000000 };
    cudaGraph_t graph = NULL;
    size_t nodes = 0;
    void *host = NULL;
    void *device = NULL;
    need_device();
    assert_int_equal(cudaMallocHost(&host, LONG), cudaSuccess);
    assert_int_equal(cudaMalloc(&device, 2 * LONG), cudaSuccess);
    const Copy copies[] = {copy_bytes(device, host, LONG),
                           copy_clear((uint8_t *)device + LONG, LONG)};
    assert_int_equal(cudaStreamBeginCapture(cuda_stream(), cudaStreamCaptureModeThreadLocal),
                     cudaSuccess);
    assert_ok(copies_queue(copies, 2, cudaMemcpyHostToDevice));
    assert_int_equal(cudaStreamEndCapture(cuda_stream(), &graph), cudaSuccess);
    assert_int_equal(cudaGraphGetNodes(graph, NULL, &nodes), cudaSuccess);
    assert_int_equal(nodes, 2);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(cudaFreeHost(host), cudaSuccess);
}
