/*
 * Box choice: which of many tests make the descriptor, one after the other, by boosting.
 *
 * A triplet's margin is by how many of the chosen bits its negative differs from its anchor more
 * often than its positive does. Triplets whose margin falls behind weigh more, and the next test is
 * the one that moves the margins up most by weight. One that nearly always agrees with a chosen
 * one, or nearly never, is passed over: it would tell nothing new. Every BOX_CHOICE_MINING choices
 * each place gets the hardest negative among BOX_CHOICE_BLOCK places drawn from all pictures: of
 * more, or of one picture's, most would be repetitions that nothing can tell apart.
 *
 * All sums are of whole numbers: in any order they are the same.
 */
#ifndef BENCH_BOX_CHOICE_H
#define BENCH_BOX_CHOICE_H

#include "blas.h"
#include "place_set.h"
#include "triplets.h"

enum { BOX_CHOICE_MINING = 16, BOX_CHOICE_BLOCK = 512 };

typedef struct BoxChoice {
    const Blas *blas;
    int32_t points, candidates;
    int32_t *order;      /* in what the choice goes through the points of the set */
    SamplePlace *places; /* in this order, as all that follows */
    uint64_t seed;
    uint8_t *bits;     /* candidates × 2·points: of the first view, then of the second */
    int8_t *gains;     /* candidates × points: what each test adds to the triplets' margins */
    Triplet *triplets; /* of points; rows of 2·points */
    int32_t *margins;  /* of points */
    int16_t *weights;  /* of points */
    uint8_t *passed;   /* of candidates: chosen, or too like one that is */
    float *codes;      /* 2·BOX_CHOICE_BLOCK × most: of a block, −1 and 1 */
    float *likeness;   /* (2·BOX_CHOICE_BLOCK)² */
    int32_t *chosen;   /* the caller's, `most` of them */
    int32_t count, most;
} BoxChoice;

/* `samples` has rows of a bit for each candidate and at least two views, of which the first two are
 * taken; `chosen` outlives the choice. Release with box_choice_release,
 * whatever was returned. */
Status box_choice_create(const PlaceSet *samples, uint64_t seed, int32_t *chosen, int32_t most,
                         BoxChoice *choice);
void box_choice_release(BoxChoice *choice);

/* Chooses the next test, or takes chosen[count] for it where `given`. STATUS_NO_MATCH when all are
 * too like those chosen. `loss` is that of the triplets (triplets.h), of codes −1 and 1. */
Status box_choice_next(BoxChoice *choice, bool given, TripletLoss *loss);

#endif
