/* The section of rooflines: what each variant reaches of what the machine allows. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"

#include <math.h>

/* === Chart ==================================================================================== */

/* False where there is nothing to draw. */
static bool draw_roofline(const RunPage *page, const RunGroup *group, const char *title,
                          const RowLine *fastest) {
    Document *document = page->document;
    char size[REPORT_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    Builder builder = page_builder(document, SUBJECT_ROOFLINE, group, &along_size);
    return chart_build(&builder, document_text(document, "%s-roofline", group->slug),
                       document_text(document,
                                     "%s at %s: operations a second against operations per byte",
                                     title, size),
                       group_interval_words(document, group)) != NULL;
}

/* --- Table ------------------------------------------------------------------------------------ */

static bool has_operations(const Row *row) {
    return row->cost.operations > 0;
}

static DocTable *open_roofline_table(const RunPage *page, const RunGroup *group, const char *title,
                                     const RowLine *fastest) {
    Document *document = page->document;
    char size[REPORT_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    DocTable *table = document_table(
        document, document_text(document, "%s-roof", group->slug),
        document_text(document, "%s at %s: share of what the machine allows", title, size));
    const bool operations = line_has(fastest, has_operations);
    TABLE_COLUMNS(document, table, WORDS("variant"), NUMBERS("roof (%)"), WORDS("bound by"),
                  WORDS("compared with"), NUMBERS("bytes (MB)"), NUMBERS("GB/s"));
    if (operations) {
        TABLE_COLUMNS(document, table, NUMBERS("operations (M)"), NUMBERS("Gop/s"));
    }
    table->sortable = true;
    table->note = document_text(
        document,
        "%s the least that any implementation needs, so that a variant which moves more has a "
        "smaller share. A share above 102%% says that the cost model or a ceiling is wrong.",
        operations ? "Bytes and operations are" : "Operations are not counted; bytes are");
    return table;
}

static void add_share(Document *document, DocTable *table, const Row *row) {
    char text[SIGNIFICANT_SIZE];
    significant_text(100.0 * row->roof_fraction, REPORT_DIGITS, text);
    if (!isfinite(row->roof_fraction)) {
        missing_cell(document, table, "not known");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = 100.0 * row->roof_fraction,
                          .note = row->over_roof ? "over its roof: the cost model or a ceiling is "
                                                   "wrong"
                                                 : NULL,
                          .kind = row->over_roof ? CELL_BAD : CELL_PLAIN});
}

static void add_table(const RunPage *page, const RunGroup *group, const char *title,
                      const RowLine *fastest) {
    Document *document = page->document;
    const bool operations = line_has(fastest, has_operations);
    DocTable *table = open_roofline_table(page, group, title, fastest);
    for (size_t i = 0; i < fastest->count; i++) {
        const Row *row = fastest->rows[i];
        label_cell(document, table, row);
        add_share(document, table, row);
        table_words(document, table, row->bound);
        table_words(document, table, row->roof);
        table_number(document, table, row->cost.bytes * 1e-6, REPORT_DIGITS);
        table_number(document, table, row->bytes_per_second * 1e-9, REPORT_DIGITS);
        if (operations) {
            table_number(document, table, row->cost.operations * 1e-6, REPORT_DIGITS);
            table_number(document, table, row->cost.operations * 1e-9 / row->kernel_summary.median,
                         REPORT_DIGITS);
        }
    }
}

static bool has_share(const Row *row) {
    return isfinite(row->roof_fraction);
}

/* Whether there was something to show. */
static bool add_group(const RunPage *page, const Family *family, const RunGroup *group) {
    const char *title = group_title(page, family, group);
    const RowLine fastest = variants_at(page->document, group, group_largest(group));
    const bool drawn = fastest.count > 0 && draw_roofline(page, group, title, &fastest);
    const bool listed = line_has(&fastest, has_share);
    if (listed) {
        add_table(page, group, title, &fastest);
    }
    return drawn || listed;
}

void page_rooflines(const RunPage *page) {
    bool any = false;
    document_heading(page->document, 2, "Roofline");
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        for (size_t j = 0; j < family->count; j++) {
            if (family_shows(family, j)) {
                any |= add_group(page, family, family->groups[j]);
            }
        }
    }
    if (!any) {
        document_add(page->document, BLOCK_PARAGRAPH,
                     "No ceilings were measured with this run, so its times are not compared with "
                     "what the machine can do.");
    }
}
