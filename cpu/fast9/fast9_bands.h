/*
 * fast9_bands: the data of simd and omp. The rows of all levels are cut into bands, which threads
 * take one by one; each band has room of its own for its corners and for those that stay, so that
 * the order of what is found does not depend on who found it.
 */
#ifndef CPU_FAST9_BANDS_H
#define CPU_FAST9_BANDS_H

#include "fast9_kernel.h"
#include "fast9_levels.h"
#include "thread_memory.h"

typedef struct Fast9Spot {
    int64_t score;
    int32_t x, y;
} Fast9Spot;

/* Rows first … last - 1 of a level, all of them FAST9_BORDER rows from its edges at least. */
typedef struct Fast9Band {
    int32_t level, first, last;
    size_t room, spots; /* how many spots there is room for, and where that begins */
    size_t found, kept; /* how many there are; found may be more than room */
} Fast9Band;

typedef struct Fast9Work {
    const Fast9Kernel *kernel;
    const Image *image;
    const Output *output;
    Fast9Point point;
    Fast9Levels levels;
    int threads;
    /* Of each thread: a row's mixed pixels, its hits, three rows of scores, or counts of them. */
    ThreadMemory memory;

    uint8_t *pyramid;                       /* as levels.offset says; level 0 is not copied there */
    Fast9Columns columns[FAST9_LEVELS_MAX]; /* of levels 1 … */
    int32_t *column_first;                  /* of all levels; the work owns them */
    Fast9Weights *column_weights;
    int32_t first_band[FAST9_LEVELS_MAX]; /* of a level */
    int32_t band_count;
    Fast9Band *bands;
    size_t *row_starts;                 /* of all rows: where a row begins in its band */
    size_t first_row[FAST9_LEVELS_MAX]; /* of a level, among them */

    size_t share;               /* there is room for one corner in so many pixels */
    Fast9Spot *spots, *kept;    /* of all bands */
    struct Fast9Choice *choice; /* what select needs */
} Fast9Work;

/* The level as an image. */
static inline Image fast9_work_level(const Fast9Work *work, int32_t level) {
    if (level == 0) {
        return *work->image;
    }
    return (Image){
        .width = work->levels.width[level],
        .height = work->levels.height[level],
        .stride = (size_t)work->levels.width[level],
        .pixels = work->pyramid + work->levels.offset[level],
    };
}

/* Where a row's corners begin among those of its band. */
static inline size_t *fast9_row_start(const Fast9Work *work, int32_t level, int32_t y) {
    return &work->row_starts[work->first_row[level] + (size_t)y];
}

#endif
