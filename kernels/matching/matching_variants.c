/* The CUDA rows of matching. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(matching_cuda);
VARIANT_FUNCTIONS(matching_cuda_naive);
VARIANT_FUNCTIONS(matching_cuda_tiled);
VARIANT_FUNCTIONS(matching_cuda_fast);

static const Variant rows[] = {
    CUDA_VARIANT("cuda_naive", "seq", "one thread per descriptor, the other set from global memory",
                 matching_cuda_naive_open, matching_cuda_upload, matching_cuda_run,
                 matching_cuda_download, matching_cuda_close),
    CUDA_VARIANT("cuda_tiled", "cuda_naive",
                 "a thread per descriptor and tile of the other set, which is in shared memory",
                 matching_cuda_tiled_open, matching_cuda_upload, matching_cuda_run,
                 matching_cuda_download, matching_cuda_close),
    CUDA_VARIANT("cuda_fast", "cuda_tiled",
                 "products of bytes on tensor cores, both directions from one pass",
                 matching_cuda_fast_open, matching_cuda_upload, matching_cuda_run,
                 matching_cuda_download, matching_cuda_close),
};

const VariantTable matching_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
