/* What a document owns: allocations that live until it is released. Within the folder's document
 * builders only. */
#ifndef BENCH_DOCUMENT_MEMORY_H
#define BENCH_DOCUMENT_MEMORY_H

#include "document.h"

/* Zeroed, aligned for everything. NULL, with the document failed, without memory; NULL at once in a
 * document that has failed. */
void *document_allocate(Document *document, size_t size);

/* Room for one more item behind `count` of `size` bytes: `items` where there is some, else a copy
 * of twice the capacity. NULL without memory; `items` and the capacity are then as they were. */
void *document_grow(Document *document, void *items, size_t count, size_t *capacity, size_t size);

/* A copy of the text; NULL for NULL and without memory. */
const char *document_copy(Document *document, const char *text);

/* The name of a new table or chart, which is also that of its files: "times", then "times-2",
 * "times-3"… where blocks of the kind have those names. NULL without memory. */
const char *document_name(Document *document, BlockKind kind, const char *name);

/* Adds a block; it is the document's. Nothing happens in a document that has failed. */
void document_block(Document *document, const Block *block);

#endif
