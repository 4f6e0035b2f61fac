#include <math.h>

#include "document_memory.h"
#include "significant.h"

DocTable *document_table(Document *document, const char *name, const char *caption) {
    DocTable *table = document_allocate(document, sizeof *table);
    if (table != NULL) {
        table->name = document_name(document, BLOCK_TABLE, name);
        table->caption = document_copy(document, caption);
        document_block(document, &(Block){.kind = BLOCK_TABLE, .table = table});
    }
    return table;
}

void table_column(Document *document, DocTable *table, const DocColumn *column) {
    if (table == NULL) {
        return;
    }
    DocColumn *columns = document_grow(document, table->columns, table->column_count,
                                       &table->column_capacity, sizeof *columns);
    if (columns != NULL) {
        table->columns = columns;
        columns[table->column_count++] =
            (DocColumn){.title = document_copy(document, column->title),
                        .group = document_copy(document, column->group),
                        .numeric = column->numeric};
    }
}

void table_cell(Document *document, DocTable *table, const DocCell *cell) {
    if (table == NULL || table->column_count == 0) {
        return;
    }
    DocCell *cells = document_grow(document, table->cells, table->cell_count, &table->cell_capacity,
                                   sizeof *cells);
    if (cells != NULL) {
        table->cells = cells;
        cells[table->cell_count++] = (DocCell){.text = document_copy(document, cell->text),
                                               .number = cell->number,
                                               .note = document_copy(document, cell->note),
                                               .kind = cell->kind};
        table->row_count = (table->cell_count + table->column_count - 1) / table->column_count;
    }
}

void table_words(Document *document, DocTable *table, const char *text) {
    table_cell(document, table, &(DocCell){.text = text, .number = NAN});
}

void table_number(Document *document, DocTable *table, double number, int digits) {
    char text[SIGNIFICANT_SIZE];
    significant_text(number, digits, text);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = number,
                          .kind = isnan(number) ? CELL_MISSING : CELL_PLAIN});
}

const DocCell *table_at(const DocTable *table, size_t row, size_t column) {
    if (table == NULL || row >= table->row_count || column >= table->column_count) {
        return NULL;
    }
    const size_t place = row * table->column_count + column;
    return place < table->cell_count ? &table->cells[place] : NULL;
}
