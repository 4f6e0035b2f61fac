/* Free memory: asked before a large allocation, so that a forged header is refused with a sentence
 * instead of driving the machine out of memory. */
#ifndef DATASETS_FREE_MEMORY_H
#define DATASETS_FREE_MEMORY_H

#include <stdint.h>

#include "status.h"

/* STATUS_SKIP "<what> needs X, Y free" when `bytes` do not fit the memory that is free now. */
Status free_memory_check(const char *what, uint64_t bytes);

/* The same sentence, for an allocation that failed. */
Status free_memory_short(const char *what, uint64_t bytes);

#endif
