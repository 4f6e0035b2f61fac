/* The records that a step left: the rows of its run, or the lines of another table. */

#include "algorithm.h"
#include "backend.h"
#include "csv_columns.h"
#include "journal.h"
#include "paths.h"
#include "row.h"
#include "run_record.h"
#include "stored_run.h"
#include "study_internal.h"
#include "text.h"
#include "variant.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "files.h"
#include "list.h"
#include "number.h"
#include "registry.h"
#include "report.h"
#include "status.h"

/* === Columns ================================================================================== */

StepColumn step_column(const StepRecords *records, const char *name) {
    return (StepColumn){records->rows ? csv_column_find(name) : NULL,
                        csv_field_index(&records->table.header, name)};
}

StepColumn step_column_of(const StepRecords *records, const CsvColumn *column) {
    return column == NULL ? (StepColumn){NULL, SIZE_MAX}
                          : (StepColumn){records->rows ? column : NULL,
                                         csv_field_index(&records->table.header, column->name)};
}

StepColumn step_column_at(const StepRecords *records, size_t member) {
    return step_column_of(records, csv_column_at(member));
}

bool step_has_column(const StepColumn *column) {
    return column->of_rows != NULL || column->of_lines != SIZE_MAX;
}

/* In tables of other programs the name says it. */
bool step_column_is_time(const char *name) {
    const CsvColumn *known = csv_column_find(name);
    return known != NULL ? known->time : strstr(name, "_ms") != NULL;
}

double step_number(const StepRecord *record, const StepColumn *column) {
    if (record->row == NULL) {
        return whole_number(csv_field(record->line, column->of_lines));
    }
    return column->of_rows != NULL ? csv_column_number(column->of_rows, record->row) : (double)NAN;
}

void step_text(const StepRecord *record, const StepColumn *column, char text[CSV_VALUE_SIZE]) {
    if (record->row == NULL) {
        snprintf(text, CSV_VALUE_SIZE, "%s", csv_field(record->line, column->of_lines));
        return;
    }
    text[0] = '\0';
    if (column->of_rows != NULL) {
        csv_column_value(column->of_rows, record->row, text, CSV_VALUE_SIZE);
    }
}

/* Copies the value of `key` in a text "key:value,key:value"; a value may hold ':'. False, with "",
 * where there is no such key. */
static bool copy_part(const char *pairs, const char *key, char text[CSV_VALUE_SIZE]) {
    const size_t length = strlen(key);
    text[0] = '\0';
    while (*pairs != '\0') {
        const size_t pair = strcspn(pairs, ",");
        if (pair > length && strncmp(pairs, key, length) == 0 && pairs[length] == ':') {
            snprintf(text, CSV_VALUE_SIZE, "%.*s", (int)(pair - length - 1), pairs + length + 1);
            return true;
        }
        pairs += pair + (pairs[pair] == ',' ? 1 : 0);
    }
    return false;
}

double step_part(const StepRecord *record, const StepColumn *column, const char *part) {
    if (record->row != NULL) {
        return column->of_rows != NULL ? csv_column_part(column->of_rows, record->row, part)
                                       : (double)NAN;
    }
    char text[CSV_VALUE_SIZE];
    copy_part(csv_field(record->line, column->of_lines), part, text);
    return whole_number(text);
}

/* === Conditions =============================================================================== */

/* The value on an axis; "" where the record has none of this name. */
static void axis_text(const StepRecords *records, const StepRecord *record, const char *axis,
                      char text[CSV_VALUE_SIZE]) {
    static const size_t lists[] = {offsetof(Row, answer), offsetof(Row, tuning)};
    if (record->row != NULL) {
        const char *value = point_text(&record->row->answer, axis);
        snprintf(text, CSV_VALUE_SIZE, "%s",
                 value[0] != '\0' ? value : point_text(&record->row->tuning, axis));
        return;
    }
    bool found = false;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !found; i++) {
        const StepColumn list = step_column_at(records, lists[i]);
        found = copy_part(csv_field(record->line, list.of_lines), axis, text);
    }
}

void step_key_text(const StepRecords *records, const StepRecord *record, const char *key,
                   char text[CSV_VALUE_SIZE]) {
    const StepColumn column = step_column(records, key);
    if (step_has_column(&column)) {
        step_text(record, &column, text);
    } else {
        axis_text(records, record, key, text);
    }
}

