/* blur: the mean of the square around each pixel. bench run blur.cu --sizes all */
#include "bench.h"

BENCH_PARAMETER(radius, "2", 1, 16, "pixels to each side of the square")

/* Rows first to last - 1: one thread, or each of several, calls it. */
static void mean(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    for (int y = first; y < last; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0, count = 0;
            for (int v = y - radius; v <= y + radius; v++) {
                for (int u = x - radius; u <= x + radius; u++) {
                    if (u >= 0 && u < width && v >= 0 && v < height) {
                        sum += in[(size_t)v * (size_t)width + (size_t)u];
                        count++;
                    }
                }
            }
            out[(size_t)y * (size_t)width + (size_t)x] = (uint8_t)(sum / count);
        }
    }
}

BENCH_IMAGE(uint8_t, uint8_t, mean)
