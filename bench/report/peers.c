/* The section "Other people's code": the best of this program beside the best of the libraries that
 * were measured in the same run. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"
#include "words.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { SIDES = SIDE_DEVICE + 1, HEADLINE_SIZE = 512 };

/* The best of each side at one size, and the fastest library there; NULL where it has none. */
typedef struct Beside {
    const Row *own[SIDES], *peer[SIDES];
} Beside;

typedef void EachBeside(const RunPage *page, const Beside *beside, void *context);

static Beside beside_of(const RunPage *page, const SizeBest *best) {
    Beside beside = {.own = {NULL}};
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        const Row *own = best->of[side][TIME_KERNEL];
        beside.peer[side] = own != NULL ? row_best_peer(page->results, own) : NULL;
        beside.own[side] = beside.peer[side] != NULL ? own : NULL;
    }
    return beside;
}

static void each_of_group(const RunPage *page, const RunGroup *group, EachBeside *each,
                          void *context) {
    SizeBest *sizes = NULL;
    const size_t count = size_best_find(page->document, group, &sizes);
    for (size_t i = 0; i < count; i++) {
        const Beside beside = beside_of(page, &sizes[i]);
        if (beside.peer[SIDE_CPU] != NULL || beside.peer[SIDE_DEVICE] != NULL) {
            each(page, &beside, context);
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

/* === The table ================================================================================ */

typedef struct PeerTable {
    DocTable *table;
    TimeUnit unit;
    TimeRange range;
    bool has[SIDES];
    bool behind; /* a library is faster in some row */
} PeerTable;

static bool is_behind(const Row *own) {
    const Ratio ratio = row_won_ratio(own, OVER_PEER, TIME_KERNEL);
    return ratio_side(&ratio) == SIDE_SLOWER;
}

static void add_times(const RunPage *page, const Beside *beside, void *context) {
    PeerTable *peers = context;
    (void)page;
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        if (beside->peer[side] != NULL) {
            peers->has[side] = true;
            peers->behind |= is_behind(beside->own[side]);
            time_range_add(&peers->range, row_seconds(beside->own[side], TIME_KERNEL));
            time_range_add(&peers->range, row_seconds(beside->peer[side], TIME_KERNEL));
        }
    }
}

static const char *const side_titles[SIDES] = {[SIDE_CPU] = "CPU", [SIDE_DEVICE] = "GPU"};

static void open_side(Document *document, const PeerTable *peers, RowSide side) {
    const char *group = side_titles[side];
    const char *time = document_text(document, "time (%s)", peers->unit.name);
    const char *other = document_text(document, "its time (%s)", peers->unit.name);
    DocTable *table = peers->table;
    TABLE_COLUMNS(document, table, WORDS("variant", .group = group), NUMBERS(time, .group = group),
                  WORDS("best other code", .group = group), NUMBERS(other, .group = group),
                  NUMBERS("this program is", .group = group),
                  WORDS("other definition", .group = group));
}

/* `step` names one of several runs; NULL: there is one. */
static void open_table(const RunPage *page, const char *step, PeerTable *peers) {
    Document *document = page->document;
    DocTable *table = document_table(
        document, step != NULL ? document_text(document, "peers-%s", step) : "peers",
        step != NULL ? document_text(document, "Over the best other code: step %s", step)
                     : "Over the best other code");
    peers->table = table;
    if (peers->behind) {
        TABLE_COLUMNS(document, table, WORDS("other code is faster"));
    }
    group_columns(page, table);
    TABLE_COLUMNS(document, table, WORDS("size"));
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        if (peers->has[side]) {
            open_side(document, peers, side);
        }
    }
    table->note =
        document_text(document,
                      "Kernel times of the fastest tunings, in the same run and in turns. A "
                      "library is compared with what runs where it does, CPU or GPU. In "
                      "parentheses: the interval of the ratio, %s.",
                      run_interval_words(page));
    table->sortable = true;
}

static void add_side(const PeerTable *peers, Document *document, const Row *own, const Row *peer) {
    enum { COLUMNS_OF_SIDE = 6 };
    DocTable *table = peers->table;
    for (int i = 0; peer == NULL && i < COLUMNS_OF_SIDE; i++) {
        table_words(document, table, "");
    }
    if (peer == NULL) {
        return;
    }
    const Ratio ratio = row_won_ratio(own, OVER_PEER, TIME_KERNEL);
    char words[NUMBER_WORDS_SIZE], label[RESULT_LABEL_SIZE];
    const size_t first = faster_text(&ratio, words);
    const char *is = isnan(ratio.value) ? "undecided" : words;
    label_cell(document, table, own);
    time_cell(document, table, own, TIME_KERNEL, &peers->unit);
    variant_label(peer->variant, &peer->tuning, label, sizeof label);
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%s (%s)", peer->library, label),
                          .first = strlen(peer->library),
                          .number = NAN});
    time_cell(document, table, peer, TIME_KERNEL, &peers->unit);
    table_cell(document, table, &(DocCell){.text = is, .first = first, .number = ratio.value});
    table_words(document, table, peer->another_definition);
}

/* "CPU: OpenCV 5.0.0, 2.00× faster; GPU: …" of the sides on which a library is, with which the row
 * begins. */
static void add_headline(const PeerTable *peers, Document *document, const Beside *beside) {
    char text[HEADLINE_SIZE] = "";
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        if (beside->peer[side] != NULL && is_behind(beside->own[side])) {
            const Ratio own = row_won_ratio(beside->own[side], OVER_PEER, TIME_KERNEL);
            const Ratio other = {.value = 1 / own.value};
            char words[RATIO_WORDS_SIZE];
            side_words(SIDE_FASTER, &other, COMPARED_SPEED, words);
            text_append(text, sizeof text, "%s%s: %s, %s", text[0] != '\0' ? "; " : "",
                        side_titles[side], beside->peer[side]->library, words);
        }
    }
    table_cell(document, peers->table,
               &(DocCell){.text = document_text(document, "%s", text),
                          .kind = text[0] != '\0' ? CELL_STRONG : CELL_PLAIN,
                          .number = NAN});
}

static void add_row(const RunPage *page, const Beside *beside, void *context) {
    const PeerTable *peers = context;
    Document *document = page->document;
    const RowSide first = beside->own[SIDE_CPU] != NULL ? SIDE_CPU : SIDE_DEVICE;
    if (peers->behind) {
        add_headline(peers, document, beside);
    }
    group_cells(page, peers->table, beside->own[first]);
    size_cell(document, peers->table, beside->own[first]);
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        if (peers->has[side]) {
            add_side(peers, document, beside->own[side], beside->peer[side]);
        }
    }
}

/* Whether the page has times of libraries: then their table, below a heading unless it is there. */
static bool add_peers(const RunPage *page, const char *step, bool headed) {
    PeerTable peers = {.range = {.count = 0}};
    each_beside(page, add_times, &peers);
    if (peers.range.count == 0) {
        return false;
    }
    if (!headed) {
        document_heading(page->document, 2, "Other people's code");
    }
    peers.unit = time_unit(&peers.range);
    open_table(page, step, &peers);
    each_beside(page, add_row, &peers);
    return true;
}

void peer_section(const RunPage *page) {
    add_peers(page, NULL, false);
}

void peers_add(const ReportRun *runs, size_t count, Document *document) {
    bool headed = false;
    for (size_t i = 0; i < count; i++) {
        const RunReport report = run_report_make(&runs[i], 1, document);
        headed |= add_peers(&report.of[0], runs[i].name, headed);
    }
}
