/*
 * The tests of cuda_fast: a block per keypoint, a thread for some boxes and then for some tests.
 *
 * cuda_tiled is bound by the caches: 256 tests read 2048 entries of the integral image, which a
 * warp takes from 25 rows at once, and one in five is not in the L1 cache, because keypoints come
 * in the order of their strength, from all over the image (H200: L2 79 % busy, L1 74 %).
 *
 * Rungs (times of the tests of 40,000 keypoints, 256 bits; cuda_tiled 124 µs):
 *   - Tried and dropped: the part of the integral image around a keypoint in shared memory. Copying
 *     it is the same traffic to L2, which is the bound: 190 µs.
 *   - Positions rounded by an addition, and no corner moved into the image where the whole patch
 *     is inside, which bad_fast_prepare.cu finds out, with cosine and sine in double precision: a
 *     fifth of the instructions, but no time by itself.
 *   - Keypoints cell by cell of the image, neighbours on one multiprocessor at a time: what one
 *     reads into the L1 cache the next one finds there. L2 is 39 % busy then, and L1 the bound.
 *   - Boxes by themselves, those near each other in one warp, their sums through shared memory;
 * rows of the integral image that start on different banks; ten blocks a multiprocessor: 117 µs.
 *   - Tried and dropped: two lanes for a box, which read next to each other: 131 µs. A load of 32
 *     entries costs the L1 cache about eight clocks, however they lie.
 *   - Tried and dropped, µs on an H100, back to back: the integral image of keypoints that are
 *     neighbours made in shared memory from the pixels, and none of the whole image. A load of 32
 *     entries takes 3.6 clocks there, 10.2 in the L1 cache, but making the tiles takes more: with
 *     all before them 1,000 keypoints 28.8 instead of 36.5, 10,000 68.5 instead of 60.5, 40,000
 *     130 instead of 133.
 *   - Tried and dropped: no box twice, boxes of one pixel from the image, 54 loads for 64 of a
 *     warp: 36.1 instead of 31.0 at 10,000 keypoints, 122 instead of 104 at 40,000.
 *   - Tried and dropped: texture, 17.4 clocks a load; three of eight loads by it, 12.4.
 *
 * Blocks stay and go through the keypoints with a stride, so that a thread's boxes and tests stay
 * in its registers, which they read while the integral image is finished.
 */
#include "bad_device.cuh"
#include "bad_fast.cuh"
#include "cuda_device.h"
#include "early_launch.cuh"

