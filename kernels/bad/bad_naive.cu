/*
 * cuda_naive: one thread per keypoint, which goes through all tests as seq does.
 *
 * All threads of a warp are at the same test, so that its six numbers are one access for them all;
 * but their boxes lie where their keypoints lie, each of the eight corners of a test in a cache
 * line of its own. 10,000 keypoints are 10,000 threads, a tenth or less of what a large device
 * holds: the latency of the loads is what bounds it, and more threads are what the next rung gives.
 */
#include "bad_device.cuh"

VARIANT_FUNCTIONS(bad_cuda_naive);

namespace {

Status run_tests(const BadDevice *device) {
    return keypoint_describe_naive(device, bad_global_rule(device));
}

const BadMethod method = {NULL, bad_cuda_sum_rows_and_columns, run_tests};

} // namespace

Status bad_cuda_naive_open(const Request *request, void **state) {
    return bad_cuda_open_with<BadDevice>(request, &method, state);
}
