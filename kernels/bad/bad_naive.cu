/*
 * cuda_naive: one thread per keypoint, which goes through all tests as seq does.
 *
 * All threads of a warp are at the same test, so that its six numbers are one access for them all;
 * but their boxes lie where their keypoints lie, each of the eight corners of a test in a cache
 * line of its own. 10,000 keypoints are 10,000 threads, a tenth or less of what a large device
 * holds: the latency of the loads is what bounds it, and more threads are what the next rung gives.
 */
#include "bad_device.cuh"
#include "cuda_device.h"

VARIANT_FUNCTIONS(bad_cuda_naive);

namespace {

constexpr int THREADS = 64;
constexpr int WORD_BITS = 32;

__global__ void describe(BadGlobal entry, int width, int height, const Keypoint *keypoints,
                         int count, float scale, const BadTest *tests, int bits,
                         uint32_t *descriptors) {
    const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count) {
        return;
    }
    const BadPlace place = bad_place(keypoints[k], scale, width, height);
    const int words = bits / WORD_BITS;
    for (int w = 0; w < words; w++) {
        uint32_t votes = 0;
        for (int i = 0; i < WORD_BITS; i++) {
            const BadTest test = tests[w * WORD_BITS + i];
            votes |= (uint32_t)bad_test_bit(entry, place, test, width, height) << i;
        }
        descriptors[(size_t)k * (size_t)words + (size_t)w] = bad_word(votes);
    }
}

Status run_tests(const BadDevice *device) {
    const BadGlobal entry = {device->integral, (int)device->stride};
    const unsigned int blocks = (unsigned int)pieces_of(device->count, THREADS);
    describe<<<blocks, THREADS, 0, cuda_stream()>>>(
        entry, device->width, device->height, device->keypoints, device->count, device->scale,
        device->tests, device->bits, device->descriptors);
    return CUDA_LAUNCHED();
}

const BadMethod method = {NULL, NULL, run_tests, NULL, NULL};

} // namespace

Status bad_cuda_naive_open(const Request *request, void **state) {
    return bad_cuda_open_with<BadDevice>(request, &method, state);
}
