/* A cursor that threads of a warp move together, and the lanes of a warp that share a corner.
 * Without cooperative groups, whose header takes twice as long to compile as a file's kernels. */
#ifndef KERNELS_FAST9_FAST9_CLAIM_CUH
#define KERNELS_FAST9_FAST9_CLAIM_CUH

#include <cuda_runtime.h>

/* Room for one item of each thread that is here, in front of which one of them moves the cursor for
 * all. */
static __device__ __forceinline__ unsigned int fast9_claim(unsigned int *cursor) {
    const unsigned int here = __activemask();
    unsigned int below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    const unsigned int rank = (unsigned int)__popc(here & below);
    unsigned int first = 0;
    if (rank == 0) {
        first = atomicAdd(cursor, (unsigned int)__popc(here));
    }
    return __shfl_sync(here, first, __ffs((int)here) - 1) + rank;
}

/* The mask of this thread's group of COUNT neighbouring lanes, where the warp is cut into such. */
template <int COUNT> __device__ __forceinline__ unsigned int fast9_group() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return ~0U >> (32 - COUNT) << (lane & ~(COUNT - 1U));
}

#endif
