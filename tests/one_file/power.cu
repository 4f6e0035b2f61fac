/* A power of each pixel, in floating point: the device's powf is another one, within a tolerance.
 * Each size of block is a variant's tuning, each exponent an answer of its own. */
#include "bench.h"

BENCH_PARAMETER(tenths, "22", 1, 50, "the exponent in tenths")
BENCH_TUNING(block, "128,512", 32, 1024, "threads of a block")

static void power(const float *in, float *out, int width, int height, int first, int last) {
    (void)height;
    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {
        out[i] = powf(in[i], (float)tenths / 10);
    }
}

__global__ void power_kernel(const float *in, float *out, size_t pixels, float exponent) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        out[i] = powf(in[i], exponent);
    }
}

__global__ void fast_kernel(const float *in, float *out, size_t pixels, float exponent) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        out[i] = __powf(in[i], exponent);
    }
}

static unsigned blocks_of(int width, int height) {
    return (unsigned)(((size_t)width * height + block - 1) / block);
}

static void cuda_exact(const float *in, float *out, int width, int height, cudaStream_t stream) {
    power_kernel<<<blocks_of(width, height), block, 0, stream>>>(in, out, (size_t)width * height,
                                                                 (float)tenths / 10);
}

static void cuda_fast(const float *in, float *out, int width, int height, cudaStream_t stream) {
    fast_kernel<<<blocks_of(width, height), block, 0, stream>>>(in, out, (size_t)width * height,
                                                                (float)tenths / 10);
}

BENCH_IMAGE(float, float, power, cuda_exact, cuda_fast)
BENCH_TOLERANCE(1e-6, 1e-4, 0)
