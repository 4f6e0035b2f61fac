/* Which places of an axis are named, and how. */
#ifndef BENCH_SVG_TICKS_H
#define BENCH_SVG_TICKS_H

#include "svg_scale.h"

/* The named places of the axis that lie in the range, else decades or round numbers. Returns their
 * number, ascending unless the axis names them otherwise. */
size_t svg_scale_ticks(const SvgScale *scale, const ChartAxis *axis, SvgTick ticks[SVG_TICKS_MAX]);

/* A number with `digits` significant digits: groups of three from 10 000 on, a power of ten from a
 * million on and below 0.001. */
void svg_tick_text(double number, int digits, char text[SVG_TICK_SIZE]);

#endif
