/* Tables of the cells of two runs: those that both have, and those that only one has. */
#include <math.h>

#include "overview_diff_parts.h"

enum { DIGITS = 4 };

static TimeUnit unit_for(const DiffGroup *group) {
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < group->count; i++) {
        time_range_add(&range, row_seconds(group->cells[i].a, TIME_KERNEL));
        time_range_add(&range, row_seconds(group->cells[i].b, TIME_KERNEL));
    }
    return time_unit(&range);
}

static void add_columns(const TimeUnit *unit, Document *document, DocTable *table) {
    static const char *const kinds[] = {"kernel", "end to end"};
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "size", .numeric = true});
    for (size_t i = 0; i < 2; i++) {
        const char *letters[] = {"A", "B"};
        for (size_t j = 0; j < 2; j++) {
            table_column(
                document, table,
                &(DocColumn){.title = document_text(document, "%s (%s)", letters[j], unit->name),
                             .group = kinds[i],
                             .numeric = true});
        }
        table_column(document, table,
                     &(DocColumn){.title = "B/A", .group = kinds[i], .numeric = true});
        table_column(document, table, &(DocColumn){.title = "difference", .group = kinds[i]});
    }
}

static void add_ratio(const Ratio *ratio, Document *document, DocTable *table) {
    char text[OVERVIEW_TEXT_SIZE];
    diff_ratio_text(ratio, text);
    const bool known = text[0] != '\0';
    table_cell(document, table,
               &(DocCell){.text = known ? text : "—",
                          .number = ratio->value,
                          .kind = known ? CELL_PLAIN : CELL_MISSING});
}

static void add_verdict(const Ratio *ratio, Document *document, DocTable *table) {
    const DiffVerdict verdict = diff_verdict(ratio);
    const bool seen = verdict == DIFF_B_FASTER || verdict == DIFF_B_SLOWER;
    table_cell(document, table,
               &(DocCell){.text = isnan(ratio->value) ? "—" : diff_verdict_words(verdict),
                          .number = NAN,
                          .kind = seen ? CELL_PLAIN : CELL_FAINT});
}

static void add_times(const DiffCell *cell, TimeKind kind, const TimeUnit *unit, Document *document,
                      DocTable *table) {
    table_number(document, table, row_seconds(cell->a, kind) / unit->seconds, DIGITS);
    table_number(document, table, row_seconds(cell->b, kind) / unit->seconds, DIGITS);
    const Ratio *ratio = kind == TIME_KERNEL ? &cell->kernel : &cell->end_to_end;
    add_ratio(ratio, document, table);
    add_verdict(ratio, document, table);
}

static void add_cell(const DiffCell *cell, const TimeUnit *unit, Document *document,
                     DocTable *table) {
    char label[RESULT_LABEL_SIZE];
    char size[OVERVIEW_TEXT_SIZE];
    variant_label(cell->a->variant, &cell->a->tuning, label, sizeof label);
    size_words(cell->a, size);
    table_words(document, table, label);
    table_cell(document, table, &(DocCell){.text = size, .number = row_size(cell->a)});
    add_times(cell, TIME_KERNEL, unit, document, table);
    add_times(cell, TIME_END_TO_END, unit, document, table);
}

void diff_tell_cells(const DiffGroup *group, Document *document) {
    const TimeUnit unit = unit_for(group);
    DocTable *table =
        document_table(document, document_text(document, "diff-%s-cells", group->a->slug),
                       document_text(document, "Cells of %s that both runs have", group->a->title));
    add_columns(&unit, document, table);
    for (size_t i = 0; i < group->count; i++) {
        if (diff_cell_compared(&group->cells[i])) {
            add_cell(&group->cells[i], &unit, document, table);
        }
    }
    if (table != NULL) {
        table->sortable = true;
        table->note = "Medians, and the ratio of those of B to those of A with its 95% bootstrap "
                      "interval: below 1, B is faster. Where the interval has 1 in it, no "
                      "difference is seen.";
    }
}

/* --- Cells that only one has ------------------------------------------------------------------ */

typedef struct Missing {
    Document *document;
    DocTable *table; /* NULL until there is a cell */
    size_t neither;
} Missing;

static void open_table(Missing *missing) {
    Document *document = missing->document;
    missing->table =
        document_table(document, "diff-missing", "Cells that only one of the runs has a time of");
    static const char *const titles[] = {"cell", "only in", "kernel", "why not in the other"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_column(document, missing->table, &(DocColumn){.title = titles[i], .numeric = i == 2});
    }
    if (missing->table != NULL) {
        missing->table->collapsed = true;
        missing->table->sortable = true;
    }
}

/* `other` is the row without a time; NULL: there is none. */
static const char *reason_of(const Row *other, Document *document) {
    if (other == NULL) {
        return "not in that run";
    }
    return document_text(document, "%s: %s", other->status == CELL_FAIL ? "failed" : "skipped",
                         other->why[0] != '\0' ? other->why : "no reason was stored");
}

static void add_missing(const Row *row, const Row *other, const char *letter, Missing *missing) {
    if (missing->table == NULL) {
        open_table(missing);
    }
    char name[DIFF_NAME_SIZE];
    char time[OVERVIEW_TEXT_SIZE];
    const double seconds = row_seconds(row, TIME_KERNEL);
    row_name(row, name, sizeof name);
    seconds_text(seconds, time);
    table_words(missing->document, missing->table, name);
    table_words(missing->document, missing->table, letter);
    table_cell(missing->document, missing->table, &(DocCell){.text = time, .number = seconds});
    table_words(missing->document, missing->table, reason_of(other, missing->document));
}

/* Cells of `group` that `others` has no time of; those of neither are counted once, with A. */
static void tell_group(const RunGroup *group, const RunGroup *others, const char *letter,
                       Missing *missing) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const Row *other = diff_row_find(others, row);
        const bool has = !isnan(row_seconds(row, TIME_KERNEL));
        const bool other_has = other != NULL && !isnan(row_seconds(other, TIME_KERNEL));
        if (has && !other_has) {
            add_missing(row, other, letter, missing);
        } else if (!has && !other_has && (letter[0] == 'A' || other == NULL)) {
            missing->neither++;
        }
    }
}

static size_t tell_whole_groups(const RunGroups *groups, const RunGroups *others,
                                const char *letter, Document *document) {
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        if (diff_group_find(others, groups->groups[i].title) == NULL) {
            document_add(document, BLOCK_ITEM, "Only %s has %s: %zu cell%s.", letter,
                         groups->groups[i].title, groups->groups[i].count,
                         groups->groups[i].count == 1 ? "" : "s");
            count++;
        }
    }
    return count;
}

void diff_tell_missing(const Diff *diff, Document *document) {
    document_heading(document, 2, "What only one run has");
    Missing missing = {.document = document};
    size_t groups = tell_whole_groups(&diff->a_groups, &diff->b_groups, "A", document);
    groups += tell_whole_groups(&diff->b_groups, &diff->a_groups, "B", document);
    for (size_t i = 0; i < diff->count; i++) {
        if (!diff->groups[i].other_input) {
            tell_group(diff->groups[i].a, diff->groups[i].b, "A", &missing);
            tell_group(diff->groups[i].b, diff->groups[i].a, "B", &missing);
        }
    }
    if (groups == 0 && missing.table == NULL) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Every cell that one run has a time of, the other "
                     "has too.");
    }
    if (missing.neither > 0) {
        document_add(document, BLOCK_PARAGRAPH, "%zu cell%s a time in neither run.",
                     missing.neither, missing.neither == 1 ? " has" : "s have");
    }
}
