/* The CUDA rows of copy. Built with and without CUDA, so that every machine lists the same rows. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(copy_cuda);
VARIANT_FUNCTIONS(copy_cuda_naive);
VARIANT_FUNCTIONS(copy_cuda_fast);
VARIANT_FUNCTIONS(copy_cuda_driver);

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq", "one byte a thread", copy_cuda_open,
                       copy_cuda_naive_run),
    CUDA_STATE_VARIANT("cuda_fast", "cuda_naive", "64 bytes a thread in 16-byte loads",
                       copy_cuda_open, copy_cuda_fast_run),
    CUDA_STATE_VARIANT("cuda_driver", "cuda_naive", "cudaMemcpyAsync from device to device",
                       copy_cuda_open, copy_cuda_driver_run),
};

const VariantTable copy_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
