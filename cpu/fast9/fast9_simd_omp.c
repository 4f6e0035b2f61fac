/* fast9 on one thread (simd) and on all processors (omp): the same stages with teams of 1 and of
 * --threads. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "fast9_internal.h"

/* --- Columns and bands ------------------------------------------------------------------------ */

enum { BAND_ROWS = 16 };

/* A level's entries in the arrays of columns. */
static size_t column_entries(int32_t width) {
    const size_t grain = FAST9_COLUMNS_AT_ONCE;
    return ((size_t)width + grain - 1) / grain * grain;
}

/* Entries behind the last column repeat it. */
static void fill_columns(int32_t from, int32_t to, int32_t *first, Fast9Weights *weights) {
    const size_t entries = column_entries(to);
    for (size_t i = 0; i < entries; i++) {
        const int32_t x = i < (size_t)to ? (int32_t)i : to - 1;
        const int32_t place = fast9_sample_place(x, from, to);
        const int16_t right = (int16_t)(place & 255);
        first[i] = place >> 8;
        weights[i] = (Fast9Weights){.left = (int16_t)(256 - right), .right = right};
    }
}

/* Columns depend on the shape alone, and are not among what upload has to restore. */
static Status make_columns(Fast9Work *work) {
    const Fast9Levels *levels = &work->levels;
    size_t entries = 1;
    for (int32_t l = 1; l < levels->count; l++) {
        entries += column_entries(levels->width[l]);
    }
    work->column_first = malloc(entries * sizeof *work->column_first);
    work->column_weights = malloc(entries * sizeof *work->column_weights);
    if (work->column_first == NULL || work->column_weights == NULL) {
        return status_no_memory("for the columns of %d levels", levels->count);
    }
    size_t at = 0;
    for (int32_t l = 1; l < levels->count; l++) {
        int32_t *first = work->column_first + at;
        Fast9Weights *weights = work->column_weights + at;
        fill_columns(levels->width[l - 1], levels->width[l], first, weights);
        work->columns[l] = (Fast9Columns){.first = first, .weights = weights};
        at += column_entries(levels->width[l]);
    }
    return status_ok();
}

static int32_t bands_of_level(int32_t height) {
    return (height - 2 * FAST9_BORDER + BAND_ROWS - 1) / BAND_ROWS;
}

static Status make_bands(Fast9Work *work) {
    const Fast9Levels *levels = &work->levels;
    size_t rows = 0;
    for (int32_t l = 0; l < levels->count; l++) {
        work->first_band[l] = work->band_count;
        work->first_row[l] = rows;
        work->band_count += bands_of_level(levels->height[l]);
        rows += (size_t)levels->height[l];
    }
    work->bands = calloc((size_t)work->band_count + 1, sizeof *work->bands);
    work->row_starts = calloc(rows + 1, sizeof *work->row_starts);
    if (work->bands == NULL || work->row_starts == NULL) {
        return status_no_memory("for %d bands of rows", work->band_count);
    }
    for (int32_t l = 0; l < levels->count; l++) {
        const int32_t end = levels->height[l] - FAST9_BORDER;
        Fast9Band *band = work->bands + work->first_band[l];
        for (int32_t first = FAST9_BORDER; first < end; first += BAND_ROWS, band++) {
            const int32_t last = first + BAND_ROWS < end ? first + BAND_ROWS : end;
            *band = (Fast9Band){.level = l, .first = first, .last = last};
        }
    }
    return status_ok();
}

static size_t larger_size(size_t a, size_t b) {
    return a > b ? a : b;
}

/* What a thread needs at one time. */
static size_t scratch_bytes(int32_t width) {
    const size_t mixed = ((size_t)width + FAST9_MIXED_PADDING) * sizeof(int16_t);
    const size_t hits = (size_t)width * sizeof(Fast9Hit);
    const size_t scores = 3 * (size_t)width * sizeof(int64_t);
    const size_t of_rows = larger_size(mixed, larger_size(hits, scores));
    return larger_size(of_rows, FAST9_CLASSES * sizeof(uint32_t));
}

