/* The CUDA rows of bad. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(bad_cuda);
VARIANT_FUNCTIONS(bad_cuda_naive);
VARIANT_FUNCTIONS(bad_cuda_tiled);
VARIANT_FUNCTIONS(bad_cuda_texture);
VARIANT_FUNCTIONS(bad_cuda_fast);
VARIANT_EXTERN Status bad_cuda_integral(void *state);
VARIANT_EXTERN Status bad_cuda_tests(void *state);

static const Stage stages[] = {
    {"integral", CUDA_OP(bad_cuda_integral)}, {"tests", CUDA_OP(bad_cuda_tests)}, {NULL, NULL}};

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per keypoint, an integral image of rows, then of columns",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(bad_cuda_naive_open),
        .upload = CUDA_OP(bad_cuda_upload),
        .run = CUDA_OP(bad_cuda_run),
        .stages = stages,
        .download = CUDA_OP(bad_cuda_download),
        .close = CUDA_OP(bad_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary =
            "a block for eight keypoints, tests in shared memory, a bit per thread, votes of warps",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(bad_cuda_tiled_open),
        .upload = CUDA_OP(bad_cuda_upload),
        .run = CUDA_OP(bad_cuda_run),
        .stages = stages,
        .download = CUDA_OP(bad_cuda_download),
        .close = CUDA_OP(bad_cuda_close),
    },
    {
        .name = "cuda_texture",
        .summary = "as cuda_tiled, the integral image through a texture object",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(bad_cuda_texture_open),
        .upload = CUDA_OP(bad_cuda_upload),
        .run = CUDA_OP(bad_cuda_run),
        .stages = stages,
        .download = CUDA_OP(bad_cuda_download),
        .close = CUDA_OP(bad_cuda_close),
    },
    {
        .name = "cuda_fast",
        .summary = "an integral image in one pass; neighbouring keypoints together, neighbouring "
                   "boxes in a warp",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(bad_cuda_fast_open),
        .upload = CUDA_OP(bad_cuda_upload),
        .run = CUDA_OP(bad_cuda_run),
        .stages = stages,
        .download = CUDA_OP(bad_cuda_download),
        .close = CUDA_OP(bad_cuda_close),
    },
};

const VariantTable bad_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
