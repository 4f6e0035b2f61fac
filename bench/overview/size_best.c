#include "size_best.h"

#include <math.h>
#include <stdlib.h>

static SizeBest *place_of(SizeBest *list, size_t *count, double size) {
    size_t place = 0;
    while (place < *count && list[place].size < size) {
        place++;
    }
    if (place < *count && list[place].size == size) {
        return &list[place];
    }
    for (size_t i = *count; i > place; i--) {
        list[i] = list[i - 1];
    }
    list[place] = (SizeBest){.size = size};
    (*count)++;
    return &list[place];
}

static void keep_faster(const Row **best, const Row *row, TimeKind kind) {
    if (*best == NULL || row_seconds(row, kind) < row_seconds(*best, kind)) {
        *best = row;
    }
}

static void take_row(SizeBest *best, const Row *row, TimeKind kind) {
    if (isfinite(row_seconds(row, kind))) {
        keep_faster(&best->fastest[kind], row, kind);
        keep_faster(row_is_on_cpu(row) ? &best->cpu[kind] : &best->device[kind], row, kind);
    }
}

Status size_best_find(const RunGroup *group, SizeBest **list, size_t *count) {
    *count = 0;
    *list = calloc(group->count + 1, sizeof **list);
    if (*list == NULL) {
        return status_skip("no memory left for the sizes of %zu rows", group->count);
    }
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (isfinite(row_seconds(row, TIME_KERNEL))) {
            SizeBest *best = place_of(*list, count, row_size(row));
            take_row(best, row, TIME_KERNEL);
            take_row(best, row, TIME_END_TO_END);
        }
    }
    if (*count == 0) {
        free(*list);
        *list = NULL;
    }
    return status_ok();
}
