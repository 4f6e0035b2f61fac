/* The CUDA rows of copy. Built with and without CUDA, so that every machine lists the same rows. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(copy_cuda);
VARIANT_FUNCTIONS(copy_cuda_naive);
VARIANT_FUNCTIONS(copy_cuda_fast);
VARIANT_FUNCTIONS(copy_cuda_driver);

#define COPY_ROW(row_name, row_summary, row_improves_on, row_run)                                  \
    {                                                                                              \
        .name = row_name, .summary = row_summary, .improves_on = row_improves_on,                  \
        .backend = &cuda_backend, .open = CUDA_OP(copy_cuda_open),                                 \
        .upload = CUDA_OP(copy_cuda_upload), .run = CUDA_OP(row_run),                              \
        .download = CUDA_OP(copy_cuda_download), .close = CUDA_OP(copy_cuda_close),                \
    }

static const Variant rows[] = {
    COPY_ROW("cuda_naive", "one byte a thread", "seq", copy_cuda_naive_run),
    COPY_ROW("cuda_fast", "64 bytes a thread in 16-byte loads", "cuda_naive", copy_cuda_fast_run),
    COPY_ROW("cuda_driver", "cudaMemcpyAsync from device to device", "cuda_naive",
             copy_cuda_driver_run),
};

const VariantTable copy_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
