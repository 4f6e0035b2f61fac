/* `row`: lists of values make a row of each of their combinations. */
#include <stdint.h>
#include <string.h>

#include "owned_memory.h"
#include "study_statements.h"

enum { ROWS_MAX = 4096, CONDITIONS_MAX = 32 };

/* The conditions of a row as written, and which of its values each has now. */
typedef struct Lists {
    const ConditionList *given;
    const char *values[CONDITIONS_MAX]; /* where the value begins; it ends at a comma or the end */
} Lists;

static size_t value_length(const char *value) {
    return strcspn(value, ",");
}

/* The next combination, the last list fastest. False after the last one. */
static bool advance(Lists *lists) {
    for (size_t i = lists->given->count; i-- > 0;) {
        const char *value = lists->values[i];
        const size_t length = value_length(value);
        if (value[length] == ',') {
            lists->values[i] = value + length + 1;
            return true;
        }
        lists->values[i] = lists->given->items[i].value;
    }
    return false;
}

/* The list with a key of `length` bytes; SIZE_MAX when there is none. */
static size_t find_key(const ConditionList *conditions, const char *key, size_t length) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (strlen(conditions->items[i].key) == length &&
            memcmp(conditions->items[i].key, key, length) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* The list that the "{key}" at `text` stands for; NULL when `text` is at another character. */
static const char *value_at(const Lists *lists, const char *text, size_t *key_length) {
    *key_length = strcspn(text + (text[0] != '\0'), "}");
    if (text[0] != '{' || text[1 + *key_length] != '}') {
        return NULL;
    }
    const size_t index = find_key(lists->given, text + 1, *key_length);
    return index != SIZE_MAX ? lists->values[index] : NULL;
}

/* Writes the label with its {key} replaced, unless `to` is NULL; its length. */
static size_t write_label(const Lists *lists, const char *label, char *to) {
    size_t used = 0;
    while (*label != '\0') {
        size_t key_length;
        const char *value = value_at(lists, label, &key_length);
        const char *from = value != NULL ? value : label;
        const size_t length = value != NULL ? value_length(value) : 1;
        if (to != NULL) {
            memcpy(to + used, from, length);
        }
        used += length;
        label += value != NULL ? key_length + 2 : 1;
    }
    return used;
}

/* Every {key} is one of the row's. */
static Status check_label(const StudyReader *reader, const char *label,
                          const ConditionList *conditions) {
    for (const char *open = label; (open = strchr(open, '{')) != NULL; open++) {
        const size_t length = strcspn(open + 1, "}");
        if (open[1 + length] == '}' && find_key(conditions, open + 1, length) == SIZE_MAX) {
            return READER_ERROR(reader, label,
                                "has {%.*s}, which is no key of the row; name one of its "
                                "conditions",
                                (int)(length < 40 ? length : 40), open + 1);
        }
    }
    return status_ok();
}

static Status check_lists(const StudyReader *reader, const ConditionList *conditions) {
    if (conditions->count > CONDITIONS_MAX) {
        return READER_ERROR(reader, reader->words.words[1],
                            "has too many conditions; a row may have %d", CONDITIONS_MAX);
    }
    for (size_t i = 0; i < conditions->count; i++) {
        const char *value = conditions->items[i].value;
        if (value[0] == ',' || value[strlen(value) - 1] == ',' || strstr(value, ",,") != NULL) {
            return READER_ERROR(reader, conditions->items[i].key,
                                "has an empty value in its list; write key=a,b,c without blanks");
        }
    }
    return status_ok();
}

static Status fill_conditions(const StudyReader *reader, const Lists *lists, StudyRow *row) {
    for (size_t i = 0; i < lists->given->count; i++) {
        const size_t length = value_length(lists->values[i]);
        char *value = owned_take(&reader->study->memory, length + 1);
        Condition *added = value != NULL
                               ? OWNED_APPEND(&reader->study->memory, row->conditions.items,
                                              row->conditions.count, row->conditions.capacity)
                               : NULL;
        if (added == NULL) {
            return study_no_memory();
        }
        memcpy(value, lists->values[i], length);
        *added = (Condition){.key = lists->given->items[i].key, .value = value};
    }
    return status_ok();
}

static Status add_row(const StudyReader *reader, const Lists *lists) {
    StudyTable *table = reader_table(reader);
    const char *pattern = reader->words.words[1];
    char *label = owned_take(&reader->study->memory, write_label(lists, pattern, NULL) + 1);
    if (label == NULL) {
        return study_no_memory();
    }
    write_label(lists, pattern, label);
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(table->rows[i].label, label) == 0) {
            return READER_ERROR(reader, label,
                                "is the label of a row already, of line %d; a {key} in the label "
                                "tells rows of a list apart",
                                table->rows[i].line);
        }
    }
    if (table->row_count == ROWS_MAX) {
        return READER_ERROR(reader, label, "is one row too many; a table may have %d", ROWS_MAX);
    }
    StudyRow *row =
        OWNED_APPEND(&reader->study->memory, table->rows, table->row_count, table->row_capacity);
    if (row == NULL) {
        return study_no_memory();
    }
    *row = (StudyRow){.label = label, .line = reader->words.line};
    return fill_conditions(reader, lists, row);
}

Status study_read_row(StudyReader *reader) {
    if (reader_table(reader)->step == NULL) {
        return READER_ERROR(reader, "row",
                            "stands before the table's step; write first: from STEP");
    }
    ConditionList conditions = {.count = 0};
    for (size_t i = 2; i < reader->words.count; i++) {
        STATUS_TRY(reader_add_condition(reader, reader->words.words[i], &conditions));
    }
    STATUS_TRY(check_lists(reader, &conditions));
    STATUS_TRY(check_label(reader, reader->words.words[1], &conditions));
    Lists lists = {.given = &conditions};
    for (size_t i = 0; i < conditions.count; i++) {
        lists.values[i] = conditions.items[i].value;
    }
    do {
        STATUS_TRY(add_row(reader, &lists));
    } while (advance(&lists));
    return status_ok();
}
