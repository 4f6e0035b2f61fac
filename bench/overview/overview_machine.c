/* The machine: facts, caches, ceilings, and what makes its numbers less certain. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "available_memory.h"
#include "ceilings_print.h"
#include "fact_words.h"
#include "overview_parts.h"
#include "run_warnings.h"

enum { TEXT_SIZE = 96 };

static void add_facts(Document *document, const Machine *machine) {
    DocTable *table = document_table(document, "machine", "What was measured on");
    table_column(document, table, &(DocColumn){.title = "fact"});
    table_column(document, table, &(DocColumn){.title = "value"});
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        char name[FACT_KEY_SIZE];
        char text[FACT_VALUE_SIZE];
        fact_key_words(fact->key, name);
        fact_value_words(fact, text, sizeof text);
        table_words(document, table, name);
        table_cell(document, table,
                   &(DocCell){.text = text,
                              .number = fact->kind == FACT_NUMBER ? fact->number : (double)NAN,
                              .kind = fact->identity ? CELL_STRONG : CELL_PLAIN});
    }
    if (table != NULL) {
        table->note = "Strong: what makes a machine and a build the same; only runs that agree in "
                      "it are compared by 'bench compare'.";
    }
}

static void count_cell(Document *document, DocTable *table, int count) {
    char text[32];
    snprintf(text, sizeof text, "%d", count);
    table_cell(document, table, &(DocCell){.text = text, .number = count});
}

static void add_caches(Document *document, const Machine *machine) {
    DocTable *table = document_table(document, "caches", "Caches of the processor");
    table_column(document, table, &(DocColumn){.title = "level", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "type"});
    table_column(document, table, &(DocColumn){.title = "size", .numeric = true});
    table_column(document, table,
                 &(DocColumn){.title = "shared by logical processors", .numeric = true});
    for (size_t i = 0; i < machine->cache_count; i++) {
        const Cache *cache = &machine->caches[i];
        char text[TEXT_SIZE];
        count_cell(document, table, cache->level);
        table_words(document, table, cache->type);
        format_bytes(cache->size, text, sizeof text);
        table_cell(document, table, &(DocCell){.text = text, .number = (double)cache->size});
        count_cell(document, table, cache->sharing);
    }
}

static void add_ceilings(Document *document, const Ceilings *ceilings) {
    DocTable *table =
        document_table(document, "ceilings", "What the machine does at best, as measured");
    table_column(document, table, &(DocColumn){.title = "ceiling"});
    table_column(document, table, &(DocColumn){.title = "on"});
    table_column(document, table, &(DocColumn){.title = "value", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "working set", .numeric = true});
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        char text[TEXT_SIZE];
        table_words(document, table, ceiling->key);
        snprintf(text, sizeof text, "%d thread%s", ceiling->threads,
                 ceiling->threads == 1 ? "" : "s");
        table_words(document, table, ceiling->threads > 0 ? text : "GPU");
        ceiling_text(ceiling, text, sizeof text);
        table_cell(document, table, &(DocCell){.text = text, .number = ceiling->value});
        text[0] = '\0';
        if (ceiling->working_set > 0) {
            format_bytes((uint64_t)ceiling->working_set, text, sizeof text);
        }
        table_cell(
            document, table,
            &(DocCell){.text = text,
                       .number = ceiling->working_set > 0 ? ceiling->working_set : (double)NAN});
    }
    if (table != NULL) {
        table->note = "Bandwidths count bytes read and written. 'bench roof' measures these.";
    }
}

static void add_warnings(const Overview *overview) {
    Warnings warnings;
    run_warnings(overview->run->stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        const char *text = warnings.text[i];
        document_add(overview->document, BLOCK_WARNING, "%c%s.", toupper((unsigned char)text[0]),
                     text + (text[0] != '\0'));
    }
}

void overview_machine(const Overview *overview) {
    const StoredRun *stored = overview->run->stored;
    document_heading(overview->document, 2, "Machine");
    add_warnings(overview);
    if (stored->machine.count > 0) {
        add_facts(overview->document, &stored->machine);
    }
    if (stored->machine.cache_count > 0) {
        add_caches(overview->document, &stored->machine);
    }
    if (stored->results.ceilings.count > 0) {
        add_ceilings(overview->document, &stored->results.ceilings);
    }
}
