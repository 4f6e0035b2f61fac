/*
 * Device side of a bad cell: what all its variants have in common. They differ in how they make the
 * integral image and in how they go through the tests (BadMethod).
 *
 * The integral image has an entry for every corner of a pixel: entry (x, y) is the sum of the
 * pixels left of x and above y, modulo 2^32. Image and integral image have rows of one length,
 * `stride` elements, so that a thread that loads the pixels from a multiple of four on stores the
 * entries from the same multiple on, both aligned; what stands after entry `width` of a row is
 * never read.
 */
#ifndef KERNELS_BAD_BAD_DEVICE_CUH
#define KERNELS_BAD_BAD_DEVICE_CUH

#include <cuda_runtime_api.h>

#include "bad.h"
#include "keypoint_device.cuh"

/* === The device side ========================================================================== */

struct BadDevice;

/* What a variant does in its own way; `image` queues making the integral image. */
typedef KeypointMethod<BadDevice> BadMethod;

/* What every state begins with. */
struct BadDevice : KeypointDevice<BadTest> {
    const BadMethod *method;
    uint32_t *integral; /* in device memory: (stride + BAD_SPARE) × (height + 1) */
};

/* Elements more for each row of the integral image, for a variant that has its rows start at other
 * multiples. */
enum { BAD_SPARE = 32 };

/* Opens what every state begins with. */
Status bad_device_open(const BadMethod *method, BadDevice *device);

/* Row by row, then column by column. Queued on cuda_stream(). */
Status bad_cuda_sum_rows_and_columns(const BadDevice *device);

/* The same for all variants; run is the two stages. */
VARIANT_EXTERN Status bad_cuda_run(void *state);
VARIANT_EXTERN Status bad_cuda_integral(void *state);
VARIANT_EXTERN Status bad_cuda_tests(void *state);

/* Opens a State that is or begins with a BadDevice. */
template <typename State>
Status bad_cuda_open_with(const Request *request, const BadMethod *method, void **state) {
    return cuda_open_state<State>(
        request, state, [method](State *opened) { return bad_device_open(method, opened); });
}

/* === Bits ===================================================================================== */

/* A bit of a descriptor, from an integral image read in whatever way, and bits into words. */

/* The integral image in global memory: entry(x, y). */
struct BadGlobal {
    const uint32_t *__restrict__ entries;
    int stride; /* entries */

    __device__ __forceinline__ uint32_t operator()(int x, int y) const {
        return __ldg(&entries[(size_t)y * (size_t)stride + (size_t)x]);
    }
};

/* What all tests of a keypoint share. */
struct BadPlace {
    PatchMap map;
    int near_border;
};

static __device__ __forceinline__ BadPlace bad_place(Keypoint keypoint, float scale, int width,
                                                     int height) {
    BadPlace place;
    place.map = bad_map(keypoint, scale);
    place.near_border = bad_near_border(keypoint, scale, width, height);
    return place;
}

template <typename Entry>
static __device__ __forceinline__ int32_t bad_box_sum(const Entry &entry, const BadBox &box) {
    return (int32_t)(entry(box.right, box.bottom) - entry(box.left, box.bottom) -
                     entry(box.right, box.top) + entry(box.left, box.top));
}

template <typename Entry>
static __device__ __forceinline__ int bad_test_bit(const Entry &entry, const BadPlace &place,
                                                   const BadTest &test, int width, int height) {
    const int32_t radius = bad_radius(&place.map, test.radius);
    const BadBox box1 = bad_box(&place.map, test.x1, test.y1, radius, width, height);
    const BadBox box2 = bad_box(&place.map, test.x2, test.y2, radius, width, height);
    return bad_bit(place.near_border, bad_box_sum(entry, box1), &box1, bad_box_sum(entry, box2),
                   &box2, radius, test.threshold);
}

/* The rule of keypoint_device.cuh. Its words: lane 0's vote is the most significant bit of the
 * lowest byte. */
template <typename Entry> struct BadRule {
    typedef BadTest Test;
    typedef BadPlace Place;

    Entry entry;
    int width, height;
    float scale;

    __device__ __forceinline__ BadPlace place(Keypoint keypoint) const {
        return bad_place(keypoint, scale, width, height);
    }

    __device__ __forceinline__ int bit(const BadPlace &place, const BadTest &test) const {
        return bad_test_bit(entry, place, test, width, height);
    }

    static __device__ __forceinline__ uint32_t word(uint32_t votes) {
        return __byte_perm(__brev(votes), 0, 0x0123);
    }
};

template <typename Entry>
static inline BadRule<Entry> bad_rule(const BadDevice *device, const Entry &entry) {
    return {entry, device->width, device->height, device->scale};
}

static inline BadRule<BadGlobal> bad_global_rule(const BadDevice *device) {
    return bad_rule(device, BadGlobal{device->integral, (int)device->stride});
}

#endif
