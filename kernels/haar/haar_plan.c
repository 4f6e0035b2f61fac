/* The plan of cuda_fast, and its last part, the units in the order in which they are handed out. */
#include "haar_plan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "haar_features.h"

/* === Units ==================================================================================== */

/* Instructions of one turn of each of the kernel's loops, and of beginning a unit: what they are
 * ordered by. */
enum { COLUMNS_TURN = 21, HALVES_TURN = 36, THIRDS_TURN = 33, UNIT_BEGIN = 40 };

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* The least n with unit × n > threshold; HAAR_SIDE_MAX, the longest side there is, where that would
 * be longer or nothing is enough. */
static int32_t first_beyond(int32_t threshold, int32_t unit) {
    return unit > 0 ? smaller(threshold / unit + 1, HAAR_SIDE_MAX) : HAAR_SIDE_MAX;
}

/* Least heights for a width: haar_reach is proportional to the height, or to that of a cell. */
static void set_least(int32_t w, int32_t min_side, int32_t threshold, HaarUnit *unit) {
    const int32_t columns = smaller(first_beyond(threshold, haar_reach(HAAR_TWO_COLUMNS, w, 1)),
                                    first_beyond(threshold, haar_reach(HAAR_THREE_COLUMNS, w, 1)));
    const int32_t halves = smaller(first_beyond(threshold, haar_reach(HAAR_TWO_ROWS, w, 2)),
                                   first_beyond(threshold, haar_reach(HAAR_CHECKER, w, 2)));
    const int32_t thirds = first_beyond(threshold, haar_reach(HAAR_THREE_ROWS, w, 3));
    unit->height = (uint8_t)larger(columns, min_side);
    unit->half = (uint8_t)larger(halves, larger(min_side / 2, 1));
    unit->third = (uint8_t)larger(thirds, larger(min_side / 3, 1));
}

static int32_t turns(int32_t rows, int32_t least, int32_t parts) {
    return rows >= least * parts ? rows / parts - least + 1 : 0;
}

/* Of the uppermost edge, which has the most; 0: nothing is high enough. */
static int32_t cost(const HaarUnit *unit, int32_t height) {
    const int32_t rows = height - unit->y;
    const int32_t work = COLUMNS_TURN * turns(rows, unit->height, 1) +
                         HALVES_TURN * turns(rows, unit->half, 2) +
                         THIRDS_TURN * turns(rows, unit->third, 3);
    return work > 0 ? work + UNIT_BEGIN : 0;
}

typedef struct Priced {
    HaarUnit unit;
    int32_t cost;
} Priced;

