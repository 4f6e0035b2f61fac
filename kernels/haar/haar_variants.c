/* The CUDA rows of haar. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(haar_cuda_naive);
VARIANT_FUNCTIONS(haar_cuda_tiled);
VARIANT_FUNCTIONS(haar_cuda_texture);
VARIANT_FUNCTIONS(haar_cuda_fast);
VARIANT_FUNCTIONS(haar_cuda_streamed);
VARIANT_EXTERN Status haar_cuda_texture_integral(void *state);
VARIANT_EXTERN Status haar_cuda_texture_features(void *state);

static const Stage texture_stages[] = {{"integral", CUDA_OP(haar_cuda_texture_integral)},
                                       {"features", CUDA_OP(haar_cuda_texture_features)},
                                       {NULL, NULL}};

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "a buffer for the worst case of every picture, copied back whole (the study's "
                   "first)",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(haar_cuda_naive_open),
        .upload = CUDA_OP(haar_cuda_naive_upload),
        .run = CUDA_OP(haar_cuda_naive_run),
        .close = CUDA_OP(haar_cuda_naive_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "integral image in shared memory, one buffer with an atomic cursor (the study's "
                   "final one)",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(haar_cuda_tiled_open),
        .upload = CUDA_OP(haar_cuda_tiled_upload),
        .run = CUDA_OP(haar_cuda_tiled_run),
        .download = CUDA_OP(haar_cuda_tiled_download),
        .close = CUDA_OP(haar_cuda_tiled_close),
    },
    {
        .name = "cuda_texture",
        .summary = "integral images through texture objects",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(haar_cuda_texture_open),
        .upload = CUDA_OP(haar_cuda_texture_upload),
        .run = CUDA_OP(haar_cuda_texture_run),
        .stages = texture_stages,
        .download = CUDA_OP(haar_cuda_texture_download),
        .close = CUDA_OP(haar_cuda_texture_close),
    },
    {
        .name = "cuda_fast",
        .summary = "columns of sums for each place and width, every value one or two additions, "
                   "records gathered in shared memory",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(haar_cuda_fast_open),
        .upload = CUDA_OP(haar_cuda_fast_upload),
        .run = CUDA_OP(haar_cuda_fast_run),
        .download = CUDA_OP(haar_cuda_fast_download),
        .close = CUDA_OP(haar_cuda_fast_close),
    },
    {
        .name = "cuda_streamed",
        .summary = "cuda_fast in portions, with uploads and downloads meanwhile",
        .improves_on = "cuda_fast",
        .backend = &cuda_backend,
        .open = CUDA_OP(haar_cuda_streamed_open),
        .upload = CUDA_OP(haar_cuda_streamed_upload),
        .run = CUDA_OP(haar_cuda_streamed_run),
        .download = CUDA_OP(haar_cuda_streamed_download),
        .stream = CUDA_OP(haar_cuda_streamed_stream),
        .close = CUDA_OP(haar_cuda_streamed_close),
    },
};

const VariantTable haar_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
