/* Box candidates: pairs of boxes with a threshold, drawn at random, that tests of bad are chosen
 * from. */
#ifndef BENCH_BOX_CANDIDATES_H
#define BENCH_BOX_CANDIDATES_H

#include "status.h"
#include "weights.h"

enum { BOX_TABLE_BITS = 512 };

typedef struct BoxCandidates {
    int32_t count;
    Weights *tables; /* BOX_TABLE_BITS candidates each */
    int32_t table_count;
} BoxCandidates;

/* `count` is a multiple of BOX_TABLE_BITS. Release with box_candidates_release, whatever was
 * returned. */
Status box_candidates_draw(int32_t count, uint64_t seed, BoxCandidates *candidates);
void box_candidates_release(BoxCandidates *candidates);

/* The WEIGHTS_BAD_COLUMNS numbers of one. */
const float *box_candidate(const BoxCandidates *candidates, int32_t index);

#endif
