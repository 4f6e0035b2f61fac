/* The list of corners as kernels see it: appending to it, and going through it. */
#ifndef KERNELS_FAST9_FAST9_LIST_CUH
#define KERNELS_FAST9_FAST9_LIST_CUH

#include <cooperative_groups.h>

#include "fast9_device.h"

struct Fast9List {
    Fast9Corner *corners;
    unsigned int *cursor;
    unsigned int capacity;
};

static inline Fast9List fast9_list(const Fast9Device *device) {
    return {device->corners, device->cursor, device->capacity};
}

/* Corners that are in the list. The host does not know: kernels that go through it are launched
 * with as many blocks as are of use at once. */
static __device__ __forceinline__ unsigned int fast9_listed(const Fast9List &list) {
    return min(*list.cursor, list.capacity);
}

/* The number of a corner's pixel among those of all levels. */
static __device__ __forceinline__ size_t fast9_pixel_of(const Fast9Levels &levels,
                                                        const Fast9Corner &corner) {
    return levels.offset[corner.level] + (size_t)corner.y * (size_t)levels.width[corner.level] +
           corner.x;
}

/* Corners that find no room are counted, and lost until the list has been made longer. */
static __device__ __forceinline__ void fast9_put(const Fast9List &list, unsigned int at, int level,
                                                 int x, int y) {
    if (at < list.capacity) {
        list.corners[at] = {(uint16_t)x, (uint16_t)y, (uint32_t)level};
    }
}

/* Room for one item of each thread that is here, in front of which one of them moves the cursor for
 * all. */
static __device__ __forceinline__ unsigned int fast9_claim(unsigned int *cursor) {
    const cooperative_groups::coalesced_group here = cooperative_groups::coalesced_threads();
    unsigned int first = 0;
    if (here.thread_rank() == 0) {
        first = atomicAdd(cursor, (unsigned int)here.size());
    }
    return here.shfl(first, 0) + (unsigned int)here.thread_rank();
}

#endif
