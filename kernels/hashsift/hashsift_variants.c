/* The CUDA rows of hashsift. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(hashsift_cuda_naive);
VARIANT_FUNCTIONS(hashsift_cuda_tiled);
VARIANT_FUNCTIONS(hashsift_cuda_tiled_32x32);
VARIANT_FUNCTIONS(hashsift_cuda_tiled_32x1);
VARIANT_FUNCTIONS(hashsift_cuda_texture);
VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_FUNCTIONS(hashsift_cuda_multi);
VARIANT_FUNCTIONS(hashsift_cuda_graph);
VARIANT_EXTERN Status hashsift_cuda_run(void *state);
VARIANT_EXTERN Status hashsift_cuda_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_product(void *state);
VARIANT_EXTERN Status hashsift_cuda_sign(void *state);
VARIANT_EXTERN Status hashsift_cuda_fast_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_fast_project(void *state);

static const Stage stages[] = {{"sift", CUDA_OP(hashsift_cuda_sift)},
                               {"product", CUDA_OP(hashsift_cuda_product)},
                               {"sign", CUDA_OP(hashsift_cuda_sign)},
                               {NULL, NULL}};

/* The signs are taken from the product's registers. */
static const Stage fast_stages[] = {{"sift", CUDA_OP(hashsift_cuda_fast_sift)},
                                    {"product", CUDA_OP(hashsift_cuda_fast_project)},
                                    {NULL, NULL}};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq", "one thread per keypoint, votes in global memory",
                       hashsift_cuda_naive_open, hashsift_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "a block of 32×4 threads per keypoint, patch and votes in shared memory, product by "
        "cuBLAS (the study's)",
        hashsift_cuda_tiled_open, hashsift_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_tiled",
                       "as cuda_tiled, the patch sampled through a texture object",
                       hashsift_cuda_texture_open, hashsift_cuda_run, .stages = stages),
    CUDA_VARIANT(
        "cuda_fast", "cuda_tiled",
        "a warp per keypoint, votes without atomics, product and signs on the matrix units",
        hashsift_cuda_fast_open, hashsift_cuda_fast_upload, hashsift_cuda_fast_run,
        cuda_state_download, cuda_state_close, .stages = fast_stages),
    CUDA_GRAPH_VARIANT("cuda_fast's pass as one graph launch, for small images and few keypoints",
                       hashsift_cuda_graph_open),
    CUDA_MULTI_KEYPOINTS_VARIANT(hashsift_cuda_multi_open),
    CUDA_STATE_VARIANT("cuda_tiled_32x32", "cuda_naive",
                       "as cuda_tiled, a block of 32×32 threads, one for each pixel of the patch",
                       hashsift_cuda_tiled_32x32_open, hashsift_cuda_run, .stages = stages,
                       .on_request = true),
    CUDA_STATE_VARIANT(
        "cuda_tiled_32x1", "cuda_naive", "as cuda_tiled, a block of 32 threads, one warp",
        hashsift_cuda_tiled_32x1_open, hashsift_cuda_run, .stages = stages, .on_request = true),
};

const VariantTable hashsift_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
