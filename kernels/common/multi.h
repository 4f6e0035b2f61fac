/* Work that is divided among several devices. Only for code that is compiled when CUDA is there. */
#ifndef KERNELS_COMMON_MULTI_H
#define KERNELS_COMMON_MULTI_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "backend.h"
#include "status.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The devices that the request asks for with --gpus. STATUS_SKIP if there are fewer. */
Status multi_devices(const Request *request, int *devices);

/* Items [begin, end) of a part: rows, images, keypoints, candidates. */
typedef struct MultiPart {
    int begin, end;
} MultiPart;

/* Part `index` of `count`. Parts differ by one item at most; with fewer items than parts the last
 * ones are empty. */
MultiPart multi_part(int items, int count, int index);

/* Calls `work` for each part with the device of that index in use, one after the other: for what
 * only queues. Afterwards the calling thread uses device 0. The first status that is not
 * STATUS_OK. */
Status multi_each(int parts, Status (*work)(void *context, int part), void *context);

/* The same, each part in a thread of its own: for copies, and what waits for its device. */
Status multi_together(int parts, Status (*work)(void *context, int part), void *context);

/* An event of each part's device, which has no time. Closing waits for the streams of the parts: no
 * copy may go on to memory that goes then. NULL is ignored. */
Status multi_open_events(int parts, cudaEvent_t *events);
void multi_close_events(int parts, cudaEvent_t *events);

/* Whose memory kernels of a part's device may write to: [part][other part]. */
typedef bool MultiReach[CUDA_DEVICES_MAX][CUDA_DEVICES_MAX];

/* Copies between the devices of the parts go over the link where there is one, from now on;
 * otherwise the driver takes them through host memory. `reach` may be NULL. */
Status multi_open_peers(int parts, MultiReach reach);

/* `*linked`: the parts have a device each, whose kernels may wait for what kernels of all others
 * write to its memory. `reach` is that of multi_open_peers(). */
Status multi_find_links(int parts, MultiReach reach, bool *linked);

#ifdef __cplusplus
}
#endif

#endif
