#include "table_csv.h"

#include <math.h>

#include "atomic_file.h"
#include "csv_records.h"
#include "number_text.h"
#include "table_parts.h"

static void write_cell(FILE *stream, const DocTable *table, size_t row, size_t column) {
    const DocCell *cell = table_at(table, row, column);
    if (cell != NULL && table->columns[column].numeric && isfinite(cell->number)) {
        char number[32];
        number_text(cell->number, number, sizeof number);
        csv_write_field(stream, number);
    } else {
        csv_write_field(stream, table_text_at(table, row, column));
    }
}

Status table_csv_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    for (size_t column = 0; column < table->column_count; column++) {
        char title[TABLE_TITLE_SIZE];
        table_full_title(&table->columns[column], title);
        fputs(column > 0 ? "," : "", file.stream);
        csv_write_field(file.stream, title);
    }
    fputc('\n', file.stream);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            fputs(column > 0 ? "," : "", file.stream);
            write_cell(file.stream, table, row, column);
        }
        fputc('\n', file.stream);
    }
    return atomic_file_commit(&file);
}
