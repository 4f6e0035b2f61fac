/* Sorting the pictures of a candidate by its value in them. */
#ifndef CPU_ADABOOST_ORDER_H
#define CPU_ADABOOST_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that sorting `count` pictures needs besides. */
size_t adaboost_order_scratch_bytes(int32_t count);

/* Replaces the values of `count` pictures (int32_t, differing by less than 2^31) by the order that
 * adaboost.h defines. `scratch` is aligned to 8 bytes. */
void adaboost_order_sort(uint32_t *row, int32_t count, void *scratch);

#endif
