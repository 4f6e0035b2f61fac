/*
 * Patches in vectors of pixels of a row. The including file defines HASHSIFT_TARGET, the attribute
 * that selects the instruction set, the types Vector, Index and Mask with LANES lanes of a float,
 * of an int32_t and of a yes or no, and their operations; it gets `patch` of a kernel.
 *
 * One access to four bytes gives a pixel and its right neighbour. Where few pixels of the image
 * are touched, they are first laid out as pairs of one and that below it: then one access gives all
 * four that a pixel lies between.
 */
#include "cpu_features.h"
#include "hashsift_internal.h"

#if CPU_HAS_X86_64
#include <immintrin.h>
#endif

typedef struct Spots {
    Vector u, v;
} Spots;

/* The pixels that one lies between. */
typedef struct Corners {
    Index upper_left, upper_right, lower_left, lower_right;
} Corners;

static inline HASHSIFT_TARGET Vector mixed(Corners corners, Vector du, Vector dv) {
    const Vector rest = 1 - du;
    const Vector top = rest * numbers(corners.upper_left) + du * numbers(corners.upper_right);
    const Vector bottom = rest * numbers(corners.lower_left) + du * numbers(corners.lower_right);
    return numbers(whole((1 - dv) * top + dv * bottom + 0.5F));
}

/* From a pixel and its right neighbour in the low bytes of each lane, of two rows. */
static inline HASHSIFT_TARGET Corners corners_of_rows(Index upper, Index lower) {
    return (Corners){upper & 255, (upper >> 8) & 255, lower & 255, (lower >> 8) & 255};
}

static inline HASHSIFT_TARGET Vector pixels_inside(const HashsiftReach *reach, Spots spots) {
    const Index x = whole(spots.u);
    const Index y = whole(spots.v);
    const Index offsets = (y - reach->y) * reach->stride + x;
    const Corners corners = corners_of_rows(four_bytes(reach->base, offsets),
                                            four_bytes(reach->base + reach->stride, offsets));
    return mixed(corners, spots.u - numbers(x), spots.v - numbers(y));
}

/* HASHSIFT_CLOSE_STEP bytes of one row, each followed by that of the other. Every x86-64 processor
 * has an instruction for it, which compilers do not find in the loop. */
static inline HASHSIFT_TARGET void pair_bytes(const uint8_t *upper, const uint8_t *lower,
                                              uint8_t *pairs) {
#if CPU_HAS_X86_64
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)upper);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)lower);
    _mm_storeu_si128((__m128i *)(void *)pairs, _mm_unpacklo_epi8(a, b));
    _mm_storeu_si128((__m128i *)(void *)(pairs + 16), _mm_unpackhi_epi8(a, b));
#else
    for (int k = 0; k < HASHSIFT_CLOSE_STEP; k++) {
        pairs[2 * k] = upper[k];
        pairs[2 * k + 1] = lower[k];
    }
#endif
}

/* pairs[2·(HASHSIFT_CLOSE_SIDE·j + i)] is pixel (x + i, y + j), the byte behind it that below. */
static HASHSIFT_TARGET void pair_rows(const HashsiftReach *reach, uint8_t *pairs) {
    for (int32_t j = 0; j + 1 < reach->rows; j++) {
        const uint8_t *upper = reach->base + (ptrdiff_t)j * reach->stride + reach->x;
        const uint8_t *lower = upper + reach->stride;
        uint8_t *to = pairs + 2 * HASHSIFT_CLOSE_SIDE * j;
        for (int32_t i = 0; i < reach->columns; i += HASHSIFT_CLOSE_STEP) {
            pair_bytes(upper + i, lower + i, to + 2 * i);
        }
    }
}

static inline HASHSIFT_TARGET Vector pixels_close(const HashsiftReach *reach, const uint8_t *pairs,
                                                  Spots spots) {
    const Index x = whole(spots.u);
    const Index y = whole(spots.v);
    const Index offsets = ((y - reach->y) * HASHSIFT_CLOSE_SIDE + (x - reach->x)) * 2;
    const Index bytes = four_bytes(pairs, offsets);
    const Corners corners = {bytes & 255, (bytes >> 16) & 255, (bytes >> 8) & 255,
                             (bytes >> 24) & 255};
    return mixed(corners, spots.u - numbers(x), spots.v - numbers(y));
}

