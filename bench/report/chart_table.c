#include "chart_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "csv_columns.h"
#include "csv_records.h"
#include "file_bytes.h"
#include "visible.h"

/* gnuplot's SVG has ">" as it is, and "]]>" ends XML; a blank in it ends nothing. */
static bool ends_section(const char *text, const char *c) {
    return *c == '>' && c - text >= 2 && c[-1] == ']' && c[-2] == ']';
}

void chart_text(const char *given, char *text, size_t size) {
    size_t used = 0;
    for (const char *c = given; *c != '\0';) {
        char piece[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(c, "\t\n\r", piece);
        if (*c == '\t' || *c == '\n' || *c == '\r') {
            piece[0] = ' ';
            piece[1] = '\0';
        } else if (ends_section(given, c)) {
            snprintf(piece, sizeof piece, " >");
        } else if (piece[0] == '\0') {
            snprintf(piece, sizeof piece, "%.*s", (int)taken, c);
        }
        const size_t length = strlen(piece);
        if (used + length >= size) {
            break;
        }
        memcpy(text + used, piece, length);
        used += length;
        c += taken;
    }
    text[used] = '\0';
}

void chart_table_field(const char *field, char *text, size_t size) {
    chart_text(field, text, size);
    for (char *quote = text; (quote = strchr(quote, '"')) != NULL;) {
        *quote = '\'';
    }
}

/* Where gnuplot reads a field, a backslash begins an escape. */
void chart_table_put(FILE *stream, const char *field) {
    char text[CSV_VALUE_SIZE];
    chart_table_field(field, text, sizeof text);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '\\' ? "\\" : "", stream);
        fputc(*c, stream);
    }
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
                chart_table_put(file.stream, record.fields[i]);
                fputc('\t', file.stream);
            }
            fputs(line == 0 ? "end\n" : ".\n", file.stream);
        }
        status = atomic_file_commit(&file);
    }
    free(text);
    return status;
}
