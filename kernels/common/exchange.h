/*
 * Exchange of a few bytes among the devices of a cell, again and again: by NCCL, or where it cannot
 * be used by copies from device to device. Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_EXCHANGE_H
#define KERNELS_COMMON_EXCHANGE_H

#include "multi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Exchange Exchange;

/* Among the first `parts` devices, at least 2. */
Status exchange_open(int parts, Exchange **exchange);
void exchange_close(Exchange *exchange); /* NULL is ignored */

/* "NCCL 2.28.9", or "peer copies; " and why not NCCL. */
const char *exchange_name(const Exchange *exchange);

/*
 * memory[i], of device i, has a place of `bytes` for each device, one after the other. Queues on
 * every device's stream what copies the place i of device i to the same place of all others: what
 * is queued there afterwards finds them filled. No device may write to its other places before it
 * has waited for the exchange, and the same memory is not exchanged again before all devices have
 * read it. Afterwards device 0 is in use.
 */
Status exchange_queue(Exchange *exchange, void *const *memory, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
