/* The CUDA rows of matching. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(matching_cuda);
VARIANT_FUNCTIONS(matching_cuda_naive);
VARIANT_FUNCTIONS(matching_cuda_tiled);
VARIANT_FUNCTIONS(matching_cuda_fast);

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per descriptor, the other set from global memory",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(matching_cuda_naive_open),
        .upload = CUDA_OP(matching_cuda_upload),
        .run = CUDA_OP(matching_cuda_run),
        .download = CUDA_OP(matching_cuda_download),
        .close = CUDA_OP(matching_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "a thread per descriptor and tile of the other set, which is in shared memory",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(matching_cuda_tiled_open),
        .upload = CUDA_OP(matching_cuda_upload),
        .run = CUDA_OP(matching_cuda_run),
        .download = CUDA_OP(matching_cuda_download),
        .close = CUDA_OP(matching_cuda_close),
    },
    {
        .name = "cuda_fast",
        .summary = "products of bytes on tensor cores, both directions from one pass",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(matching_cuda_fast_open),
        .upload = CUDA_OP(matching_cuda_upload),
        .run = CUDA_OP(matching_cuda_run),
        .download = CUDA_OP(matching_cuda_download),
        .close = CUDA_OP(matching_cuda_close),
    },
};

const VariantTable matching_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
