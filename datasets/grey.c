#include "grey.h"

void grey_from_rgb(const uint8_t *rgb, size_t count, uint8_t *grey, size_t step) {
    for (size_t i = 0; i < count; ++i) {
        grey[i * step] = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}

void grey_from_cmyk(const uint8_t *cmyk, size_t count, int inverted, uint8_t *grey) {
    const unsigned flip = inverted ? 0u : 255u;
    for (size_t i = 0; i < count; ++i) {
        const uint8_t *ink = cmyk + 4 * i;
        const unsigned light = ink[3] ^ flip;
        const unsigned red = ((ink[0] ^ flip) * light + 127u) / 255u;
        const unsigned green = ((ink[1] ^ flip) * light + 127u) / 255u;
        const unsigned blue = ((ink[2] ^ flip) * light + 127u) / 255u;
        grey[i] = grey_of(red, green, blue);
    }
}
