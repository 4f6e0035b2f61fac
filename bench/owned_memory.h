/* Owned memory: pieces that live as long as the thing that owns them, all released at once. */
#ifndef BENCH_OWNED_MEMORY_H
#define BENCH_OWNED_MEMORY_H

#include <stddef.h>

/* `size` bytes of zeros, aligned for everything, owned by `*memory` (NULL at first). NULL without
 * memory. */
void *owned_take(void **memory, size_t size);

/* The array with room for one more than `count` items of `size` bytes: itself, or a copy of it
 * twice as large. NULL without memory; the array and its capacity are as they were then. */
void *owned_grow(void **memory, void *items, size_t count, size_t *capacity, size_t size);

/* Appends an item of zeros to an array with its count and capacity; a pointer to it, NULL without
 * memory, and the array is not to be used any more then. */
#define OWNED_APPEND(memory, items, count, capacity)                                               \
    (((items) = owned_grow(memory, items, count, &(capacity), sizeof *(items))) != NULL            \
         ? &(items)[(count)++]                                                                     \
         : NULL)

void owned_release(void **memory);

#endif
