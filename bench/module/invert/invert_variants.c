/* The CUDA variants of invert. Built without CUDA too: then they are listed and cannot run. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(invert_cuda_naive);

static const Variant variants[] = {
    CUDA_VARIANT("cuda_naive", "seq", "one thread per pixel", invert_cuda_naive_open,
                 invert_cuda_naive_upload, invert_cuda_naive_run, invert_cuda_naive_download,
                 invert_cuda_naive_close),
};

const VariantTable invert_cuda_variants = {
    .rows = variants,
    .count = sizeof variants / sizeof variants[0],
};