static bool condition_holds(const StepRecords *records, const StepRecord *record,
                            const Condition *condition) {
    char text[CSV_VALUE_SIZE];
    const StepColumn column = step_column(records, condition->key);
    const double number = record->row != NULL ? step_number(record, &column) : (double)NAN;
    if (isfinite(number)) {
        return number == whole_number(condition->value);
    }
    step_key_text(records, record, condition->key, text);
    return condition->kind == KEY_SIZE ? strcasecmp(text, condition->value) == 0
                                       : strcmp(text, condition->value) == 0;
}

/* Other people's code is never among "the best" of this program: it is asked for. */
static bool may_be_peer(const StepRecords *records, const StepRecord *record,
                        const ConditionList *conditions) {
    char library[CSV_VALUE_SIZE];
    const StepColumn column = step_column_at(records, offsetof(Row, library));
    const char *wanted = condition_value_of(conditions, KEY_PEER);
    step_text(record, &column, library);
    return wanted != NULL
               ? (library[0] != '\0') == csv_flag(wanted)
               : library[0] == '\0' || condition_value_of(conditions, KEY_VARIANT) != NULL;
}

bool step_record_matches(const StepRecords *records, const StepRecord *record,
                         const ConditionList *conditions) {
    if (!may_be_peer(records, record, conditions)) {
        return false;
    }
    for (size_t i = 0; i < conditions->count; i++) {
        if (conditions->items[i].kind != KEY_PEER &&
            !condition_holds(records, record, &conditions->items[i])) {
            return false;
        }
    }
    return true;
}

CellStatus step_record_status(const StepRecords *records, const StepRecord *record) {
    if (record->row != NULL) {
        return record->row->status;
    }
    const StepColumn column = step_column_at(records, offsetof(Row, status));
    return step_has_column(&column) ? csv_status(csv_field(record->line, column.of_lines))
                                    : CELL_OK;
}

Verified step_verified(const StepRecords *records, const StepRecord *record) {
    char text[CSV_VALUE_SIZE];
    const StepColumn column = step_column_at(records, offsetof(Row, verified));
    step_text(record, &column, text);
    return text[0] == '\0' ? VERIFIED_NOT_TOLD : csv_flag(text) ? VERIFIED_YES : VERIFIED_NO;
}

/* The columns of results.csv that are of no member. */
static const char variant_column[] = "variant", algorithm_column[] = "algorithm";

void step_variant(const StepRecords *records, const StepRecord *record, char text[CSV_VALUE_SIZE]) {
    const StepColumn column = step_column(records, variant_column);
    step_text(record, &column, text);
}

bool step_is_on_device(const StepRecords *records, const StepRecord *record) {
    if (record->row != NULL) {
        return !variant_is_on_cpu(record->row->variant);
    }
    const StepColumn column = step_column(records, "backend");
    return registry_find_backend(csv_field(record->line, column.of_lines)) == &cuda_backend;
}

static bool same_text(const StepRecords *records, const StepRecord *record,
                      const StepRecords *other_records, const StepRecord *other,
                      const CsvColumn *column) {
    char one[CSV_VALUE_SIZE], two[CSV_VALUE_SIZE];
    const StepColumn left = step_column_of(records, column);
    const StepColumn right = step_column_of(other_records, column);
    step_text(record, &left, one);
    step_text(other, &right, two);
    return strcmp(one, two) == 0;
}

bool step_same_work(const StepRecords *records, const StepRecord *record,
                    const StepRecords *other_records, const StepRecord *other) {
    const CsvColumn *const columns[] = {
        csv_column_find(algorithm_column), csv_column_at(offsetof(Row, input)),
        csv_column_at(offsetof(Row, size_name)), csv_column_at(offsetof(Row, answer))};
    if (record->row != NULL && other->row != NULL) {
        return row_same_answer(record->row, other->row) &&
               strcmp(record->row->size_name, other->row->size_name) == 0;
    }
    bool same = true;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        same = same && same_text(records, record, other_records, other, columns[i]);
    }
    return same;
}

/* === Facts ==================================================================================== */

typedef struct FactList {
    void **memory; /* owns the texts */
    CsvFrame *table;
    bool failed;
} FactList;

static void add_fact(void *context, const char *key, const char *text) {
    FactList *list = context;
    CsvFrame *table = list->table;
    const size_t key_size = strlen(key) + 1, text_size = strlen(text) + 1;
    const Status room =
        LIST_ROOM(NULL, table->facts, table->fact_count, table->fact_capacity, "facts of a run");
    char *copy = status_is_ok(&room) ? owned_take(list->memory, key_size + text_size) : NULL;
    if (copy == NULL) {
        list->failed = true;
        return;
    }
    memcpy(copy, key, key_size);
    memcpy(copy + key_size, text, text_size);
    table->facts[table->fact_count++] = (CsvFact){.key = copy, .value = copy + key_size};
}

