/* The kernel of cuda_fast; haar_fast.cu says why it is as it is. */
#ifndef KERNELS_HAAR_HAAR_FAST_KERNEL_CUH
#define KERNELS_HAAR_HAAR_FAST_KERNEL_CUH

#include "haar_fast_records.cuh"
#include "haar_fast_search.cuh"
#include "haar_fast_sums.cuh"

namespace haar_fast {

constexpr int BLOCKS_WANTED = 2; /* on a multiprocessor, where shared memory suffices */

/* Begins a chunk: nothing taken, nothing found. */
__device__ __forceinline__ void clear_counters(Counters *counters) {
    if (threadIdx.x == 0) {
        counters->next_unit = 0;
        for (int loop = 0; loop < LOOPS; ++loop) {
            counters->finds[loop] = 0;
        }
    }
}

__device__ __forceinline__ Shared divide_shared(const Job &job, float *memory, Counters *counters) {
    Shared shared;
    shared.records = (uint64_t *)memory;
    shared.columns = memory + 2 * job.record_room;
    shared.finds = (uint32_t *)(shared.columns + job.column_entries);
    shared.integral = (float *)(shared.finds + LOOPS * FINDS_MAX);
    shared.counters = counters;
    return shared;
}

/* A block takes a picture at a time. */
__global__ void __launch_bounds__(THREADS, BLOCKS_WANTED)
    search_kernel(const __grid_constant__ Job job) {
    extern __shared__ __align__(16) float memory[];
    __shared__ Counters counters;
    const Shared shared = divide_shared(job, memory, &counters);
    if (threadIdx.x == 0) {
        counters.records = 0;
        counters.filled = (unsigned)job.record_room;
    }
    for (int picture = blockIdx.x; picture < job.pictures; picture += gridDim.x) {
        const uint64_t bits = (uint64_t)(job.first + picture) << job.packing.picture_shift;
        block_integral<THREADS>(job.pixels + (size_t)picture * job.width * job.height, job.width,
                                job.height, shared.integral);
        for (int i = 0; i < job.chunk_count; ++i) {
            const HaarChunk chunk = job.chunks[i];
            clear_counters(&counters);
            build_columns(job, chunk, shared);
            search_chunk(job, chunk, shared, bits);
            __syncthreads();
            put_finds<LOOP_COLUMNS>(job, chunk, shared, bits);
            put_finds<LOOP_HALVES>(job, chunk, shared, bits);
            put_finds<LOOP_THIRDS>(job, chunk, shared, bits);
            __syncthreads();
        }
        flush_records(job, shared);
    }
}

} // namespace haar_fast

#endif
