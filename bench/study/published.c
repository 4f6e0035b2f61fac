/* Published numbers. */

#include "paths.h"
#include "study_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "list.h"
#include "status.h"
#include "text.h"

enum { TABLE, ROW, COLUMN, VALUE, UNIT, MACHINE, SOURCE, FIELDS };

static const char *const titles[FIELDS] = {"table", "row",     "column", "value",
                                           "unit",  "machine", "source"};
static const char header_line[] = "table,row,column,value,unit,machine,source";

typedef struct Reader {
    const Study *study;
    const char *path;
    Published *published;
} Reader;

/* One name of a table: its own, that of a row or that of a column; NULL past the last. */
static const char *name_at(const StudyTable *table, int field, size_t index) {
    if (field == ROW) {
        return index < table->row_count ? table->rows[index].label : NULL;
    }
    if (field == COLUMN) {
        return index < table->column_count ? table->columns[index].title : NULL;
    }
    return index == 0 ? table->published : NULL;
}

/* Whether a table of the published name has the name; offers the others. */
static bool has_name(const Study *study, const char *published, int field, Suggestion *suggestion) {
    for (size_t i = 0; i < study->table_count; i++) {
        const StudyTable *table = &study->tables[i];
        const char *name = NULL;
        if (field != TABLE && strcmp(table->published, published) != 0) {
            continue;
        }
        for (size_t j = 0; (name = name_at(table, field, j)) != NULL; j++) {
            if (strcmp(name, suggestion->given) == 0) {
                return true;
            }
            suggest_offer(suggestion, name);
        }
    }
    return false;
}

static Status check_names(const Reader *reader, const PublishedNumber *number) {
    const char *const names[] = {number->table, number->row, number->column};
    for (int field = TABLE; field <= COLUMN; field++) {
        Suggestion suggestion = suggest_start(names[field]);
        if (has_name(reader->study, number->table, field, &suggestion)) {
            continue;
        }
        char what[160] = "", nearest[SUGGEST_TEXT_SIZE];
        if (field != TABLE) {
            snprintf(what, sizeof what, " of table '%.100s'", number->table);
        }
        return study_text_error(reader->path, number->line, names[field], "is no %s%s%s",
                                titles[field], what, suggest_text(&suggestion, nearest));
    }
    return status_ok();
}

/* The unit is that of the column, in each table that has it. */
static Status check_unit(const Reader *reader, const PublishedNumber *number) {
    for (size_t i = 0; i < reader->study->table_count; i++) {
        const StudyTable *table = &reader->study->tables[i];
        const size_t place = study_column_index(table, number->column);
        if (strcmp(table->published, number->table) == 0 && place != SIZE_MAX &&
            strcmp(table->columns[place].unit.name, number->unit) != 0) {
            return study_text_error(reader->path, number->line, number->unit,
                                    "is not the unit of column '%.60s', which is '%.30s'",
                                    number->column, table->columns[place].unit.name);
        }
    }
    return status_ok();
}

static Status read_value(const Reader *reader, PublishedNumber *number) {
    const char *text = number->printed;
    char *end = NULL;
    number->value = strtod(text, &end);
    if (text[0] == '\0' || strspn(text, "+-.0123456789eE") != strlen(text) || *end != '\0' ||
        !isfinite(number->value)) {
        return study_text_error(reader->path, number->line, text,
                                "is no number; write it with a decimal point and nothing else");
    }
    return status_ok();
}

const PublishedNumber *published_find(const Published *published, const char *table,
                                      const char *row, const char *column) {
    for (size_t i = 0; i < published->count; i++) {
        const PublishedNumber *number = &published->numbers[i];
        if (strcmp(number->table, table) == 0 && strcmp(number->row, row) == 0 &&
            strcmp(number->column, column) == 0) {
            return number;
        }
    }
    return NULL;
}

static Status read_record(const Reader *reader, const CsvRecord *record) {
    if (record->count != FIELDS) {
        return study_text_error(reader->path, record->line, record->fields[0],
                                "begins a line of %zu fields, not %d (%s); text with commas stands "
                                "in double quotes",
                                record->count, FIELDS, header_line);
    }
    PublishedNumber number = {.table = record->fields[TABLE],
                              .row = record->fields[ROW],
                              .column = record->fields[COLUMN],
                              .printed = record->fields[VALUE],
                              .unit = record->fields[UNIT],
                              .machine = record->fields[MACHINE],
                              .source = record->fields[SOURCE],
                              .line = record->line};
    STATUS_TRY(check_names(reader, &number));
    STATUS_TRY(read_value(reader, &number));
    STATUS_TRY(check_unit(reader, &number));
    const PublishedNumber *known =
        published_find(reader->published, number.table, number.row, number.column);
    if (known != NULL) {
        return study_text_error(reader->path, number.line, number.row,
                                "has a number in column '%.60s' already, of line %d", number.column,
                                known->line);
    }
    Published *published = reader->published;
    LIST_ADD(NULL, published->numbers, published->count, published->capacity, "published numbers",
             number);
    return status_ok();
}

static Status check_header(const Reader *reader, const CsvRecord *record) {
    bool right = record->count == FIELDS;
    for (size_t i = 0; right && i < FIELDS; i++) {
        right = strcmp(record->fields[i], titles[i]) == 0;
    }
    return right ? status_ok()
                 : study_text_error(reader->path, record->line, record->fields[0],
                                    "begins the header, which is: %s", header_line);
}

/* A file without any line has no numbers. */
static Status read_records(const Reader *reader, const CsvFrame *frame) {
    if (frame->header.count > 0) {
        STATUS_TRY(check_header(reader, &frame->header));
    }
    for (size_t i = 0; i < frame->count; i++) {
        STATUS_TRY(read_record(reader, &frame->records[i]));
    }
    return status_ok();
}

Status published_read(const Study *study, Published *published) {
    *published = (Published){.count = 0};
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(path, sizeof path, "%s/published.csv", study->folder));
    if (access(path, F_OK) != 0) {
        return status_ok();
    }
    char *text;
    size_t length;
    STATUS_TRY(study_text_read(path, &text, &length));
    const Reader reader = {.study = study, .path = path, .published = published};
    const Status status = csv_frame_make(text, &published->frame)
                              ? read_records(&reader, &published->frame)
                              : status_no_memory("for published numbers");
    if (!status_is_ok(&status)) {
        published_release(published);
    }
    return status;
}

void published_release(Published *published) {
    free(published->numbers);
    csv_frame_release(&published->frame);
    *published = (Published){.count = 0};
}
