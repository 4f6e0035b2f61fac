/* Learning descriptors: `bench train-hashsift` and `bench train-bad`. */

#ifndef BENCH_APPS_DESCRIPTORS_DESCRIPTORS_H
#define BENCH_APPS_DESCRIPTORS_DESCRIPTORS_H

#include "base.h"
#include "random.h"

/* --- Draw ------------------------------------------------------------------------------------- */

/* Numbers drawn at random: the same for a seed on every machine, up to the last bit of exp and cos
 * where those are asked for. */

static inline double draw_between(Draw *draw, double low, double high) {
    return low + (high - low) * draw_share(draw_number(draw));
}

/* Mean 0, deviation 1: the sum of 12 uniform numbers, which never exceeds 6. */
static inline double draw_normal(Draw *draw) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += draw_between(draw, 0, 1);
    }
    return sum;
}

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_train_hashsift, command_train_bad;

#endif
