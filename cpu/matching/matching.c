/* The sets of a cell. */
#include "matching.h"

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

MatchingSets matching_sets(const Workload *workload, const Point *answer) {
    const int32_t most = point_keypoints(answer);
    const size_t stride = workload->image.stride;
    return (MatchingSets){
        .a = workload->image.pixels,
        .b = workload->image.pixels + (size_t)workload->queries * stride,
        .a_count = smaller(most, workload->queries),
        .b_count = smaller(most, workload->image.height - workload->queries),
        .stride = stride,
        .bytes = point_bits(answer) / 8,
        .distance = (MatchingDistance)point_integer(answer, "distance", MATCHING_HAMMING),
    };
}
