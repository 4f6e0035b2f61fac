/* hashsift_blas: the product of SIFT values and weights by OpenBLAS, one block of rows at a time.
 */
#ifndef CPU_HASHSIFT_BLAS_H
#define CPU_HASHSIFT_BLAS_H

#include "blas.h"
#include "hashsift.h"

/*
 * Keeps OpenBLAS to the calling thread until the end, whatever kind of threads it was built with:
 * its own would compete with those that call it. Returns how many it had, for the end. Not to be
 * called while another thread uses OpenBLAS.
 */
int hashsift_blas_begin(const Blas *blas);
void hashsift_blas_end(const Blas *blas, int threads);

/* responses[k][b] = Σ weights[b][1 + v]·values[k][v], without the bias, for `keypoints` rows of
 * HASHSIFT_VALUES values and of weights->bits responses. Threads may call it at the same time,
 * between begin and end. */
void hashsift_blas_product(const Blas *blas, const Weights *weights, const float *values,
                           int32_t keypoints, float *responses);

#endif
