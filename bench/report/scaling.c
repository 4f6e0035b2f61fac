/* How variants scale over GPUs or threads: lines of charts, and the section of a report. */

#include "scaling.h"
#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "variant.h"

/* === Section of a report ====================================================================== */

/* What one table and its charts show: the largest question of each variant. */
typedef struct ScalingPart {
    const RunPage *page;
    const char *axis;
    const char *title, *slug; /* of the rows */
    const Scaling *list[VARIANTS_MAX];
    size_t count;
    RunGroup rows; /* all of theirs */
    bool devices;  /* end to end is another time than the kernel's */
    TimeUnit units[TIME_KINDS];
} ScalingPart;

static void find_part(Document *document, const RunGroup *rows, ScalingPart *part) {
    const Variant *variants[VARIANTS_MAX];
    Scaling *list;
    TimeRange ranges[TIME_KINDS] = {{.count = 0}};
    const size_t all = scalings_find(document, rows, part->axis, &list);
    const size_t count = run_variants(rows, variants);
    for (size_t i = 0; i < count; i++) {
        const Scaling *largest = NULL;
        for (size_t j = 0; j < all; j++) {
            largest = list[j].rows[0]->variant == variants[i] ? &list[j] : largest;
        }
        if (largest != NULL) {
            part->list[part->count++] = largest;
            part->devices |= !variant_is_on_cpu(variants[i]);
            for (size_t j = 0; j < largest->count; j++) {
                group_add(document, &part->rows, largest->rows[j]);
                for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
                    time_range_add(&ranges[kind], row_seconds(largest->rows[j], kind));
                }
            }
        }
    }
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        part->units[kind] = time_unit(&ranges[kind]);
    }
}

/* --- Table ------------------------------------------------------------------------------------ */

static void speedup_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    const Ratio ratio = row_over_one(row, kind);
    char text[SIGNIFICANT_SIZE];
    times_text(ratio.value, text);
    table_cell(document, table, &(DocCell){.text = text, .number = ratio.value});
}

/* "94.1 (92.5 to 94.8)", in percent. */
static void efficiency_cell(Document *document, DocTable *table, const Row *row, TimeKind kind) {
    static const double least = 1e-6;
    const Ratio ratio = row_efficiency(row, kind);
    char text[SIGNIFICANT_SIZE], ends[REPORT_TEXT_SIZE];
    significant_text(100 * ratio.value, REPORT_DIGITS, text);
    interval_text(100 * ratio.low, 100 * ratio.high, ends);
    const bool shown = ratio.high - ratio.low > least * ratio.value;
    table_cell(document, table,
               &(DocCell){.text = shown ? document_text(document, "%s (%s)", text, ends) : text,
                          .first = shown ? strlen(text) : 0,
                          .number = ratio.value});
}

static void add_times(Document *document, DocTable *table, const Scaling *scaling, const Row *row,
                      TimeKind kind, const TimeUnit *unit) {
    time_cell(document, table, row, kind, unit);
    for (size_t i = row->weak ? 1 : 0; i < 2; i++) {
        if (scaling->one == NULL) {
            missing_cell(
                document, table,
                document_text(document, "none on 1 %s", workers_noun(row_scaling_axis(row), 1)));
        } else if (i == 0) {
            speedup_cell(document, table, row, kind);
        } else {
            efficiency_cell(document, table, row, kind);
        }
    }
}

static void add_columns(const ScalingPart *part, DocTable *table) {
    Document *document = part->page->document;
    const Row *first = part->list[0]->rows[0];
    const char *groups[] = {"kernel", "with copies"};
    group_columns(part->page, table);
    TABLE_COLUMNS(document, table, WORDS("variant"), WORDS("size"));
    if (first->weak && first->algorithm->weak_axis != NULL) {
        TABLE_COLUMNS(document, table, NUMBERS(first->algorithm->weak_axis));
    }
    TABLE_COLUMNS(document, table, NUMBERS(workers_noun(part->axis, 2)));
    for (size_t i = 0; i < (part->devices ? 2 : 1); i++) {
        const char *group = part->devices ? groups[i] : NULL;
        const char *time = document_text(document, "time (%s)", part->units[i].name);
        TABLE_COLUMNS(document, table, NUMBERS(time, .group = group));
        if (!first->weak) {
            TABLE_COLUMNS(document, table, NUMBERS("speedup", .group = group));
        }
        TABLE_COLUMNS(document, table, NUMBERS("efficiency (%)", .group = group));
    }
    TABLE_COLUMNS(document, table,
                  NUMBERS(document_text(document, "%ss/s per %s", first->algorithm->item,
                                        workers_noun(part->axis, 1))));
}

