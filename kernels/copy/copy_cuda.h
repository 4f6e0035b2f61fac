/* The CUDA variants of copy: image bytes from one device buffer to another. */
#ifndef KERNELS_COPY_COPY_CUDA_H
#define KERNELS_COPY_COPY_CUDA_H

#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

Status copy_cuda_open(const Request *request, void **state);
Status copy_cuda_upload(void *state);
Status copy_cuda_download(void *state);
void copy_cuda_close(void *state);

Status copy_cuda_naive_run(void *state);
Status copy_cuda_fast_run(void *state);
Status copy_cuda_driver_run(void *state);

#ifdef __cplusplus
}
#endif

#endif
