/* Rows of the image in global memory, thresholded as they are read. */
#ifndef KERNELS_LACUNARITY_LACUNARITY_PIXELS_CUH
#define KERNELS_LACUNARITY_LACUNARITY_PIXELS_CUH

#include <cstddef>
#include <cstdint>

struct GlobalPixels {
    const uint8_t *pixels;
    size_t stride;
    int threshold;

    /* The number of object pixels among `box` of row y from column x on. */
    __device__ uint32_t row_sum(int x, int y, int box) const {
        const uint8_t *row = pixels + (size_t)y * stride + x;
        uint32_t sum = 0;
#pragma unroll 8
        for (int i = 0; i < box; i++) {
            sum += row[i] >= threshold ? 1 : 0;
        }
        return sum;
    }
};

#endif
