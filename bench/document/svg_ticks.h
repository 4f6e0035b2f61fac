/* Round numbers for axes. */
#ifndef BENCH_SVG_TICKS_H
#define BENCH_SVG_TICKS_H

#include "svg_scale.h"

/* 1, 2 or 5 times a power of ten: about a fifth of the scale's range. */
double svg_round_step(const SvgScale *scale);

/* A number with `digits` significant digits: groups of three from 10 000 on, a power of ten from a
 * million on and below 0.001. */
void svg_tick_text(double number, int digits, char text[SVG_TICK_SIZE]);

#endif
