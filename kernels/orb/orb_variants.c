/* The CUDA rows of orb. Built with and without CUDA, so that every machine lists the same. */
#include "cuda_variant.h"
#include "variant.h"

VARIANT_FUNCTIONS(orb_cuda_naive);
VARIANT_FUNCTIONS(orb_cuda_tiled);
VARIANT_FUNCTIONS(orb_cuda_texture);
VARIANT_FUNCTIONS(orb_cuda_fast);
VARIANT_FUNCTIONS(orb_cuda_multi);
VARIANT_EXTERN Status orb_cuda_run(void *state);
VARIANT_EXTERN Status orb_cuda_blur(void *state);
VARIANT_EXTERN Status orb_cuda_tests(void *state);

static const Stage stages[] = {
    {"blur", CUDA_OP(orb_cuda_blur)}, {"tests", CUDA_OP(orb_cuda_tests)}, {NULL, NULL}};

static const Variant rows[] = {
    CUDA_STATE_VARIANT("cuda_naive", "seq",
                       "a thread per pixel for each pass of the blur, then one thread per keypoint",
                       orb_cuda_naive_open, orb_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_tiled", "cuda_naive",
        "both passes of the blur on a tile in shared memory; a block for eight keypoints, "
        "pairs in shared memory, a bit per thread, votes of warps",
        orb_cuda_tiled_open, orb_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT("cuda_texture", "cuda_tiled",
                       "as cuda_tiled, the smoothed image through a texture object",
                       orb_cuda_texture_open, orb_cuda_run, .stages = stages),
    CUDA_STATE_VARIANT(
        "cuda_fast", "cuda_tiled",
        "a blur of four pixels a thread that rolls down its columns; a warp per keypoint, "
        "its eight pairs a lane in registers",
        orb_cuda_fast_open, orb_cuda_run, .stages = stages),
    CUDA_MULTI_KEYPOINTS_VARIANT(orb_cuda_multi_open),
};

const VariantTable orb_cuda_variants = {rows, sizeof rows / sizeof rows[0]};
