/* The CUDA rows of lacunarity. Built with and without CUDA, so that every machine lists the same.
 */
#include "cuda_axes.h"
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(lacunarity_cuda);
VARIANT_FUNCTIONS(lacunarity_cuda_naive);
VARIANT_FUNCTIONS(lacunarity_cuda_pipeline);
VARIANT_FUNCTIONS(lacunarity_cuda_tiled);
VARIANT_FUNCTIONS(lacunarity_cuda_texture);
VARIANT_FUNCTIONS(lacunarity_cuda_sat);
VARIANT_FUNCTIONS(lacunarity_cuda_fast);

static const Axis *const block_axes[] = {&block_axis, NULL};
static const Axis *const tiled_axes[] = {&tile_axis, NULL};

static const Variant rows[] = {
    {
        .name = "cuda_naive",
        .summary = "one thread per box position, every pixel of the box counted",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .tuning = block_axes,
        .open = CUDA_OP(lacunarity_cuda_naive_open),
        .upload = CUDA_OP(lacunarity_cuda_upload),
        .run = CUDA_OP(lacunarity_cuda_naive_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_close),
    },
    {
        .name = "cuda_pipeline",
        .summary = "one thread per column, row sums updated going down (the study's)",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(lacunarity_cuda_pipeline_open),
        .upload = CUDA_OP(lacunarity_cuda_upload),
        .run = CUDA_OP(lacunarity_cuda_pipeline_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary = "row sums from a strip of the image in shared memory",
        .improves_on = "cuda_pipeline",
        .backend = &cuda_backend,
        .tuning = tiled_axes,
        .open = CUDA_OP(lacunarity_cuda_tiled_open),
        .upload = CUDA_OP(lacunarity_cuda_upload),
        .run = CUDA_OP(lacunarity_cuda_tiled_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_close),
    },
    {
        .name = "cuda_texture",
        .summary = "as cuda_pipeline, pixels through a texture object",
        .improves_on = "cuda_pipeline",
        .backend = &cuda_backend,
        .open = CUDA_OP(lacunarity_cuda_texture_open),
        .upload = CUDA_OP(lacunarity_cuda_upload),
        .run = CUDA_OP(lacunarity_cuda_texture_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_texture_close),
    },
    {
        .name = "cuda_sat",
        .summary = "summed-area table by library scans, four reads a position",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(lacunarity_cuda_sat_open),
        .upload = CUDA_OP(lacunarity_cuda_upload),
        .run = CUDA_OP(lacunarity_cuda_sat_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_sat_close),
    },
    {
        .name = "cuda_fast",
        .summary = "running column sums in registers, one scan a row, nothing written but the sums",
        .improves_on = "cuda_sat",
        .backend = &cuda_backend,
        .open = CUDA_OP(lacunarity_cuda_fast_open),
        .upload = CUDA_OP(lacunarity_cuda_fast_upload),
        .run = CUDA_OP(lacunarity_cuda_fast_run),
        .download = CUDA_OP(lacunarity_cuda_download),
        .close = CUDA_OP(lacunarity_cuda_fast_close),
    },
};

const VariantTable lacunarity_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
