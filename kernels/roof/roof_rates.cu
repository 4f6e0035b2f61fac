/*
 * How many operations a second a device, or several at once, can do at best, with everything in
 * registers or shared memory.
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
#include "backend.h"
#include "cuda_device.h"
#include "multi.h"
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

/* Of each device. */
struct Rates {
    int blocks[CUDA_DEVICES_MAX];
    /* Unread results go here, so that the compiler does not drop the work. */
    RoofMemory sinks[CUDA_DEVICES_MAX];

    unsigned int *sink(int device) const {
        return (unsigned int *)sinks[device].data;
    }
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

Status run_multiply_adds(void *context, int device) {
    const Rates *rates = (const Rates *)context;
    multiply_adds<<<rates->blocks[device], THREADS, 0, cuda_stream()>>>(0.999F,
                                                                        rates->sink(device));
    return CUDA_LAUNCHED();
}

Status run_integer_mix(void *context, int device) {
    const Rates *rates = (const Rates *)context;
    integer_mix<<<rates->blocks[device], THREADS, 0, cuda_stream()>>>(2654435761U, 40503U,
                                                                      rates->sink(device));
    return CUDA_LAUNCHED();
}

Status run_add_in_shared(void *context, int device) {
    const Rates *rates = (const Rates *)context;
    add_in_shared<<<rates->blocks[device], THREADS, 0, cuda_stream()>>>(1U, rates->sink(device));
    return CUDA_LAUNCHED();
}

Status run_nothing(void *context, int device) {
    (void)context;
    (void)device;
    nothing<<<1, 1, 0, cuda_stream()>>>();
    return CUDA_LAUNCHED();
}

Status run_nothing_often(void *context, int device) {
    for (int i = 0; i < LAUNCHES; i++) {
        STATUS_TRY(run_nothing(context, device));
    }
    return status_ok();
}

Status open_rates(void *context, int device) {
    Rates *rates = (Rates *)context;
    rates->blocks[device] = cuda_multiprocessors() * BLOCKS_PER_SM;
    return rates->sinks[device].device(sizeof(unsigned int));
}

/* What is measured by a piece of work, of which each thread does `steps` × CHAINS × `each`. */
struct Rate {
    const char *key;
    Status (*run)(void *context, int device);
    double steps, each;
};

const Rate rates_measured[] = {
    {"fp32", run_multiply_adds, ARITHMETIC_STEPS, 2.0},
    {"int32", run_integer_mix, ARITHMETIC_STEPS, 1.0},
    {"shared_atomics", run_add_in_shared, ATOMIC_STEPS, 1.0},
};

Status add_rate(Ceilings *ceilings, int devices, const Rate *rate, Rates *rates) {
    const RoofJob job = {devices, rate->run, rates};
    double seconds = 0.0;
    double threads = 0.0;
    STATUS_TRY(roof_time(ROOF_HELD, &job, SAMPLES, &seconds));
    for (int i = 0; i < devices; i++) {
        threads += (double)rates->blocks[i] * THREADS;
    }
    ceilings_add_on(ceilings, devices, rate->key, CEILING_OPERATIONS, 0,
                    threads * rate->steps * CHAINS * rate->each / seconds, 0.0);
    return status_ok();
}

Status add_launches(Ceilings *ceilings, int devices) {
    const RoofJob once = {devices, run_nothing, NULL};
    const RoofJob often = {devices, run_nothing_often, NULL};
    double seconds = 0.0;
    STATUS_TRY(roof_time(ROOF_LAUNCHED, &once, 2 * SAMPLES, &seconds));
    ceilings_add_on(ceilings, devices, "empty_kernel", CEILING_TIME, 0, seconds, 0.0);
    STATUS_TRY(roof_time(ROOF_HELD, &often, SAMPLES, &seconds));
    ceilings_add_on(ceilings, devices, "launch", CEILING_TIME, 0, seconds / LAUNCHES, 0.0);
    return status_ok();
}

} // namespace

Status roof_measure_rates(Ceilings *ceilings, int devices) {
    Rates rates = {};
    STATUS_TRY(multi_each(devices, open_rates, &rates));
    for (const Rate &rate : rates_measured) {
        STATUS_TRY(add_rate(ceilings, devices, &rate, &rates));
    }
    return add_launches(ceilings, devices);
}