static void add_row(const ScalingPart *part, DocTable *table, const Scaling *scaling,
                    const Row *row) {
    Document *document = part->page->document;
    char rate[REPORT_TEXT_SIZE];
    const double each = row->items_per_second / row_workers(row);
    group_cells(part->page, table, row);
    table_words(document, table, row->variant->name);
    size_cell(document, table, row);
    if (row->weak && row->algorithm->weak_axis != NULL) {
        table_words(document, table, point_text(&row->answer, row->algorithm->weak_axis));
    }
    table_count(document, table, (size_t)row_workers(row));
    for (TimeKind kind = TIME_KERNEL; kind <= (part->devices ? TIME_END_TO_END : TIME_KERNEL);
         kind++) {
        add_times(document, table, scaling, row, kind, &part->units[kind]);
    }
    amount_text(each, "", rate, sizeof rate);
    table_value(document, table, rate, each);
}

/* Why some efficiency is missing; "" where none is. */
static const char *lack_words(const ScalingPart *part) {
    const char *words = "";
    for (size_t i = 0; i < part->count; i++) {
        if (part->list[i]->one == NULL) {
            words = document_text(part->page->document, "%s %s, so there is no efficiency.", words,
                                  scaling_lack(part->page->document, part->list[i]));
        }
    }
    return words;
}

static void draw_table(const ScalingPart *part) {
    Document *document = part->page->document;
    const Row *first = part->list[0]->rows[0];
    const char *many = workers_noun(part->axis, 2);
    DocTable *table =
        document_table(document, document_text(document, "scaling-%s-%s", part->slug, part->axis),
                       document_text(document, "%s: scaling over %s", part->title, many));
    add_columns(part, table);
    for (size_t i = 0; i < part->count; i++) {
        for (size_t j = 0; j < part->list[i]->count; j++) {
            add_row(part, table, part->list[i], part->list[i]->rows[j]);
        }
    }
    table->note = document_text(
        document, "%s; in parentheses %s.%s%s",
        first->weak
            ? document_text(document,
                            "Weak scaling: N %s have N times the %s of one, and the efficiency "
                            "is the time of one %s divided by theirs",
                            many, scaling_grows(first), workers_noun(part->axis, 1))
            : document_text(document,
                            "The efficiency is the speedup over one %s divided by "
                            "their number",
                            workers_noun(part->axis, 1)),
        run_interval_words(part->page),
        part->devices ? " With copies: upload, kernel and download." : "", lack_words(part));
}

/* --- Charts ----------------------------------------------------------------------------------- */

static void draw_chart(const ScalingPart *part, ScalingMeasure measure) {
    Document *document = part->page->document;
    const Row *first = part->list[0]->rows[0];
    char size[REPORT_TEXT_SIZE];
    Builder builder = page_builder(document, SUBJECT_SCALING, &part->rows,
                                   &(RowAxis){.name = part->axis, .tuning = true});
    builder.kinds = BOTH_KINDS;
    builder.scaling = measure;
    size_words(first, size);
    chart_build(&builder,
                document_text(document, "%s-%s-%s", part->slug, part->axis,
                              measure == SCALING_SPEEDUP ? "speedup" : "efficiency"),
                measure == SCALING_SPEEDUP
                    ? document_text(document, "%s: speedup over one %s, at %s", part->title,
                                    workers_noun(part->axis, 1), size)
                    : document_text(document, "%s: efficiency of several %s, %s %s", part->title,
                                    workers_noun(part->axis, 2), first->weak ? "each with" : "at",
                                    scaling_name(document, part->list[0])),
                run_interval_words(part->page));
}

static void draw_part(const RunPage *page, const RunGroup *rows, const char *axis,
                      const char *title, const char *slug, bool *headed) {
    Document *document = page->document;
    ScalingPart *part = document_allocate(document, sizeof *part);
    if (part == NULL) {
        return;
    }
    *part = (ScalingPart){.page = page, .axis = axis, .title = title, .slug = slug};
    find_part(document, rows, part);
    if (part->count == 0) {
        return;
    }
    if (!*headed) {
        document_heading(document, 2, "Scaling");
        *headed = true;
    }
    draw_table(part);
    if (!part->list[0]->rows[0]->weak) {
        draw_chart(part, SCALING_SPEEDUP);
    }
    draw_chart(part, SCALING_EFFICIENCY);
}

/* The rows of a family's groups that were measured by --weak: their answers may have grown. */
static RunGroup weak_rows(Document *document, const Family *family) {
    RunGroup rows = {.rows = NULL};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            if (group->rows[j]->weak) {
                group_add(document, &rows, group->rows[j]);
            }
        }
    }
    return rows;
}

static void family_scaling(const RunPage *page, const Family *family, bool *headed) {
    static const char *const axes[] = {scaling_gpus, scaling_threads};
    Document *document = page->document;
    const RunGroup weak = weak_rows(document, family);
    if (weak.count > 0) {
        draw_part(
            page, &weak, axes[0],
            document_text(document, "%s, %s", family->head->algorithm->name, family->head->input),
            family_slug(document, family), headed);
    }
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = weak.count > 0 ? 1 : 0; family_shows(family, i) && j < 2; j++) {
            draw_part(page, group, axes[j], group_title(page, family, group), group->slug, headed);
        }
    }
}

void page_scaling(const RunPage *page) {
    bool headed = false;
    for (size_t i = 0; i < page->count; i++) {
        family_scaling(page, &page->families[i], &headed);
    }
}
