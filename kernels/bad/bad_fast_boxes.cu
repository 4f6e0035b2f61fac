/* Groups of boxes for the warps of cuda_fast: see bad_fast_tests.cu. */
#include <algorithm>

#include "bad_fast.cuh"

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
    for (int b = 0; b < bits; ++b) {
        boxes[b] = BadFastBox{tests[b].x1, tests[b].y1, tests[b].radius, b};
        boxes[bits + b] = BadFastBox{tests[b].x2, tests[b].y2, tests[b].radius, bits + b};
    }
    std::sort(boxes, boxes + 2 * bits, is_above);
    const int strip = 2 * bits / STRIPS;
    for (int first = 0; first < 2 * bits; first += strip) {
        std::sort(boxes + first, boxes + first + strip, is_left);
    }
}
