/* The CUDA variants of invert. Built without CUDA too: then they are listed and cannot run. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(invert_cuda_naive);

static const Variant variants[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per pixel",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(invert_cuda_naive_open),
        .upload = CUDA_OP(invert_cuda_naive_upload),
        .run = CUDA_OP(invert_cuda_naive_run),
        .download = CUDA_OP(invert_cuda_naive_download),
        .close = CUDA_OP(invert_cuda_naive_close),
    },
};

const VariantTable invert_cuda_variants = {
    .rows = variants,
    .count = sizeof variants / sizeof variants[0],
};
