#include "atomic_file.h"
#include "ceilings_print.h"
#include "command_line.h"
#include "csv_columns.h"
#include "csv_records.h"
#include "number_text.h"
#include "reporters.h"

static void write_comments(FILE *stream, const RunRecord *record) {
    char text[COMMAND_LINE_SIZE];
    csv_write_comment(stream, "started", record->started);
    if (record->options != NULL) {
        command_line_text(record->options, text, sizeof text);
        csv_write_comment(stream, "arguments", text);
        csv_write_comment(stream, "interleaved", record->options->interleave ? "yes" : "no");
    }
    csv_write_comment(stream, "complete", record->complete ? "yes" : "no");
    for (size_t i = 0; record->machine != NULL && i < record->machine->count; i++) {
        const Fact *fact = &record->machine->facts[i];
        if (fact->kind == FACT_NUMBER) {
            number_text(fact->number, text, sizeof text);
            csv_write_comment(stream, fact->key, text);
        } else {
            csv_write_comment(stream, fact->key, fact->text);
        }
    }
    for (size_t i = 0; i < record->warnings.count; i++) {
        csv_write_comment(stream, "warning", record->warnings.text[i]);
    }
    if (record->input_note[0] != '\0') {
        csv_write_comment(stream, "input_note", record->input_note);
    }
}

static void write_ceilings(FILE *stream, const Ceilings *ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        char key[CEILING_KEY_SIZE + 32], value[64];
        if (ceiling->threads > 0) {
            snprintf(key, sizeof key, "ceiling %s/threads:%d", ceiling->key, ceiling->threads);
        } else {
            snprintf(key, sizeof key, "ceiling %s", ceiling->key);
        }
        ceiling_text(ceiling, value, sizeof value);
        csv_write_comment(stream, key, value);
    }
}

static void write_row(FILE *stream, const Row *row) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        char value[CSV_VALUE_SIZE];
        csv_column_value(&columns[i], row, value, sizeof value);
        if (i > 0) {
            fputc(',', stream);
        }
        csv_write_field(stream, value);
    }
    fputc('\n', stream);
}

static void write_header(FILE *stream) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%s", i > 0 ? "," : "", columns[i].name);
    }
    fputc('\n', stream);
}

Status report_csv(const char *path, const RunRecord *record, const Results *results) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    write_comments(file.stream, record);
    write_ceilings(file.stream, &results->ceilings);
    write_header(file.stream);
    for (size_t i = 0; i < results->count; i++) {
        write_row(file.stream, &results->rows[i]);
    }
    return atomic_file_commit(&file);
}
