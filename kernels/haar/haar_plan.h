/*
 * The work of cuda_fast on one image, laid out on the host: which threads search which
 * rectangles, and which columns of sums they need in shared memory.
 *
 * An item is a place and a width: all rectangles (x, ·, w, ·) of an image. It needs three columns,
 * one number for each row y of the integral image I: the area left of the row for splits across the
 * height, I(x + w) − I(x); and for the splits in two and in three columns of cell width c, white
 * less black. The latter depend on x and c only and are shared by two or three widths. Items that
 * do not fit shared memory together are dealt with in chunks, one after the other.
 */
#ifndef KERNELS_HAAR_HAAR_PLAN_H
#define KERNELS_HAAR_HAAR_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HAAR_PLAN_LANES = 32,
    HAAR_PLAN_ITEMS_MAX = 512, /* of a chunk */
    HAAR_PLAN_ROWS = 4         /* upper edges that are searched together */
};

/* The rectangles of a place and a width, and their three columns, counted within the chunk. */
typedef struct HaarItem {
    uint8_t x, w;
    uint16_t whole, halves, thirds;
} HaarItem;

/* Weights of the entries of a row of I that make a column's number. */
typedef enum HaarColumnKind {
    HAAR_COLUMN_WHOLE,
    HAAR_COLUMN_HALVES,
    HAAR_COLUMN_THIRDS
} HaarColumnKind;

typedef struct HaarColumn {
    uint8_t kind; /* HaarColumnKind */
    uint8_t x;
    uint8_t cell; /* width of a cell; of the whole, w */
} HaarColumn;

/*
 * What a warp does without a pause: the upper edges y … y + 3 of up to 32 items, a lane each. The
 * least heights are those whose values can pass the threshold with the widest of the items; what is
 * lower is skipped.
 */
typedef struct HaarUnit {
    uint16_t first_item, items; /* counted within the chunk */
    uint8_t y;
    uint8_t height;      /* least height, for splits in columns */
    uint8_t half, third; /* least cell height, for splits in two and three rows */
} HaarUnit;

typedef struct HaarChunk {
    int32_t first_item, items;
    int32_t first_column, columns;
    int32_t first_unit, units; /* those that take longest first */
} HaarChunk;

typedef struct HaarPlan {
    HaarItem *items; /* widest first; owned, as the rest */
    HaarColumn *columns;
    HaarUnit *units;
    HaarChunk *chunks;
    int32_t item_count, column_count, unit_count, chunk_count;
    int32_t columns_most; /* of a chunk */
} HaarPlan;

/* For images of a size, rectangles of both sides at least `min_side` and values above
 * `threshold`; chunks have at most `columns` columns (at least 3). Without any rectangle
 * there are no chunks. STATUS_SKIP when memory runs out. Released with haar_plan_release, whatever
 * was returned. */
Status haar_plan_make(int32_t width, int32_t height, int32_t min_side, int32_t threshold,
                      int32_t columns, HaarPlan *plan);
void haar_plan_release(HaarPlan *plan);

#ifdef __cplusplus
}
#endif

#endif
