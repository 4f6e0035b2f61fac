/* Tables of CUDA variants: their rows, and tuning axes that several have. */
#ifndef KERNELS_COMMON_CUDA_VARIANT_H
#define KERNELS_COMMON_CUDA_VARIANT_H

#include "axis.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === Rows ===================================================================================== */

/*
 * The tables are plain C and always built, so that `bench list` shows the same variants everywhere,
 * with the reason where they cannot run. Without CUDA the functions do not exist: their slots are
 * NULL, and nobody calls them because the backend's probe says STATUS_SKIP.
 */

/* What the rows of many tables name: cuda_state.h, graph_pass.h, multi_shares.h. */
VARIANT_FUNCTIONS(cuda_state);
VARIANT_FUNCTIONS(graph_pass);
VARIANT_FUNCTIONS(multi_shares);

#ifdef BENCH_WITH_CUDA
#define CUDA_OP(function) (function)
#else
#define CUDA_OP(function) NULL
#endif

/* One row: the name, the variant that it improves on, a line for `bench list`, its functions in the
 * order in which they are called (NULL: there is none), and then fields that not every variant has:
 * .tuning, .stages, .stream = CUDA_OP(…), .compare. */
#define CUDA_VARIANT(variant, lower, text, opens, uploads, runs, downloads, closes, ...)           \
    {                                                                                              \
        .struct_bytes = sizeof(Variant), .name = (variant), .improves_on = (lower),                \
        .summary = (text), .backend = &cuda_backend, .open = CUDA_OP(opens),                       \
        .upload = CUDA_OP(uploads), .run = CUDA_OP(runs), .download = CUDA_OP(downloads),          \
        .close = CUDA_OP(closes), __VA_ARGS__                                                      \
    }

/* The same of a variant whose state is a table of buffers (cuda_state.h): what goes up, comes down
 * and is freed is said there. */
#define CUDA_STATE_VARIANT(variant, lower, text, opens, runs, ...)                                 \
    CUDA_VARIANT(variant, lower, text, opens, cuda_state_upload, runs, cuda_state_download,        \
                 cuda_state_close, __VA_ARGS__)

/* cuda_multi: devices have shares of the work (multi_shares.h). */
#define CUDA_MULTI_VARIANT(lower, text, opens, runs, downloads, ...)                               \
    {                                                                                              \
        .struct_bytes = sizeof(Variant), .name = "cuda_multi", .improves_on = (lower),             \
        .summary = (text), .backend = &cuda_multi_backend, .tuning = gpus_tuning,                  \
        .open = CUDA_OP(opens), .upload = CUDA_OP(multi_shares_upload), .run = CUDA_OP(runs),      \
        .download = CUDA_OP(downloads), .close = CUDA_OP(multi_shares_close), __VA_ARGS__          \
    }

/* cuda_multi of the algorithms that describe keypoints (multi_shares.h). */
#define CUDA_MULTI_KEYPOINTS_VARIANT(opens)                                                        \
    CUDA_MULTI_VARIANT("cuda_fast", "keypoints on several GPUs, the image on each, by cuda_fast",  \
                       opens, multi_shares_run, multi_shares_download)

/* cuda_graph: cuda_fast's pass by graph_pass.h. */
#define CUDA_GRAPH_VARIANT(text, opens)                                                            \
    CUDA_VARIANT("cuda_graph", "cuda_fast", text, opens, graph_pass_upload, graph_pass_run,        \
                 graph_pass_download, graph_pass_close, .streamed = true,                          \
                 .stream = CUDA_OP(graph_pass_stream))

/* === Tuning axes ============================================================================== */

/* Tuning axes that CUDA variants of every algorithm share. */

/* --tile 4,8,16,32: side of the square of output elements that one thread block computes from
 * shared memory. */
extern const Axis tile_axis;

/* --block 8,16,32: side of a square thread block that reads global memory. */
extern const Axis block_axis;

/* --gpus 1,2,4 or all, which is 1, 2, 4, … and the number of devices. */
extern const Axis gpus_axis;

/* The tuning of variants with one of them alone. */
extern const Axis *const gpus_tuning[];
extern const Axis *const tile_tuning[];
extern const Axis *const block_tuning[];

#ifdef __cplusplus
}
#endif

#endif