/* The last bytes of an image are reached from four bytes before its end. */
static inline HASHSIFT_TARGET Index bytes_before(const HashsiftReach *reach, Index offsets) {
    const Index near = earlier(offsets, reach->last);
    return shifted(four_bytes(reach->base, near), (offsets - near) * 8);
}

static inline HASHSIFT_TARGET Vector pixels_anywhere(const HashsiftReach *reach, Spots spots) {
    const Vector zero = zero_floats();
    const Mask inside =
        both(both(not_less(spots.u, zero), less(spots.u, spread_float(reach->right))),
             both(not_less(spots.v, zero), less(spots.v, spread_float(reach->bottom))));
    const Vector u = where(inside, spots.u);
    const Vector v = where(inside, spots.v);
    const Index x = whole(u);
    const Index y = later(whole(v), reach->y);
    const Index offsets = (y - reach->y) * reach->stride + x;
    const Corners corners =
        corners_of_rows(bytes_before(reach, offsets), bytes_before(reach, offsets + reach->stride));
    return where(inside, mixed(corners, u - numbers(x), v - numbers(y)));
}

/* From `first` on in row j. */
static inline HASHSIFT_TARGET Spots spots_of(const PatchMap *map, int32_t first, int32_t j) {
    static const float columns[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const Vector i = load_floats(columns + first);
    const float row = (float)j;
    return (Spots){.u = (i * map->c + -(map->n * row)) + map->x0,
                   .v = (i * map->n + map->c * row) + map->y0};
}

static HASHSIFT_TARGET void far_patch(const Image *image, Keypoint keypoint, float scale,
                                      float *pixels) {
    uint8_t bytes[PATCH_SIDE * PATCH_SIDE];
    hashsift_patch(image, keypoint, scale, bytes);
    for (int32_t k = 0; k < PATCH_SIDE * PATCH_SIDE; k++) {
        pixels[k] = bytes[k];
    }
}

static HASHSIFT_TARGET void close_patch(const PatchMap *map, const HashsiftReach *reach,
                                        float *pixels) {
    uint8_t pairs[2 * HASHSIFT_CLOSE_SIDE * HASHSIFT_CLOSE_SIDE];
    pair_rows(reach, pairs);
    for (int32_t k = 0; k < PATCH_SIDE * PATCH_SIDE; k += LANES) {
        const Spots spots = spots_of(map, k % PATCH_SIDE, k / PATCH_SIDE);
        store_floats(pixels + k, pixels_close(reach, pairs, spots));
    }
}

static HASHSIFT_TARGET void inside_patch(const PatchMap *map, const HashsiftReach *reach,
                                         float *pixels) {
    for (int32_t k = 0; k < PATCH_SIDE * PATCH_SIDE; k += LANES) {
        const Spots spots = spots_of(map, k % PATCH_SIDE, k / PATCH_SIDE);
        store_floats(pixels + k, pixels_inside(reach, spots));
    }
}

static HASHSIFT_TARGET void partial_patch(const PatchMap *map, const HashsiftReach *reach,
                                          float *pixels) {
    for (int32_t k = 0; k < PATCH_SIDE * PATCH_SIDE; k += LANES) {
        const Spots spots = spots_of(map, k % PATCH_SIDE, k / PATCH_SIDE);
        store_floats(pixels + k, pixels_anywhere(reach, spots));
    }
}

static HASHSIFT_TARGET void patch(const Image *image, Keypoint keypoint, float scale,
                                  float *pixels) {
    const PatchMap map = hashsift_map(keypoint, scale);
    const HashsiftReach reach = hashsift_reach(image, &map);
    switch (reach.surroundings) {
    case HASHSIFT_CLOSE: close_patch(&map, &reach, pixels); break;
    case HASHSIFT_INSIDE: inside_patch(&map, &reach, pixels); break;
    case HASHSIFT_PARTIAL: partial_patch(&map, &reach, pixels); break;
    case HASHSIFT_FAR: far_patch(image, keypoint, scale, pixels); break;
    }
}
