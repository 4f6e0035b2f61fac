/* The CUDA rows of haar. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(haar_cuda);
VARIANT_FUNCTIONS(haar_cuda_naive);
VARIANT_FUNCTIONS(haar_cuda_tiled);
VARIANT_FUNCTIONS(haar_cuda_texture);
VARIANT_FUNCTIONS(haar_cuda_fast);
VARIANT_FUNCTIONS(haar_cuda_streamed);
VARIANT_FUNCTIONS(haar_cuda_multi);
VARIANT_FUNCTIONS(haar_cuda_scans);
VARIANT_FUNCTIONS(haar_cuda_scans_packed);
VARIANT_EXTERN Status haar_cuda_texture_integral(void *state);
VARIANT_EXTERN Status haar_cuda_texture_features(void *state);

static const Stage texture_stages[] = {{"integral", CUDA_OP(haar_cuda_texture_integral)},
                                       {"features", CUDA_OP(haar_cuda_texture_features)},
                                       {NULL, NULL}};

static const Variant rows[] = {
    CUDA_VARIANT(
        "cuda_naive", "seq", "a buffer for the worst case of every image, copied back whole",
        haar_cuda_naive_open, haar_cuda_upload, haar_cuda_naive_run, NULL, cuda_state_close),
    CUDA_VARIANT("cuda_tiled", "cuda_naive",
                 "integral image in shared memory, one buffer with an atomic cursor (the study's "
                 "final one)",
                 haar_cuda_tiled_open, haar_cuda_upload, haar_cuda_tiled_run, haar_cuda_download,
                 cuda_state_close),
    CUDA_VARIANT("cuda_texture", "cuda_naive", "integral images through texture objects",
                 haar_cuda_texture_open, haar_cuda_upload, haar_cuda_texture_run,
                 haar_cuda_download, cuda_state_close, .stages = texture_stages),
    CUDA_VARIANT("cuda_fast", "cuda_tiled",
                 "only cells that an image can have above the threshold are searched, every value "
                 "once; records gathered in shared memory",
                 haar_cuda_fast_open, haar_cuda_upload, haar_cuda_fast_run, haar_cuda_download,
                 cuda_state_close),
    CUDA_VARIANT(
        "cuda_streamed", "cuda_fast", "cuda_fast in portions, with uploads and downloads meanwhile",
        haar_cuda_streamed_open, haar_cuda_upload, haar_cuda_streamed_run, haar_cuda_download,
        cuda_state_close, .streamed = true, .stream = CUDA_OP(haar_cuda_streamed_stream)),
    CUDA_MULTI_VARIANT("cuda_streamed", "images on several GPUs, streamed as cuda_streamed",
                       haar_cuda_multi_open, multi_shares_run, haar_cuda_multi_download,
                       .streamed = true, .stream = CUDA_OP(haar_cuda_multi_stream)),
    CUDA_VARIANT("cuda_scans", "cuda_naive",
                 "as cuda_naive, integral image by scans in shared memory, 12 bytes a record (the "
                 "study's first)",
                 haar_cuda_scans_open, haar_cuda_upload, haar_cuda_scans_run, NULL,
                 cuda_state_close, .on_request = true),
    CUDA_VARIANT(
        "cuda_scans_packed", "cuda_scans",
        "as cuda_scans, 8 bytes a record, unpacked by the host with OpenMP (the study's second)",
        haar_cuda_scans_packed_open, haar_cuda_upload, haar_cuda_scans_packed_run, NULL,
        cuda_state_close, .on_request = true),
};

const VariantTable haar_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
