/*
 * Synthetic digits: strokes of the ten digits drawn by a shaky hand. All arithmetic is on integers,
 * so a label, a size and a seed give the same bytes everywhere.
 */
#ifndef DATASETS_SYNTHETIC_DIGITS_H
#define DATASETS_SYNTHETIC_DIGITS_H

#include <stdint.h>

enum { SYNTHETIC_DIGIT_COUNT = 10 };

/* Draws `digit`, 0 … 9, white on black, into width × height pixels without padding. The seed
 * decides shape, place, pen and noise. Sides 1 to IMAGE_SET_SIDE_MAX; below 8 pixels little can be
 * recognised. */
void synthetic_digit_draw(int digit, uint64_t seed, int32_t width, int32_t height, uint8_t *pixels);

#endif
