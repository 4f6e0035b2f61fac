/*
 * The kernels that relay (relay.h). A block takes the next slot, waits until the host has done its
 * part of it, and moves its rows, 16 bytes a thread. Slots are counted, not shared out: blocks that
 * do not run yet keep none waiting.
 *
 * Floor: what the bus brings, 52 to 55 GB/s from page-locked memory on an H100, 159 µs for the 8.3
 * MB of 4K. Found by an experiment, µs by the driver, bands (transfers.h), and relayed up, with
 * eight threads: 1080p 172, 113, 69; 4K 604, 389, 203; 8K 2189, 1386, 716 to 816; 16K 13393, 3658,
 * 2836. Down, on an H200, by the driver, in pieces of 4 MB (transfers.h), and relayed: 2.1 MB 215,
 * 126, 86; 8.3 MB 662, 322, 231; 33 MB 2677, 676, 842. To register the memory for each copy costs
 * more than it gains.
 *
 * End to end from ordinary memory at 4K, ms. Up alone by a call and relayed, one launch each on an
 * H100: bad 0.83, 0.39; orb 0.78, 0.32; hashsift 0.87, 0.39; lacunarity 0.75, 0.35; fast 1.24,
 * 0.73. Down in pieces and relayed, two launches each on an H200: lbp's cuda_fast 0.80, 0.58, and
 * its cuda_streamed, whose bands are relayed both ways at once, 0.82, 0.49; lbp_riu's 0.38, 0.26;
 * bad 0.40, 0.29; hashsift 0.39, 0.32.
 *
 * Tried and dropped on an H200, four launches each in turn; lbp's cuda_fast and cuda_streamed end
 * to end, 1080p and 4K, µs; this 184, 178, 535, 477:
 *   - 221, 225, 546, 652: pieces of 32 and 64 KB for small copies, 24 blocks (predicted 35 less).
 *   - 216, 214, 536, 645: with them, bands of 768 KB instead of 1.5 MB.
 *   - 355, 229, 984, 785: with them, all bands by one kernel each way, gates for events.
 *     These are times of calls. Probably the gate's code was loaded when it was first launched, and
 *     the driver waited for kernels that waited for the gate.
 *
 * Bands: with a kernel for each band and way and events between them a band takes eight calls, and
 * each kernel about 5 µs to begin and end. With one kernel each way, a gate before each band, and
 * all code loaded before, two calls. Predicted for lbp's cuda_streamed where it took 178 and 477:
 * 140 to 160 µs at 1080p and 360 to 420 at 4K. On an H200, five launches of each in turn, end to
 * end, µs, by the least bytes of a band:
 *
 *                                          1080p     4K     8K    16K
 *   a kernel for each band, 1.5 MB           174    479   1671   6189
 *   one kernel each way, 0.75 MB (of two)    187    506      -   4234
 *                        1.5 MB              181    476   1526   4369
 *                        3 MB, one at 1080p  189    459   1354   4291
 *                        6 MB                212    480   1343   4471
 *   64 blocks each way instead of 32, 1.5    179    485   1735   6092
 *
 * Taken are 3 MB, and 1.5 of what is less than 6. lbp_riu with 3 MB: 4K 557 to 503, 8K 1837 to
 * 1466, 16K 6282 to 4635.
 *
 * The host's threads: end to end from ordinary memory, 10,000 keypoints of 2832 x 2128, launches on
 * an H200 had two times each, bad 285 or 500 µs, orb 270 or 430; with 1000 keypoints all had one,
 * 240 to 250. The image went up with eight threads. 320 KB of answers came down by a call, or, as
 * trials had it, by three threads or sixteen, and OpenMP ended threads and started them anew for
 * the next image: a region of 8 threads and one of 3 take 300 µs on two processors, twice 8
 * take 47. Now all copies one way take eight. Predicted: 270 to 290 µs in each launch. Measured:
 * medians of nine launches of bad from 271 to 324 µs, of six of orb from 260 to 283. With 16
 * threads (5) haar's records, 407 MB of them down, took 15.3 ms (14.0) where 8 take 12.2.
 *
 * Dropped on an H200, medians of two or three launches each in turn, end to end, µs. First as it
 * is; then with a team of 12 threads in every region, so that OpenMP never changes its size; then
 * with that and stores past the caches into the ring. Predicted: a tenth less each time.
 *
 *   lbp cuda_fast 4K; 8K          522    537    541;   1643   1744   1919
 *   lbp cuda_streamed 4K; 8K      481    492    500;   1441   1423   1519
 *   lbp cuda_graph 4K; 8K         764    803    780;   2838   2975   2985
 *   bad; orb, 1000 keypoints      253    243    264;    247    233    245
 */
#include "relay.h"

#include "cuda_device.h"

