#include "hashsift_internal.h"

#include <math.h>

typedef struct Interval {
    float low, high;
} Interval;

/* Rounding keeps order: no pixel of the patch lies beyond its corners. */
static Interval between(const float *corners) {
    Interval interval = {corners[0], corners[0]};
    for (int k = 1; k < 4; k++) {
        interval.low = corners[k] < interval.low ? corners[k] : interval.low;
        interval.high = corners[k] > interval.high ? corners[k] : interval.high;
    }
    return interval;
}

static bool all_finite(const float *corners) {
    return isfinite(corners[0] + corners[1] + corners[2] + corners[3]);
}

static bool within(Interval interval, float limit) {
    return interval.low >= 0 && interval.high < limit;
}

/* The row above a place, or the nearest with a row below it. */
static int64_t row_of(float v, int32_t height) {
    return v >= 0 ? v < (float)(height - 2) ? (int64_t)v : height - 2 : 0;
}

/* From the first row that is touched on, which is any where corners lie nowhere. */
static void place_rows(const Image *image, const float *vs, bool finite, HashsiftReach *reach) {
    const Interval v = between(vs);
    const int64_t first = finite ? row_of(v.low, image->height) : 0;
    const int64_t last = finite ? row_of(v.high, image->height) + 1 : image->height - 1;
    const uint64_t stride = image->stride;
    const uint64_t end = (uint64_t)(image->height - 1 - first) * stride + (uint64_t)image->width;
    reach->base = image_row(image, (int32_t)first);
    reach->y = (int32_t)first;
    reach->last = end - 4 < INT32_MAX ? (int32_t)(end - 4) : INT32_MAX;
    if ((uint64_t)(last - first + 1) * stride > INT32_MAX) {
        reach->surroundings = HASHSIFT_FAR;
    } else {
        reach->stride = (int32_t)stride;
    }
}

/* Finds out whether a reach inside is a close one. */
static void look_closer(Interval u, Interval v, HashsiftReach *reach) {
    const int32_t x = (int32_t)u.low;
    const int32_t columns = (int32_t)u.high - x + 2;
    const int32_t steps = (columns + HASHSIFT_CLOSE_STEP - 1) / HASHSIFT_CLOSE_STEP;
    reach->x = x;
    reach->columns = steps * HASHSIFT_CLOSE_STEP;
    reach->rows = (int32_t)v.high - reach->y + 2;
    const int64_t end = (int64_t)(reach->rows - 1) * reach->stride + x + reach->columns;
    if (reach->columns <= HASHSIFT_CLOSE_SIDE && reach->rows <= HASHSIFT_CLOSE_SIDE &&
        end <= (int64_t)reach->last + 4) {
        reach->surroundings = HASHSIFT_CLOSE;
    }
}

HashsiftReach hashsift_reach(const Image *image, const PatchMap *map) {
    const float end = PATCH_SIDE - 1;
    const float us[] = {patch_map_x(map, 0, 0), patch_map_x(map, end, 0), patch_map_x(map, 0, end),
                        patch_map_x(map, end, end)};
    const float vs[] = {patch_map_y(map, 0, 0), patch_map_y(map, end, 0), patch_map_y(map, 0, end),
                        patch_map_y(map, end, end)};
    HashsiftReach reach = {.surroundings = HASHSIFT_FAR,
                           .right = (float)(image->width - 1),
                           .bottom = (float)(image->height - 1)};
    if (image->width < 2 || image->height < 2) {
        return reach;
    }
    const bool finite = all_finite(us) && all_finite(vs);
    /* Above the last row but one, so that there are bytes behind a pixel and its neighbour. */
    const bool inside =
        finite && within(between(us), reach.right) && within(between(vs), reach.bottom - 1);
    reach.surroundings = inside ? HASHSIFT_INSIDE : HASHSIFT_PARTIAL;
    place_rows(image, vs, finite, &reach);
    if (reach.surroundings == HASHSIFT_INSIDE) {
        look_closer(between(us), between(vs), &reach);
    }
    return reach;
}