/* --- Room for corners ------------------------------------------------------------------------- */

/* Room is first given for a share of the pixels. Where that is too little, corners are only
 * counted, more room is taken and they are found again: nothing is lost. */

/* At first, room for one corner in so many pixels: natural images have fewer. */
enum { FIRST_SHARE = 16 };

/* Gives each band its part; returns how many spots that takes. */
static size_t cut_room(Fast9Work *work) {
    size_t spots = 0;
    for (int32_t i = 0; i < work->band_count; i++) {
        Fast9Band *band = &work->bands[i];
        const size_t width = (size_t)(work->levels.width[band->level] - 2 * FAST9_BORDER);
        band->room = width * (size_t)(band->last - band->first) / work->share + 1;
        band->spots = spots;
        spots += band->room;
    }
    return spots;
}

static Status take_room(Fast9Work *work) {
    const size_t bytes = (cut_room(work) + 1) * sizeof(Fast9Spot);
    void *spots = NULL;
    void *kept = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &spots));
    work->spots = spots;
    STATUS_TRY(cpu_backend.alloc(bytes, &kept));
    work->kept = kept;
    return status_ok();
}

/* Room for a share of the pixels. */
static Status open_room(Fast9Work *work) {
    work->share = FIRST_SHARE;
    return take_room(work);
}

/* Whether a band has found more corners than it has room for. */
static bool room_is_short(const Fast9Work *work) {
    for (int32_t i = 0; i < work->band_count; i++) {
        if (work->bands[i].found > work->bands[i].room) {
            return true;
        }
    }
    return false;
}

static void close_room(Fast9Work *work) {
    cpu_backend.release(work->spots);
    cpu_backend.release(work->kept);
    work->spots = NULL;
    work->kept = NULL;
}

/* More room in place of what there is, whose corners are lost. One for each pixel is always enough,
 * and is what halving ends with. */
static Status grow_room(Fast9Work *work) {
    close_room(work);
    work->share /= 2;
    return take_room(work);
}

/* --- Pyramid ---------------------------------------------------------------------------------- */

/* A row is made of two of the level below. */
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
        for (int32_t l = 1; l < work->levels.count; l++) {
#pragma omp for schedule(static)
            for (int32_t y = 0; y < work->levels.height[l]; y++) {
                make_row(work, l, y, mixed);
            }
        }
    }
    return status_ok();
}

/* --- Corners ---------------------------------------------------------------------------------- */

