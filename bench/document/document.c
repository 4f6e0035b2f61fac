#include "document.h"

#include <stdarg.h>
#include <string.h>

#include "document_memory.h"

static const char *text_of(Document *document, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        document->failed = true;
        return NULL;
    }
    char *text = document_allocate(document, (size_t)length + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, arguments);
    }
    return text;
}

const char *document_text(Document *document, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = text_of(document, format, arguments);
    va_end(arguments);
    return text;
}

void document_block(Document *document, const Block *block) {
    Block *blocks = document_grow(document, document->blocks, document->count, &document->capacity,
                                  sizeof *blocks);
    if (blocks != NULL) {
        document->blocks = blocks;
        blocks[document->count++] = *block;
    }
}

static bool id_is_taken(const Document *document, const char *id) {
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].id != NULL && strcmp(document->blocks[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* "times", then "times-2", "times-3"… */
static const char *unique_id(Document *document, const char *text) {
    char slug[64];
    document_slug(text, slug, sizeof slug);
    const char *base = slug[0] != '\0' ? slug : "section";
    const char *id = document_text(document, "%s", base);
    for (int number = 2; id != NULL && id_is_taken(document, id); number++) {
        id = document_text(document, "%s-%d", base, number);
    }
    return id;
}

static bool name_is_taken(const Document *document, BlockKind kind, const char *name) {
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind != kind) {
            continue;
        }
        const char *taken = kind == BLOCK_TABLE ? block->table->name : block->chart->name;
        if (taken != NULL && strcmp(taken, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *document_name(Document *document, BlockKind kind, const char *name) {
    const char *unique = document_copy(document, name);
    for (int number = 2; unique != NULL && name_is_taken(document, kind, unique); number++) {
        unique = document_text(document, "%s-%d", name, number);
    }
    return unique;
}

void document_heading(Document *document, int level, const char *text) {
    const Block block = {.kind = BLOCK_HEADING,
                         .text = document_copy(document, text),
                         .level = level < 2   ? 2
                                  : level > 4 ? 4
                                              : level,
                         .id = unique_id(document, text != NULL ? text : "")};
    if (block.text != NULL) {
        document_block(document, &block);
    }
}

void document_add(Document *document, BlockKind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Block block = {.kind = kind, .text = text_of(document, format, arguments)};
    va_end(arguments);
    if (block.text != NULL) {
        document_block(document, &block);
    }
}

void document_slug(const char *text, char *slug, size_t size) {
    size_t used = 0;
    if (size == 0) {
        return;
    }
    for (const char *c = text; *c != '\0' && used + 1 < size; c++) {
        const bool upper = *c >= 'A' && *c <= 'Z';
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.';
        if (plain || upper) {
            slug[used++] = upper ? (char)(*c - 'A' + 'a') : *c;
        } else if (used > 0 && slug[used - 1] != '-') {
            slug[used++] = '-';
        }
    }
    while (used > 0 && slug[used - 1] == '-') {
        used--;
    }
    slug[used] = '\0';
}
