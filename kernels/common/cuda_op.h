/*
 * CUDA_OP: lets the table rows of CUDA variants compile on machines without nvcc.
 *
 * The tables are plain C and always built, so that `bench list` shows the same variants everywhere,
 * with the reason where they cannot run. Without CUDA the functions do not exist: their slots are
 * NULL, and nobody calls them because the backend's probe says STATUS_SKIP.
 */
#ifndef KERNELS_COMMON_CUDA_OP_H
#define KERNELS_COMMON_CUDA_OP_H

#ifdef BENCH_WITH_CUDA
#define CUDA_OP(function) (function)
#else
#define CUDA_OP(function) NULL
#endif

#endif
