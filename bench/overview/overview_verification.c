/* Verification: which times stand on a proof, against what, and which answers were wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "overview_parts.h"
#include "overview_table.h"
#include "significant.h"
#include "text_list.h"

enum { ORACLES_MAX = 16, WORDS_SIZE = 768 };

typedef struct Oracles {
    const char *names[ORACLES_MAX];
    size_t cells[ORACLES_MAX];
    size_t count;
} Oracles;

static void count_oracle(Oracles *oracles, const char *name) {
    size_t i = 0;
    while (i < oracles->count && strcmp(oracles->names[i], name) != 0) {
        i++;
    }
    if (i == ORACLES_MAX) {
        return;
    }
    if (i == oracles->count) {
        oracles->names[oracles->count++] = name;
    }
    oracles->cells[i]++;
}

typedef struct Counts {
    size_t verified, unverified, failed, partial;
    Oracles oracles;
} Counts;

static bool is_partial(const Row *row) {
    return row->status == CELL_OK && row->verified && row->agreement < 1.0;
}

static Counts count_all(const Results *results) {
    Counts counts = {.verified = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        counts.failed += row->status == CELL_FAIL;
        counts.partial += is_partial(row);
        if (row->status == CELL_OK) {
            counts.verified += row->verified;
            counts.unverified += !row->verified;
        }
        if (row->status == CELL_OK && row->verified) {
            count_oracle(&counts.oracles,
                         row->verified_by[0] != '\0' ? row->verified_by : "an oracle not named");
        }
    }
    return counts;
}

static void add_words(Document *document, const Counts *counts) {
    char text[WORDS_SIZE] = "";
    for (size_t i = 0; i < counts->oracles.count; i++) {
        const char *name = counts->oracles.names[i];
        text_append(text, sizeof text, "%s%zu against the answer of %s%s", i > 0 ? ", " : "",
                    counts->oracles.cells[i], name,
                    strcmp(name, "seq") == 0 ? "" : ", which stood in for seq");
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "No number without a proof: of %zu cells with a time %zu were verified before and "
                 "after timing%s%s.",
                 counts->verified + counts->unverified, counts->verified,
                 text[0] != '\0' ? ": " : "", text);
    if (counts->unverified > 0) {
        document_add(document, BLOCK_WARNING, "%zu cell%s a time without a proof.",
                     counts->unverified, counts->unverified == 1 ? " has" : "s have");
    }
    if (counts->verified > 0) {
        document_add(
            document, BLOCK_PARAGRAPH,
            counts->partial == 0
                ? "Every one of these answers agrees with the oracle's in all its elements."
                : "The cells below are accepted by the algorithm's own rule although some "
                  "elements differ from the oracle's.");
    }
}

static void row_cells(const Overview *overview, DocTable *table, const Row *row) {
    group_cells(overview, table, row);
    label_cell(overview->document, table, row);
    size_cell(overview->document, table, row);
}

static DocTable *open_table(const Overview *overview, const char *name, const char *caption,
                            const DocColumn *last) {
    DocTable *table = document_table(overview->document, name, caption);
    group_columns(overview, table);
    table_column(overview->document, table, &(DocColumn){.title = "variant"});
    table_column(overview->document, table, &(DocColumn){.title = "size"});
    table_column(overview->document, table, last);
    if (table != NULL) {
        table->sortable = true;
    }
    return table;
}

/* With as many digits as it takes to be seen from 100. */
static void agreement_cell(Document *document, DocTable *table, double share) {
    enum { DIGITS = 6, DIGITS_MAX = 12 };
    char text[SIGNIFICANT_SIZE];
    int digits = DIGITS;
    do {
        significant_text(100.0 * share, digits, text);
    } while (strncmp(text, "100", 3) == 0 && digits++ < DIGITS_MAX);
    table_cell(document, table, &(DocCell){.text = text, .number = 100.0 * share});
}

static void add_partial(const Overview *overview) {
    DocTable *table = open_table(overview, "agreement", "Answers that agree in part",
                                 &(DocColumn){.title = "equal elements (%)", .numeric = true});
    for (size_t i = 0; i < overview->results->count; i++) {
        const Row *row = &overview->results->rows[i];
        if (is_partial(row)) {
            row_cells(overview, table, row);
            agreement_cell(overview->document, table, row->agreement);
        }
    }
}

static void add_failures(const Overview *overview) {
    DocTable *table = open_table(overview, "failures", "Failures: cells without a time",
                                 &(DocColumn){.title = "what went wrong"});
    for (size_t i = 0; i < overview->results->count; i++) {
        const Row *row = &overview->results->rows[i];
        if (row->status == CELL_FAIL) {
            row_cells(overview, table, row);
            table_cell(overview->document, table,
                       &(DocCell){.text = row->why[0] != '\0' ? row->why : "no reason was given",
                                  .number = NAN,
                                  .kind = CELL_BAD});
        }
    }
}

void overview_verification(const Overview *overview) {
    const Counts counts = count_all(overview->results);
    const Overview all = overview_of_rows(overview);
    document_heading(overview->document, 2, "Verification");
    add_words(overview->document, &counts);
    if (counts.partial > 0) {
        add_partial(&all);
    }
    if (counts.failed > 0) {
        add_failures(&all);
    }
}
