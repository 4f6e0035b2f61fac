/*
 * The CUDA device that variants run on, and its stream. Only for code that is compiled when CUDA
 * is there; valid after cuda_backend.probe said STATUS_OK.
 */
#ifndef KERNELS_COMMON_CUDA_DEVICE_H
#define KERNELS_COMMON_CUDA_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stream that cuda_backend's clock watches: every kernel and copy of upload, run and download
 * is queued here. */
cudaStream_t cuda_stream(void);

int cuda_multiprocessors(void);

/* The value of a device attribute of the current device. */
Status cuda_attribute(enum cudaDeviceAttr attribute, int *value);

/* STATUS_SKIP when a grid cannot have this many rows of blocks. */
Status cuda_check_grid_rows(int rows);

/* True when host memory is page-locked, so that copies from and to it run asynchronously. */
bool cuda_is_pinned(const void *host);

/* Blocks of `kernel` that one multiprocessor can hold at once, at least 1. */
Status cuda_resident_blocks(const void *kernel, int threads, size_t shared_bytes, int *blocks);

#ifdef __cplusplus
}
#endif

#endif
