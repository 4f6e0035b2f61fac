/* Arrays that grow, and memory that is released with the structure that owns it. */
#ifndef BENCH_API_LIST_H
#define BENCH_API_LIST_H

#include <stddef.h>

#include "status.h"

/* --- Owned memory ----------------------------------------------------------------------------- */

/* Allocates `size` bytes of zeros, aligned for every type, that live until owned_release(memory).
 * `*memory` is the list of all of them, NULL at first. Returns NULL without memory. */
void *owned_take(void **memory, size_t size);

/* A copy of a text, of NULL an empty one, or of its first bytes, that lives as long. NULL without
 * memory. */
char *owned_text(void **memory, const char *text);
char *owned_bytes(void **memory, const char *text, size_t length);

void owned_release(void **memory);

/* --- Lists ------------------------------------------------------------------------------------ */

/*
 * Makes room for `needed` items of `size` bytes in an array whose capacity doubles; `items` is the
 * address of the pointer to it. Pointer and capacity are zero at first. With `memory` the array is
 * owned memory; with NULL it is malloc's and the caller frees it. STATUS_SKIP without memory, which
 * names `what` ("result rows"); array and capacity are unchanged then.
 */
Status list_room(void **memory, void *items, size_t needed, size_t *capacity, size_t size,
                 const char *what);

/* The same for one more than `count` items. */
#define LIST_ROOM(memory, items, count, capacity, what)                                            \
    list_room(memory, &(items), (count) + 1, &(capacity), sizeof *(items), what)

/* Appends an item, or returns from the calling function with the status of LIST_ROOM. */
#define LIST_ADD(memory, items, count, capacity, what, ...)                                        \
    do {                                                                                           \
        STATUS_TRY(LIST_ROOM(memory, items, count, capacity, what));                               \
        (items)[(count)++] = __VA_ARGS__;                                                          \
    } while (0)

#endif
