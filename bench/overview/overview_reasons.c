/* Cells without a time: a line for each reason, however many cells share it. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overview_parts.h"
#include "text_list.h"

enum { VARIANTS_SIZE = 512 };

typedef struct Reason {
    const Row *first;
    size_t count;
    bool numbers_differ;          /* from those of the first */
    char variants[VARIANTS_SIZE]; /* each once, "seq, simd" */
} Reason;

static bool is_named(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *found = strstr(list, name); found != NULL; found = strstr(found + 1, name)) {
        const bool begins = found == list || found[-1] == ' ';
        if (begins && (found[length] == '\0' || found[length] == ',')) {
            return true;
        }
    }
    return false;
}

/* Estimates differ from cell to cell; the reason is the same. */
static bool same_but_for_numbers(const char *a, const char *b) {
    static const char number[] = "0123456789.e+";
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, number);
            b += strspn(b, number);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool same_reason(const Row *a, const Row *b) {
    return a->status == b->status && a->algorithm == b->algorithm &&
           same_but_for_numbers(a->why, b->why);
}

static void take_row(Reason *reasons, size_t *count, const Row *row) {
    size_t i = 0;
    while (i < *count && !same_reason(reasons[i].first, row)) {
        i++;
    }
    if (i == *count) {
        reasons[(*count)++] = (Reason){.first = row};
    }
    Reason *reason = &reasons[i];
    reason->count++;
    reason->numbers_differ |= strcmp(reason->first->why, row->why) != 0;
    if (!is_named(reason->variants, row->variant->name)) {
        text_append(reason->variants, sizeof reason->variants, "%s%s",
                    reason->variants[0] != '\0' ? ", " : "", row->variant->name);
    }
}

static void add_table(Document *document, const Reason *reasons, size_t count) {
    DocTable *table = document_table(document, "without-time", "Cells without a time, by reason");
    table_column(document, table, &(DocColumn){.title = "cells", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "status"});
    table_column(document, table, &(DocColumn){.title = "algorithm"});
    table_column(document, table, &(DocColumn){.title = "variants"});
    table_column(document, table, &(DocColumn){.title = "reason"});
    for (size_t i = 0; i < count; i++) {
        const Row *row = reasons[i].first;
        const bool failed = row->status == CELL_FAIL;
        char number[32];
        snprintf(number, sizeof number, "%zu", reasons[i].count);
        table_cell(document, table, &(DocCell){.text = number, .number = (double)reasons[i].count});
        table_cell(document, table,
                   &(DocCell){.text = failed ? "failed" : "skipped",
                              .number = NAN,
                              .kind = failed ? CELL_BAD : CELL_PLAIN});
        table_words(document, table, row->algorithm->name);
        table_words(document, table, reasons[i].variants);
        table_words(document, table,
                    row->why[0] == '\0' ? "no reason was given"
                    : reasons[i].numbers_differ
                        ? document_text(document, "%s; of the others with other numbers", row->why)
                        : row->why);
    }
    if (table != NULL) {
        table->sortable = true;
    }
}

void overview_reasons(const Overview *overview) {
    const Results *results = overview->results;
    Reason *reasons = calloc(results->count + 1, sizeof *reasons);
    size_t count = 0;
    document_heading(overview->document, 2, "Skipped and failed cells");
    if (reasons == NULL) {
        overview_check(overview, status_skip("no memory left for the reasons of skipped cells"));
        return;
    }
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].status != CELL_OK) {
            take_row(reasons, &count, &results->rows[i]);
        }
    }
    if (count > 0) {
        add_table(overview->document, reasons, count);
    } else {
        document_add(overview->document, BLOCK_PARAGRAPH, "None: every cell has a time.");
    }
    const size_t ignored = overview->run->stored->ignored;
    if (ignored > 0) {
        document_add(overview->document, BLOCK_WARNING,
                     "%zu row%s of algorithms, variants or axes that this version of the program "
                     "does not have %s left out.",
                     ignored, ignored == 1 ? "" : "s", ignored == 1 ? "is" : "are");
    }
    free(reasons);
}
