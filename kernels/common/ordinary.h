/*
 * Copies between the device and ordinary memory of the host, which is not page-locked: the faster
 * of several ways. Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_ORDINARY_H
#define KERNELS_COMMON_ORDINARY_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "copies.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copies rows on cuda_stream(), which is not captured: by a call, by the kernels of relay.h, or, on
 * the way down, in pieces (transfers.h). When it returns, the host's memory has been read, or
 * written. `*done` is false, and nothing was copied, where a call is the only way: the memory is
 * page-locked, there is little of it, or none for buffers. Which way is fastest is measured by the
 * first copy of a size (twofold steps) and direction on a device, which goes each way several
 * times, and kept as long as the process lives.
 */
Status ordinary_copy(const Copy *copy, enum cudaMemcpyKind direction, bool *done);

/* Whether copies of so many bytes on the used device have their way. */
bool ordinary_is_chosen(size_t bytes, enum cudaMemcpyKind direction);

/* The staged download alone, after what is queued on cuda_stream(). */
Status ordinary_down(const Copy *copy, bool *done);

#ifdef __cplusplus
}
#endif

#endif
