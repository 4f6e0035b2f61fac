/*
 * The table rows of CUDA variants.
 *
 * The tables are plain C and always built, so that `bench list` shows the same variants everywhere,
 * with the reason where they cannot run. Without CUDA the functions do not exist: their slots are
 * NULL, and nobody calls them because the backend's probe says STATUS_SKIP.
 */
#ifndef KERNELS_COMMON_CUDA_OP_H
#define KERNELS_COMMON_CUDA_OP_H

#include "variant.h"

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
        .name = (variant), .improves_on = (lower), .summary = (text), .backend = &cuda_backend,    \
        .open = CUDA_OP(opens), .upload = CUDA_OP(uploads), .run = CUDA_OP(runs),                  \
        .download = CUDA_OP(downloads), .close = CUDA_OP(closes), __VA_ARGS__                      \
    }

#endif
