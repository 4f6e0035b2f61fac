/*
 * Device side of an orb cell: what all its variants have in common. They differ in how they smooth
 * the image and in how they go through the tests (OrbMethod).
 *
 * Image and smoothed image have rows of one length, `stride` bytes; what stands after `width`
 * pixels of a smoothed row is never used.
 */
#ifndef KERNELS_ORB_ORB_DEVICE_CUH
#define KERNELS_ORB_ORB_DEVICE_CUH

#include "keypoint_device.cuh"
#include "orb.h"

/* === The device side ========================================================================== */

struct OrbDevice;

/* What a variant does in its own way; `image` queues smoothing it. */
typedef KeypointMethod<OrbDevice> OrbMethod;

/* What every state begins with. */
struct OrbDevice : KeypointDevice<OrbTest> {
    const OrbMethod *method;
    uint8_t *blurred; /* in device memory: stride × height */
};

/* Opens what every state begins with. */
Status orb_device_open(const OrbMethod *method, OrbDevice *device);

/* Both passes on a tile in shared memory (orb_tiled.cu). Queued on cuda_stream(). */
Status orb_cuda_blur_tiled(const OrbDevice *device);

/* The same for all variants; run is the two stages. */
VARIANT_EXTERN Status orb_cuda_run(void *state);
VARIANT_EXTERN Status orb_cuda_blur(void *state);
VARIANT_EXTERN Status orb_cuda_tests(void *state);

/* Opens a State that is or begins with an OrbDevice. */
template <typename State>
Status orb_cuda_open_with(const Request *request, const OrbMethod *method, void **state) {
    return cuda_open_state<State>(
        request, state, [method](State *opened) { return orb_device_open(method, opened); });
}

/* === Bits ===================================================================================== */

/* The smoothed image in global memory: pixel(x, y). */
struct OrbGlobal {
    const uint8_t *__restrict__ pixels;
    int stride; /* bytes */

    __device__ __forceinline__ uint32_t operator()(int x, int y) const {
        return __ldg(&pixels[(size_t)y * (size_t)stride + (size_t)x]);
    }
};

/* The rule of keypoint_device.cuh. Its words: lane 0's vote is the least significant bit of the
 * lowest byte. */
template <typename Pixel> struct OrbRule {
    typedef OrbTest Test;
    typedef OrbPlace Place;

    Pixel pixel;
    int width, height;
    float scale;

    __device__ __forceinline__ OrbPlace place(Keypoint keypoint) const {
        return orb_place(keypoint, scale);
    }

    __device__ __forceinline__ uint32_t pixel_at(const OrbPlace &place, float px, float py) const {
        return pixel(orb_inside(place.x + orb_turned_x(&place, px, py), width),
                     orb_inside(place.y + orb_turned_y(&place, px, py), height));
    }

    __device__ __forceinline__ int bit(const OrbPlace &place, const OrbTest &test) const {
        return pixel_at(place, test.x1, test.y1) < pixel_at(place, test.x2, test.y2);
    }

    static __device__ __forceinline__ uint32_t word(uint32_t votes) {
        return votes;
    }
};

template <typename Pixel>
static inline OrbRule<Pixel> orb_rule(const OrbDevice *device, const Pixel &pixel) {
    return {pixel, device->width, device->height, device->scale};
}

static inline OrbRule<OrbGlobal> orb_global_rule(const OrbDevice *device) {
    return orb_rule(device, OrbGlobal{device->blurred, (int)device->stride});
}

#endif
