/*
 * How many operations a second a device can do at best, with everything in registers or shared
 * memory.
 *
 * fp32   multiply-adds, each counted as two operations.
 * int32  32-bit integer instructions: three-input logic and multiply-adds in equal parts, since
 * they go to two pipes and only together reach the rate at which instructions are issued. No
 *        integer code is faster.
 * shared_atomics  additions, each lane in a bank of its own.
 * empty_kernel    from event to event around a kernel that does nothing, launched meanwhile.
 * launch          from one such kernel to the next, all of them queued before the first one starts:
 *                 a device that never waits for the host starts kernels of a stream no faster.
 */
#include "cuda_device.h"
#include "roof_measure.h"

namespace {

constexpr int THREADS = 256;
constexpr int BLOCKS_PER_SM = 8;
constexpr int CHAINS = 8; /* independent of each other, so that latency is hidden */
constexpr int SAMPLES = 11;
constexpr int ARITHMETIC_STEPS = 4096;
constexpr int ATOMIC_STEPS = 1024;
constexpr int BINS = 256;
constexpr int LANES = 32;
constexpr int LAUNCHES = 256; /* fewer than a stream's queue holds */

struct Rates {
    int blocks;
    unsigned int *sink; /* unread results go here, so that the compiler does not drop the work */
};

__global__ void multiply_adds(float seed, unsigned int *sink) {
    float chain[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = seed + (float)i + (float)threadIdx.x;
    }
    for (int step = 0; step < ARITHMETIC_STEPS; step++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            chain[i] = fmaf(chain[i], seed, 0.5F);
        }
    }
    float sum = 0.0F;
    for (int i = 0; i < CHAINS; i++) {
        sum += chain[i];
    }
    if (sum == -1.0F) {
        *sink = 1;
    }
}

__global__ void integer_mix(unsigned int a, unsigned int b, unsigned int *sink) {
    unsigned int chain[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = a * (unsigned int)i + threadIdx.x;
    }
    for (int step = 0; step < ARITHMETIC_STEPS; step++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i += 2) {
            asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(chain[i]) : "r"(a), "r"(b));
            asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(chain[i + 1]) : "r"(a), "r"(b));
        }
    }
    unsigned int mixed = 0;
    for (int i = 0; i < CHAINS; i++) {
        mixed ^= chain[i];
    }
    if (mixed == 0x12345678U) {
        *sink = mixed;
    }
}

__global__ void add_in_shared(unsigned int seed, unsigned int *sink) {
    __shared__ unsigned int table[BINS * LANES];
    for (unsigned int i = threadIdx.x; i < BINS * LANES; i += THREADS) {
        table[i] = 0;
    }
    __syncthreads();
    const unsigned int lane = threadIdx.x % LANES;
    unsigned int state = seed + threadIdx.x * 2654435761U + blockIdx.x;
    for (int step = 0; step < ATOMIC_STEPS; step++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            atomicAdd(&table[(state >> (3 * i)) % BINS * LANES + lane], 1U);
        }
        state = state * 1664525U + 1013904223U;
    }
    __syncthreads();
    if (table[threadIdx.x] == 0x7FFFFFFFU) {
        *sink = 1;
    }
}

__global__ void nothing() {
}

Status run_multiply_adds(void *context) {
    const Rates *rates = (const Rates *)context;
    multiply_adds<<<rates->blocks, THREADS, 0, cuda_stream()>>>(0.999F, rates->sink);
    return CUDA_LAUNCHED();
}

Status run_integer_mix(void *context) {
    const Rates *rates = (const Rates *)context;
    integer_mix<<<rates->blocks, THREADS, 0, cuda_stream()>>>(2654435761U, 40503U, rates->sink);
    return CUDA_LAUNCHED();
}

Status run_add_in_shared(void *context) {
    const Rates *rates = (const Rates *)context;
    add_in_shared<<<rates->blocks, THREADS, 0, cuda_stream()>>>(1U, rates->sink);
    return CUDA_LAUNCHED();
}

Status run_nothing(void *context) {
    (void)context;
    nothing<<<1, 1, 0, cuda_stream()>>>();
    return CUDA_LAUNCHED();
}

Status run_nothing_often(void *context) {
    for (int i = 0; i < LAUNCHES; i++) {
        STATUS_TRY(run_nothing(context));
    }
    return status_ok();
}

/* Operations per second of `work`, of which each thread does `steps` × CHAINS × `each`. */
Status add_rate(Ceilings *ceilings, const char *key, RoofWork work, Rates *rates, double steps,
                double each) {
    double seconds = 0.0;
    STATUS_TRY(roof_time(ROOF_HELD, work, rates, SAMPLES, &seconds));
    const double threads = (double)rates->blocks * THREADS;
    ceilings_add(ceilings, key, CEILING_OPERATIONS, 0, threads * steps * CHAINS * each / seconds,
                 0.0);
    return status_ok();
}

} // namespace

Status roof_measure_rates(Ceilings *ceilings) {
    RoofMemory sink;
    STATUS_TRY(sink.device(sizeof(unsigned int)));
    Rates rates = {cuda_multiprocessors() * BLOCKS_PER_SM, (unsigned int *)sink.data};
    STATUS_TRY(add_rate(ceilings, "fp32", run_multiply_adds, &rates, ARITHMETIC_STEPS, 2.0));
    STATUS_TRY(add_rate(ceilings, "int32", run_integer_mix, &rates, ARITHMETIC_STEPS, 1.0));
    STATUS_TRY(add_rate(ceilings, "shared_atomics", run_add_in_shared, &rates, ATOMIC_STEPS, 1.0));
    double seconds = 0.0;
    STATUS_TRY(roof_time(ROOF_LAUNCHED, run_nothing, &rates, 2 * SAMPLES, &seconds));
    ceilings_add(ceilings, "empty_kernel", CEILING_TIME, 0, seconds, 0.0);
    STATUS_TRY(roof_time(ROOF_HELD, run_nothing_often, &rates, SAMPLES, &seconds));
    ceilings_add(ceilings, "launch", CEILING_TIME, 0, seconds / LAUNCHES, 0.0);
    return status_ok();
}
