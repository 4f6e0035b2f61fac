#include "hashsift_blas.h"

int hashsift_blas_begin(const Blas *blas) {
    const int threads = blas->get_threads();
    blas->set_threads(1);
    return threads;
}

void hashsift_blas_end(const Blas *blas, int threads) {
    blas->set_threads(threads);
}

void hashsift_blas_product(const Blas *blas, const Weights *weights, const float *values,
                           int32_t keypoints, float *responses) {
    blas->sgemm(BLAS_ROW_MAJOR, BLAS_AS_IT_IS, BLAS_TRANSPOSED, keypoints, weights->bits,
                HASHSIFT_VALUES, 1, values, HASHSIFT_VALUES, weights->values + 1, HASHSIFT_COLUMNS,
                0, responses, weights->bits);
}