namespace {

constexpr int THREADS = 512;
constexpr uint32_t BLOCKS = 64;
constexpr uint32_t BLOCKS_BESIDE = 32; /* where others compute meanwhile, at most; they need room */
constexpr int LOADS = 4;               /* of a thread, in flight */
constexpr uint64_t LONG = 1000000;     /* a wait, ns, after which it may be that nobody comes */

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

/* Whether a number that others write becomes `wanted` or a later one in time. */
__device__ bool wait_for_number(const volatile uint32_t *number, uint32_t wanted,
                                volatile uint32_t *late) {
    constexpr uint64_t limit = (uint64_t)(RELAY_SECONDS * 1e9);
    const uint64_t started = nanoseconds();
    while ((int32_t)(*number - wanted) < 0) {
        const uint64_t waited = nanoseconds() - started;
        if (waited > limit || (waited > LONG && *late != 0)) {
            *late = 1;
            return false;
        }
    }
    __threadfence_system();
    return true;
}

/* Whether the host has done its part of the slot in time, and what leaves the device is there. */
__device__ bool wait_for_slot(const RelayJob &job, uint32_t number) {
    const uint32_t slot = number % RELAY_SLOTS;
    const bool up = job.way == RELAY_UP;
    uint32_t *late = &job.flags->late;
    const uint32_t *flag = up ? &job.flags->filled[slot] : &job.flags->taken[slot];
    return (job.ready == nullptr || wait_for_number(job.ready, number + 1, late)) &&
           wait_for_number(flag, up ? number : number - RELAY_SLOTS, late);
}

/* Bytes [0, 16) from `from` of which `there` lie in the row. Past the L1 cache: what is beside them
 * may be written later, while this kernel runs. */
__device__ uint4 load_device(const uint8_t *from, uint32_t there) {
    if (there >= 16) {
        return __ldcg((const uint4 *)from);
    }
    uint32_t words[4] = {};
    for (uint32_t i = 0; i < there; i++) {
        words[i / 4] |= (uint32_t)__ldcg(&from[i]) << i % 4 * 8;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

__device__ void store_device(uint8_t *to, uint32_t there, uint4 bytes) {
    if (there >= 16) {
        *(uint4 *)to = bytes;
        return;
    }
    const uint32_t words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    for (uint32_t i = 0; i < there; i++) {
        to[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    }
}

/* Where 16 bytes of a slot are on the device, and how many of them lie in their row. */
struct Unit {
    uint8_t *device;
    uint32_t there;
};

__device__ __forceinline__ Unit unit_of(const RelayJob &job, uint32_t first, uint32_t at) {
    const uint32_t row_units = job.pitch / 16;
    const uint32_t row = first + at / row_units;
    const uint32_t begin = at % row_units * 16;
    const uint32_t width = row == job.rows - 1 ? job.last_width : job.width;
    return {job.device + row * job.device_stride + begin, width > begin ? width - begin : 0};
}

template <RelayWay WAY> __device__ void move(const RelayJob &job, uint32_t index) {
    const uint32_t first = index * job.slot_rows;
    const uint32_t units = min(job.slot_rows, job.rows - first) * (job.pitch / 16);
    uint4 *slot =
        (uint4 *)(job.slots + (size_t)((job.first + index) % RELAY_SLOTS) * RELAY_SLOT_BYTES);
    for (uint32_t begin = threadIdx.x; begin < units; begin += THREADS * LOADS) {
        uint4 v[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            const uint32_t at = begin + i * THREADS;
            if (at < units) {
                const Unit unit = unit_of(job, first, at);
                v[i] =
                    WAY == RELAY_UP ? load_host(slot + at) : load_device(unit.device, unit.there);
            }
        }
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            const uint32_t at = begin + i * THREADS;
            if (at < units && WAY == RELAY_UP) {
                const Unit unit = unit_of(job, first, at);
                store_device(unit.device, unit.there, v[i]);
            } else if (at < units) {
                slot[at] = v[i];
            }
        }
    }
}

template <RelayWay WAY>
__global__ void __launch_bounds__(THREADS) relay(const __grid_constant__ RelayJob job) {
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
        move<WAY>(job, index);
        if (WAY == RELAY_DOWN) {
            __threadfence_system(); /* each thread's bytes before the flag */
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            const uint32_t number = job.first + index;
            uint32_t *flag = WAY == RELAY_UP ? job.flags->taken : job.flags->filled;
            __threadfence_system();
            *(volatile uint32_t *)&flag[number % RELAY_SLOTS] = number;
        }
    }
}

__global__ void __launch_bounds__(RELAY_SLOTS) pass_gate(const __grid_constant__ RelayGate gate) {
    if (threadIdx.x == 0 && gate.ready != nullptr) {
        __threadfence();
        *(volatile uint32_t *)gate.ready = gate.number;
    }
    for (uint32_t i = threadIdx.x; i < gate.count; i += RELAY_SLOTS) {
        const uint32_t number = gate.first + i;
        if (!wait_for_number(&gate.flags->taken[number % RELAY_SLOTS], number, &gate.flags->late)) {
            return;
        }
    }
}

} // namespace

extern "C" uint32_t relay_blocks(uint32_t slots, bool beside) {
    const uint32_t quarter = max((uint32_t)cuda_multiprocessors() / 4, 1U);
    return min(slots, beside ? min(quarter, BLOCKS_BESIDE) : BLOCKS);
}

/* Code is loaded when it is first asked for. */
extern "C" Status relay_load(void) {
    cudaFuncAttributes code = {};
    CUDA_TRY(cudaFuncGetAttributes(&code, (const void *)relay<RELAY_UP>));
    CUDA_TRY(cudaFuncGetAttributes(&code, (const void *)relay<RELAY_DOWN>));
    CUDA_TRY(cudaFuncGetAttributes(&code, (const void *)pass_gate));
    return status_ok();
}

extern "C" Status relay_gate_launch(const RelayGate *gate, cudaStream_t stream) {
    pass_gate<<<1, RELAY_SLOTS, 0, stream>>>(*gate);
    return CUDA_LAUNCHED();
}

extern "C" Status relay_launch(const RelayJob *job, cudaStream_t stream) {
    const auto kernel = job->way == RELAY_UP ? relay<RELAY_UP> : relay<RELAY_DOWN>;
    kernel<<<job->blocks, THREADS, 0, stream>>>(*job);
    return CUDA_LAUNCHED();
}
