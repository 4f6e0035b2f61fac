/* Records in order, for comparing and writing them. */
#ifndef CPU_HAAR_RECORDS_H
#define CPU_HAAR_RECORDS_H

#include "haar.h"

/* A copy in the order of picture, type, x, y, w, h, value; the caller frees it. NULL when memory
 * runs out. */
uint64_t *haar_sorted_records(const uint64_t *records, size_t count);

#endif
