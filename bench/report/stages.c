/* Where the time goes: upload, the stages of kernels, download; as a page's table. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"
#include "variant.h"

#include <math.h>
#include <string.h>

/* === Table of a page ========================================================================== */

/* Of each variant of a family's groups the fastest row at the largest size that has times of
 * stages. */
typedef struct StageTable {
    const Row **rows;
    size_t count, capacity;
    StageNames stages;
    bool undivided; /* some variant has no stages */
    bool streamed;  /* some variant does its stages at the same time */
    bool launches;  /* some row has several, of which only the first has timed its stages */
    TimeUnit unit;
} StageTable;

static void find_rows(Document *document, const Family *family, StageTable *table) {
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const RowLine fastest =
            variants_at(document, group, group_largest_of(group, row_has_stages));
        for (size_t j = 0; j < fastest.count; j++) {
            const Row *row = fastest.rows[j];
            if (!DOCUMENT_ROOM(document, table->rows, table->count, table->capacity)) {
                return;
            }
            table->rows[table->count++] = row;
            table->undivided |= !row_has_stages(row);
            table->streamed |= row->variant->streamed;
            table->launches |= row_has_stages(row) && row->kernel_summary.launches > 1;
            stage_names_add(&table->stages, row);
        }
    }
}

/* The parts of a row: upload, stages, the undivided kernel, download. */
static size_t part_count(const StageTable *table) {
    return table->stages.count + 3;
}

/* The seconds of a part; NAN where the row does not have it. */
static double part_seconds(const StageTable *table, const Row *row, size_t part) {
    const size_t stages = table->stages.count;
    if (part == 0 || part == stages + 2) {
        return row_is_on_cpu(row) ? (double)NAN : part == 0 ? row->upload : row->download;
    }
    if (part == stages + 1) {
        return row_has_stages(row) ? (double)NAN : row_seconds(row, TIME_KERNEL);
    }
    return row_stage_seconds(row, table->stages.names[part - 1]);
}

/* All parts of a row together. */
static double sum_of(const StageTable *table, const Row *row) {
    double sum = 0.0;
    for (size_t part = 0; part < part_count(table); part++) {
        const double seconds = part_seconds(table, row, part);
        sum += isfinite(seconds) ? seconds : 0.0;
    }
    return sum;
}

static bool is_shown(const StageTable *table, size_t part) {
    return part != table->stages.count + 1 || table->undivided;
}

static const char *part_title(const StageTable *table, size_t part) {
    return part == 0                         ? "upload"
           : part <= table->stages.count     ? table->stages.names[part - 1]
           : part == table->stages.count + 1 ? "kernel, undivided"
                                             : "download";
}

static void part_cell(Document *document, DocTable *table, double seconds, double sum,
                      const TimeUnit *unit) {
    if (!isfinite(seconds)) {
        table_words(document, table, "");
        return;
    }
    char number[SIGNIFICANT_SIZE], share[SIGNIFICANT_SIZE];
    significant_text(seconds / unit->seconds, REPORT_DIGITS, number);
    significant_text(100.0 * seconds / sum, 2, share);
    table_cell(document, table,
               &(DocCell){.text = number,
                          .number = seconds,
                          .note = document_text(document, "%s%% of all parts", share)});
}

static void fill_table(const RunPage *page, const StageTable *stages, DocTable *table) {
    Document *document = page->document;
    const char *group = document_text(document, "time (%s)", stages->unit.name);
    group_columns(page, table);
    TABLE_COLUMNS(document, table, WORDS("variant"));
    for (size_t part = 0; part < part_count(stages); part++) {
        if (is_shown(stages, part)) {
            TABLE_COLUMNS(document, table, NUMBERS(part_title(stages, part), .group = group));
        }
    }
    for (size_t i = 0; i < stages->count; i++) {
        const Row *row = stages->rows[i];
        const double sum = sum_of(stages, row);
        group_cells(page, table, row);
        variant_cell(document, table, row);
        for (size_t part = 0; part < part_count(stages); part++) {
            if (is_shown(stages, part)) {
                part_cell(document, table, part_seconds(stages, row, part), sum, &stages->unit);
            }
        }
    }
}

static void family_table(const RunPage *page, const Family *family, StageTable *stages) {
    Document *document = page->document;
    char size[REPORT_TEXT_SIZE];
    TimeRange range = {.count = 0};
    size_words(stages->rows[0], size);
    for (size_t i = 0; i < stages->count; i++) {
        time_range_add(&range, sum_of(stages, stages->rows[i]));
    }
    stages->unit = time_unit(&range);
    DocTable *table = document_table(
        document, document_text(document, "stages-%s", family_slug(document, family)),
        document_text(document, "%s at %s: where the time goes", family_name(document, family),
                      size));
    fill_table(page, stages, table);
    table->sortable = true;
    table->shaded = true;
    table->note = document_text(
        document,
        "Medians of each variant's fastest tuning; the darker, the larger its share of the "
        "row. Parts are timed one by one, each until it has ended: together they may take "
        "longer than all in one go%s.%s",
        stages->streamed ? ", above all where a variant streams, which does them at the same "
                           "time"
                         : "",
        stages->launches ? " The stages are those of the first launch." : "");
}

void page_stages(const RunPage *page) {
    bool headed = false;
    for (size_t i = 0; i < page->count; i++) {
        StageTable stages = {.count = 0};
        find_rows(page->document, &page->families[i], &stages);
        if (stages.count > 0) {
            if (!headed) {
                document_heading(page->document, 2, "Where the time goes");
            }
            headed = true;
            family_table(page, &page->families[i], &stages);
        }
    }
}
