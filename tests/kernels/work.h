/* Work for a device whose time is known, or whose memory accesses are. Only when built with CUDA.
 */
#ifndef TESTS_KERNELS_WORK_H
#define TESTS_KERNELS_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Queue a kernel on cuda_stream(): one that does nothing, and one that takes so many nanoseconds.
 */
Status work_nothing(void);
Status work_nanoseconds(uint64_t nanoseconds);

/* Bytes of a chain for work_chase. */
enum { CHAIN_BYTES = 4 << 20 };

/* Links the lines of CHAIN_BYTES of device memory in an order that no prefetcher follows. */
Status work_link(void *chain);
/* Queues a kernel of one thread that follows the chain once: its time is the latency of the cache
 * level that holds the lines. */
Status work_chase(void *chain);

#ifdef __cplusplus
}
#endif

#endif
