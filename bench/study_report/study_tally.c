#include "study_tally.h"

#include <stdlib.h>
#include <string.h>

const char *text_joined(Document *document, const char *list, const char *separator,
                        const char *item) {
    const bool empty = list == NULL || list[0] == '\0';
    return document_text(document, "%s%s%s", empty ? "" : list, empty ? "" : separator,
                         item != NULL ? item : "");
}

const char *text_listed(Document *document, const char *name) {
    const char *listed = strchr(name, ',') != NULL ? document_text(document, "“%s”", name) : name;
    return listed != NULL ? listed : "";
}

/* Whether `item` is one of the entries of a list separated by ", ". */
static bool is_listed(const char *list, const char *item) {
    const size_t length = strlen(item);
    for (const char *found = strstr(list, item); found != NULL; found = strstr(found + 1, item)) {
        const bool starts =
            found == list || (found - list >= 2 && strncmp(found - 2, ", ", 2) == 0);
        const bool ends = found[length] == '\0' || strncmp(found + length, ", ", 2) == 0;
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

static TallyItem *item_of(Tally *tally, Document *document, const char *key) {
    for (size_t i = 0; i < tally->count; i++) {
        if (strcmp(tally->items[i].key, key) == 0) {
            return &tally->items[i];
        }
    }
    if (tally->count == tally->capacity) {
        const size_t capacity = tally->capacity > 0 ? 2 * tally->capacity : 8;
        TallyItem *items = realloc(tally->items, capacity * sizeof *items);
        if (items == NULL) {
            document->failed = true;
            return NULL;
        }
        tally->items = items;
        tally->capacity = capacity;
    }
    const char *copy = document_text(document, "%s", key);
    if (copy == NULL) {
        return NULL;
    }
    tally->items[tally->count] = (TallyItem){.key = copy};
    return &tally->items[tally->count++];
}

void tally_add(Tally *tally, Document *document, const char *key, const char *with) {
    TallyItem *item = key != NULL ? item_of(tally, document, key) : NULL;
    if (item == NULL) {
        return;
    }
    item->count++;
    if (with != NULL && with[0] != '\0' && (item->with == NULL || !is_listed(item->with, with))) {
        item->with = text_joined(document, item->with, ", ", with);
    }
}

const char *tally_keys(const Tally *tally, Document *document, const char *separator) {
    const char *text = "";
    for (size_t i = 0; i < tally->count; i++) {
        text = text_joined(document, text, separator, tally->items[i].key);
    }
    return text != NULL ? text : "";
}

void tally_release(Tally *tally) {
    free(tally->items);
    *tally = (Tally){0};
}
