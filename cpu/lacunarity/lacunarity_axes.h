/*
 * lacunarity_axes: the answer axes --box and --threshold.
 *
 * A value is a set that one cell computes: item('+'item)*, where an item is N, A..B, A..B:S or a
 * word: log (1, 2, 4, … up to half the shorter side) and paper (1 … half the shorter side) for
 * boxes, otsu for thresholds. "each:" before a set makes a cell of its own of each member.
 */
#ifndef CPU_LACUNARITY_AXES_H
#define CPU_LACUNARITY_AXES_H

#include "axis.h"

extern const Axis lacunarity_box_axis;
extern const Axis lacunarity_threshold_axis;

#endif
