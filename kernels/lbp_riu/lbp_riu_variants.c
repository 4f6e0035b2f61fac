/* The CUDA rows of lbp_riu. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "lbp_riu_compare.h"
#include "variant.h"

VARIANT_FUNCTIONS(lbp_riu_cuda_naive);
VARIANT_FUNCTIONS(lbp_riu_cuda_tiled);
VARIANT_FUNCTIONS(lbp_riu_cuda_tiled_atomic);
VARIANT_FUNCTIONS(lbp_riu_cuda_texture);
VARIANT_FUNCTIONS(lbp_riu_cuda_fast);
VARIANT_FUNCTIONS(lbp_riu_cuda_streamed);
VARIANT_FUNCTIONS(lbp_riu_cuda_multi);
VARIANT_FUNCTIONS(lbp_riu_cuda_graph);
VARIANT_FUNCTIONS(coded_streamed);
VARIANT_FUNCTIONS(coded_multi);
VARIANT_EXTERN bool coded_streamed_is_whole_pass(const void *state);

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq", "one thread per pixel, samples from global memory",
                       lbp_riu_cuda_naive_open, lbp_riu_cuda_naive_run, .tuning = block_tuning),
    CUDA_STATE_VARIANT("cuda_tiled", "cuda_naive",
                       "tile and border in shared memory, pattern in constant memory",
                       lbp_riu_cuda_tiled_open, lbp_riu_cuda_tiled_run, .tuning = tile_tuning),
    CUDA_STATE_VARIANT("cuda_tiled_atomic", "cuda_naive",
                       "cuda_tiled as the study has it: a block a tile, a global atomic a pixel",
                       lbp_riu_cuda_tiled_open, lbp_riu_cuda_tiled_atomic_run,
                       .tuning = tile_tuning, .on_request = true),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_naive",
                       "samples interpolated by the texture hardware, weights of 8 bits",
                       lbp_riu_cuda_texture_open, lbp_riu_cuda_texture_run,
                       .compare = lbp_riu_compare_filtered),
    CUDA_STATE_VARIANT("cuda_fast", "cuda_tiled",
                       "packed dot products, four pixels a thread, rows rolled through registers",
                       lbp_riu_cuda_fast_open, lbp_riu_cuda_fast_run),
    CUDA_VARIANT("cuda_streamed", "cuda_fast",
                 "cuda_fast in bands: upload, kernel and download overlap",
                 lbp_riu_cuda_streamed_open, coded_streamed_upload, coded_streamed_run,
                 coded_streamed_download, cuda_state_close, .streamed = true,
                 .stream = CUDA_OP(coded_streamed_stream),
                 .is_whole_pass = CUDA_OP(coded_streamed_is_whole_pass)),
    CUDA_GRAPH_VARIANT("cuda_fast's pass as one graph launch, for small images",
                       lbp_riu_cuda_graph_open),
    CUDA_MULTI_VARIANT("cuda_streamed", "bands of rows on several GPUs, streamed as cuda_streamed",
                       lbp_riu_cuda_multi_open, multi_shares_run, coded_multi_download,
                       .streamed = true, .stream = CUDA_OP(coded_multi_stream)),
};

const VariantTable lbp_riu_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
