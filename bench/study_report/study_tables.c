#include "study_tables.h"

#include <stdint.h>

#include "study_cells.h"
#include "study_places.h"

static const char *column_heading(const StudyColumn *column, Document *document) {
    const char *unit = study_unit_text(column->unit);
    return document_text(document, unit[0] != '\0' ? "%s (%s)" : "%s%s", column->title, unit);
}

typedef enum Side { SIDE_MEASURED, SIDE_PUBLISHED, SIDE_COUNT } Side;

/* A document's column: one side of one of the study's columns. */
typedef struct Shown {
    size_t column;
    Side side;
} Shown;

static bool is_shown(const TableResult *table, size_t column, Side side) {
    return side == SIDE_MEASURED || study_has_published(table, column);
}

/* The `index`-th column to show, in the table's order; false past the last. */
static bool shown_at(const TableResult *table, size_t index, Shown *shown) {
    const size_t columns = table->table->column_count;
    for (size_t i = 0; columns > 0 && i < columns * SIDE_COUNT; i++) {
        *shown = table->table->shaded ? (Shown){i % columns, i < columns ? 0 : 1}
                                      : (Shown){i / SIDE_COUNT, i % SIDE_COUNT};
        if (is_shown(table, shown->column, shown->side) && index-- == 0) {
            return true;
        }
    }
    return false;
}

static void add_columns(const TableResult *table, Document *document, DocTable *added) {
    static const char *const sides[SIDE_COUNT] = {"measured", "published"};
    const bool compares = study_has_published(table, SIZE_MAX);
    const bool by_side = table->table->shaded;
    table_column(document, added, &(DocColumn){.title = ""});
    Shown shown;
    for (size_t i = 0; shown_at(table, i, &shown); i++) {
        const char *heading = column_heading(&table->table->columns[shown.column], document);
        const char *side = sides[shown.side];
        const DocColumn column = {.title = compares && !by_side ? side : heading,
                                  .group = !compares ? NULL
                                           : by_side ? side
                                                     : heading,
                                  .numeric = true};
        table_column(document, added, &column);
    }
}

static void add_row(const CellPlace *first, Document *document, DocTable *added) {
    Shown shown;
    table_words(document, added, first->table->table->rows[first->row].label);
    for (size_t i = 0; shown_at(first->table, i, &shown); i++) {
        CellPlace place = *first;
        place.column = shown.column;
        const DocCell cell = shown.side == SIDE_MEASURED ? study_measured_cell(&place, document)
                                                         : study_published_cell(&place, document);
        table_cell(document, added, &cell);
    }
}

DocTable *study_table_add(const StudyResult *result, const TableResult *table, DifferencesTold told,
                          Document *document) {
    DocTable *added = document_table(document, table->table->name, table->table->caption);
    if (added == NULL) {
        return NULL;
    }
    added->shaded = table->table->shaded;
    added->sortable = !table->table->shaded;
    added->note = study_table_note(result, table, told, document);
    add_columns(table, document, added);
    for (size_t row = 0; row < table->table->row_count; row++) {
        add_row(&(CellPlace){.result = result, .table = table, .row = row}, document, added);
    }
    return added;
}

const char *study_heading_text(const char *name, Document *document) {
    char heading[128];
    size_t used = 0;
    for (; name[used] != '\0' && used + 1 < sizeof heading; used++) {
        heading[used] = name[used] == '-' || name[used] == '_' ? ' ' : name[used];
    }
    heading[used] = '\0';
    if (heading[0] >= 'a' && heading[0] <= 'z') {
        heading[0] = (char)(heading[0] - 'a' + 'A');
    }
    return document_text(document, "%s", heading);
}
