/*
 * The tests of cuda_fast: a block per keypoint, which copies the part of the integral image that
 * its boxes lie in to shared memory, and takes the corners from there.
 *
 * 256 tests read 2048 entries that lie on about 50 rows. From the L1 cache a warp's 32 entries take
 * a clock for each line of 128 bytes they are on, about 25; from shared memory as many clocks as
 * the busiest bank has, about 3.5. Copying the part, 48×52 entries for a keypoint of size 31, costs
 * about 160 clocks, and saves 64·21.
 *
 * Blocks stay and go through the keypoints with a stride, because then a thread's tests stay in its
 * registers. Cosine and sine are taken in double precision by a kernel before, a thread each.
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
constexpr float MARGIN = 3.0F;      /* entries: roundings of centre and radius, and the far edge */

/* Leaves quads 0 where the part is not inside the integral image, or too large. */
__device__ __forceinline__ void find_part(Keypoint keypoint, int width, int height,
                                          BadFastPlace &place) {
    const float reach = (fabsf(place.map.c) + fabsf(place.map.n)) * (float)PATCH_HALF + MARGIN;
    place.quads = 0;
    if (place.near_border || !(keypoint.x - reach >= 0.0F) || !(keypoint.y - reach >= 0.0F) ||
        !(keypoint.x + reach < (float)width) || !(keypoint.y + reach < (float)height)) {
        return;
    }
    place.left = (int)(keypoint.x - reach) & ~3;
    place.top = (int)(keypoint.y - reach);
    place.rows = (int)(keypoint.y + reach) + 2 - place.top;
    const int quads = ((int)(keypoint.x + reach) + 2 - place.left + 3) / 4;
    if (4 * quads * place.rows <= BAD_FAST_WORDS) {
        place.quads = quads;
        place.divider = (uint32_t)((0x100000000ULL + (unsigned)quads - 1) / (unsigned)quads);
    }
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
    place.left = place.top = place.rows = place.quads = 0;
    place.divider = 0;
    if (whole) {
        find_part(keypoint, width, height, place);
    }
    places[k] = place;
}

/* The part to shared memory, rows of 4·quads entries. */
__device__ __forceinline__ void copy_part(const uint32_t *integral, int stride,
                                          const BadFastPlace &place, uint4 *part) {
    const uint4 *from =
        (const uint4 *)(integral + (size_t)place.top * (size_t)stride + (size_t)place.left);
    const int count = place.quads * place.rows;
    const int pitch = stride / 4;
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < count; i += THREADS) {
        const int y = (int)__umulhi((uint32_t)i, place.divider);
        part[i] = __ldg(&from[(size_t)y * (size_t)pitch + (size_t)(i - y * place.quads)]);
    }
}

/* A position that is not negative, rounded as bad_round does, in the low bits of the result, and
 * above them those of MAGIC. */
__device__ __forceinline__ uint32_t rounded_bits(float position) {
    return __float_as_uint(__fadd_rz(PATCH_ADD(position, 0.5F), MAGIC));
}

/* What the tests of a keypoint share: where entry (0, 0) would stand in the part. */
struct Part {
    const uint32_t *entries;
    int pitch;
    uint32_t origin; /* to be taken off rounded_bits(y)·pitch + rounded_bits(x) */
};

struct BoxOffsets {
    int corner, across, down; /* entries: from a centre to the first corner, from there on */
};

__device__ __forceinline__ int32_t part_sum(const Part &part, const PatchMap &map, float x, float y,
                                            const BoxOffsets &offsets) {
    const uint32_t centre = rounded_bits(patch_map_y(&map, x, y)) * (uint32_t)part.pitch +
                            rounded_bits(patch_map_x(&map, x, y)) - part.origin;
    const uint32_t *upper = part.entries + ((int)centre - offsets.corner);
    const uint32_t *lower = upper + offsets.down;
    return (int32_t)(lower[offsets.across] - lower[0] - upper[offsets.across] + upper[0]);
}

__device__ __forceinline__ int part_bit(const Part &part, const PatchMap &map,
                                        const BadTest &test) {
    const int radius = (int)(rounded_bits(PATCH_MUL(map.s, test.radius)) - __float_as_uint(MAGIC));
    const int side = 2 * radius + 1;
    const BoxOffsets offsets = {radius * (part.pitch + 1), side, side * part.pitch};
    const int32_t sum1 = part_sum(part, map, test.x1, test.y1, offsets);
    const int32_t sum2 = part_sum(part, map, test.x2, test.y2, offsets);
    const float sides = PATCH_MUL((float)side, (float)side);
    return (float)(sum1 - sum2) <= PATCH_MUL(test.threshold, sides);
}

/* TESTS: of each thread. */
template <int TESTS>
__global__ void __launch_bounds__(THREADS, 8)
    bad_fast_describe(const uint32_t *integral, int stride, int width, int height,
                      const BadFastPlace *places, int count, const BadTest *tests,
                      uint32_t *descriptors) {
    __shared__ uint4 room[BAD_FAST_WORDS / 4];
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
        const BadGlobal global = {integral, stride};
        const BadPlace searched = {place.map, place.near_border};
        const int pitch = 4 * place.quads;
        const uint32_t magic = __float_as_uint(MAGIC);
        const Part part = {(const uint32_t *)room, pitch,
                           (magic + (uint32_t)place.top) * (uint32_t)pitch + magic +
                               (uint32_t)place.left};
        if (pitch > 0) {
            copy_part(integral, stride, place, room);
            __syncthreads();
        }
#pragma unroll
        for (int t = 0; t < TESTS; ++t) {
            const int bit = pitch > 0 ? part_bit(part, place.map, own[t])
                                      : bad_test_bit(global, searched, own[t], width, height);
            const uint32_t votes = __ballot_sync(ALL_LANES, bit);
            if (lane == 0) {
                descriptors[(size_t)k * words + (size_t)(t * (THREADS / LANES) + warp)] =
                    bad_word(votes);
            }
        }
        __syncthreads();
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
    bad_fast_places<<<blocks, PLACE_THREADS, 0, cuda_stream()>>>(device->keypoints, device->count,
                                                                 device->scale, device->width,
                                                                 device->height, whole, places);
    STATUS_TRY(CUDA_LAUNCHED());
    return device->bits == 2 * THREADS ? describe<2>(device, places) : describe<4>(device, places);
}
