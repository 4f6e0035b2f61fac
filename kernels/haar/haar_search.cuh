/*
 * What kernels that search images for features have in common: how images and rectangles are
 * shared out, the five values of a rectangle, and the records.
 */
#ifndef KERNELS_HAAR_HAAR_SEARCH_CUH
#define KERNELS_HAAR_HAAR_SEARCH_CUH

#include <algorithm>
#include <cstdint>

#include "cuda_device.h"
#include "haar.h"
#include "haar_device.cuh"

/* One kernel's work, passed by value. An image is searched by `parts` blocks, each with every
 * parts-th run of as many rectangles as it has threads. */
struct HaarSearch {
    HaarRectangles rectangles;
    HaarPacking packing;
    int32_t threshold;
    int width, height;
    uint32_t parts;
    uint32_t step_down, step_across; /* a thread's next rectangle */
    uint64_t *records;
    unsigned long long *cursor;
    unsigned long long capacity;
};

/* How a kernel is launched. */
struct HaarGrid {
    unsigned int blocks;
    uint32_t parts;
    uint32_t step; /* rectangles */
};

namespace {

constexpr unsigned int ALL_LANES = 0xFFFFFFFFU;

/* For each resident block, so that the last ones to finish leave little idle. */
constexpr uint64_t ITEMS_OF_BLOCK = 4;

/* A thread's in a part, so that making the integral image is little beside them. */
constexpr uint64_t RECTANGLES_OF_THREAD = 16;

/* Few images are searched by several blocks each. An image counts once in the grid for each of
 * its parts, and blocks that are resident take them in turn. */
inline Status haar_plan_grid(const void *kernel, int threads, size_t shared_bytes,
                             const HaarDevice *device, HaarGrid *grid) {
    int resident = 0;
    STATUS_TRY(cuda_resident_blocks(kernel, threads, shared_bytes, &resident));
    const uint64_t blocks = (uint64_t)resident * (uint64_t)cuda_multiprocessors();
    const uint64_t images = (uint64_t)device->images;
    const HaarRectangles *rectangles = &device->rectangles;
    const uint64_t count = (uint64_t)rectangles->across * rectangles->down;
    const uint64_t wanted = (blocks * ITEMS_OF_BLOCK + images - 1) / images;
    const uint64_t most = count / ((uint64_t)threads * RECTANGLES_OF_THREAD);
    const uint64_t parts = std::max<uint64_t>(std::min(wanted, most), 1);
    grid->blocks = (unsigned int)std::min(blocks, images * parts);
    grid->parts = (uint32_t)parts;
    grid->step = (uint32_t)parts * (uint32_t)threads;
    return status_ok();
}

inline HaarSearch haar_search(const HaarDevice *device, const HaarGrid *grid) {
    HaarSearch search = {};
    search.rectangles = device->rectangles;
    search.packing = device->packing;
    search.threshold = device->point.threshold;
    search.width = device->width;
    search.height = device->height;
    search.parts = grid->parts;
    search.step_down = grid->step / device->rectangles.across;
    search.step_across = grid->step % device->rectangles.across;
    search.records = device->records;
    search.cursor = device->cursor;
    search.capacity = device->capacity;
    return search;
}

/* A thread's way through the rectangles: a division at its start and none on the way. */
struct RectangleWalk {
    uint32_t down, across;

    __device__ __forceinline__ RectangleWalk(const HaarSearch &search, uint32_t first)
        : down(first / search.rectangles.across), across(first % search.rectangles.across) {
    }

    __device__ __forceinline__ bool inside(const HaarSearch &search) const {
        return down < search.rectangles.down;
    }

    __device__ __forceinline__ void advance(const HaarSearch &search) {
        down += search.step_down;
        across += search.step_across;
        if (across >= search.rectangles.across) {
            across -= search.rectangles.across;
            down++;
        }
    }

    /* The rectangle, as a feature of type 0. */
    __device__ __forceinline__ HaarFeature rectangle(const HaarSearch &search) const {
        const uchar2 columns = search.rectangles.columns[across];
        const uchar2 rows = search.rectangles.rows[down];
        return HaarFeature{0, columns.x, rows.x, columns.y, rows.y};
    }
};

/*
 * The five values of a rectangle of w × h. corner(x, y) is the entry of the integral image x
 * columns right of the rectangle's first one and y rows below. Features share corners: of 37 there
 * are 27 that differ, and each is read once.
 *
 * A feature split into columns is made of the sums of the pixels left of each of its lines; with
 * two columns of c pixels they count −1, 2, −1, with three −1, 3, −3, 1. Rows are the same turned,
 * and the checker is both.
 */
template <typename Corner>
__device__ __forceinline__ void haar_values(const Corner &corner, int w, int h,
                                            int32_t (&values)[HAAR_TYPES]) {
    const int half_w = w / 2, third_w = w / 3;
    const int half_h = h / 2, third_h = h / 3;
    const int32_t first = corner(0, 0);
    const int32_t top_half = corner(half_w, 0), top_whole = corner(2 * half_w, 0);
    const int32_t left_half = corner(0, half_h), left_whole = corner(0, 2 * half_h);

    const int32_t columns_0 = corner(0, h) - first;
    values[HAAR_TWO_COLUMNS] =
        2 * (corner(half_w, h) - top_half) - columns_0 - (corner(2 * half_w, h) - top_whole);
    values[HAAR_THREE_COLUMNS] = 3 * (corner(third_w, h) - corner(third_w, 0) -
                                      corner(2 * third_w, h) + corner(2 * third_w, 0)) +
                                 corner(3 * third_w, h) - corner(3 * third_w, 0) - columns_0;

    const int32_t rows_0 = corner(w, 0) - first;
    values[HAAR_TWO_ROWS] =
        2 * (corner(w, half_h) - left_half) - rows_0 - (corner(w, 2 * half_h) - left_whole);
    values[HAAR_THREE_ROWS] = 3 * (corner(w, third_h) - corner(0, third_h) -
                                   corner(w, 2 * third_h) + corner(0, 2 * third_h)) +
                              corner(w, 3 * third_h) - corner(0, 3 * third_h) - rows_0;

    const int32_t upper = 2 * top_half - first - top_whole;
    const int32_t middle = 2 * corner(half_w, half_h) - left_half - corner(2 * half_w, half_h);
    const int32_t lower =
        2 * corner(half_w, 2 * half_h) - left_whole - corner(2 * half_w, 2 * half_h);
    values[HAAR_CHECKER] = 2 * middle - upper - lower;
}

__device__ __forceinline__ bool is_kept(const HaarSearch &search, int32_t value) {
    return abs(value) > search.threshold;
}

__device__ __forceinline__ bool any_kept(const HaarSearch &search,
                                         const int32_t (&values)[HAAR_TYPES]) {
    bool kept = false;
#pragma unroll
    for (int type = 0; type < HAAR_TYPES; type++) {
        kept |= is_kept(search, values[type]);
    }
    return kept;
}

/* Writes a record to its place, when the buffer has one. */
__device__ __forceinline__ void put_record(const HaarSearch &search, unsigned long long at,
                                           uint32_t image, HaarFeature feature, int type,
                                           int32_t value) {
    if (at < search.capacity) {
        feature.type = (uint8_t)type;
        search.records[at] = haar_pack(&search.packing, image, feature, value);
    }
}

} // namespace

#endif
