/* The first two stages of simd and omp: pyramid and corners. */
#include <omp.h>

#include "fast9_quick.h"
#include "fast9_room.h"
#include "fast9_work.h"

/* A row is made of two of the level below; this many are handed out at a time. */
enum { ROWS_AT_ONCE = 8 };

static void make_row(const Fast9Work *work, int32_t level, int32_t y, int16_t *mixed) {
    const Image from = fast9_work_level(work, level - 1);
    const Image to = fast9_work_level(work, level);
    const int32_t place = fast9_sample_place(y, from.height, to.height);
    const int32_t top = place >> 8;
    const Fast9RowPair rows = {
        .top = image_row(&from, top),
        .bottom = image_row(&from, top + 1 < from.height ? top + 1 : top),
        .width = from.width,
        .fy = place & 255,
    };
    uint8_t *row = to.pixels + (size_t)y * to.stride;
    work->kernel->sample_row(&rows, &work->columns[level], to.width, mixed, row);
}

Status fast9_work_pyramid(void *state) {
    const Fast9Work *work = state;
#pragma omp parallel num_threads(work->threads)
    {
        int16_t *mixed = thread_memory_part(&work->memory, omp_get_thread_num());
        for (int32_t l = 1; l < work->levels.count; ++l) {
#pragma omp for schedule(static)
            for (int32_t y = 0; y < work->levels.height[l]; ++y) {
                make_row(work, l, y, mixed);
            }
        }
    }
    return status_ok();
}

static void add_hits(const Fast9Work *work, Fast9Band *band, const Image *level, int32_t y,
                     const Fast9Hit *hits, int32_t count) {
    const uint8_t *row = image_row(level, y);
    const size_t before = band->found;
    band->found += (size_t)count;
    if (band->found > band->room) {
        return;
    }
    Fast9Spot *spots = work->spots + band->spots + before;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t x = hits[i].x;
        const int64_t score = work->point.score == FAST9_SCORE_FAST
                                  ? hits[i].score
                                  : fast9_harris_quick(row + x, level->stride);
        spots[i] = (Fast9Spot){.score = score, .x = x, .y = y};
    }
}

static void find_band(const Fast9Work *work, Fast9Band *band, Fast9Hit *hits) {
    const Image level = fast9_work_level(work, band->level);
    band->found = 0;
    for (int32_t y = band->first; y < band->last; ++y) {
        *fast9_row_start(work, band->level, y) = band->found;
        const int32_t count = work->kernel->find_row(
            image_row(&level, y), level.stride, level.width, work->point.corner_threshold, hits);
        add_hits(work, band, &level, y, hits, count);
    }
}

static void find_all(const Fast9Work *work) {
#pragma omp parallel num_threads(work->threads)
    {
        Fast9Hit *hits = thread_memory_part(&work->memory, omp_get_thread_num());
#pragma omp for schedule(dynamic, 1)
        for (int32_t i = 0; i < work->band_count; ++i) {
            find_band(work, &work->bands[i], hits);
        }
    }
}

Status fast9_work_corners(void *state) {
    Fast9Work *work = state;
    find_all(work);
    while (fast9_room_is_short(work)) {
        STATUS_TRY(fast9_room_grow(work));
        find_all(work);
    }
    return status_ok();
}
