/* The CUDA rows of fast9. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_axes.h"
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(fast9_cuda);
VARIANT_FUNCTIONS(fast9_cuda_naive);
VARIANT_FUNCTIONS(fast9_cuda_tiled);
VARIANT_FUNCTIONS(fast9_cuda_texture);
VARIANT_FUNCTIONS(fast9_cuda_fast);
VARIANT_EXTERN Status fast9_cuda_pyramid(void *state);
VARIANT_EXTERN Status fast9_cuda_corners(void *state);
VARIANT_EXTERN Status fast9_cuda_suppress(void *state);
VARIANT_EXTERN Status fast9_cuda_select(void *state);

static const Stage stages[] = {{"pyramid", CUDA_OP(fast9_cuda_pyramid)},
                               {"corners", CUDA_OP(fast9_cuda_corners)},
                               {"suppress", CUDA_OP(fast9_cuda_suppress)},
                               {"select", CUDA_OP(fast9_cuda_select)},
                               {NULL, NULL}};

static const Axis *const tiled_tuning[] = {&tile_axis, NULL};

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per pixel, levels one after the other",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(fast9_cuda_naive_open),
        .upload = CUDA_OP(fast9_cuda_upload),
        .run = CUDA_OP(fast9_cuda_run),
        .stages = stages,
        .download = CUDA_OP(fast9_cuda_download),
        .close = CUDA_OP(fast9_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "corners from a tile of the level and its margin in shared memory",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .tuning = tiled_tuning,
        .open = CUDA_OP(fast9_cuda_tiled_open),
        .upload = CUDA_OP(fast9_cuda_upload),
        .run = CUDA_OP(fast9_cuda_run),
        .stages = stages,
        .download = CUDA_OP(fast9_cuda_download),
        .close = CUDA_OP(fast9_cuda_close),
    },
    {
        .name = "cuda_texture",
        .summary = "corners through texture objects",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(fast9_cuda_texture_open),
        .upload = CUDA_OP(fast9_cuda_upload),
        .run = CUDA_OP(fast9_cuda_run),
        .stages = stages,
        .download = CUDA_OP(fast9_cuda_download),
        .close = CUDA_OP(fast9_cuda_close),
    },
    {
        .name = "cuda_fast",
        .summary =
            "all levels in one launch; pairs of pixels tested at once, then the circles of those "
            "that are left",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(fast9_cuda_fast_open),
        .upload = CUDA_OP(fast9_cuda_upload),
        .run = CUDA_OP(fast9_cuda_run),
        .stages = stages,
        .download = CUDA_OP(fast9_cuda_download),
        .close = CUDA_OP(fast9_cuda_close),
    },
};

const VariantTable fast9_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
