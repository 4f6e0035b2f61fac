/*
 * cuda_fast: an integral image in one pass (bad_fast_integral.cu), and tests without what nearly
 * all keypoints do not need (bad_fast_tests.cu).
 */
#include "bad_fast.h"

VARIANT_FUNCTIONS(bad_cuda_fast);

namespace {

struct FastState {
    BadDevice device; /* first: the shared operations see only this */
    BadFastBands bands;
    BadFastPlace *places; /* of each keypoint */
    bool whole;           /* no test's box leaves the patch */
};

bool box_is_whole(float x, float y, float radius) {
    const float last = WEIGHTS_BAD_SIDE - 1;
    return radius >= 0 && x >= radius && x + radius <= last && y >= radius && y + radius <= last;
}

bool tests_are_whole(const Weights *weights) {
    const BadTest *tests = (const BadTest *)weights->values;
    bool whole = true;
    for (int b = 0; b < weights->bits; ++b) {
        whole = whole && box_is_whole(tests[b].x1, tests[b].y1, tests[b].radius) &&
                box_is_whole(tests[b].x2, tests[b].y2, tests[b].radius);
    }
    return whole;
}

Status open_fast(BadDevice *device) {
    FastState *fast = (FastState *)device;
    const size_t elements = device->stride * (size_t)bad_fast_bands(device->height);
    fast->whole = tests_are_whole(device->weights);
    STATUS_TRY(cuda_backend.alloc(elements * sizeof *fast->bands.sums, (void **)&fast->bands.sums));
    STATUS_TRY(
        cuda_backend.alloc(elements * sizeof *fast->bands.above, (void **)&fast->bands.above));
    return cuda_backend.alloc((size_t)device->count * sizeof *fast->places, (void **)&fast->places);
}

Status run_integral(const BadDevice *device) {
    return bad_fast_integral(device, &((const FastState *)device)->bands);
}

Status run_tests(const BadDevice *device) {
    const FastState *fast = (const FastState *)device;
    return bad_fast_tests(device, fast->places, fast->whole);
}

void close_fast(BadDevice *device) {
    FastState *fast = (FastState *)device;
    cuda_backend.release(fast->bands.sums);
    cuda_backend.release(fast->bands.above);
    cuda_backend.release(fast->places);
}

const BadMethod method = {open_fast, run_integral, run_tests, close_fast};

} // namespace

Status bad_cuda_fast_open(const Request *request, void **state) {
    return bad_cuda_open_with<FastState>(request, &method, state);
}
