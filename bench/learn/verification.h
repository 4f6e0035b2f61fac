/*
 * Verification: how well descriptors tell places apart in pictures that were not learnt from.
 *
 * Of every picture several views are made. Pairs are a place in the picture and in a view, and a
 * place in the picture and another one, not near it, in a view. The false-positive rate is the
 * share of different pairs that are taken for the same one where the distance is so chosen that 95%
 * of the same pairs are found. The matching score is the share of places whose mutual nearest
 * neighbour in a view lies within 3 pixels of where it should.
 */
#ifndef BENCH_VERIFICATION_H
#define BENCH_VERIFICATION_H

#include <stdio.h>

#include "picture_folder.h"
#include "view_describer.h"
#include "views.h"

typedef struct Verification {
    int32_t pictures;
    Views *views; /* of each picture */
    size_t pairs; /* of the same place; as many of different ones */
} Verification;

typedef struct Score {
    double false_positives; /* 0…1 */
    double matching;        /* 0…1 */
} Score;

/* STATUS_NO_MATCH when the pictures have too few keypoints. They outlive what is made of them.
 * Release with verification_release, whatever was returned. */
Status verification_make(const PictureFolder *folder, Verification *verification);
void verification_release(Verification *verification);

Status verification_score(const Verification *verification, const ViewDescriber *describer,
                          Score *score);

/* From how many pairs of each distance 0 … bits are of the same place, and how many are not. */
double verification_false_positives(const uint64_t *same, const uint64_t *different, int32_t bits);

/* The trained weights, those of `against` (NULL: none) and random ones of the same size, a line
 * each. */
Status verification_print(FILE *stream, const Verification *verification, const Weights *trained,
                          const Weights *against);

#endif
