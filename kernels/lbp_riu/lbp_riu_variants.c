/* The CUDA rows of lbp_riu. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_axes.h"
#include "cuda_op.h"
#include "lbp_riu_compare.h"
#include "variant.h"

VARIANT_FUNCTIONS(lbp_riu_cuda);
VARIANT_FUNCTIONS(lbp_riu_cuda_naive);
VARIANT_FUNCTIONS(lbp_riu_cuda_tiled);
VARIANT_FUNCTIONS(lbp_riu_cuda_texture);
VARIANT_FUNCTIONS(lbp_riu_cuda_fast);
VARIANT_FUNCTIONS(lbp_riu_cuda_streamed);

static const Axis *const naive_axes[] = {&block_axis, NULL};
static const Axis *const tiled_axes[] = {&tile_axis, NULL};

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per pixel, samples from global memory",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .tuning = naive_axes,
        .open = CUDA_OP(lbp_riu_cuda_naive_open),
        .upload = CUDA_OP(lbp_riu_cuda_upload),
        .run = CUDA_OP(lbp_riu_cuda_naive_run),
        .download = CUDA_OP(lbp_riu_cuda_download),
        .close = CUDA_OP(lbp_riu_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "tile and border in shared memory, pattern in constant memory",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .tuning = tiled_axes,
        .open = CUDA_OP(lbp_riu_cuda_tiled_open),
        .upload = CUDA_OP(lbp_riu_cuda_upload),
        .run = CUDA_OP(lbp_riu_cuda_tiled_run),
        .download = CUDA_OP(lbp_riu_cuda_download),
        .close = CUDA_OP(lbp_riu_cuda_close),
    },
    {
        .name = "cuda_texture",
        .summary = "samples interpolated by the texture hardware, weights of 8 bits",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(lbp_riu_cuda_texture_open),
        .upload = CUDA_OP(lbp_riu_cuda_upload),
        .run = CUDA_OP(lbp_riu_cuda_texture_run),
        .download = CUDA_OP(lbp_riu_cuda_download),
        .close = CUDA_OP(lbp_riu_cuda_texture_close),
        .compare = lbp_riu_compare_filtered,
    },
    {
        .name = "cuda_fast",
        .summary = "packed dot products, four pixels a thread, rows rolled through registers",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(lbp_riu_cuda_fast_open),
        .upload = CUDA_OP(lbp_riu_cuda_upload),
        .run = CUDA_OP(lbp_riu_cuda_fast_run),
        .download = CUDA_OP(lbp_riu_cuda_download),
        .close = CUDA_OP(lbp_riu_cuda_close),
    },
    {
        .name = "cuda_streamed",
        .summary = "cuda_fast in bands: upload, kernel and download overlap",
        .improves_on = "cuda_fast",
        .backend = &cuda_backend,
        .open = CUDA_OP(lbp_riu_cuda_streamed_open),
        .upload = CUDA_OP(lbp_riu_cuda_upload),
        .run = CUDA_OP(lbp_riu_cuda_streamed_run),
        .download = CUDA_OP(lbp_riu_cuda_download),
        .stream = CUDA_OP(lbp_riu_cuda_streamed_stream),
        .close = CUDA_OP(lbp_riu_cuda_streamed_close),
    },
};

const VariantTable lbp_riu_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
