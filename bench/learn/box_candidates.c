#include "box_candidates.h"

#include <stdlib.h>

#include "draw.h"
#include "weights_files.h"
#include "weights_table.h"

enum { DRAW_CANDIDATES = 20, RADIUS_MAX = 7 };

static const double threshold_deviation = 8; /* grey levels */

/* Small boxes are drawn more often: there are more places for them. */
static void draw_row(Draw *draw, float *row) {
    const double share = draw_between(draw, 0, 1);
    const int32_t radius = (int32_t)((RADIUS_MAX + 1) * share * share);
    do {
        for (int i = 0; i < 4; i++) {
            row[i] = (float)(radius + draw_below(draw, WEIGHTS_BAD_SIDE - 2 * radius));
        }
    } while (row[0] == row[2] && row[1] == row[3]);
    row[4] = (float)radius;
    row[5] = (float)(threshold_deviation * draw_normal(draw));
}

Status box_candidates_draw(int32_t count, uint64_t seed, BoxCandidates *candidates) {
    Draw draw = draw_start(seed, DRAW_CANDIDATES, 0);
    const int32_t tables = count / BOX_TABLE_BITS;
    *candidates = (BoxCandidates){.tables = calloc((size_t)tables, sizeof(Weights))};
    if (candidates->tables == NULL) {
        return status_skip("no memory left for %d candidates", (int)count);
    }
    for (int32_t t = 0; t < tables; t++) {
        Weights *table = &candidates->tables[t];
        STATUS_TRY(weights_create("candidates", WEIGHTS_BAD, BOX_TABLE_BITS, table));
        candidates->table_count++;
        for (int32_t b = 0; b < BOX_TABLE_BITS; b++) {
            draw_row(&draw, weights_row(table, b));
        }
        weights_finish(table);
    }
    candidates->count = count;
    return status_ok();
}

void box_candidates_release(BoxCandidates *candidates) {
    for (int32_t t = 0; t < candidates->table_count; t++) {
        weights_free(&candidates->tables[t]);
    }
    free(candidates->tables);
    *candidates = (BoxCandidates){0};
}

const float *box_candidate(const BoxCandidates *candidates, int32_t index) {
    return weights_row(&candidates->tables[index / BOX_TABLE_BITS], index % BOX_TABLE_BITS);
}
