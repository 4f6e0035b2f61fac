/* Memory of simd and omp: what there is, and how it is cut. */
#include "fast9_work.h"

#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "fast9_choice.h"
#include "fast9_room.h"

enum { BAND_ROWS = 16 };

Image fast9_work_level(const Fast9Work *work, int32_t level) {
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

/* A level's entries in the arrays of columns. */
static size_t column_entries(int32_t width) {
    const size_t grain = FAST9_COLUMNS_AT_ONCE;
    return ((size_t)width + grain - 1) / grain * grain;
}

/* Entries behind the last column repeat it. */
static void fill_columns(int32_t from, int32_t to, int32_t *first, Fast9Weights *weights) {
    const size_t entries = column_entries(to);
    for (size_t i = 0; i < entries; ++i) {
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
    for (int32_t l = 1; l < levels->count; ++l) {
        entries += column_entries(levels->width[l]);
    }
    work->column_first = malloc(entries * sizeof *work->column_first);
    work->column_weights = malloc(entries * sizeof *work->column_weights);
    if (work->column_first == NULL || work->column_weights == NULL) {
        return status_skip("no memory for the columns of %d levels", levels->count);
    }
    size_t at = 0;
    for (int32_t l = 1; l < levels->count; ++l) {
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
    for (int32_t l = 0; l < levels->count; ++l) {
        work->first_band[l] = work->band_count;
        work->first_row[l] = rows;
        work->band_count += bands_of_level(levels->height[l]);
        rows += (size_t)levels->height[l];
    }
    work->bands = calloc((size_t)work->band_count + 1, sizeof *work->bands);
    work->row_starts = calloc(rows + 1, sizeof *work->row_starts);
    if (work->bands == NULL || work->row_starts == NULL) {
        return status_skip("no memory for %d bands of rows", work->band_count);
    }
    for (int32_t l = 0; l < levels->count; ++l) {
        const int32_t end = levels->height[l] - FAST9_BORDER;
        Fast9Band *band = work->bands + work->first_band[l];
        for (int32_t first = FAST9_BORDER; first < end; first += BAND_ROWS, ++band) {
            const int32_t last = first + BAND_ROWS < end ? first + BAND_ROWS : end;
            *band = (Fast9Band){.level = l, .first = first, .last = last};
        }
    }
    return status_ok();
}

static size_t larger_of(size_t a, size_t b) {
    return a > b ? a : b;
}

/* What a thread needs at one time. */
static size_t scratch_bytes(int32_t width) {
    const size_t mixed = ((size_t)width + FAST9_MIXED_PADDING) * sizeof(int16_t);
    const size_t hits = (size_t)width * sizeof(Fast9Hit);
    const size_t scores = 3 * (size_t)width * sizeof(int64_t);
    const size_t of_rows = larger_of(mixed, larger_of(hits, scores));
    return larger_of(of_rows, FAST9_CLASSES * sizeof(uint32_t));
}

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
    STATUS_TRY(fast9_room_open(work));
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
        return status_skip("no memory for the state of fast");
    }
    const Status status = prepare(request, threads, work);
    if (!status_is_ok(&status)) {
        fast9_work_close(work);
        return status;
    }
    *state = work;
    return status_ok();
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
        fast9_room_close(work);
        fast9_choice_close(work->choice);
        thread_memory_close(&work->memory);
        cpu_backend.release(work->pyramid);
        free(work);
    }
}
