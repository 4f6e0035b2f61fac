#include "haar_plan.h"

#include <stdbool.h>
#include <stdlib.h>

#include "haar_features.h"

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* The least n ≥ `least` with unit × n > threshold; 0 where that is more than `most`. */
static uint8_t first_beyond(int32_t threshold, int32_t unit, int32_t least, int32_t most) {
    const int32_t n = larger(threshold / unit + 1, least);
    return (uint8_t)(n <= most ? n : 0);
}

/* The lines of an image, in the order of the plan; `lines` may be NULL. */
typedef struct Walk {
    int32_t width, height, min_side, threshold;
    HaarLine *lines;
    int32_t count;
} Walk;

static void add_line(Walk *walk, HaarLine line) {
    if (walk->lines != NULL) {
        walk->lines[walk->count] = line;
    }
    walk->count++;
}

/* All places of cells of a size. haar_reach is proportional to the length, or to that of a cell. */
static void add_places(Walk *walk, bool rows, int32_t cells, int32_t size) {
    const int32_t extent = rows ? walk->height : walk->width;
    const int32_t length = rows ? walk->width : walk->height;
    const int32_t whole = cells * size;
    const int32_t side = larger(whole, walk->min_side);
    const bool checker = !rows && cells == 2;
    const int32_t reach =
        rows ? haar_reach(cells == 2 ? HAAR_TWO_ROWS : HAAR_THREE_ROWS, 1, whole)
             : haar_reach(cells == 2 ? HAAR_TWO_COLUMNS : HAAR_THREE_COLUMNS, whole, 1);
    const int32_t cell_least = larger(walk->min_side / 2, 1);
    HaarLine line = {
        .rows = rows, .cells = (uint8_t)cells, .size = (uint8_t)size, .side = (uint8_t)side};
    line.least = first_beyond(walk->threshold, reach, walk->min_side, length);
    line.least_cell = checker ? first_beyond(walk->threshold, haar_reach(HAAR_CHECKER, whole, 2),
                                             cell_least, length / 2)
                              : 0;
    if (line.least == 0 && line.least_cell == 0) {
        return;
    }
    for (int32_t place = 0; place + side <= extent; place++) {
        line.place = (uint8_t)place;
        line.sides = (uint8_t)(smaller(whole + cells - 1, extent - place) - side + 1);
        add_line(walk, line);
    }
}

/* By reach across, the largest first: three cells reach as far as two of twice their size, so that
 * lines beside each other have about the same least length. */
static void walk_lines(Walk *walk) {
    if (walk->width < walk->min_side || walk->height < walk->min_side) {
        return;
    }
    for (int32_t reach = HAAR_SIDE_MAX; reach >= 1; --reach) {
        for (int32_t rows = 0; rows < 2; rows++) {
            if (reach >= walk->min_side / 2) {
                add_places(walk, rows != 0, 2, reach);
            }
            if (reach % 2 == 0 && reach / 2 >= walk->min_side / 3) {
                add_places(walk, rows != 0, 3, reach / 2);
            }
        }
    }
}

Status haar_plan_lines(int32_t width, int32_t height, int32_t min_side, int32_t threshold,
                       HaarLine **lines, int32_t *count) {
    Walk walk = {width, height, min_side, threshold, NULL, 0};
    *lines = NULL;
    walk_lines(&walk);
    *count = walk.count;
    if (walk.count == 0) {
        return status_ok();
    }
    *lines = malloc((size_t)walk.count * sizeof **lines);
    if (*lines == NULL) {
        return status_no_memory("for the plan of haar/cuda_fast");
    }
    walk.lines = *lines;
    walk.count = 0;
    walk_lines(&walk);
    return status_ok();
}
