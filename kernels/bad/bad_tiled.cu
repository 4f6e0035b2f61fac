/*
 * cuda_tiled: a block for eight keypoints, tests in shared memory, a bit per thread.
 *
 * Where cuda_naive has a thread for each keypoint, this has one for each bit: 256 or 512 times as
 * many, enough to hide the latency of the loads, and the boxes of a warp lie in one patch, whose
 * lines of the integral image stay in the L1 cache. Cosine and sine, in double precision, are taken
 * once per keypoint by a thread each; a warp's 32 bits become a word by a vote.
 */
#include "bad_device.cuh"

VARIANT_FUNCTIONS(bad_cuda_tiled);

namespace {

Status run_tests(const BadDevice *device) {
    return keypoint_describe_tiled(device, bad_global_rule(device));
}

const BadMethod method = {NULL, bad_cuda_sum_rows_and_columns, run_tests};

} // namespace

Status bad_cuda_tiled_open(const Request *request, void **state) {
    return bad_cuda_open_with<BadDevice>(request, &method, state);
}
