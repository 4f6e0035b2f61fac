/* The CUDA rows of bad. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(bad_cuda_naive);
VARIANT_FUNCTIONS(bad_cuda_tiled);
VARIANT_FUNCTIONS(bad_cuda_texture);
VARIANT_FUNCTIONS(bad_cuda_fast);
VARIANT_FUNCTIONS(bad_cuda_multi);
VARIANT_EXTERN Status bad_cuda_run(void *state);
VARIANT_EXTERN Status bad_cuda_integral(void *state);
VARIANT_EXTERN Status bad_cuda_tests(void *state);

static const Stage stages[] = {
    {"integral", CUDA_OP(bad_cuda_integral)}, {"tests", CUDA_OP(bad_cuda_tests)}, {NULL, NULL}};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq",
                       "one thread per keypoint, an integral image of rows, then of columns",
                       bad_cuda_naive_open, bad_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "a block for eight keypoints, tests in shared memory, a bit per thread, votes of warps",
        bad_cuda_tiled_open, bad_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_tiled",
                       "as cuda_tiled, the integral image through a texture object",
                       bad_cuda_texture_open, bad_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_fast", "cuda_tiled",
        "an integral image in two kernel launches; neighbouring keypoints together, neighbouring "
        "boxes in a warp",
        bad_cuda_fast_open, bad_cuda_run, .stages = stages),
    CUDA_MULTI_KEYPOINTS_VARIANT(bad_cuda_multi_open),
};

const VariantTable bad_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
