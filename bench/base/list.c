/* Memory that a structure owns: growing arrays and copies, released together. */

#include "base_internal.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

typedef struct Piece {
    struct Piece *next;
    max_align_t content[];
} Piece;

void *owned_take(void **memory, size_t size) {
    Piece *piece = size <= SIZE_MAX - sizeof *piece ? calloc(1, sizeof *piece + size) : NULL;
    if (piece == NULL) {
        return NULL;
    }
    piece->next = *memory;
    *memory = piece;
    return piece->content;
}

void *owned_grow(void **memory, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return items;
    }
    if (*capacity > SIZE_MAX / 2 / size) {
        return NULL;
    }
    const size_t wanted = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
    void *grown = owned_take(memory, wanted * size);
    if (grown == NULL) {
        return NULL;
    }
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = wanted;
    return grown;
}

void owned_release(void **memory) {
    Piece *piece = *memory;
    while (piece != NULL) {
        Piece *next = piece->next;
        free(piece);
        piece = next;
    }
    *memory = NULL;
}
