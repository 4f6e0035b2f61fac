/* Tally: distinct texts in the order in which they first came, how often each came, and what came
 * with it. Its texts live in a document, the list itself until tally_release. */
#ifndef BENCH_STUDY_TALLY_H
#define BENCH_STUDY_TALLY_H

#include "document.h"

typedef struct TallyItem {
    const char *key;
    const char *with; /* distinct companions, separated by ", "; NULL: none */
    size_t count;
} TallyItem;

typedef struct Tally {
    TallyItem *items;
    size_t count, capacity;
} Tally;

/* Counts `key` once more, and adds `with` to its companions unless it is NULL or empty. A NULL
 * key is none. Without memory the document has failed. */
void tally_add(Tally *tally, Document *document, const char *key, const char *with);

/* All keys in one text: "a; b; c" with the separator "; ". "" when there is none. */
const char *tally_keys(const Tally *tally, Document *document, const char *separator);

void tally_release(Tally *tally);

/* `list`, the separator and `item`; `item` alone where the list is NULL or empty. */
const char *text_joined(Document *document, const char *list, const char *separator,
                        const char *item);

/* A name as part of a list: in quotation marks where it has a comma itself. "" without memory. */
const char *text_listed(Document *document, const char *name);

#endif
