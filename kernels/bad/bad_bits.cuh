/* A bit of a descriptor, from an integral image read in whatever way, and bits into words. */
#ifndef KERNELS_BAD_BAD_BITS_CUH
#define KERNELS_BAD_BAD_BITS_CUH

#include "bad_device.cuh"

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

/* The word of four bytes of a descriptor whose 32 bits the lanes of a warp voted, lane 0 the first:
 * the most significant bit of the lowest byte. */
static __device__ __forceinline__ uint32_t bad_word(uint32_t votes) {
    return __byte_perm(__brev(votes), 0, 0x0123);
}

#endif
