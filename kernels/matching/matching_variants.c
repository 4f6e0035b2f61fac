/* The CUDA rows of matching. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(matching_cuda_naive);
VARIANT_FUNCTIONS(matching_cuda_tiled);
VARIANT_FUNCTIONS(matching_cuda_fast);
VARIANT_FUNCTIONS(matching_cuda_multi);
VARIANT_EXTERN Status matching_cuda_run(void *state);
VARIANT_EXTERN Status matching_cuda_multi_search(void *state);
VARIANT_EXTERN Status matching_cuda_multi_exchange(void *state);
VARIANT_EXTERN const char *matching_cuda_multi_exchanges_by(const void *state);
VARIANT_EXTERN const char *matching_cuda_fast_path(const void *state);
VARIANT_EXTERN const char *matching_cuda_multi_path(const void *state);

static const Stage multi_stages[] = {{"search", CUDA_OP(matching_cuda_multi_search)},
                                     {"exchange", CUDA_OP(matching_cuda_multi_exchange)},
                                     {NULL, NULL}};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq",
                       "one thread per descriptor, the other set from global memory",
                       matching_cuda_naive_open, matching_cuda_run),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "a thread per descriptor and tile of the other set, which is in shared memory",
        matching_cuda_tiled_open, matching_cuda_run),
    CUDA_STATE_VARIANT("cuda_fast", "cuda_tiled",
                       "products of bits on tensor cores, both directions from one pass",
                       matching_cuda_fast_open, matching_cuda_run,
                       .path = CUDA_OP(matching_cuda_fast_path)),
    CUDA_MULTI_VARIANT("cuda_fast", "the second set on several GPUs, by cuda_fast, keys exchanged",
                       matching_cuda_multi_open, matching_cuda_multi_run,
                       matching_cuda_multi_download, .stages = multi_stages,
                       .exchanges_by = CUDA_OP(matching_cuda_multi_exchanges_by),
                       .path = CUDA_OP(matching_cuda_multi_path)),
};

const VariantTable matching_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
