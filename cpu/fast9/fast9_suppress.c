/*
 * Suppression in simd and omp. With a radius of 1, which is usual, a corner's 8 neighbours are
 * looked up in rows of scores; with a larger one, the lists of corners of the rows around it are
 * gone through, so that places without a corner cost nothing.
 */
#include <omp.h>

#include "fast9_work.h"

/* No Harris score is as low. */
#define NO_CORNER INT64_MIN

/* Corners of one row, from left to right. */
typedef struct RowSpots {
    const Fast9Spot *at, *end;
} RowSpots;

static RowSpots row_spots(const Fast9Work *work, int32_t level, int32_t y) {
    if (y < FAST9_BORDER || y >= work->levels.height[level] - FAST9_BORDER) {
        return (RowSpots){.at = NULL, .end = NULL};
    }
    const Fast9Band *band = &work->bands[work->first_band[level]];
    band += (y - FAST9_BORDER) / (band->last - band->first);
    const Fast9Spot *spots = work->spots + band->spots;
    const size_t end = y + 1 < band->last ? *fast9_row_start(work, level, y + 1) : band->found;
    return (RowSpots){.at = spots + *fast9_row_start(work, level, y), .end = spots + end};
}

/* Whether a corner in the row suppresses the spot. Spots are asked about from left to right, so
 * what is too far left of one is so of all after it. */
static bool row_beats(RowSpots *row, const Fast9Spot *spot, int32_t radius) {
    const bool earlier_row = row->at != row->end && row->at->y < spot->y;
    while (row->at != row->end && row->at->x < spot->x - radius) {
        ++row->at;
    }
    for (const Fast9Spot *other = row->at; other != row->end && other->x <= spot->x + radius;
         ++other) {
        const bool earlier = earlier_row || (other->y == spot->y && other->x < spot->x);
        if (other->score > spot->score || (other->score == spot->score && earlier)) {
            return true;
        }
    }
    return false;
}

static void suppress_row(const Fast9Work *work, Fast9Band *band, int32_t y) {
    const int32_t radius = work->point.radius;
    Fast9Spot *kept = work->kept + band->spots;
    RowSpots rows[2 * FAST9_RADIUS_MAX + 1];
    const RowSpots own = row_spots(work, band->level, y);
    for (int32_t i = 0; i <= 2 * radius; ++i) {
        rows[i] = row_spots(work, band->level, y - radius + i);
    }
    for (const Fast9Spot *spot = own.at; spot != own.end; ++spot) {
        bool beaten = false;
        for (int32_t i = 0; i <= 2 * radius && !beaten; ++i) {
            beaten = row_beats(&rows[i], spot, radius);
        }
        if (!beaten) {
            kept[band->kept++] = *spot;
        }
    }
}

/* Three rows of a level's scores, that of row y at y % 3; NO_CORNER where there is none. */
typedef struct Window {
    int64_t *scores;
    int32_t width;
} Window;

static int64_t *window_row(const Window *window, int32_t y) {
    return window->scores + (ptrdiff_t)(y % 3) * window->width;
}

static void enter_row(const Window *window, int32_t y, RowSpots row) {
    int64_t *scores = window_row(window, y);
    for (; row.at != row.end; ++row.at) {
        scores[row.at->x] = row.at->score;
    }
}

static void leave_row(const Window *window, int32_t y, RowSpots row) {
    int64_t *scores = window_row(window, y);
    for (; row.at != row.end; ++row.at) {
        scores[row.at->x] = NO_CORNER;
    }
}

static inline int64_t larger_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* The 8 neighbours at once: which of them decides cannot be foreseen. */
static size_t keep_strongest(const Window *window, int32_t y, RowSpots row, Fast9Spot *kept) {
    const int64_t *up = window_row(window, y - 1);
    const int64_t *here = window_row(window, y);
    const int64_t *down = window_row(window, y + 1);
    size_t count = 0;
    for (; row.at != row.end; ++row.at) {
        const int32_t x = row.at->x;
        const int64_t score = row.at->score;
        const int64_t earlier =
            larger_of(larger_of(up[x - 1], up[x]), larger_of(up[x + 1], here[x - 1]));
        const int64_t later =
            larger_of(larger_of(here[x + 1], down[x - 1]), larger_of(down[x], down[x + 1]));
        kept[count] = *row.at;
        count += (size_t)((score > earlier) & (score >= later));
    }
    return count;
}

/* All of a band for a radius of 1. */
static void suppress_neighbours(const Fast9Work *work, Fast9Band *band, const Window *window) {
    const int32_t level = band->level;
    Fast9Spot *kept = work->kept + band->spots;
    enter_row(window, band->first - 1, row_spots(work, level, band->first - 1));
    enter_row(window, band->first, row_spots(work, level, band->first));
    for (int32_t y = band->first; y < band->last; ++y) {
        enter_row(window, y + 1, row_spots(work, level, y + 1));
        band->kept += keep_strongest(window, y, row_spots(work, level, y), kept + band->kept);
        leave_row(window, y - 1, row_spots(work, level, y - 1));
    }
    leave_row(window, band->last - 1, row_spots(work, level, band->last - 1));
    leave_row(window, band->last, row_spots(work, level, band->last));
}

static void suppress_band(const Fast9Work *work, Fast9Band *band, const Window *window) {
    band->kept = 0;
    if (work->point.radius == 1) {
        suppress_neighbours(work, band, window);
        return;
    }
    for (int32_t y = band->first; y < band->last; ++y) {
        suppress_row(work, band, y);
    }
}

Status fast9_work_suppress(void *state) {
    const Fast9Work *work = state;
    const int32_t width = work->image->width;
#pragma omp parallel num_threads(work->threads)
    {
        const Window window = {thread_memory_part(&work->memory, omp_get_thread_num()), width};
        for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)width; ++i) {
            window.scores[i] = NO_CORNER;
        }
#pragma omp for schedule(dynamic, 1)
        for (int32_t i = 0; i < work->band_count; ++i) {
            suppress_band(work, &work->bands[i], &window);
        }
    }
    return status_ok();
}
