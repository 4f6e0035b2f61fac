/*
 * The tests of cuda_fast: a block per keypoint, a thread for two or four tests.
 *
 * What is bound by the L1 cache, 64 loads of a warp for 256 tests, is left as cuda_tiled has it:
 * the part of the integral image around a keypoint in shared memory was tried, and copying it costs
 * more than its faster loads save (190 µs for 40,000 keypoints where this takes 90, H200). What is
 * left out is arithmetic. Nearly all keypoints are so far inside the picture that no box can leave
 * it: that is found once for each, in a kernel before, which takes cosine and sine in double
 * precision as well, a thread each. Then no corner needs to be moved into the picture, positions
 * are rounded by an addition, and a box's corners are at offsets that its centre does not change.
 *
 * Blocks stay and go through the keypoints with a stride, so that a thread's tests stay in its
 * registers.
 */
#include "bad_bits.cuh"
#include "bad_fast.h"
#include "cuda_check.h"
#include "cuda_device.h"
#include "round_up.h"

namespace {

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFU;
constexpr int THREADS = 128;
constexpr int PLACE_THREADS = 64;
constexpr float MAGIC = 8388608.0F; /* 2^23: adding it leaves a whole number in the low bits */
constexpr float MARGIN = 3.0F;      /* pixels: roundings of centre and radius, and the far edge */

__device__ __forceinline__ bool boxes_stay_inside(Keypoint keypoint, const PatchMap &map, int width,
                                                  int height) {
    const float reach = (fabsf(map.c) + fabsf(map.n)) * (float)PATCH_HALF + MARGIN;
    return keypoint.x - reach >= 0.0F && keypoint.y - reach >= 0.0F &&
           keypoint.x + reach < (float)width && keypoint.y + reach < (float)height;
}

__global__ void __launch_bounds__(PLACE_THREADS)
    bad_fast_places(const Keypoint *keypoints, int count, float scale, int width, int height,
                    bool whole, BadFastPlace *places) {
    const int k = (int)(blockIdx.x * PLACE_THREADS + threadIdx.x);
    if (k >= count) {
        return;
    }
    const Keypoint keypoint = keypoints[k];
    const BadPlace found = bad_place(keypoint, scale, width, height);
    BadFastPlace place;
    place.map = found.map;
    place.near_border = found.near_border;
    place.inside =
        whole && !found.near_border && boxes_stay_inside(keypoint, found.map, width, height);
    place.unused = 0;
    places[k] = place;
}

/* A position that is not negative, rounded as bad_round does. */
__device__ __forceinline__ int rounded(float position) {
    return __float_as_int(__fadd_rz(PATCH_ADD(position, 0.5F), MAGIC)) - __float_as_int(MAGIC);
}

struct BoxOffsets {
    int corner, across, down; /* entries: from a centre to the first corner, from there on */
};

__device__ __forceinline__ int32_t inside_sum(const uint32_t *__restrict__ integral, int stride,
                                              const PatchMap &map, float x, float y,
                                              const BoxOffsets &offsets) {
    const int centre = rounded(patch_map_y(&map, x, y)) * stride + rounded(patch_map_x(&map, x, y));
    const uint32_t *upper = integral + (centre - offsets.corner);
    const uint32_t *lower = upper + offsets.down;
    return (int32_t)(__ldg(&lower[offsets.across]) - __ldg(&lower[0]) -
                     __ldg(&upper[offsets.across]) + __ldg(&upper[0]));
}

__device__ __forceinline__ int inside_bit(const uint32_t *__restrict__ integral, int stride,
                                          const PatchMap &map, const BadTest &test) {
    const int radius = rounded(PATCH_MUL(map.s, test.radius));
    const int side = 2 * radius + 1;
    const BoxOffsets offsets = {radius * (stride + 1), side, side * stride};
    const int32_t sum1 = inside_sum(integral, stride, map, test.x1, test.y1, offsets);
    const int32_t sum2 = inside_sum(integral, stride, map, test.x2, test.y2, offsets);
    const float sides = PATCH_MUL((float)side, (float)side);
    return (float)(sum1 - sum2) <= PATCH_MUL(test.threshold, sides);
}

/* TESTS: of each thread. */
template <int TESTS>
__global__ void __launch_bounds__(THREADS)
    bad_fast_describe(const uint32_t *__restrict__ integral, int stride, int width, int height,
                      const BadFastPlace *__restrict__ places, int count,
                      const BadTest *__restrict__ tests, uint32_t *descriptors) {
    const int lane = (int)threadIdx.x % LANES;
    const int warp = (int)threadIdx.x / LANES;
    const int words = TESTS * (THREADS / LANES);
    BadTest own[TESTS];
#pragma unroll
    for (int t = 0; t < TESTS; ++t) {
        own[t] = tests[t * THREADS + (int)threadIdx.x];
    }
    for (int k = (int)blockIdx.x; k < count; k += (int)gridDim.x) {
        const BadFastPlace place = places[k];
        const BadPlace searched = {place.map, place.near_border};
        int bits[TESTS];
#pragma unroll
        for (int t = 0; t < TESTS; ++t) {
            bits[t] = place.inside ? inside_bit(integral, stride, place.map, own[t])
                                   : bad_test_bit(BadGlobal{integral, stride}, searched, own[t],
                                                  width, height);
        }
#pragma unroll
        for (int t = 0; t < TESTS; ++t) {
            const uint32_t votes = __ballot_sync(ALL_LANES, bits[t]);
            if (lane == 0) {
                descriptors[(size_t)k * words + (size_t)(t * (THREADS / LANES) + warp)] =
                    bad_word(votes);
            }
        }
    }
}

template <int TESTS> Status describe(const BadDevice *device, const BadFastPlace *places) {
    int resident = 1;
    STATUS_TRY(cuda_resident_blocks((const void *)bad_fast_describe<TESTS>, THREADS, 0, &resident));
    const int most = resident * cuda_multiprocessors();
    const unsigned blocks = (unsigned)(device->count < most ? device->count : most);
    bad_fast_describe<TESTS><<<blocks, THREADS, 0, cuda_stream()>>>(
        device->integral, (int)device->stride, device->width, device->height, places, device->count,
        device->tests, device->descriptors);
    return CUDA_LAUNCHED();
}

} // namespace

Status bad_fast_tests(const BadDevice *device, BadFastPlace *places, bool whole) {
    const unsigned blocks = (unsigned)pieces_of(device->count, PLACE_THREADS);
    /* Offsets into the integral image are taken in 32 bits where no box leaves the picture. */
    const bool small = device->stride * (size_t)(device->height + 1) <= (size_t)INT32_MAX;
    bad_fast_places<<<blocks, PLACE_THREADS, 0, cuda_stream()>>>(
        device->keypoints, device->count, device->scale, device->width, device->height,
        whole && small, places);
    STATUS_TRY(CUDA_LAUNCHED());
    return device->bits == 2 * THREADS ? describe<2>(device, places) : describe<4>(device, places);
}
