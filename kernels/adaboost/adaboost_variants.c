/* The CUDA rows of adaboost. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(adaboost_cuda);
VARIANT_FUNCTIONS(adaboost_cuda_naive);
VARIANT_FUNCTIONS(adaboost_cuda_tiled);
VARIANT_FUNCTIONS(adaboost_cuda_fast);

VARIANT_EXTERN Status adaboost_cuda_integral(void *state);
VARIANT_EXTERN Status adaboost_cuda_values(void *state);
VARIANT_EXTERN Status adaboost_cuda_sort(void *state);
VARIANT_EXTERN Status adaboost_cuda_boosting(void *state);

static const Stage stages[] = {{"integral", CUDA_OP(adaboost_cuda_integral)},
                               {"values", CUDA_OP(adaboost_cuda_values)},
                               {"sort", CUDA_OP(adaboost_cuda_sort)},
                               {"boosting", CUDA_OP(adaboost_cuda_boosting)},
                               {NULL, NULL}};

static const Variant rows[] = {
    CUDA_VARIANT("cuda_naive", "seq", "one thread per candidate goes through its sorted images",
                 adaboost_cuda_naive_open, adaboost_cuda_upload, adaboost_cuda_run,
                 adaboost_cuda_download, adaboost_cuda_close, .stages = stages),
    CUDA_VARIANT("cuda_tiled", "cuda_naive",
                 "one block per candidate, tiles of its sorted images scanned in shared memory",
                 adaboost_cuda_tiled_open, adaboost_cuda_upload, adaboost_cuda_run,
                 adaboost_cuda_download, adaboost_cuda_close, .stages = stages),
    CUDA_VARIANT("cuda_fast", "cuda_tiled",
                 "rounded weights in shared memory bound every candidate, exact sums for those "
                 "that may be the best",
                 adaboost_cuda_fast_open, adaboost_cuda_upload, adaboost_cuda_run,
                 adaboost_cuda_download, adaboost_cuda_close, .stages = stages),
};

const VariantTable adaboost_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
