/*
 * The kernel that pulls (pull.h). A block takes the next slot, waits until the host has filled it,
 * and stores its rows, 16 bytes a thread. Slots are counted, not shared out: blocks that do not run
 * yet keep none waiting.
 *
 * Floor: what the bus brings, 52 to 55 GB/s from page-locked memory on an H100, 159 µs for the 8.3
 * MB of 4K. Found by an experiment, µs by the driver, bands (transfers.h), and pulled, with eight
 * threads: 1080p 172, 113, 69; 4K 604, 389, 203; 8K 2189, 1386, 716 to 816; 16K 13393, 3658, 2836.
 * To register the memory for each copy costs more than it gains.
 *
 * Built in, end to end from ordinary memory at 4K, ms by a call and pulled, one launch each on an
 * H100: bad 0.83, 0.39; orb 0.78, 0.32; hashsift 0.87, 0.39; lacunarity 0.75, 0.35; fast 1.24,
 * 0.73. lbp and integral, whose answers are large, gained 0.17 of 1.22 and 0.88 of 5.7.
 */
#include "pull.h"

#include "cuda_device.h"

namespace {

constexpr int THREADS = 512;
constexpr uint32_t BLOCKS = 64;
constexpr int LOADS = 4; /* of a thread, in flight */

__device__ __forceinline__ uint64_t nanoseconds() {
    uint64_t now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Past the caches: the host has written it meanwhile. */
__device__ __forceinline__ uint4 load_host(const uint4 *from) {
    uint4 v;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
}

/* Whether the host has filled the slot in time. */
__device__ bool wait_for_slot(const PullJob &job, uint32_t number) {
    constexpr uint64_t limit = (uint64_t)(PULL_SECONDS * 1e9);
    const volatile uint32_t *filled = &job.flags->filled[number % PULL_SLOTS];
    const uint64_t started = nanoseconds();
    while (*filled != number) {
        if (nanoseconds() - started > limit) {
            *(volatile uint32_t *)&job.flags->late = 1;
            return false;
        }
    }
    __threadfence_system();
    return true;
}

__device__ void store(const PullJob &job, uint32_t row, uint32_t unit, uint4 bytes) {
    const uint32_t width = row == job.rows - 1 ? job.last_width : job.width;
    uint8_t *to = job.to + row * job.to_stride + unit * 16;
    if (unit * 16 + 16 <= width) {
        *(uint4 *)to = bytes;
        return;
    }
    const uint32_t words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    for (uint32_t i = 0; unit * 16 + i < width; i++) {
        to[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    }
}

__device__ void take(const PullJob &job, uint32_t index) {
    const uint32_t row_units = job.pitch / 16;
    const uint32_t first = index * job.slot_rows;
    const uint32_t units = min(job.slot_rows, job.rows - first) * row_units;
    const uint4 *from =
        (const uint4 *)(job.slots + (size_t)((job.first + index) % PULL_SLOTS) * PULL_SLOT_BYTES);
    for (uint32_t begin = threadIdx.x; begin < units; begin += THREADS * LOADS) {
        uint4 v[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            if (begin + i * THREADS < units) {
                v[i] = load_host(from + begin + i * THREADS);
            }
        }
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            const uint32_t at = begin + i * THREADS;
            if (at < units) {
                store(job, first + at / row_units, at % row_units, v[i]);
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS) pull(const __grid_constant__ PullJob job) {
    __shared__ uint32_t index;
    __shared__ bool there;
    for (;;) {
        if (threadIdx.x == 0) {
            index = atomicAdd(job.next, 1) - job.first_next;
            there = index < job.slot_count && wait_for_slot(job, job.first + index);
        }
        __syncthreads();
        if (!there) {
            return;
        }
        take(job, index);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_system();
            const uint32_t number = job.first + index;
            *(volatile uint32_t *)&job.flags->taken[number % PULL_SLOTS] = number;
        }
    }
}

} // namespace

extern "C" uint32_t pull_blocks(const PullJob *job) {
    return job->slot_count < BLOCKS ? job->slot_count : BLOCKS;
}

extern "C" Status pull_launch(const PullJob *job) {
    pull<<<pull_blocks(job), THREADS, 0, cuda_stream()>>>(*job);
    return CUDA_LAUNCHED();
}
