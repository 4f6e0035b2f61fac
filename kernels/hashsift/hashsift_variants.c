/* The CUDA rows of hashsift. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_op.h"
#include "variant.h"

VARIANT_FUNCTIONS(hashsift_cuda);
VARIANT_FUNCTIONS(hashsift_cuda_naive);
VARIANT_FUNCTIONS(hashsift_cuda_tiled);
VARIANT_FUNCTIONS(hashsift_cuda_texture);
VARIANT_FUNCTIONS(hashsift_cuda_fast);
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
    {
        .name = "cuda_naive",
        .summary = "one thread per keypoint, votes in global memory",
        .improves_on = "seq",
        .backend = &cuda_backend,
        .open = CUDA_OP(hashsift_cuda_naive_open),
        .upload = CUDA_OP(hashsift_cuda_upload),
        .run = CUDA_OP(hashsift_cuda_run),
        .stages = stages,
        .download = CUDA_OP(hashsift_cuda_download),
        .close = CUDA_OP(hashsift_cuda_close),
    },
    {
        .name = "cuda_tiled",
        .summary =
            "a block of 32×4 threads per keypoint, patch and votes in shared memory, product by "
            "cuBLAS (the study's)",
        .improves_on = "cuda_naive",
        .backend = &cuda_backend,
        .open = CUDA_OP(hashsift_cuda_tiled_open),
        .upload = CUDA_OP(hashsift_cuda_upload),
        .run = CUDA_OP(hashsift_cuda_run),
        .stages = stages,
        .download = CUDA_OP(hashsift_cuda_download),
        .close = CUDA_OP(hashsift_cuda_close),
    },
    {
        .name = "cuda_texture",
        .summary = "as cuda_tiled, the patch sampled through a texture object",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(hashsift_cuda_texture_open),
        .upload = CUDA_OP(hashsift_cuda_upload),
        .run = CUDA_OP(hashsift_cuda_run),
        .stages = stages,
        .download = CUDA_OP(hashsift_cuda_download),
        .close = CUDA_OP(hashsift_cuda_close),
    },
    {
        .name = "cuda_fast",
        .summary =
            "a warp per keypoint, votes without atomics, product and signs on the matrix units",
        .improves_on = "cuda_tiled",
        .backend = &cuda_backend,
        .open = CUDA_OP(hashsift_cuda_fast_open),
        .upload = CUDA_OP(hashsift_cuda_upload),
        .run = CUDA_OP(hashsift_cuda_fast_run),
        .stages = fast_stages,
        .download = CUDA_OP(hashsift_cuda_download),
        .close = CUDA_OP(hashsift_cuda_close),
    },
};

const VariantTable hashsift_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
