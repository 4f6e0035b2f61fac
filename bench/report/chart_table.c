#include "chart_table.h"

#include <stdlib.h>

#include "atomic_file.h"
#include "csv_columns.h"
#include "csv_records.h"
#include "file_bytes.h"

void chart_table_field(const char *field, char *text, size_t size) {
    size_t used = 0;
    for (; *field != '\0' && used + 1 < size; field++) {
        const bool blank = *field == '\t' || *field == '\n' || *field == '\r';
        text[used++] = (char)(blank ? ' ' : *field == '"' ? '\'' : *field);
    }
    text[used] = '\0';
}

Status chart_table_write(const char *csv_path, const char *table_path) {
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(csv_path, CSV_FILE_WORDS, CSV_FILE_MOST, &text, &length));
    AtomicFile file;
    Status status = atomic_file_open(&file, table_path);
    if (status_is_ok(&status)) {
        char *cursor = text;
        CsvRecord record;
        for (size_t line = 0; csv_next_record(&cursor, &record); line++) {
            for (size_t i = 0; i < record.count; i++) {
                char field[CSV_VALUE_SIZE];
                chart_table_field(record.fields[i], field, sizeof field);
                fprintf(file.stream, "%s\t", field);
            }
            fputs(line == 0 ? "end\n" : ".\n", file.stream);
        }
        status = atomic_file_commit(&file);
    }
    free(text);
    return status;
}
