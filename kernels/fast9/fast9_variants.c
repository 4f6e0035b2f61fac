/* The CUDA rows of fast9. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(fast9_cuda);
VARIANT_FUNCTIONS(fast9_cuda_naive);
VARIANT_FUNCTIONS(fast9_cuda_tiled);
VARIANT_FUNCTIONS(fast9_cuda_texture);
VARIANT_FUNCTIONS(fast9_cuda_fast);
VARIANT_FUNCTIONS(fast9_cuda_graph);
VARIANT_EXTERN Status fast9_cuda_pyramid(void *state);
VARIANT_EXTERN Status fast9_cuda_corners(void *state);
VARIANT_EXTERN Status fast9_cuda_suppress(void *state);
VARIANT_EXTERN Status fast9_cuda_select(void *state);

static const Stage stages[] = {{"pyramid", CUDA_OP(fast9_cuda_pyramid)},
                               {"corners", CUDA_OP(fast9_cuda_corners)},
                               {"suppress", CUDA_OP(fast9_cuda_suppress)},
                               {"select", CUDA_OP(fast9_cuda_select)},
                               {NULL, NULL}};

static const Variant rows[] = {
    CUDA_VARIANT("cuda_naive", "seq", "one thread per pixel, levels one after the other",
                 fast9_cuda_naive_open, cuda_state_upload, fast9_cuda_run, fast9_cuda_download,
                 cuda_state_close, .stages = stages),
    CUDA_VARIANT("cuda_tiled", "cuda_naive",
                 "corners from a tile of the level and its margin in shared memory",
                 fast9_cuda_tiled_open, cuda_state_upload, fast9_cuda_run, fast9_cuda_download,
                 cuda_state_close, .tuning = tile_tuning, .stages = stages),
    CUDA_VARIANT("cuda_texture", "cuda_naive", "corners through texture objects",
                 fast9_cuda_texture_open, cuda_state_upload, fast9_cuda_run, fast9_cuda_download,
                 cuda_state_close, .stages = stages),
    CUDA_VARIANT(
        "cuda_fast", "cuda_tiled",
        "all levels in one kernel launch; four pixels tested at once, then the circles of those "
        "that are left",
        fast9_cuda_fast_open, cuda_state_upload, fast9_cuda_run, fast9_cuda_download,
        cuda_state_close, .stages = stages),
    CUDA_GRAPH_VARIANT("cuda_fast's pass as one graph launch, for small images",
                       fast9_cuda_graph_open),
};

const VariantTable fast9_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