/* What the head of its results.csv says. */
static Status add_facts(void **memory, const StoredRun *run, CsvFrame *table) {
    FactList list = {.memory = memory, .table = table};
    RunRecord record = {
        .machine = &run->machine, .complete = run->complete, .warnings = run->warnings};
    memcpy(record.started, run->started, sizeof record.started);
    memcpy(record.input_note, run->input_note, sizeof record.input_note);
    run_facts(&record, &run->results, add_fact, &list);
    return list.failed ? status_no_memory("for the facts of a run") : status_ok();
}

/* === Reading ================================================================================== */

/* The run as compare reads it, with rows of what this version does not have. Without memory, or if
 * it has no row, there is none. */
static Status read_whole(void **memory, const char *path, StepRecords *records) {
    cJSON *root = NULL;
    StoredRun *run = owned_take(memory, sizeof *run);
    STATUS_MEMORY(run, "for a run");
    Status status = journal_read_results(path, &root);
    STATUS_THEN(status, stored_run_of(path, root, run));
    cJSON_Delete(root);
    if (status_is_ok(&status)) {
        stored_run_derive(run);
        records->whole = run;
    }
    return status_ok();
}

/* The run whose table the path is the results.csv of, if it can be read: a file of another program,
 * or without rows, is that of none. STATUS_SKIP without memory. */
static Status read_run(void **memory, const char *csv, StepRecords *records) {
    char folder[ATOMIC_FILE_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
    Status status = path_folder(csv, folder, sizeof folder);
    STATUS_THEN(status, stored_run_in(folder, path, sizeof path));
    const char *rest = text_after(path_name(csv), "results.csv"); /* perhaps packed */
    if (!status_is_ok(&status) || rest == NULL || access(path, R_OK) != 0) {
        return status_ok();
    }
    StoredRun *run = owned_take(memory, sizeof *run);
    STATUS_MEMORY(run, "for a run");
    records->run = report_run_read(path, run).code == STATUS_OK ? run : NULL;
    return records->run == NULL || records->run->ignored > 0 ? read_whole(memory, path, records)
                                                             : status_ok();
}

/* Whether this version can derive what the table has of its rows. */
static bool is_algorithm(const char *name) {
    return registry_find_algorithm(name) != NULL;
}

/* A run of an older version has rows of `copy` too, the roof of the others, whose variants have the
 * same names: they are records where the run was asked for them. */
static void take_rows(const StoredRun *run, StepRecords *records) {
    const Results *results = &run->results;
    const bool roof = roof_rows_are_wanted(&run->arguments, results);
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if ((roof || !row_is_roof(row)) && is_algorithm(row->algorithm->name)) {
            records->list[records->count++] = (StepRecord){.row = row};
        }
    }
}

/* All of them, or those that are no rows. */
static void take_lines(StepRecords *records) {
    const size_t algorithm = csv_field_index(&records->table.header, algorithm_column);
    for (size_t i = 0; i < records->table.count; i++) {
        const CsvRecord *line = &records->table.records[i];
        if (!records->rows || !is_algorithm(csv_field(line, algorithm))) {
            records->list[records->count++] = (StepRecord){.line = line};
        }
    }
}

Status step_records_read(void **memory, const char *csv, StepRecords *records) {
    *records = (StepRecords){.count = 0};
    STATUS_TRY(read_run(memory, csv, records));
    const StoredRun *run = records->whole != NULL ? records->whole : records->run;
    records->rows = run != NULL;
    STATUS_TRY(run != NULL && run != records->whole ? add_facts(memory, run, &records->table)
                                                    : csv_frame_read(csv, &records->table));
    const size_t count = (run != NULL ? run->results.count : 0) + records->table.count;
    records->list = owned_take(memory, (count + 1) * sizeof *records->list);
    STATUS_MEMORY(records->list, "for %zu records", count);
    if (run != NULL) {
        take_rows(run, records);
    }
    take_lines(records);
    return status_ok();
}

void step_records_release(StepRecords *records) {
    csv_frame_release(&records->table);
    if (records->run != NULL) {
        stored_run_release(records->run);
    }
    if (records->whole != NULL) {
        stored_run_release(records->whole);
    }
}