static int by_cost(const void *left, const void *right) {
    const Priced *a = left;
    const Priced *b = right;
    if (a->cost != b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    return a->unit.first_item < b->unit.first_item ? -1 : a->unit.first_item > b->unit.first_item;
}

/* Lists a chunk's units in `priced`; returns how many. */
static int32_t list_units(const HaarPlan *plan, const HaarChunk *chunk, int32_t height,
                          int32_t min_side, int32_t threshold, Priced *priced) {
    int32_t count = 0;
    for (int32_t first = 0; first < chunk->items; first += HAAR_PLAN_LANES) {
        HaarUnit unit = {.first_item = (uint16_t)first,
                         .items = (uint16_t)smaller(chunk->items - first, HAAR_PLAN_LANES)};
        set_least(plan->items[chunk->first_item + first].w, min_side, threshold, &unit);
        for (int32_t y = 0; y < height; y += HAAR_PLAN_ROWS) {
            unit.y = (uint8_t)y;
            const int32_t of_unit = cost(&unit, height);
            if (of_unit > 0) {
                priced[count++] = (Priced){unit, of_unit};
            }
        }
    }
    qsort(priced, (size_t)count, sizeof *priced, by_cost);
    return count;
}

/* Fills the units of a plan whose chunks have their items. False when memory runs out. */
static bool haar_units_make(int32_t height, int32_t min_side, int32_t threshold, HaarPlan *plan) {
    const size_t rows = ((size_t)height + HAAR_PLAN_ROWS - 1) / HAAR_PLAN_ROWS;
    const size_t groups = (size_t)plan->item_count / HAAR_PLAN_LANES + (size_t)plan->chunk_count;
    Priced *priced = malloc((groups * rows + 1) * sizeof *priced);
    plan->units = malloc((groups * rows + 1) * sizeof *plan->units);
    if (priced == NULL || plan->units == NULL) {
        free(priced);
        return false;
    }
    for (int32_t c = 0; c < plan->chunk_count; c++) {
        HaarChunk *chunk = &plan->chunks[c];
        chunk->first_unit = plan->unit_count;
        chunk->units = list_units(plan, chunk, height, min_side, threshold, priced);
        for (int32_t i = 0; i < chunk->units; i++) {
            plan->units[plan->unit_count++] = priced[i].unit;
        }
    }
    free(priced);
    return true;
}

/* === The plan ================================================================================= */

enum { SIDES = HAAR_SIDE_MAX + 1, NO_COLUMN = -1, COLUMNS_OF_ITEM = 3 };

/* Where the chunk being filled has the columns of halves and thirds, by x and cell width. */
typedef struct Places {
    int16_t halves[SIDES][SIDES];
    int16_t thirds[SIDES][SIDES];
} Places;

static Status no_memory(void) {
    return status_no_memory("for the plan of haar/cuda_fast");
}

static Status allocate(HaarPlan *plan, size_t items) {
    const size_t some = items > 0 ? items : 1;
    plan->items = malloc(some * sizeof *plan->items);
    plan->columns = malloc(COLUMNS_OF_ITEM * some * sizeof *plan->columns);
    plan->chunks = malloc(some * sizeof *plan->chunks);
    return plan->items != NULL && plan->columns != NULL && plan->chunks != NULL ? status_ok()
                                                                                : no_memory();
}

static int16_t add_column(HaarPlan *plan, HaarChunk *chunk, HaarColumnKind kind, int32_t x,
                          int32_t cell) {
    plan->columns[plan->column_count++] =
        (HaarColumn){.kind = (uint8_t)kind, .x = (uint8_t)x, .cell = (uint8_t)cell};
    return (int16_t)chunk->columns++;
}

static int16_t shared_column(HaarPlan *plan, HaarChunk *chunk, int16_t *place, HaarColumnKind kind,
                             int32_t x, int32_t cell) {
    if (*place == NO_COLUMN) {
        *place = add_column(plan, chunk, kind, x, cell);
    }
    return *place;
}

static HaarChunk *begin_chunk(HaarPlan *plan, Places *places) {
    memset(places, 0xFF, sizeof *places); /* NO_COLUMN everywhere */
    HaarChunk *chunk = &plan->chunks[plan->chunk_count++];
    *chunk = (HaarChunk){.first_item = plan->item_count, .first_column = plan->column_count};
    return chunk;
}

static void add_item(HaarPlan *plan, HaarChunk *chunk, Places *places, int32_t x, int32_t w) {
    const int16_t whole = add_column(plan, chunk, HAAR_COLUMN_WHOLE, x, w);
    const int16_t halves =
        shared_column(plan, chunk, &places->halves[x][w / 2], HAAR_COLUMN_HALVES, x, w / 2);
    const int16_t thirds =
        shared_column(plan, chunk, &places->thirds[x][w / 3], HAAR_COLUMN_THIRDS, x, w / 3);
    plan->items[plan->item_count++] = (HaarItem){.x = (uint8_t)x,
                                                 .w = (uint8_t)w,
                                                 .whole = (uint16_t)whole,
                                                 .halves = (uint16_t)halves,
                                                 .thirds = (uint16_t)thirds};
    chunk->items++;
}

/* Whether a rectangle so wide can pass the threshold in any way. */
static bool can_pass(int32_t w, int32_t height, int32_t threshold) {
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        if (haar_reach(type, w, height) > threshold) {
            return true;
        }
    }
    return false;
}

/* Widest first, so that the items of a warp have about the same width, and with it about the same
 * least height whose values can pass the threshold. */
static void fill(HaarPlan *plan, Places *places, int32_t width, int32_t least, int32_t columns) {
    HaarChunk *chunk = NULL;
    for (int32_t w = width; w >= least; --w) {
        for (int32_t x = 0; x + w <= width; x++) {
            if (chunk == NULL || chunk->items == HAAR_PLAN_ITEMS_MAX ||
                chunk->columns + COLUMNS_OF_ITEM > columns) {
                chunk = begin_chunk(plan, places);
            }
            add_item(plan, chunk, places, x, w);
        }
    }
    for (int32_t i = 0; i < plan->chunk_count; i++) {
        const int32_t count = plan->chunks[i].columns;
        plan->columns_most = count > plan->columns_most ? count : plan->columns_most;
    }
}

/* Reach grows with the width, so the widths that can pass are those from some width on. */
static int32_t least_width(int32_t width, int32_t height, int32_t min_side, int32_t threshold) {
    int32_t least = min_side;
    while (least <= width && !can_pass(least, height, threshold)) {
        least++;
    }
    return height >= min_side ? least : width + 1;
}

Status haar_plan_make(int32_t width, int32_t height, int32_t min_side, int32_t threshold,
                      int32_t columns, HaarPlan *plan) {
    *plan = (HaarPlan){.item_count = 0};
    const int32_t least = least_width(width, height, min_side, threshold);
    const size_t widths = width >= least ? (size_t)(width - least + 1) : 0;
    STATUS_TRY(allocate(plan, widths * (widths + 1) / 2));
    Places *places = malloc(sizeof *places);
    if (places == NULL) {
        return no_memory();
    }
    fill(plan, places, width, least, columns);
    free(places);
    return haar_units_make(height, min_side, threshold, plan) ? status_ok() : no_memory();
}

void haar_plan_release(HaarPlan *plan) {
    free(plan->items);
    free(plan->columns);
    free(plan->units);
    free(plan->chunks);
    *plan = (HaarPlan){.item_count = 0};
}
