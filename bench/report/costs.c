/* The section "Cost and energy": what a result costs in money and in joules. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "results.h"
#include "run_options.h"
#include "stored_run.h"
#include "table.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "price.h"

Prices run_prices(const ReportRun *run) {
    RunOptions request;
    request_recall(&run->stored->arguments, &request);
    return prices_given(&run->prices) ? run->prices : request.prices;
}

static void cost_cell(Document *document, DocTable *table, double cost) {
    char text[SIGNIFICANT_SIZE];
    cost_text(cost, text);
    table_cell(document, table, &(DocCell){.text = text, .number = cost});
}

static void factor_cell(Document *document, DocTable *table, const Ratio *ratio,
                        Compared compared) {
    char text[NUMBER_WORDS_SIZE];
    const SpeedSide side = ratio_side(ratio);
    const size_t first = side_text(side, ratio, compared, text);
    table_cell(document, table, &(DocCell){.text = text, .first = first, .number = ratio->value});
}

/* With the interval over launches, or the least and the greatest of them, where there are several.
 */
static void joules_cell(Document *document, DocTable *table, const Row *row) {
    char text[NUMBER_WORDS_SIZE], low[NUMBER_WORDS_SIZE], high[NUMBER_WORDS_SIZE];
    const double joules = row != NULL ? row->joule : (double)NAN;
    joules_text(joules, text);
    const char *words = text;
    if (row != NULL && isfinite(row->energy_summary.launch_low)) {
        joules_text(row->energy_summary.launch_low, low);
        joules_text(row->energy_summary.launch_high, high);
        words = document_text(document, "%s (%s to %s)", text, low, high);
    }
    table_cell(document, table, &(DocCell){.text = words, .number = joules});
}

/* Of the same counter: what a run took of its joules while nothing ran follows from it. */
static void idle_cell(Document *document, DocTable *table, const Row *row) {
    const double watt = row != NULL ? row->idle_watt : (double)NAN;
    char text[NUMBER_WORDS_SIZE] = "";
    if (isfinite(watt)) {
        char number[SIGNIFICANT_SIZE];
        measured_text(watt, 3, number);
        snprintf(text, sizeof text, "%s W", number);
    }
    table_cell(document, table, &(DocCell){.text = text, .number = watt});
}

static const char *variant_of(const Row *row) {
    return row != NULL ? row->variant->name : "";
}

/* Which columns the table has. */
typedef struct CostColumns {
    bool prices, cpu_joules, gpu_joules, cpu_idle, gpu_idle;
} CostColumns;

static void number_column(Document *document, DocTable *table, const char *title,
                          const char *group) {
    TABLE_COLUMNS(document, table, NUMBERS(title, .group = group));
}

/* What is cheaper comes first, so that a narrow page shows it. */
static DocTable *open_table(const RunPage *page, CostColumns shown, const Prices *prices) {
    static const char *const sides[] = {"CPU", "GPU"};
    Document *document = page->document;
    DocTable *table = document_table(document, "costs", "What a result costs");
    group_columns(page, table);
    TABLE_COLUMNS(document, table, WORDS("size"));
    if (shown.prices) {
        number_column(document, table, "kernel", "GPU is");
        number_column(document, table, "with copies", "GPU is");
    }
    if (shown.cpu_joules && shown.gpu_joules) {
        number_column(document, table, "energy", "GPU takes");
    }
    for (size_t i = 0; shown.prices && i < 2; i++) {
        TABLE_COLUMNS(document, table, WORDS(sides[i]));
        number_column(document, table, "cost", NULL);
    }
    if (shown.cpu_joules) {
        number_column(document, table, "CPU energy", NULL);
    }
    if (shown.cpu_idle) {
        number_column(document, table, "CPU idle", NULL);
    }
    if (shown.gpu_joules) {
        number_column(document, table, "GPU energy", NULL);
    }
    if (shown.gpu_idle) {
        number_column(document, table, "GPU idle", NULL);
    }
    const char *money =
        shown.prices ? document_text(document, "%s An hour with the GPU costs %g, one without %g. ",
                                     cost_note, prices->gpu, prices->cpu)
                     : "";
    table->note = document_text(document, "%s%s", money,
                                shown.cpu_joules || shown.gpu_joules ? joules_note : "");
    table->sortable = true;
    return table;
}

