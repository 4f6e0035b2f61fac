/*
 * Projection: the factors that hashsift multiplies its 128 values by, while they are learnt.
 *
 * Inputs are rows of PROJECTION_COLUMNS numbers, 1 and the values divided by PROJECTION_UNIT, so
 * that the bias and the factors are of one size; a code is tanh of an input times the factors. The
 * factors follow the gradient of the triplets' loss by Adam, at a rate that falls along a cosine.
 */
#ifndef BENCH_PROJECTION_H
#define BENCH_PROJECTION_H

#include "blas.h"
#include "triplets.h"
#include "weights.h"

enum { PROJECTION_COLUMNS = WEIGHTS_HASHSIFT_COLUMNS, PROJECTION_UNIT = 100 };

typedef struct Projection {
    const Blas *blas;
    int32_t bits;
    /* Three tables of bits × PROJECTION_COLUMNS, one behind the other: what a checkpoint keeps. */
    float *factors, *first, *second;
    /* For batches of at most `batch` places. */
    int32_t batch;
    float *inputs; /* 2·batch × PROJECTION_COLUMNS: a place's two views lie `n` rows apart */
    SamplePlace *places;
    Triplet *triplets;
    float *codes, *likeness, *of_codes, *of_factors;
} Projection;

typedef struct ProjectionRate {
    uint64_t step, steps; /* from 0 */
    double rate, margin;
} ProjectionRate;

/* Random factors, normally distributed. STATUS_SKIP when memory is short or there is no
 * OpenBLAS. Release with
 * projection_release, whatever was returned. */
Status projection_create(int32_t bits, int32_t batch, uint64_t seed, Projection *projection);
void projection_release(Projection *projection);

size_t projection_bytes(const Projection *projection); /* of the three tables */

/* Moves and stretches every bit so that its responses to the first n rows of `inputs` have mean 0
 * and one deviation. */
void projection_standardise(Projection *projection, int32_t n);

/* The codes of the first n rows of `inputs`. */
void projection_codes(Projection *projection, int32_t n);

/* One step on the n places whose inputs are there. */
TripletLoss projection_step(Projection *projection, int32_t n, ProjectionRate rate);

/* The loss of the n places, and its derivative by the factors in `of_factors`, for the triplets
 * that were chosen last. */
TripletLoss projection_gradient(Projection *projection, int32_t n, double margin);

/* As hashsift takes them. Release with weights_free. */
Status projection_weights(const Projection *projection, const char *name, Weights *weights);

#endif
