#include "group_crossover.h"

#include <math.h>
#include <stdlib.h>

#include "overview_text.h"
#include "text_list.h"

/* ", between 720p and 1080p": the sizes on either side of a place between two. */
static void append_neighbours(const Row *const *rows, size_t count, double place, char *text,
                              size_t size) {
    for (size_t i = 1; i < count; i++) {
        if (row_size(rows[i - 1]) < place && place < row_size(rows[i]) && row_is_picture(rows[i])) {
            char below[OVERVIEW_TEXT_SIZE];
            char above[OVERVIEW_TEXT_SIZE];
            size_short(rows[i - 1], below);
            size_short(rows[i], above);
            text_append(text, size, ", between %s and %s", below, above);
            return;
        }
    }
}

typedef struct Curve {
    CurvePoint *points;
    const Row **rows;
    size_t count;
} Curve;

static void release(Curve *curve) {
    free(curve->points);
    free(curve->rows);
}

/* The curve of the CPU variants is kept in `champion`, to be released. */
static Crossover compare(const Overview *overview, const RunGroup *group, const Variant *device,
                         TimeKind kind, Curve *champion) {
    Curve challenger = {.count = 0};
    Crossover crossover = {.kind = CROSSOVER_UNKNOWN, .x = NAN};
    const Status status = device != NULL ? run_curve(group, device, kind, &challenger.points,
                                                     &challenger.rows, &challenger.count)
                                         : run_device_curve(group, kind, &challenger.points,
                                                            &challenger.rows, &challenger.count);
    if (overview_check(overview, status) &&
        overview_check(overview, run_curve(group, NULL, kind, &champion->points, &champion->rows,
                                           &champion->count))) {
        crossover =
            crossover_find(challenger.points, challenger.count, champion->points, champion->count);
    }
    release(&challenger);
    return crossover;
}

Crossover group_crossover(const Overview *overview, const RunGroup *group, const Variant *device,
                          TimeKind kind) {
    Curve champion = {.count = 0};
    const Crossover crossover = compare(overview, group, device, kind, &champion);
    release(&champion);
    return crossover;
}

void crossover_phrase(const Overview *overview, const RunGroup *group, const Variant *device,
                      TimeKind kind, char *text, size_t size, size_t *points) {
    Curve champion = {.count = 0};
    const Crossover crossover = compare(overview, group, device, kind, &champion);
    *points = crossover.points;
    text[0] = '\0';
    if (crossover.points > 0) {
        crossover_words(&crossover, size_text_of(group->rows[0]), text, size);
        append_neighbours(champion.rows, champion.count, crossover.x, text, size);
    }
    release(&champion);
}
