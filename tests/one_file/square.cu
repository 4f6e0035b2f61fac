/* An array of an array: squares, the same bits everywhere. */
#include "bench.h"

static void square(const float *in, double *out, size_t count, size_t first, size_t last) {
    (void)count;
    for (size_t i = first; i < last; i++) {
        out[i] = (double)in[i] * (double)in[i];
    }
}

__global__ void square_kernel(const float *in, double *out, size_t count) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = (double)in[i] * (double)in[i];
    }
}

static void cuda_each(const float *in, double *out, size_t count, cudaStream_t stream) {
    square_kernel<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(in, out, count);
}

/* As one that calls a library does. */
static void cuda_library(const float *in, double *out, size_t count, cudaStream_t stream) {
    cuda_each(in, out, count, stream);
}

static void library(const float *in, double *out, size_t count, size_t first, size_t last) {
    square(in, out, count, first, last);
}

BENCH_ARRAY(float, double, square, cuda_each)
BENCH_PEER(library, "none", "1")
BENCH_PEER_GPU(cuda_library, "none", "1")
BENCH_PEER_DIFFERS(cuda_library, "nothing", 1)
