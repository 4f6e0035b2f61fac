#include "list.h"

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

char *owned_bytes(void **memory, const char *text, size_t length) {
    char *copy = owned_take(memory, length + 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

char *owned_text(void **memory, const char *text) {
    return owned_bytes(memory, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
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

/* Doubles the capacity until the items fit; at least FIRST_CAPACITY. */
static size_t grown_capacity(size_t capacity, size_t needed) {
    size_t grown = capacity > 0 ? capacity : FIRST_CAPACITY;
    while (grown < needed) {
        grown = grown <= SIZE_MAX / 2 ? 2 * grown : SIZE_MAX;
    }
    return grown;
}

Status list_room(void **memory, void *items, size_t needed, size_t *capacity, size_t size,
                 const char *what) {
    if (needed <= *capacity) {
        return status_ok();
    }
    void *before; /* `items` points to a pointer of whatever type */
    memcpy(&before, items, sizeof before);
    const size_t wanted = grown_capacity(*capacity, needed);
    void *grown = NULL;
    if (wanted <= SIZE_MAX / size) {
        grown = memory != NULL ? owned_take(memory, wanted * size) : realloc(before, wanted * size);
    }
    STATUS_MEMORY(grown, "for %zu %s", needed, what);
    if (memory != NULL && *capacity > 0) {
        memcpy(grown, before, *capacity * size);
    }
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return status_ok();
}
