/*
 * Otsu's threshold, exactly: the threshold t that maximises the variance between the classes
 * pixel < t and pixel ≥ t.
 *
 * With n pixels of sum g in all, and n₀ of sum g₀ below t, that variance is, up to a factor that
 * does not depend on t,
 *
 *     (g₀·n − g·n₀)² / (n₀·(n − n₀)).
 *
 * Numerators have more than 64 bits, so it is computed in floating point; thresholds with the same
 * pixels below them have the same numbers, so that ties are ties.
 */
#include "lacunarity.h"

enum { GREY_VALUES = 256 };

int lacunarity_otsu(const Image *image) {
    uint64_t histogram[GREY_VALUES] = {0};
    uint64_t sum = 0;
    for (int32_t y = 0; y < image->height; ++y) {
        const uint8_t *row = image_row(image, y);
        for (int32_t x = 0; x < image->width; ++x) {
            ++histogram[row[x]];
            sum += row[x];
        }
    }
    const double n = (double)image_pixel_count(image);
    /* Where one class is empty at every threshold, all pixels have this value. */
    int best = image_row(image, 0)[0];
    double best_variance = 0;
    double n0 = 0;
    double g0 = 0;
    for (int t = 1; t < GREY_VALUES; ++t) {
        n0 += (double)histogram[t - 1];
        g0 += (double)histogram[t - 1] * (t - 1);
        if (n0 > 0 && n0 < n) {
            const double moved = g0 * n - (double)sum * n0;
            const double variance = moved / n0 * (moved / (n - n0));
            if (variance > best_variance) {
                best_variance = variance;
                best = t;
            }
        }
    }
    return best;
}
