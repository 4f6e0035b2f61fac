/* The statements of a table, but for its rows. */
#include <string.h>
#include <strings.h>

#include "owned_memory.h"
#include "study_statements.h"
#include "suggest.h"

enum { TABLES_MAX = 256, COLUMNS_MAX = 128 };

Status study_read_table(StudyReader *reader) {
    Study *study = reader->study;
    const char *name = reader->words.words[1];
    STATUS_TRY(reader_check_name(reader, name));
    if (strcasecmp(name, "all") == 0) {
        return READER_ERROR(reader, name,
                            "is what all tables together are called; choose another "
                            "name");
    }
    for (size_t i = 0; i < study->table_count; i++) {
        if (strcasecmp(study->tables[i].name, name) == 0) {
            return READER_ERROR(reader, name, "is the name of a table already, of line %d",
                                study->tables[i].line);
        }
    }
    if (study->table_count == TABLES_MAX) {
        return READER_ERROR(reader, name, "is one table too many; there may be %d", TABLES_MAX);
    }
    StudyTable *table =
        OWNED_APPEND(&study->memory, study->tables, study->table_count, study->table_capacity);
    if (table == NULL) {
        return study_no_memory();
    }
    *table =
        (StudyTable){.name = name, .caption = reader->words.words[2], .line = reader->words.line};
    reader->scope = STUDY_TABLE;
    reader->from_given = false;
    return status_ok();
}

Status study_read_from(StudyReader *reader) {
    if (reader->from_given) {
        return READER_ERROR(reader, "from", "is given twice; once is enough");
    }
    reader->from_given = true;
    reader_table(reader)->step = reader->words.words[1];
    return status_ok();
}

Status study_read_where(StudyReader *reader) {
    ConditionList *conditions = &reader_table(reader)->conditions;
    for (size_t i = 1; i < reader->words.count; i++) {
        const char *word = reader->words.words[i];
        STATUS_TRY(reader_add_condition(reader, word, conditions));
        STATUS_TRY(
            reader_check_single(reader, word, conditions->items[conditions->count - 1].value));
    }
    return status_ok();
}

Status study_read_published(StudyReader *reader) {
    return reader_set_once(reader, &reader_table(reader)->published);
}

Status study_read_extra(StudyReader *reader) {
    reader_table(reader)->extra = true;
    return status_ok();
}

Status study_read_shaded(StudyReader *reader) {
    reader_table(reader)->shaded = true;
    return status_ok();
}

/* The arrays are shared: one that grows is copied first, since it is taken for full. */
Status study_read_same_as(StudyReader *reader) {
    StudyTable *table = reader_table(reader);
    const char *name = reader->words.words[1];
    const StudyTable *model = study_table(reader->study, name);
    if (model == NULL || model == table) {
        char nearest[SUGGEST_TEXT_SIZE];
        Suggestion suggestion = suggest_start(name);
        for (size_t i = 0; i + 1 < reader->study->table_count; i++) {
            suggest_offer(&suggestion, reader->study->tables[i].name);
        }
        return READER_ERROR(reader, name, "is no earlier table%s",
                            suggest_text(&suggestion, nearest));
    }
    if (table->row_count > 0 || table->column_count > 0) {
        return READER_ERROR(reader, "same-as", "stands before the rows and columns of its table");
    }
    if (table->step == NULL) {
        table->step = model->step;
    }
    table->rows = model->rows;
    table->row_count = table->row_capacity = model->row_count;
    table->columns = model->columns;
    table->column_count = table->column_capacity = model->column_count;
    return status_ok();
}

/* CSV-COLUMN [key=value…] [from STEP] */
static Status read_csv_column(const StudyReader *reader, StudyColumn *column) {
    const StudyLineWords *words = &reader->words;
    const char *source = words->words[3];
    const size_t length = strcspn(source, ":");
    if (length == 0 || (source[length] == ':' && source[length + 1] == '\0')) {
        return READER_ERROR(reader, source,
                            "is no column of a CSV; write its name, or name:part for one number "
                            "of a list");
    }
    char *csv = owned_take(&reader->study->memory, length + 1);
    if (csv == NULL) {
        return study_no_memory();
    }
    memcpy(csv, source, length);
    column->csv = csv;
    column->part = source[length] == ':' ? source + length + 1 : NULL;
    for (size_t i = 4; i < words->count; i++) {
        const char *word = words->words[i];
        if (strcmp(word, "from") != 0) {
            STATUS_TRY(reader_add_condition(reader, word, &column->conditions));
            STATUS_TRY(reader_check_single(
                reader, word, column->conditions.items[column->conditions.count - 1].value));
            continue;
        }
        if (i + 1 == words->count || column->step != NULL) {
            return READER_ERROR(reader, word, "is followed by one step, once; write: from STEP");
        }
        column->step = words->words[++i];
    }
    return status_ok();
}

/* ratio TITLE TITLE, base ROW-LABEL TITLE */
static Status read_computed_column(const StudyReader *reader, StudyColumn *column) {
    const StudyLineWords *words = &reader->words;
    if (words->count != 6) {
        return READER_ERROR(reader, words->words[3], "takes two arguments; write: %s",
                            column->source == COLUMN_RATIO ? "ratio TITLE TITLE"
                                                           : "base ROW-LABEL TITLE");
    }
    if (column->source == COLUMN_RATIO) {
        column->over = words->words[4];
        column->under = words->words[5];
    } else {
        column->base = words->words[4];
        column->over = words->words[5];
    }
    return status_ok();
}

static ColumnSource source_of(const char *word) {
    if (strcmp(word, "ratio") == 0) {
        return COLUMN_RATIO;
    }
    return strcmp(word, "base") == 0 ? COLUMN_BASE : COLUMN_CSV;
}

Status study_read_column(StudyReader *reader) {
    StudyTable *table = reader_table(reader);
    const char *const *words = reader->words.words;
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].title, words[1]) == 0) {
            return READER_ERROR(reader, words[1], "is the title of a column already, of line %d",
                                table->columns[i].line);
        }
    }
    if (table->column_count == COLUMNS_MAX) {
        return READER_ERROR(reader, words[1], "is one column too many; a table may have %d",
                            COLUMNS_MAX);
    }
    StudyColumn column = {.title = words[1],
                          .unit = words[2],
                          .source = source_of(words[3]),
                          .line = reader->words.line};
    STATUS_TRY(column.source == COLUMN_CSV ? read_csv_column(reader, &column)
                                           : read_computed_column(reader, &column));
    StudyColumn *added = OWNED_APPEND(&reader->study->memory, table->columns, table->column_count,
                                      table->column_capacity);
    if (added == NULL) {
        return study_no_memory();
    }
    *added = column;
    return status_ok();
}
