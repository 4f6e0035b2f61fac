/* The CUDA rows of adaboost. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(adaboost_cuda);
VARIANT_FUNCTIONS(adaboost_cuda_naive);
VARIANT_FUNCTIONS(adaboost_cuda_tiled);
VARIANT_FUNCTIONS(adaboost_cuda_fast);
VARIANT_FUNCTIONS(adaboost_cuda_multi);

VARIANT_EXTERN Status adaboost_cuda_integral(void *state);
VARIANT_EXTERN Status adaboost_cuda_values(void *state);
VARIANT_EXTERN Status adaboost_cuda_sort(void *state);
VARIANT_EXTERN Status adaboost_cuda_boosting(void *state);

VARIANT_EXTERN Status adaboost_cuda_multi_integral(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_values(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_sort(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_boosting(void *state);
VARIANT_EXTERN Status adaboost_cuda_multi_exchange(void *state);
VARIANT_EXTERN const char *adaboost_cuda_multi_exchanges_by(const void *state);

static const Stage stages[] = {{"integral", CUDA_OP(adaboost_cuda_integral)},
                               {"values", CUDA_OP(adaboost_cuda_values)},
                               {"sort", CUDA_OP(adaboost_cuda_sort)},
                               {"boosting", CUDA_OP(adaboost_cuda_boosting)},
                               {NULL, NULL}};

/* The exchanges are a part of boosting: the last stage is those of all rounds once more, alone. */
static const Stage multi_stages[] = {{"integral", CUDA_OP(adaboost_cuda_multi_integral)},
                                     {"values", CUDA_OP(adaboost_cuda_multi_values)},
                                     {"sort", CUDA_OP(adaboost_cuda_multi_sort)},
                                     {"boosting", CUDA_OP(adaboost_cuda_multi_boosting)},
                                     {"exchange", CUDA_OP(adaboost_cuda_multi_exchange)},
                                     {NULL, NULL}};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq",
                       "one thread per candidate goes through its sorted images",
                       adaboost_cuda_naive_open, adaboost_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "one block per candidate, tiles of its sorted images scanned in shared memory",
        adaboost_cuda_tiled_open, adaboost_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_fast", "cuda_tiled",
        "sums over 16 bins of images, on tensor cores, bound every candidate, exact sums "
        "for those that may be the best",
        adaboost_cuda_fast_open, adaboost_cuda_run, .stages = stages),
    CUDA_MULTI_VARIANT("cuda_fast",
                       "candidates on several GPUs, the images on each, by cuda_fast; the best "
                       "stumps are exchanged in each round",
                       adaboost_cuda_multi_open, adaboost_cuda_multi_run,
                       adaboost_cuda_multi_download, .stages = multi_stages,
                       .exchanges_by = CUDA_OP(adaboost_cuda_multi_exchanges_by)),
};

const VariantTable adaboost_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
