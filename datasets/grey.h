/* Grey: colour to grey by ITU-R BT.601 luma, (299R + 587G + 114B + 500) / 1000 on integers. */
#ifndef DATASETS_GREY_H
#define DATASETS_GREY_H

#include <stddef.h>
#include <stdint.h>

static inline uint8_t grey_of(unsigned red, unsigned green, unsigned blue) {
    return (uint8_t)((299u * red + 587u * green + 114u * blue + 500u) / 1000u);
}

/* `count` pixels of three bytes each to grey[0], grey[step], grey[2·step], … */
void grey_from_rgb(const uint8_t *rgb, size_t count, uint8_t *grey, size_t step);

/* The same for four bytes of printing ink each. Adobe stores inks inverted: 255 is no ink. */
void grey_from_cmyk(const uint8_t *cmyk, size_t count, int inverted, uint8_t *grey);

#endif
