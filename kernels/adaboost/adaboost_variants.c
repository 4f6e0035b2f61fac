/* The CUDA rows of adaboost. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_op.h"
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
    {
        .name = "cuda_naive",
        .summary = "one thread per candidate goes through its sorted pictures",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(adaboost_cuda_naive_open),
        .upload = CUDA_OP(adaboost_cuda_upload),
        .run = CUDA_OP(adaboost_cuda_run),
        .stages = stages,
        .download = CUDA_OP(adaboost_cuda_download),
        .close = CUDA_OP(adaboost_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "one block per candidate, tiles of its sorted pictures scanned in shared memory",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(adaboost_cuda_tiled_open),
        .upload = CUDA_OP(adaboost_cuda_upload),
        .run = CUDA_OP(adaboost_cuda_run),
        .stages = stages,
        .download = CUDA_OP(adaboost_cuda_download),
        .close = CUDA_OP(adaboost_cuda_close),
    },
    {
        .name = "cuda_fast",
        .summary = "rounded weights in shared memory bound every candidate, exact sums for those "
                   "that may be the best",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(adaboost_cuda_fast_open),
        .upload = CUDA_OP(adaboost_cuda_upload),
        .run = CUDA_OP(adaboost_cuda_run),
        .stages = stages,
        .download = CUDA_OP(adaboost_cuda_download),
        .close = CUDA_OP(adaboost_cuda_close),
    },
};

const VariantTable adaboost_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