static void add_hits(const Fast9Work *work, Fast9Band *band, const Image *level, int32_t y,
                     const Fast9Hit *hits, int32_t count) {
    const uint8_t *row = image_row(level, y);
    const size_t before = band->found;
    band->found += (size_t)count;
    if (band->found > band->room) {
        return;
    }
    Fast9Spot *spots = work->spots + band->spots + before;
    for (int32_t i = 0; i < count; i++) {
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
    for (int32_t y = band->first; y < band->last; y++) {
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
        for (int32_t i = 0; i < work->band_count; i++) {
            find_band(work, &work->bands[i], hits);
        }
    }
}

Status fast9_work_corners(void *state) {
    Fast9Work *work = state;
    find_all(work);
    while (room_is_short(work)) {
        STATUS_TRY(grow_room(work));
        find_all(work);
    }
    return status_ok();
}

/* --- Suppression ------------------------------------------------------------------------------ */

/* With a radius of 1, which is usual, a corner's 8 neighbours are looked up in rows of scores; with
 * a larger one, the lists of corners of the rows around it are gone through, so that places without
 * a corner cost nothing. */

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

/* Whether a corner in the row suppresses the spot. Spots are queried from left to right, so
 * what is too far left of one is so of all after it. */
static bool row_beats(RowSpots *row, const Fast9Spot *spot, int32_t radius) {
    const bool earlier_row = row->at != row->end && row->at->y < spot->y;
    while (row->at != row->end && row->at->x < spot->x - radius) {
        row->at++;
    }
    for (const Fast9Spot *other = row->at; other != row->end && other->x <= spot->x + radius;
         other++) {
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
    for (int32_t i = 0; i <= 2 * radius; i++) {
        rows[i] = row_spots(work, band->level, y - radius + i);
    }
    for (const Fast9Spot *spot = own.at; spot != own.end; spot++) {
        bool beaten = false;
        for (int32_t i = 0; i <= 2 * radius && !beaten; i++) {
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
    for (; row.at != row.end; row.at++) {
        scores[row.at->x] = row.at->score;
    }
}

static void leave_row(const Window *window, int32_t y, RowSpots row) {
    int64_t *scores = window_row(window, y);
    for (; row.at != row.end; row.at++) {
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
    for (; row.at != row.end; row.at++) {
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
    for (int32_t y = band->first; y < band->last; y++) {
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
    for (int32_t y = band->first; y < band->last; y++) {
        suppress_row(work, band, y);
    }
}

Status fast9_work_suppress(void *state) {
    const Fast9Work *work = state;
    const int32_t width = work->image->width;
#pragma omp parallel num_threads(work->threads)
    {
        const Window window = {thread_memory_part(&work->memory, omp_get_thread_num()), width};
        for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)width; i++) {
            window.scores[i] = NO_CORNER;
        }
#pragma omp for schedule(dynamic, 1)
        for (int32_t i = 0; i < work->band_count; i++) {
            suppress_band(work, &work->bands[i], &window);
        }
    }
    return status_ok();
}

/* --- State ------------------------------------------------------------------------------------ */

static Status prepare(const Request *request, int threads, Fast9Work *work) {
    const Image *image = &request->workload->image;
    *work = (Fast9Work){
        .kernel = fast9_kernel_best(),
        .image = image,
        .output = request->output,
        .point = fast9_point(request->answer),
        .threads = threads,
    };
    work->levels = fast9_levels(image->width, image->height, work->point.levels);
    STATUS_TRY(make_columns(work));
    STATUS_TRY(make_bands(work));
    STATUS_TRY(open_room(work));
    STATUS_TRY(fast9_choice_open(work));
    STATUS_TRY(thread_memory_open(threads, scratch_bytes(image->width), &work->memory));
    void *pyramid = NULL;
    STATUS_TRY(cpu_backend.alloc(work->levels.pixels + 1, &pyramid));
    work->pyramid = pyramid;
    return status_ok();
}

Status fast9_work_open(const Request *request, int threads, void **state) {
    Fast9Work *work = malloc(sizeof *work);
    if (work == NULL) {
        return status_no_memory("for the state of fast");
    }
    const Status status = prepare(request, threads, work);
    if (!status_is_ok(&status)) {
        fast9_work_close(work);
        return status;
    }
    *state = work;
    return status_ok();
}

Status fast9_work_select(void *state) {
    return fast9_choice_make(state);
}

Status fast9_work_run(void *state) {
    STATUS_TRY(fast9_work_pyramid(state));
    STATUS_TRY(fast9_work_corners(state));
    STATUS_TRY(fast9_work_suppress(state));
    return fast9_work_select(state);
}

void fast9_work_close(void *state) {
    Fast9Work *work = state;
    if (work != NULL) {
        free(work->column_first);
        free(work->column_weights);
        free(work->bands);
        free(work->row_starts);
        close_room(work);
        fast9_choice_close(work->choice);
        thread_memory_close(&work->memory);
        cpu_backend.release(work->pyramid);
        free(work);
    }
}

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(fast9_simd);
VARIANT_FUNCTIONS(fast9_omp);

Status fast9_simd_open(const Request *request, void **state) {
    return fast9_work_open(request, 1, state);
}

Status fast9_omp_open(const Request *request, void **state) {
    return fast9_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
