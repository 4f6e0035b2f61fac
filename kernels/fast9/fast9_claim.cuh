/* A cursor that threads of a warp move together. Apart from fast9_device.cuh for the compile time
 * of its include. */
#ifndef KERNELS_FAST9_FAST9_CLAIM_CUH
#define KERNELS_FAST9_FAST9_CLAIM_CUH

#include <cooperative_groups.h>

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
