/* The CUDA rows of lacunarity. Built with and without CUDA, so that every machine lists the same.
 */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_EXTERN Status lacunarity_cuda_download(void *state);
VARIANT_FUNCTIONS(lacunarity_cuda_naive);
VARIANT_FUNCTIONS(lacunarity_cuda_pipeline);
VARIANT_FUNCTIONS(lacunarity_cuda_tiled);
VARIANT_FUNCTIONS(lacunarity_cuda_texture);
VARIANT_FUNCTIONS(lacunarity_cuda_sat);
VARIANT_FUNCTIONS(lacunarity_cuda_fast);
VARIANT_FUNCTIONS(lacunarity_cuda_multi);
VARIANT_FUNCTIONS(lacunarity_cuda_one_block);
VARIANT_FUNCTIONS(lacunarity_cuda_one_block_pipeline);
VARIANT_FUNCTIONS(lacunarity_cuda_one_block_shared);

static const Variant rows[] = {
    CUDA_VARIANT("cuda_naive", "seq", "one thread per box position, every pixel of the box counted",
                 lacunarity_cuda_naive_open, cuda_state_upload, lacunarity_cuda_naive_run,
                 lacunarity_cuda_download, cuda_state_close, .tuning = block_tuning),
    CUDA_VARIANT("cuda_pipeline", "cuda_naive",
                 "one thread per column, row sums updated going down (the study's)",
                 lacunarity_cuda_pipeline_open, cuda_state_upload, lacunarity_cuda_pipeline_run,
                 lacunarity_cuda_download, cuda_state_close),
    CUDA_VARIANT("cuda_tiled", "cuda_pipeline",
                 "row sums from a strip of the image in shared memory", lacunarity_cuda_tiled_open,
                 cuda_state_upload, lacunarity_cuda_tiled_run, lacunarity_cuda_download,
                 cuda_state_close, .tuning = tile_tuning),
    CUDA_VARIANT("cuda_texture", "cuda_pipeline",
                 "as cuda_pipeline, pixels through a texture object", lacunarity_cuda_texture_open,
                 cuda_state_upload, lacunarity_cuda_texture_run, lacunarity_cuda_download,
                 cuda_state_close),
    CUDA_VARIANT("cuda_sat", "cuda_tiled",
                 "summed-area table by library scans, four reads a position",
                 lacunarity_cuda_sat_open, cuda_state_upload, lacunarity_cuda_sat_run,
                 lacunarity_cuda_download, cuda_state_close),
    CUDA_VARIANT("cuda_fast", "cuda_sat",
                 "running column sums in registers, one scan a row, nothing written but the sums",
                 lacunarity_cuda_fast_open, cuda_state_upload, lacunarity_cuda_fast_run,
                 lacunarity_cuda_download, cuda_state_close),
    CUDA_MULTI_VARIANT("cuda_fast", "bands of box positions on several GPUs, by cuda_fast",
                       lacunarity_cuda_multi_open, multi_shares_run,
                       lacunarity_cuda_multi_download),
    CUDA_VARIANT("cuda_one_block", "seq",
                 "as the study ran it: one block of 512 threads, a table of 13 ranges for each",
                 lacunarity_cuda_one_block_open, cuda_state_upload, lacunarity_cuda_one_block_run,
                 lacunarity_cuda_download, cuda_state_close, .on_request = true),
    CUDA_VARIANT("cuda_one_block_pipeline", "cuda_one_block",
                 "the same, row sums updated going down", lacunarity_cuda_one_block_open,
                 cuda_state_upload, lacunarity_cuda_one_block_pipeline_run,
                 lacunarity_cuda_download, cuda_state_close, .on_request = true),
    CUDA_VARIANT("cuda_one_block_shared", "cuda_one_block_pipeline",
                 "the same, the image in shared memory, a bit a pixel",
                 lacunarity_cuda_one_block_shared_open, cuda_state_upload,
                 lacunarity_cuda_one_block_shared_run, lacunarity_cuda_download, cuda_state_close,
                 .on_request = true),
};

const VariantTable lacunarity_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
