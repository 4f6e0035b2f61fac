/*
 * What the CUDA variants of lbp share: buffers, upload, download. The operations below are the
 * Variant operations of the table in lbp_variants.c.
 */
#ifndef KERNELS_LBP_LBP_CUDA_H
#define KERNELS_LBP_LBP_CUDA_H

#include "lbp.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

Status lbp_cuda_naive_open(const Request *request, void **state);
Status lbp_cuda_naive_run(void *state);

Status lbp_cuda_tiled_open(const Request *request, void **state);
Status lbp_cuda_tiled_run(void *state);

Status lbp_cuda_texture_open(const Request *request, void **state);
Status lbp_cuda_texture_run(void *state);
void lbp_cuda_texture_close(void *state);

Status lbp_cuda_fast_open(const Request *request, void **state);
Status lbp_cuda_fast_run(void *state);

Status lbp_cuda_streamed_open(const Request *request, void **state);
Status lbp_cuda_streamed_run(void *state);
Status lbp_cuda_streamed_stream(void *state);
void lbp_cuda_streamed_close(void *state);

/* Of every variant above that names no operation of its own. */
Status lbp_cuda_upload(void *state);
Status lbp_cuda_download(void *state);
void lbp_cuda_close(void *state);

#ifdef __cplusplus
}
#endif

#endif
