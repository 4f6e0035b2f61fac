#include "haar_units.h"

#include <stdlib.h>

#include "haar_features.h"

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

bool haar_units_make(int32_t height, int32_t min_side, int32_t threshold, HaarPlan *plan) {
    const size_t rows = ((size_t)height + HAAR_PLAN_ROWS - 1) / HAAR_PLAN_ROWS;
    const size_t groups = (size_t)plan->item_count / HAAR_PLAN_LANES + (size_t)plan->chunk_count;
    Priced *priced = malloc((groups * rows + 1) * sizeof *priced);
    plan->units = malloc((groups * rows + 1) * sizeof *plan->units);
    if (priced == NULL || plan->units == NULL) {
        free(priced);
        return false;
    }
    for (int32_t c = 0; c < plan->chunk_count; ++c) {
        HaarChunk *chunk = &plan->chunks[c];
        chunk->first_unit = plan->unit_count;
        chunk->units = list_units(plan, chunk, height, min_side, threshold, priced);
        for (int32_t i = 0; i < chunk->units; ++i) {
            plan->units[plan->unit_count++] = priced[i].unit;
        }
    }
    free(priced);
    return true;
}
