/*
 * Grey: colour to grey by ITU-R BT.601 luma, 0.299 R + 0.587 G + 0.114 B, with its weights in 15
 * bits: (9798 R + 19235 G + 3735 B + 16384) >> 15 on integers.
 *
 * These are the weights of OpenCV's cvtColor, with which the pictures were turned grey that
 * published keypoints and descriptors come from. Weights in thousandths give another value for a
 * few pixels of a picture, which is enough to flip bits of a descriptor.
 */
#ifndef DATASETS_GREY_H
#define DATASETS_GREY_H

#include <stddef.h>
#include <stdint.h>

static inline uint8_t grey_of(unsigned red, unsigned green, unsigned blue) {
    return (uint8_t)((9798u * red + 19235u * green + 3735u * blue + 16384u) >> 15);
}

/* `count` pixels of three bytes each to grey[0], grey[step], grey[2·step], … */
void grey_from_rgb(const uint8_t *rgb, size_t count, uint8_t *grey, size_t step);

/* The same for four bytes of printing ink each. Adobe stores inks inverted: 255 is no ink. */
void grey_from_cmyk(const uint8_t *cmyk, size_t count, int inverted, uint8_t *grey);

#endif