static void add_row(const RunPage *page, DocTable *table, CostColumns shown, const Costs *costs) {
    Document *document = page->document;
    char size[NUMBER_WORDS_SIZE];
    group_cells(page, table, costs->question);
    size_short(costs->question, size);
    table_words(document, table, document_text(document, "%s", size));
    for (int kind = 0; shown.prices && kind < TIME_KINDS; kind++) {
        factor_cell(document, table, &costs->cheaper[kind], COMPARED_COST);
    }
    if (shown.cpu_joules && shown.gpu_joules) {
        factor_cell(document, table, &costs->saves, COMPARED_ENERGY);
    }
    if (shown.prices) {
        table_words(document, table, variant_of(costs->cpu));
        cost_cell(document, table, costs->cpu_cost);
        table_words(document, table, variant_of(costs->gpu[TIME_KERNEL]));
        cost_cell(document, table, costs->gpu_cost[TIME_KERNEL]);
    }
    if (shown.cpu_joules) {
        joules_cell(document, table, costs->thrifty_cpu);
    }
    if (shown.cpu_idle) {
        idle_cell(document, table, costs->thrifty_cpu);
    }
    if (shown.gpu_joules) {
        joules_cell(document, table, costs->thrifty_gpu);
    }
    if (shown.gpu_idle) {
        idle_cell(document, table, costs->thrifty_gpu);
    }
}

/* The first row of each question of the group. */
static bool is_first(const RunGroup *group, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (row_size(group->rows[i]) == row_size(group->rows[index])) {
            return false;
        }
    }
    return true;
}

static void add_sentences(const RunPage *page, const Family *family, const Prices *prices) {
    Document *document = page->document;
    const Row *head = family->groups[0]->rows[0];
    for (int kind = 0; kind < COST_KINDS; kind++) {
        char text[1024];
        cost_sentence(page->results, head, prices, (CostKind)kind, text, sizeof text);
        if (text[0] != '\0') {
            document_add(document, BLOCK_ITEM, "%s%s%s",
                         page->count > 1 ? family_name(document, family) : "",
                         page->count > 1 ? ": " : "", text);
        }
    }
}

void cost_section(const RunPage *page) {
    const Prices prices = run_prices(page->run);
    CostColumns shown = {.prices = prices_given(&prices)};
    DocTable *table = NULL;
    for (size_t i = 0; i < page->results->count; i++) {
        const Row *row = &page->results->rows[i];
        if (row->status == CELL_OK && row->joule > 0) {
            *(row_is_on_cpu(row) ? &shown.cpu_joules : &shown.gpu_joules) = true;
            *(row_is_on_cpu(row) ? &shown.cpu_idle : &shown.gpu_idle) |= isfinite(row->idle_watt);
        }
    }
    if (!shown.prices && !shown.cpu_joules && !shown.gpu_joules) {
        return;
    }
    document_heading(page->document, 2, "Cost and energy");
    for (size_t i = 0; i < page->count; i++) {
        add_sentences(page, &page->families[i], &prices);
    }
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        for (size_t j = 0; j < family->count; j++) {
            const RunGroup *group = family->groups[j];
            for (size_t k = 0; k < group->count; k++) {
                const Costs costs = costs_of(page->results, group->rows[k], &prices);
                if (is_first(group, k) && costs_are_known(&costs)) {
                    table = table != NULL ? table : open_table(page, shown, &prices);
                    add_row(page, table, shown, &costs);
                }
            }
        }
    }
}
