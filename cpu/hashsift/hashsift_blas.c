#include "hashsift_blas.h"

#include <cblas.h>

int hashsift_blas_begin(void) {
    const int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
    return threads;
}

void hashsift_blas_end(int threads) {
    openblas_set_num_threads(threads);
}

void hashsift_blas_product(const Weights *weights, const float *values, int32_t keypoints,
                           float *responses) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, keypoints, weights->bits, HASHSIFT_VALUES,
                1, values, HASHSIFT_VALUES, weights->values + 1, HASHSIFT_COLUMNS, 0, responses,
                weights->bits);
}
