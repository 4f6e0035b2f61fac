/*
 * cuda_fast: an integral image in two launches (bad_fast_prepare.cu), and tests that find what they
 * read in the L1 cache (bad_fast_tests.cu).
 */
#include "bad_fast.cuh"

#include <algorithm>

#include "cuda_device.h"
#include "descriptor_weights.h"

/* === Boxes ==================================================================================== */

/* Groups of boxes for the warps of cuda_fast: see bad_fast_tests.cu. */

namespace {

constexpr int STRIPS = 4; /* of all boxes from top to bottom; groups are parts of a strip */

bool is_above(const BadFastBox &a, const BadFastBox &b) {
    return a.y != b.y ? a.y < b.y : a.number < b.number;
}

bool is_left(const BadFastBox &a, const BadFastBox &b) {
    return a.x != b.x ? a.x < b.x : a.number < b.number;
}

} // namespace

void bad_fast_group_boxes(const Weights *weights, BadFastBox *boxes) {
    const BadTest *tests = (const BadTest *)weights->values;
    const int bits = weights->bits;
    for (int b = 0; b < bits; b++) {
        boxes[b] = BadFastBox{tests[b].x1, tests[b].y1, tests[b].radius, b};
        boxes[bits + b] = BadFastBox{tests[b].x2, tests[b].y2, tests[b].radius, bits + b};
    }
    std::sort(boxes, boxes + 2 * bits, is_above);
    const int strip = 2 * bits / STRIPS;
    for (int first = 0; first < 2 * bits; first += strip) {
        std::sort(boxes + first, boxes + first + strip, is_left);
    }
}

/* === The variant ============================================================================== */

VARIANT_FUNCTIONS(bad_cuda_fast);

namespace {

struct FastState {
    BadDevice device; /* first: the shared operations see only this */
    summed_tiles::Sums sums;
    BadFastWork work;
    BadFastBox *host_boxes; /* work.boxes in host memory */
    bool whole;             /* no test's box leaves the patch */
};

bool box_is_whole(const BadFastBox *box) {
    const float last = WEIGHTS_BAD_SIDE - 1;
    return box->radius >= 0 && box->x >= box->radius && box->x + box->radius <= last &&
           box->y >= box->radius && box->y + box->radius <= last;
}

size_t boxes_bytes(const BadDevice *device) {
    return 2 * (size_t)device->bits * sizeof(BadFastBox);
}

Status open_boxes(FastState *fast) {
    const BadDevice *device = &fast->device;
    fast->host_boxes = (BadFastBox *)malloc(boxes_bytes(device));
    if (fast->host_boxes == NULL) {
        return status_skip("not enough host memory for the weights");
    }
    bad_fast_group_boxes(device->weights, fast->host_boxes);
    fast->whole = true;
    for (int b = 0; b < 2 * device->bits; b++) {
        fast->whole = fast->whole && box_is_whole(&fast->host_boxes[b]);
    }
    return cuda_backend.alloc(boxes_bytes(device), (void **)&fast->work.boxes);
}

Status open_fast(BadDevice *device) {
    FastState *fast = (FastState *)device;
    BadFastWork *work = &fast->work;
    const size_t tiles = summed_tiles::count_of(device->width + 1, device->height);
    const size_t count = (size_t)device->count;
    STATUS_TRY(open_boxes(fast));
    STATUS_TRY(summed_tiles::open_sums(&fast->sums, tiles));
    STATUS_TRY(cuda_backend.alloc(BAD_FAST_CELLS * sizeof *work->cells, (void **)&work->cells));
    STATUS_TRY(cuda_backend.alloc(count * sizeof *work->ranks, (void **)&work->ranks));
    STATUS_TRY(cuda_backend.alloc(count * sizeof *work->places, (void **)&work->places));
    return cuda_backend.alloc(count * sizeof *work->ordered, (void **)&work->ordered);
}

/* Keypoints are made ready here too, because it costs no time beside the image. */
Status run_integral(const BadDevice *device) {
    const FastState *fast = (const FastState *)device;
    return bad_fast_prepare(device, &fast->work, &fast->sums, fast->whole);
}

Status run_tests(const BadDevice *device) {
    const FastState *fast = (const FastState *)device;
    return bad_fast_tests(device, &fast->work);
}

Status upload_fast(const BadDevice *device) {
    const FastState *fast = (const FastState *)device;
    CUDA_TRY(cudaMemcpyAsync(fast->work.boxes, fast->host_boxes, boxes_bytes(device),
                             cudaMemcpyHostToDevice, cuda_stream()));
    CUDA_TRY(cudaMemsetAsync(fast->work.cells, 0, BAD_FAST_CELLS * sizeof *fast->work.cells,
                             cuda_stream()));
    return status_ok();
}

void close_fast(BadDevice *device) {
    FastState *fast = (FastState *)device;
    summed_tiles::close_sums(&fast->sums);
    cuda_backend.release(fast->work.boxes);
    cuda_backend.release(fast->work.cells);
    cuda_backend.release(fast->work.ranks);
    cuda_backend.release(fast->work.places);
    cuda_backend.release(fast->work.ordered);
    free(fast->host_boxes);
}

const BadMethod method = {open_fast, run_integral, run_tests, upload_fast, close_fast};

} // namespace

Status bad_cuda_fast_open(const Request *request, void **state) {
    return bad_cuda_open_with<FastState>(request, &method, state);
}
