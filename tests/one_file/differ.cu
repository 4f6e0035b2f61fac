/* The absolute difference of two images of 16 bits. */
#include "bench.h"

__host__ __device__ static uint16_t difference(uint16_t a, uint16_t b) {
    return a > b ? a - b : b - a;
}

static void differ(const uint16_t *a, const uint16_t *b, uint16_t *out, int width, int height,
                   int first, int last) {
    (void)height;
    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {
        out[i] = difference(a[i], b[i]);
    }
}

__global__ void differ_kernel(const uint16_t *a, const uint16_t *b, uint16_t *out, size_t pixels) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        out[i] = difference(a[i], b[i]);
    }
}

static void cuda_each(const uint16_t *a, const uint16_t *b, uint16_t *out, int width, int height,
                      cudaStream_t stream) {
    const size_t pixels = (size_t)width * height;
    differ_kernel<<<(unsigned)((pixels + 255) / 256), 256, 0, stream>>>(a, b, out, pixels);
}

BENCH_TWO_IMAGES(uint16_t, uint16_t, differ, cuda_each)
