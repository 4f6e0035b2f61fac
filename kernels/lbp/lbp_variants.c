/* The CUDA rows of lbp. Built with and without CUDA, so that every machine lists the same rows. */
#include "cub_peer.h"
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(lbp_cuda_naive);
VARIANT_FUNCTIONS(lbp_cuda_tiled);
VARIANT_FUNCTIONS(lbp_cuda_texture);
VARIANT_FUNCTIONS(lbp_cuda_fast);
VARIANT_FUNCTIONS(lbp_cuda_streamed);
VARIANT_FUNCTIONS(lbp_cuda_multi);
VARIANT_FUNCTIONS(lbp_cuda_graph);
VARIANT_FUNCTIONS(lbp_cub);
VARIANT_FUNCTIONS(coded_streamed);
VARIANT_FUNCTIONS(coded_multi);
VARIANT_EXTERN bool coded_streamed_is_whole_pass(const void *state);

/* The study begins at tiles that are narrower than any that pays. */
static const char *const tile_widths[] = {"1", "2", "4", "8", "16", "32", NULL};

static const Axis lbp_tile_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "tile",
    .help = "tile width in pixels, staged in shared memory by one thread block",
    .defaults = "4,8,16,32",
    .kind = AXIS_CHOICE,
    .choices = tile_widths,
    .title = "tile width (pixels)",
};

static const Axis *const lbp_tile_tuning[] = {&lbp_tile_axis, NULL};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq", "one thread per pixel, neighbours from global memory",
                       lbp_cuda_naive_open, lbp_cuda_naive_run, .tuning = block_tuning),
    CUDA_STATE_VARIANT("cuda_tiled", "cuda_naive",
                       "tile and halo in shared memory, blocks walk over tiles",
                       lbp_cuda_tiled_open, lbp_cuda_tiled_run, .tuning = lbp_tile_tuning),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_naive",
                       "neighbours through a texture object, zero border by hardware",
                       lbp_cuda_texture_open, lbp_cuda_texture_run),
    CUDA_STATE_VARIANT("cuda_fast", "cuda_tiled",
                       "16 pixels a thread in packed bytes, rows rolled through registers",
                       lbp_cuda_fast_open, lbp_cuda_fast_run),
    CUDA_VARIANT("cuda_streamed", "cuda_fast",
                 "cuda_fast in bands: upload, kernel and download overlap", lbp_cuda_streamed_open,
                 coded_streamed_upload, coded_streamed_run, coded_streamed_download,
                 cuda_state_close, .streamed = true, .stream = CUDA_OP(coded_streamed_stream),
                 .is_whole_pass = CUDA_OP(coded_streamed_is_whole_pass)),
    CUDA_GRAPH_VARIANT(
        "one kernel launch for small images: the kernel reads and writes host memory",
        lbp_cuda_graph_open),
    CUDA_MULTI_VARIANT("cuda_streamed", "bands of rows on several GPUs, streamed as cuda_streamed",
                       lbp_cuda_multi_open, multi_shares_run, coded_multi_download,
                       .streamed = true, .stream = CUDA_OP(coded_multi_stream)),
    CUDA_VARIANT("cub", NULL, "codes by DeviceFor, counts by DeviceHistogram", lbp_cub_open,
                 cuda_state_upload, lbp_cub_run, lbp_cub_download, cuda_state_close,
                 .peer = &cub_peer),
};

const VariantTable lbp_cuda_variants = {.rows = rows, .count = sizeof rows / sizeof rows[0]};
