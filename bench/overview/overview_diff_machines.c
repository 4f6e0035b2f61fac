/* What differs between two runs before any time is looked at: machine, build, request, warnings. */
#include <math.h>
#include <string.h>

#include "fact_words.h"
#include "overview_diff_parts.h"
#include "run_warnings.h"

static void value_cell(const char *text, Document *document, DocTable *table) {
    const bool known = text[0] != '\0';
    table_cell(document, table,
               &(DocCell){.text = known ? text : "not known",
                          .number = NAN,
                          .kind = known ? CELL_PLAIN : CELL_MISSING});
}

static void add_pair(const char *what, const char *a, const char *b, Document *document,
                     DocTable *table) {
    table_words(document, table, what);
    value_cell(a, document, table);
    value_cell(b, document, table);
}

static DocTable *pair_table(const Diff *diff, const char *name, const char *caption,
                            Document *document) {
    DocTable *table = document_table(document, name, caption);
    table_column(document, table, &(DocColumn){.title = "fact"});
    table_column(document, table,
                 &(DocColumn){.title = document_text(document, "A: %s", diff->a->name)});
    table_column(document, table,
                 &(DocColumn){.title = document_text(document, "B: %s", diff->b->name)});
    return table;
}

static bool facts_differ(const Fact *a, const Fact *b) {
    return a == NULL || b == NULL || a->kind != b->kind || strcmp(a->text, b->text) != 0 ||
           a->number != b->number;
}

/* Empty where it is not known. */
static void fact_text(const Fact *fact, char text[FACT_VALUE_SIZE]) {
    text[0] = '\0';
    if (fact != NULL) {
        fact_value_words(fact, text, FACT_VALUE_SIZE);
    }
}

static void add_fact(const char *key, const Fact *a, const Fact *b, Document *document,
                     DocTable *table) {
    char words[FACT_KEY_SIZE];
    char left[FACT_VALUE_SIZE];
    char right[FACT_VALUE_SIZE];
    fact_key_words(key, words);
    fact_text(a, left);
    fact_text(b, right);
    add_pair(words, left, right, document, table);
}

/* The facts of A in their order, then those that only B has. */
static void add_facts(const Diff *diff, bool only_differing, Document *document, DocTable *table) {
    const Machine *machines[] = {&diff->a->stored->machine, &diff->b->stored->machine};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < machines[m]->count; i++) {
            const char *key = machines[m]->facts[i].key;
            const Fact *a = machine_fact(machines[0], key);
            const Fact *b = machine_fact(machines[1], key);
            const bool told = m == 1 && a != NULL;
            if (!told && (!only_differing || facts_differ(a, b))) {
                add_fact(key, a, b, document, table);
            }
        }
    }
}

/* "hot", "cold", or both where a file was put together of both. */
static const char *cache_words(const StoredRun *stored) {
    size_t cold = 0;
    for (size_t i = 0; i < stored->results.count; i++) {
        cold += stored->results.rows[i].cold ? 1 : 0;
    }
    if (cold == 0) {
        return "hot";
    }
    return cold == stored->results.count ? "cold" : "hot and cold";
}

static void add_pair_if_other(const char *what, const char *a, const char *b, Document *document,
                              DocTable *table) {
    if (strcmp(a, b) != 0) {
        add_pair(what, a, b, document, table);
    }
}

static void add_request(const Diff *diff, Document *document, DocTable *table) {
    const StoredRun *a = diff->a->stored;
    const StoredRun *b = diff->b->stored;
    add_pair_if_other("started", a->started, b->started, document, table);
    add_pair_if_other("arguments", a->argv, b->argv, document, table);
    add_pair_if_other("caches", cache_words(a), cache_words(b), document, table);
    add_pair_if_other("run complete", a->complete ? "yes" : "no", b->complete ? "yes" : "no",
                      document, table);
}

static void tell_warnings(const char *letter, const StoredRun *stored, Document *document) {
    Warnings warnings;
    run_warnings(stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        document_add(document, BLOCK_ITEM, "%s: %s.", letter, warnings.text[i]);
    }
    if (stored->ignored > 0) {
        document_add(document, BLOCK_ITEM,
                     "%s: %zu rows are of algorithms, variants or axes that this version does not "
                     "have; they are left out.",
                     letter, stored->ignored);
    }
}

void diff_tell_machines(const Diff *diff, Document *document) {
    document_heading(document, 2, "What differs besides the times");
    DocTable *differing = pair_table(diff, "diff-facts", "Facts that differ", document);
    add_request(diff, document, differing);
    add_facts(diff, true, document, differing);
    if (differing != NULL && differing->row_count == 0) {
        differing->note = "Nothing that is known of them differs.";
    }
    DocTable *all =
        pair_table(diff, "diff-all-facts", "All facts of both machines and builds", document);
    add_facts(diff, false, document, all);
    if (all != NULL) {
        all->collapsed = true;
    }
    tell_warnings("A", diff->a->stored, document);
    tell_warnings("B", diff->b->stored, document);
}
