/* The section "Other people's code": the best of this program beside the best of the libraries that
 * were measured in the same run. */

#include "report_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The best of a side at one size, and the fastest library there. */
typedef struct Beside {
    const RunGroup *group;
    const Row *own, *peer;
    RowSide side;
} Beside;

typedef void EachBeside(const RunPage *page, const Beside *beside, void *context);

static void each_of_group(const RunPage *page, const RunGroup *group, EachBeside *each,
                          void *context) {
    SizeBest *sizes = NULL;
    const size_t count = size_best_find(page->document, group, &sizes);
    for (size_t i = 0; i < count; i++) {
        for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
            const Row *own = sizes[i].of[side][TIME_KERNEL];
            const Row *peer = own != NULL ? row_best_peer(page->results, own) : NULL;
            if (peer != NULL) {
                each(page, &(Beside){group, own, peer, side}, context);
            }
        }
    }
}

static void each_beside(const RunPage *page, EachBeside *each, void *context) {
    for (size_t i = 0; i < page->count; i++) {
        for (size_t j = 0; j < page->families[i].count; j++) {
            each_of_group(page, page->families[i].groups[j], each, context);
        }
    }
}

static void add_times(const RunPage *page, const Beside *beside, void *context) {
    (void)page;
    time_range_add(context, row_seconds(beside->own, TIME_KERNEL));
    time_range_add(context, row_seconds(beside->peer, TIME_KERNEL));
}

static DocTable *open_table(const RunPage *page, const TimeUnit *unit) {
    Document *document = page->document;
    const char *time = document_text(document, "time (%s)", unit->name);
    DocTable *table = document_table(document, "peers", "Over the best other code");
    group_columns(page, table);
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table, &(DocColumn){.title = "this program is", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "variant", .group = "this program"});
    table_column(document, table,
                 &(DocColumn){.title = time, .group = "this program", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "library", .group = "other code"});
    table_column(document, table,
                 &(DocColumn){.title = time, .group = "other code", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "other definition", .group = "other code"});
    if (table != NULL) {
        table->note = document_text(
            document, "Kernel times of the fastest tunings, in the same run and in turns. A "
                      "library is held against what runs where it does, CPU or GPU.");
        table->sortable = true;
    }
    return table;
}

typedef struct PeerTable {
    DocTable *table;
    TimeUnit unit;
} PeerTable;

static void add_row(const RunPage *page, const Beside *beside, void *context) {
    const PeerTable *peers = context;
    Document *document = page->document;
    const Row *own = beside->own, *peer = beside->peer;
    const Ratio ratio = row_won_ratio(own, OVER_PEER, TIME_KERNEL);
    char words[NUMBER_WORDS_SIZE];
    char label[RESULT_LABEL_SIZE];
    faster_text(&ratio, words);
    const char *is = words[0] != '\0' ? words : "undecided";
    group_cells(page, peers->table, own);
    size_cell(document, peers->table, own);
    table_cell(document, peers->table, &(DocCell){.text = is, .number = ratio.value});
    label_cell(document, peers->table, own);
    time_cell(document, peers->table, own, TIME_KERNEL, &peers->unit);
    variant_label(peer->variant, &peer->tuning, label, sizeof label);
    table_words(document, peers->table, document_text(document, "%s (%s)", peer->library, label));
    time_cell(document, peers->table, peer, TIME_KERNEL, &peers->unit);
    table_words(document, peers->table, peer->another_definition);
}

void peer_section(const RunPage *page) {
    TimeRange range = {.count = 0};
    each_beside(page, add_times, &range);
    if (range.count == 0) {
        return;
    }
    document_heading(page->document, 2, "Other people's code");
    PeerTable peers = {.unit = time_unit(&range)};
    peers.table = open_table(page, &peers.unit);
    each_beside(page, add_row, &peers);
}
