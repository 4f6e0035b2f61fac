/*
 * Holding a stream: a kernel of one thread waits at its head until the host releases it, so that
 * what is queued behind it runs without gaps, however slowly the host queued it.
 *
 * The kernel never waits for longer than STREAM_HOLD_SECONDS. It ends by itself where the host does
 * not come to release it: a run that waits for the stream, a kernel launch that waits for room in
 * the queue, a kernel launch that waits for its kernel (CUDA_LAUNCH_BLOCKING, profilers).
 */
#ifndef KERNELS_COMMON_STREAM_HOLD_H
#define KERNELS_COMMON_STREAM_HOLD_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Long enough for a host that other programs interrupt, short enough to be paid twice by each cell
 * that cannot be held. */
#define STREAM_HOLD_SECONDS 0.1

/* Queues the waiting kernel. */
Status stream_hold(cudaStream_t stream);

/* Holds another stream, of this or another device, until the same release. After stream_hold. */
Status stream_hold_too(cudaStream_t stream);

/* Releases the stream. Does nothing if none is held. */
void stream_release(void);

/* Whether the latest hold lasted until its release. Valid once the stream has passed it. */
bool stream_was_held(void);

#ifdef __cplusplus
}
#endif

#endif
