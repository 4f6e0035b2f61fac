/* What the CPU variants of fast9 share, and the interface of their kernels. */
#ifndef CPU_FAST9_INTERNAL_H
#define CPU_FAST9_INTERNAL_H

#include <stdbool.h>

#include "cpu_memory.h"
#include "fast9.h"
#include "variant.h"

/* === Single pixels ============================================================================ */

/*
 * What fast9 computes of single pixels, written as it is defined. A pixel is given by its address,
 * `stride` bytes from row to row, and is FAST9_BORDER pixels from each edge at least.
 */

/* Whether 9 neighbours on the circle are all brighter than the pixel + t or darker than it − t. */
bool fast9_is_corner(const uint8_t *pixel, size_t stride, int32_t t);

/* The largest t for which the pixel is a corner; negative when it is none for t = 0. */
int32_t fast9_score(const uint8_t *pixel, size_t stride);

int64_t fast9_harris(const uint8_t *pixel, size_t stride);

/* 25 (ac − b²) − (a + c)²: the Harris score of the three sums. */
static inline int64_t fast9_harris_of_sums(int64_t a, int64_t b, int64_t c) {
    return 25 * (a * c - b * b) - (a + c) * (a + c);
}

void fast9_moments(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01);

/* The same as fast9_harris, in vectors where the processor has them. */
int64_t fast9_harris_quick(const uint8_t *pixel, size_t stride);

/* === Kernels ================================================================================== */

/*
 * The work on rows of pixels that simd and omp are made of, on one thread.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

enum {
    FAST9_COLUMNS_AT_ONCE = 16, /* of Fast9Columns: there are entries for a multiple of it */
    FAST9_MIXED_PADDING = 33,   /* entries of mixed pixels behind those of the row's width */
    FAST9_DISC_COLUMNS = 2 * FAST9_DISC_RADIUS + 2 /* the last is beyond the disc */
};

/* How much of the pixel at `first` and of the one right of it, out of 256, make a pixel. */
typedef struct Fast9Weights {
    int16_t left, right;
} Fast9Weights;

/* Where the pixels of a level's rows come from: one entry for each column. */
typedef struct Fast9Columns {
    const int32_t *first;
    const Fast9Weights *weights;
} Fast9Columns;

/* Two rows of a level that one of the next is made of: fy of 256 parts of the lower one. */
typedef struct Fast9RowPair {
    const uint8_t *top, *bottom;
    int32_t width, fy;
} Fast9RowPair;

typedef struct Fast9Hit {
    int32_t x, score; /* FAST score */
} Fast9Hit;

/* By which the pixels of a row of the disc are multiplied, from x = -15 on: x and the row's
 * distance from the middle, and 0 beyond the disc. Read, not computed: masks made for each row were
 * three fifths of the instructions. */
typedef struct Fast9DiscRow {
    int8_t x[FAST9_DISC_COLUMNS], y[FAST9_DISC_COLUMNS];
} Fast9DiscRow;

/* The middle row and those below it; those above have the same factors. */
extern const Fast9DiscRow fast9_disc[FAST9_DISC_RADIUS + 1];

typedef struct Fast9Kernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    /* Makes `width` pixels. `mixed` is scratch for from->width + FAST9_MIXED_PADDING numbers. */
    void (*sample_row)(const Fast9RowPair *from, const Fast9Columns *columns, int32_t width,
                       int16_t *mixed, uint8_t *to);
    /* Corners of a row of a level that is FAST9_BORDER rows from each edge at least, from left to
     * right; there is room for `width`. May read behind the end of the rows of the circle, not
     * behind the end of the level. Returns how many there are. */
    int32_t (*find_row)(const uint8_t *row, size_t stride, int32_t width, int32_t threshold,
                        Fast9Hit *hits);
    /* The same as fast9_moments. May read FAST9_DISC_COLUMNS pixels of each row of the disc. */
    void (*moments)(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01);
} Fast9Kernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const Fast9Kernel fast9_kernel_avx512;
extern const Fast9Kernel fast9_kernel_avx2;
extern const Fast9Kernel fast9_kernel_plain;
extern const Fast9Kernel *const fast9_kernels[]; /* NULL-terminated */

/* The first that this processor can run. */
const Fast9Kernel *fast9_kernel_best(void);

/* === Bands ==================================================================================== */

/*
 * The data of simd and omp. The rows of all levels are cut into bands, which threads
 * take one by one; each band has room of its own for its corners and for those that stay, so that
 * the order of what is found does not depend on who found it.
 */

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

/* === Choice =================================================================================== */

/*
 * The strongest keypoints in order, by all threads: a counting sort by classes of scores. Each
 * thread has a share of the spots, in order of level, y and x.
 *
 *   (1) each thread counts the classes of its share;
 *   (2) each thread takes a share of the classes and adds up the counts of all threads;
 *   (3) it adds up its classes from the highest down. It follows where each class begins, and how
 *       low a score can be that is still among the strongest;
 *   (4) each thread puts the candidates of its share in their places, which keeps their order. It
 *       also lists those of higher classes than the lowest, which all are in the answer, as they
 *       lie in the image;
 *   (5) each thread takes the moments of a share of that list, where neighbours share lines of the
 *       cache, and sorts the classes of a share of the places by score alone, keeping the order.
 *       Candidates of the lowest class have their moments taken when they are written.
 *
 * Nothing grows with the number of threads but (2), which every thread has a part of.
 */

enum { FAST9_CLASSES = 4096 };

typedef struct Fast9Choice Fast9Choice;

/* The class of a score, 0 … FAST9_CLASSES - 1: higher scores have the same class or a higher one.
 */
int32_t fast9_score_class(int64_t score);

/* Sets work->choice. STATUS_SKIP when there is no memory; what was taken is freed by close. */
Status fast9_choice_open(Fast9Work *work);
void fast9_choice_close(Fast9Choice *choice); /* NULL is ignored */

/* Writes the answer: the strongest of the corners that stayed, with orientation. */
Status fast9_choice_make(Fast9Work *work);

/* === simd and omp ============================================================================= */

/*
 * What simd and omp have in common: their memory and their stages, on bands of rows.
 */

/* Opens a variant that works with `threads` threads; the state is a Fast9Work. */
Status fast9_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is all of them; declared as the table does. */
VARIANT_EXTERN Status fast9_work_pyramid(void *state);
VARIANT_EXTERN Status fast9_work_corners(void *state);
VARIANT_EXTERN Status fast9_work_suppress(void *state);
VARIANT_EXTERN Status fast9_work_select(void *state);
VARIANT_EXTERN Status fast9_work_run(void *state);
VARIANT_EXTERN void fast9_work_close(void *state);

#endif
