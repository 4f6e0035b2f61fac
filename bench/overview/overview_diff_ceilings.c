/* What both machines do at best, side by side: the first reason for times that differ. */
#include <math.h>
#include <string.h>

#include "ceilings_print.h"
#include "overview_diff_parts.h"

enum { TEXT_SIZE = 48, RATIO_DIGITS = 3 };

/* On a device, by one thread, or by all there are, however many that is on either machine. */
static int where_of(const Ceiling *ceiling) {
    return ceiling->threads > 1 ? 2 : ceiling->threads;
}

static const Ceiling *find_like(const Ceilings *ceilings, const Ceiling *wanted) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (strcmp(ceiling->key, wanted->key) == 0 && ceiling->kind == wanted->kind &&
            where_of(ceiling) == where_of(wanted)) {
            return ceiling;
        }
    }
    return NULL;
}

static void add_value(const Ceiling *ceiling, Document *document, DocTable *table) {
    char text[TEXT_SIZE];
    ceiling_text(ceiling, text, sizeof text);
    table_cell(document, table, &(DocCell){.text = text, .number = ceiling->value});
}

static void add_ceiling(const Ceiling *a, const Ceiling *b, Document *document, DocTable *table) {
    static const char *const places[] = {"GPU", "one thread", "all threads"};
    table_words(document, table, a->key);
    table_words(document, table, places[where_of(a)]);
    add_value(a, document, table);
    add_value(b, document, table);
    table_number(document, table, b->value / a->value, RATIO_DIGITS);
}

static DocTable *open_table(Document *document) {
    static const char *const titles[] = {"ceiling", "on", "A", "B", "B/A"};
    DocTable *table = document_table(document, "diff-ceilings",
                                     "What both machines do at best, as measured by either run");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_column(document, table, &(DocColumn){.title = titles[i], .numeric = i >= 2});
    }
    return table;
}

void diff_tell_ceilings(const Diff *diff, Document *document) {
    const Ceilings *a = &diff->a->stored->results.ceilings;
    const Ceilings *b = &diff->b->stored->results.ceilings;
    DocTable *table = NULL;
    bool any = false;
    bool differ = false;
    for (size_t i = 0; i < a->count; i++) {
        const Ceiling *other = find_like(b, &a->list[i]);
        if (other != NULL) {
            table = any ? table : open_table(document);
            any = true;
            differ = differ || other->value != a->list[i].value;
            add_ceiling(&a->list[i], other, document, table);
        }
    }
    if (table != NULL) {
        table->collapsed = !differ; /* runs of one machine share what was measured once */
    }
}
