/* blur: the mean of the square around each pixel. bench run blur.cu --sizes all */
#include "bench.h"

BENCH_PARAMETER(radius, "2", 1, 16, "pixels to each side of the square")

__host__ __device__ static uint8_t mean_at(const uint8_t *in, int width, int height, int side,
                                           int x, int y) {
    int sum = 0, count = 0;
    for (int v = max(y - side, 0); v <= min(y + side, height - 1); v++) {
        for (int u = max(x - side, 0); u <= min(x + side, width - 1); u++, count++) {
            sum += in[(size_t)v * width + u];
        }
    }
    return (uint8_t)(sum / count);
}

/* Rows first to last - 1: one thread, or each of several, calls it. */
static void mean(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    for (int y = first; y < last; y++) {
        for (int x = 0; x < width; x++) {
            out[(size_t)y * width + x] = mean_at(in, width, height, radius, x, y);
        }
    }
}

__global__ void mean_kernel(const uint8_t *in, uint8_t *out, int width, int height, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        out[(size_t)y * width + x] = mean_at(in, width, height, side, x, y);
    }
}

static void cuda_naive(const uint8_t *in, uint8_t *out, int width, int height,
                       cudaStream_t stream) {
    const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
    mean_kernel<<<blocks, threads, 0, stream>>>(in, out, width, height, radius);
}

BENCH_IMAGE(uint8_t, uint8_t, mean, cuda_naive)
