/*
 * cuda_fast: an integral image in two kernel launches (bad_fast_prepare.cu), and tests that find
 * what they read in the L1 cache (bad_fast_tests.cu).
 */
#include "bad_fast.cuh"

#include <algorithm>

#include "descriptor_weights.h"
#include "multi_shares.h"

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

struct FastState : BadDevice {
    summed_tiles::Sums sums;
    BadFastWork work;
    bool whole; /* no test's box leaves the patch */
};

bool box_is_whole(const BadFastBox &box) {
    const float last = WEIGHTS_BAD_SIDE - 1;
    return box.radius >= 0 && box.x >= box.radius && box.x + box.radius <= last &&
           box.y >= box.radius && box.y + box.radius <= last;
}

Status open_fast(BadDevice *device) {
    FastState *fast = (FastState *)device;
    BadFastWork *work = &fast->work;
    const size_t tiles = summed_tiles::count_of(device->width + 1, device->height);
    const size_t count = (size_t)device->count;
    const size_t boxes = 2 * (size_t)device->bits;
    BadFastBox *host = (BadFastBox *)malloc(boxes * sizeof *host);
    if (host == NULL) {
        return status_skip("not enough host memory for the weights");
    }
    STATUS_TRY(cuda_state_own(device, host, free));
    bad_fast_group_boxes(device->weights, host);
    fast->whole = std::all_of(host, host + boxes, box_is_whole);
    const CudaBuffer table[] = {
        cuda_up(&work->boxes, boxes * sizeof *work->boxes, host),
        cuda_cleared(&work->cells, BAD_FAST_CELLS * sizeof *work->cells),
        cuda_scratch(&work->ranks, count * sizeof *work->ranks),
        cuda_scratch(&work->places, count * sizeof *work->places),
        cuda_scratch(&work->ordered, count * sizeof *work->ordered),
    };
    STATUS_TRY(cuda_open_buffers(device, table));
    return summed_tiles::open_sums(device, &fast->sums, tiles);
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

const BadMethod method = {open_fast, run_integral, run_tests};

} // namespace

Status bad_cuda_fast_open(const Request *request, void **state) {
    return bad_cuda_open_with<FastState>(request, &method, state);
}

/* === cuda_multi =============================================================================== */

/* Its floor is that of the tests divided by the devices: each makes the whole integral image. */

VARIANT_FUNCTIONS(bad_cuda_multi);
VARIANT_EXTERN const VariantTable bad_cuda_variants;

Status bad_cuda_multi_open(const Request *request, void **state) {
    return multi_keypoints_open(request, &bad_cuda_variants, state);
}
