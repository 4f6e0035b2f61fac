/* A histogram: numbers of an image. Each block counts in shared memory. */
#include "bench.h"

enum { BINS = 256, THREADS = 256 };

static void count(const uint8_t *in, uint32_t *out, int width, int height, int first, int last) {
    (void)height;
    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {
        out[in[i]]++;
    }
}

__global__ void count_kernel(const uint8_t *in, uint32_t *out, size_t pixels) {
    __shared__ uint32_t own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    const size_t step = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < pixels; i += step) {
        atomicAdd(&own[in[i]], 1U);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], own[threadIdx.x]);
}

static void cuda_shared(const uint8_t *in, uint32_t *out, int width, int height,
                        cudaStream_t stream) {
    count_kernel<<<512, THREADS, 0, stream>>>(in, out, (size_t)width * height);
}

BENCH_NUMBERS(uint8_t, uint32_t, BINS, count, cuda_shared)