namespace {

constexpr int LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFFU;
constexpr int THREADS = 128;
/* On a multiprocessor at least, by the bits of a descriptor: registers are what they share, and
 * compute capability 7.5 has threads for eight. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int BLOCKS_OF_256 = 8;
#else
constexpr int BLOCKS_OF_256 = 10;
#endif
constexpr int BLOCKS_OF_512 = 7;
constexpr float MAGIC = 8388608.0F; /* 2^23: adding it leaves a whole number in the low bits */

/* A position that is not negative, rounded as bad_round does. */
__device__ __forceinline__ int rounded(float position) {
    return __float_as_int(__fadd_rz(PATCH_ADD(position, 0.5F), MAGIC)) - __float_as_int(MAGIC);
}

__device__ __forceinline__ int32_t inside_sum(const uint32_t *__restrict__ integral, int stride,
                                              const PatchMap &map, const BadFastBox &box) {
    const int radius = rounded(PATCH_MUL(map.s, box.radius));
    const int side = 2 * radius + 1;
    const int x = rounded(patch_map_x(&map, box.x, box.y));
    const int y = rounded(patch_map_y(&map, box.x, box.y));
    const uint32_t *upper = integral + (y - radius) * stride + (x - radius);
    const uint32_t *lower = upper + side * stride;
    return (int32_t)(__ldg(&lower[side]) - __ldg(&lower[0]) - __ldg(&upper[side]) +
                     __ldg(&upper[0]));
}

__device__ __forceinline__ int inside_bit(int32_t difference, const PatchMap &map, float radius,
                                          float threshold) {
    const float side = (float)(2 * rounded(PATCH_MUL(map.s, radius)) + 1);
    return (float)difference <= PATCH_MUL(threshold, PATCH_MUL(side, side));
}

/* The integral image of the image, and the tests. */
struct Tests {
    const uint32_t *integral;
    int stride, width, height;
    const BadTest *tests;
    uint32_t *descriptors;
};

/* TESTS: of each thread, which has twice as many boxes. */
template <int TESTS> struct Own {
    BadFastBox boxes[2 * TESTS];
    float radius[TESTS], threshold[TESTS];
};

template <int TESTS>
__device__ __forceinline__ void load_own(const BadFastBox *boxes, const BadTest *tests,
                                         Own<TESTS> &own) {
#pragma unroll
    for (int t = 0; t < 2 * TESTS; t++) {
        own.boxes[t] = boxes[t * THREADS + (int)threadIdx.x];
    }
#pragma unroll
    for (int t = 0; t < TESTS; t++) {
        own.radius[t] = tests[t * THREADS + (int)threadIdx.x].radius;
        own.threshold[t] = tests[t * THREADS + (int)threadIdx.x].threshold;
    }
}

/* The bits of this thread's tests; `sums` is room for all boxes' sums. */
template <int TESTS>
__device__ __forceinline__ void bits_of(const Tests &asked, const BadFastPlace &place,
                                        const Own<TESTS> &own, int32_t *sums, int (&bits)[TESTS]) {
    if (!place.inside) {
        const BadPlace searched = {place.map, place.near_border};
        for (int t = 0; t < TESTS; t++) {
            bits[t] = bad_test_bit(BadGlobal{asked.integral, asked.stride}, searched,
                                   asked.tests[t * THREADS + (int)threadIdx.x], asked.width,
                                   asked.height);
        }
        return;
    }
#pragma unroll
    for (int t = 0; t < 2 * TESTS; t++) {
        sums[own.boxes[t].number] =
            inside_sum(asked.integral, asked.stride, place.map, own.boxes[t]);
    }
    __syncthreads();
#pragma unroll
    for (int t = 0; t < TESTS; t++) {
        const int test = t * THREADS + (int)threadIdx.x;
        bits[t] = inside_bit(sums[test] - sums[TESTS * THREADS + test], place.map, own.radius[t],
                             own.threshold[t]);
    }
}

/* Blocks whose numbers are `groups` apart, which share a multiprocessor, share a row of keypoints.
 * Two rooms for sums take turns, so that one barrier for each keypoint that uses one is enough. */
template <int TESTS>
__global__ void __launch_bounds__(THREADS, TESTS == 2 ? BLOCKS_OF_256 : BLOCKS_OF_512)
    bad_fast_describe(Tests asked, const BadFastBox *boxes, const BadFastPlace *places, int count,
                      int groups, uint32_t *cells) {
    __shared__ int32_t sums[2][2 * TESTS * THREADS];
    const int group = (int)blockIdx.x % groups;
    const int first = (int)((int64_t)group * count / groups);
    const int end = (int)((int64_t)(group + 1) * count / groups);
    const int words = TESTS * (THREADS / LANES);
    const int word = (int)threadIdx.x / LANES;
    Own<TESTS> own;
    load_own(boxes, asked.tests, own);
    wait_for_kernel_before();
    /* For the next run, which counts from zero. */
    for (int i = (int)(blockIdx.x * THREADS + threadIdx.x); i < BAD_FAST_CELLS;
         i += (int)(gridDim.x * THREADS)) {
        cells[i] = 0;
    }
    int turn = 0;
    for (int k = first + (int)blockIdx.x / groups; k < end; k += (int)gridDim.x / groups) {
        const BadFastPlace place = places[k];
        int bits[TESTS];
        bits_of(asked, place, own, sums[turn], bits);
        turn = place.inside ? 1 - turn : turn;
#pragma unroll
        for (int t = 0; t < TESTS; t++) {
            const uint32_t votes = __ballot_sync(ALL_LANES, bits[t]);
            if (threadIdx.x % LANES == 0) {
                const size_t row = (size_t)place.keypoint * words;
                asked.descriptors[row + (size_t)(t * (THREADS / LANES) + word)] =
                    BadRule<BadGlobal>::word(votes);
            }
        }
    }
}

template <int TESTS> Status describe(const BadDevice *device, const BadFastWork *work) {
    int resident = 1;
    STATUS_TRY(cuda_resident_blocks((const void *)bad_fast_describe<TESTS>, THREADS, 0, &resident));
    const int groups = cuda_multiprocessors();
    const Tests asked = {device->integral, bad_fast_pitch(device->width),
                         device->width,    device->height,
                         device->tests,    device->descriptors};
    return launch_early(bad_fast_describe<TESTS>, (unsigned)(resident * groups), THREADS, asked,
                        work->boxes, work->ordered, device->count, groups, work->cells);
}

} // namespace

Status bad_fast_tests(const BadDevice *device, const BadFastWork *work) {
    return device->bits == 2 * THREADS ? describe<2>(device, work) : describe<4>(device, work);
}
