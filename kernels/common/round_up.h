/* Sizes in whole rows, blocks and tiles. */
#ifndef KERNELS_COMMON_ROUND_UP_H
#define KERNELS_COMMON_ROUND_UP_H

#include <stddef.h>

/* The least multiple of `multiple` that is not below `value`. */
static inline size_t round_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* How many pieces of `size` cover `value`; value + size must fit int. */
static inline int pieces_of(int value, int size) {
    return (value + size - 1) / size;
}

#endif
