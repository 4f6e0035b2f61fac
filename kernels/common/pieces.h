/*
 * Downloads to ordinary memory by several threads of the host: pieces come down into page-locked
 * buffers, which the threads empty while the device copies the next. The driver does that with one
 * thread. Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_PIECES_H
#define KERNELS_COMMON_PIECES_H

#include <stdbool.h>

#include "copies.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Less comes down as fast by a call. */
enum { PIECES_BYTES_MIN = 1 << 20 };

/* Copies rows from the device to the host, after what is queued on cuda_stream(), which is not
 * captured. When it returns they are there. `*done` is false, and nothing was copied, where a row
 * is longer than a buffer or there is no memory for buffers. */
Status pieces_down(const Copy *copy, bool *done);

#ifdef __cplusplus
}
#endif

#endif
