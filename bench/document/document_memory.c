#include "document_memory.h"

#include <string.h>

#include "owned_memory.h"

void *document_allocate(Document *document, size_t size) {
    void *taken = document->failed ? NULL : owned_take(&document->memory, size);
    document->failed = taken == NULL;
    return taken;
}

void *document_grow(Document *document, void *items, size_t count, size_t *capacity, size_t size) {
    void *grown =
        document->failed ? NULL : owned_grow(&document->memory, items, count, capacity, size);
    document->failed = grown == NULL;
    return grown;
}

const char *document_copy(Document *document, const char *text) {
    if (text == NULL) {
        return NULL;
    }
    const size_t size = strlen(text) + 1;
    char *copy = document_allocate(document, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void document_open(Document *document, const char *title) {
    *document = (Document){.title = NULL};
    document->title = document_copy(document, title);
}

void document_release(Document *document) {
    owned_release(&document->memory);
    *document = (Document){.title = NULL};
}

Status document_status(const Document *document) {
    return document->failed ? status_fail("there was not enough memory for the report")
                            : status_ok();
}
