/* A document for the tests of its writers, and what they write in the folder of the test. */
#ifndef TESTS_DOCUMENT_FIXTURE_H
#define TESTS_DOCUMENT_FIXTURE_H

#include "document.h"
#include "report_internal.h"
#include "scratch_folder.h"
#include "table.h"
#include "test.h"

static inline void make_document(void) {
    static Document document;
    document_open(&document, "A *study* of # & <times>");
    test_state = &document;
}

static inline void release_document(void) {
    document_release(test_state);
}

static inline void expect_file(const char *name, const char *expected) {
    assert_string_equal(test_read(name), expected);
}

/* Groups, every kind of cell, and characters that mean something to the writers. */
static inline DocTable *nasty_table(Document *document) {
    DocTable *table = document_table(document, "table-1", "Times of 100 % & \"more\" in µs");
    table->note = document_text(document, "Mean of 15 runs; a_b ± 1, 10⁻⁷ ≤ x ≤ 2²");
    table_column(document, table, &(DocColumn){.title = "size #1"});
    table_column(document, table,
                 &(DocColumn){.title = "measured", .group = "Time (ms)", .numeric = true});
    table_column(document, table,
                 &(DocColumn){.title = "published", .group = "Time (ms)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "machine"});
    table_words(document, table, "512×512|a");
    table_cell(
        document, table,
        &(DocCell){.text = "1.50", .number = 1.5, .note = "1.4 to 1.6", .kind = CELL_STRONG});
    table_cell(document, table, &(DocCell){.text = "9.9", .number = 9.9, .kind = CELL_FAINT});
    table_words(document, table, "[C:\\x_y] ~{$5} ^2 <i7> 中 Łódź é ü ń");
    table_words(document, table, "*wild*\nline");
    table_cell(document, table, &(DocCell){.text = "not run", .number = NAN, .kind = CELL_MISSING});
    table_cell(document, table, &(DocCell){.text = "wrong", .number = NAN, .kind = CELL_BAD});
    table_words(document, table, "„so“ — it's --quick…");
    return table;
}

#endif
