#include "step_records.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file_bytes.h"
#include "owned_memory.h"

static const char *const pair_columns[] = {"answer", "tuning"};
enum { PAIR_COLUMNS = sizeof pair_columns / sizeof pair_columns[0] };

static bool add_fact(StepRecords *records, const char *key, const char *value) {
    StepFact *fact =
        OWNED_APPEND(&records->memory, records->facts, records->fact_count, records->fact_capacity);
    if (fact == NULL) {
        return false;
    }
    *fact = (StepFact){.key = key, .value = value};
    return true;
}

/* One comment line, already ended by a NUL; a line without ": " is no fact. */
static bool take_fact(StepRecords *records, char *line) {
    line[strcspn(line, "\r")] = '\0';
    char *key = line + strspn(line, "# ");
    char *colon = strstr(key, ": ");
    if (colon == NULL || colon == key) {
        return true;
    }
    *colon = '\0';
    return add_fact(records, key, colon + 2);
}

/* Comment lines and empty lines from `*cursor` on, up to a record or the end. */
static bool take_facts(StepRecords *records, char **cursor) {
    while (**cursor == '#' || **cursor == '\n' || **cursor == '\r') {
        char *line = *cursor;
        const size_t length = strcspn(line, "\n");
        *cursor = line + length + (line[length] == '\n' ? 1 : 0);
        line[length] = '\0';
        if (*line == '#' && !take_fact(records, line)) {
            return false;
        }
    }
    return true;
}

static bool add_record(StepRecords *records, const CsvRecord *record) {
    CsvRecord *added =
        OWNED_APPEND(&records->memory, records->records, records->count, records->capacity);
    if (added == NULL) {
        return false;
    }
    *added = *record;
    return true;
}

static bool take_records(StepRecords *records) {
    char *cursor = records->text;
    CsvRecord record;
    if (!take_facts(records, &cursor)) {
        return false;
    }
    if (csv_next_record(&cursor, &record)) {
        records->header = record;
    }
    for (;;) {
        if (!take_facts(records, &cursor)) {
            return false;
        }
        if (!csv_next_record(&cursor, &record)) {
            return true;
        }
        if (!add_record(records, &record)) {
            return false;
        }
    }
}

/* "a:1,b:2" to the texts "a", "1", "b", "2"; returns where the next would go. */
static char *take_pairs(char *to, const char *pairs) {
    while (*pairs != '\0') {
        const size_t length = strcspn(pairs, ",");
        const char *colon = memchr(pairs, ':', length);
        if (colon != NULL && colon > pairs) {
            memcpy(to, pairs, length);
            to[colon - pairs] = '\0';
            to[length] = '\0';
            to += length + 1;
        }
        pairs += length + (pairs[length] == ',' ? 1 : 0);
    }
    return to;
}

static bool split_pairs(StepRecords *records) {
    size_t indices[PAIR_COLUMNS];
    size_t length = records->count + 1;
    for (size_t i = 0; i < PAIR_COLUMNS; i++) {
        indices[i] = csv_field_index(&records->header, pair_columns[i]);
        for (size_t r = 0; r < records->count; r++) {
            length += strlen(csv_field(&records->records[r], indices[i])) + 1;
        }
    }
    char *to = owned_take(&records->memory, length);
    records->pairs = owned_take(&records->memory, (records->count + 1) * sizeof *records->pairs);
    if (to == NULL || records->pairs == NULL) {
        return false;
    }
    for (size_t r = 0; r < records->count; r++) {
        records->pairs[r] = to;
        for (size_t i = 0; i < PAIR_COLUMNS; i++) {
            to = take_pairs(to, csv_field(&records->records[r], indices[i]));
        }
        *to++ = '\0';
    }
    return true;
}

Status step_records_read(const char *path, StepRecords *records) {
    *records = (StepRecords){0};
    size_t length;
    STATUS_TRY(file_text_read(path, CSV_FILE_WORDS, CSV_FILE_MOST, &records->text, &length));
    if (!take_records(records) || !split_pairs(records)) {
        step_records_release(records);
        return status_make(STATUS_FILE, "%.200s: not enough memory for its records", path);
    }
    if (records->header.count == 0) {
        step_records_release(records);
        return status_make(STATUS_FILE, "%.200s: no header line; write the names of the columns",
                           path);
    }
    return status_ok();
}

void step_records_release(StepRecords *records) {
    free(records->text);
    owned_release(&records->memory);
    *records = (StepRecords){0};
}

const char *step_record_value(const StepRecords *records, const CsvRecord *record,
                              const char *key) {
    const size_t index = csv_field_index(&records->header, key);
    if (index != SIZE_MAX) {
        return csv_field(record, index);
    }
    const char *pair = records->pairs[record - records->records];
    while (*pair != '\0') {
        const char *value = pair + strlen(pair) + 1;
        if (strcmp(pair, key) == 0) {
            return value;
        }
        pair = value + strlen(value) + 1;
    }
    return NULL;
}

static bool condition_holds(const StepRecords *records, const CsvRecord *record,
                            const Condition *condition) {
    const char *value = step_record_value(records, record, condition->key);
    if (value == NULL) {
        return false;
    }
    return strcmp(condition->key, "size") == 0 ? strcasecmp(value, condition->value) == 0
                                               : strcmp(value, condition->value) == 0;
}

bool step_record_matches(const StepRecords *records, const CsvRecord *record,
                         const ConditionList *conditions) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (!condition_holds(records, record, &conditions->items[i])) {
            return false;
        }
    }
    return true;
}

const char *step_fact(const StepRecords *records, const char *key) {
    for (size_t i = 0; i < records->fact_count; i++) {
        if (strcmp(records->facts[i].key, key) == 0) {
            return records->facts[i].value;
        }
    }
    return "";
}

const char *step_pair(const char *pairs, const char *key, size_t *length) {
    const size_t key_length = strlen(key);
    while (*pairs != '\0') {
        const size_t pair = strcspn(pairs, ",");
        if (pair > key_length && strncmp(pairs, key, key_length) == 0 && pairs[key_length] == ':') {
            *length = pair - key_length - 1;
            return pairs + key_length + 1;
        }
        pairs += pair + (pairs[pair] == ',' ? 1 : 0);
    }
    return NULL;
}
