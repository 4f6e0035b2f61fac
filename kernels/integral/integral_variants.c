/* The CUDA rows of integral. Built with and without CUDA, so that every machine lists the same
 * rows. */
#include "cub_peer.h"
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(integral_cuda_naive);
VARIANT_FUNCTIONS(integral_cuda_tiled);
VARIANT_FUNCTIONS(integral_cuda_texture);
VARIANT_FUNCTIONS(integral_cuda_scan);
VARIANT_FUNCTIONS(integral_cuda_fast);
VARIANT_FUNCTIONS(integral_cuda_streamed);
VARIANT_FUNCTIONS(integral_cuda_multi);
VARIANT_FUNCTIONS(integral_cub);

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq", "one thread per row, then one per column",
                       integral_cuda_naive_open, integral_cuda_naive_run),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "rows added up in shared memory, a tile at a time; then one thread per column",
        integral_cuda_tiled_open, integral_cuda_tiled_run, .tuning = tile_tuning),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_naive",
                       "as cuda_naive, pixels through a texture object", integral_cuda_texture_open,
                       integral_cuda_texture_run),
    CUDA_STATE_VARIANT("cuda_scan", "cuda_tiled",
                       "rows by a library's scan, then columns with many rows in flight",
                       integral_cuda_scan_open, integral_cuda_scan_run),
    CUDA_VARIANT("cuda_fast", "cuda_scan",
                 "tables that the L2 cache holds in two kernel launches, larger ones in one pass",
                 integral_cuda_fast_open, integral_cuda_fast_upload, integral_cuda_fast_run,
                 cuda_state_download, cuda_state_close),
    CUDA_VARIANT("cuda_streamed", "cuda_fast",
                 "cuda_fast in bands: upload, kernel and download overlap",
                 integral_cuda_streamed_open, integral_cuda_fast_upload, integral_cuda_streamed_run,
                 cuda_state_download, cuda_state_close, .streamed = true,
                 .stream = CUDA_OP(integral_cuda_streamed_stream)),
    CUDA_MULTI_VARIANT("cuda_fast",
                       "bands of rows on several GPUs, by cuda_fast; sums of columns are exchanged",
                       integral_cuda_multi_open, integral_cuda_multi_run, multi_shares_download),
    CUDA_STATE_VARIANT("cub", NULL, "DeviceScan of the rows, then of the columns",
                       integral_cub_open, integral_cub_run, .peer = &cub_peer),
};

const VariantTable integral_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
