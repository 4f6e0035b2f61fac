/* results.csv: its columns and its head, and its rows read back. */

#include "algorithm.h"
#include "command_line.h"
#include "number.h"
#include "results_internal.h"
#include "run_options.h"
#include "stored_run.h"
#include "terminal.h"
#include "text.h"
#include "variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings_file.h"
#include "csv.h"
#include "files.h"
#include "registry.h"
#include "utf8.h"

/* === Columns ================================================================================== */

/* A place for each line of row.def. Their places are 1, 2, 3 … without a gap, as a test checks. */
enum {
    COLUMNS_MAX = 0
#define MEMBER(type, member)
#define FIELD(type, member, json, csv) +1
#define ARRAY(type, member, count, json, csv) +1
#define PART(member, json, csv) +1
#define NUMBER_OF(function, json, csv) +1
#define TEXT_OF(function, json, csv) +1
#include "row.def"
};

/* Sorted by place on the first call. */
const CsvColumn *csv_columns(size_t *count) {
    static CsvColumn columns[COLUMNS_MAX];
    static size_t column_count = 0;
    const bool first = column_count == 0;
    for (size_t i = 0; first && i < row_field_count; i++) {
        const RowField *field = &row_fields[i];
        if (field->column.place > 0 && field->column.place <= COLUMNS_MAX) {
            columns[field->column.place - 1] = field->column;
            columns[field->column.place - 1].field = field;
            column_count++;
        }
    }
    *count = column_count;
    return columns;
}

/* "integral:0.512,features:8.13" */
static void stages_text(const Row *row, double scale, char *value, size_t size) {
    const size_t count = variant_stage_count(row->variant);
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        char number[32];
        number_text(scale * row->stage_seconds[i], number, sizeof number);
        if (number[0] != '\0') {
            used += (size_t)snprintf(value + used, size - used, "%s%s:%s", used > 0 ? "," : "",
                                     row->variant->stages[i].name, number);
        }
    }
}

static const char *const status_words[] = {
    [CELL_OK] = "ok", [CELL_SKIP] = "skip", [CELL_FAIL] = "fail"};

static const char *flag_word(bool flag) {
    return flag ? "yes" : "no";
}

CellStatus csv_status(const char *word) {
    CellStatus status = CELL_OK;
    while (status != CELL_SKIP && strcmp(word, status_words[status]) != 0) {
        status = status == CELL_OK ? CELL_FAIL : CELL_SKIP;
    }
    return status;
}

bool csv_flag(const char *word) {
    return strcmp(word, flag_word(true)) == 0;
}

static const char *word_of(const RowField *field, const Row *row) {
    switch (field->kind) {
    case ROW_STATUS: return status_words[row->status];
    case ROW_FLAG: return flag_word(row_flag_get(field, row));
    case ROW_TEXT: return (const char *)row + field->offset;
    default: return "";
    }
}

const CsvColumn *csv_column_find(const char *name) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}

const CsvColumn *csv_column_at(size_t member) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        const RowField *field = columns[i].field;
        if (field->size > 0 && field->offset == member) {
            return &columns[i];
        }
    }
    return NULL;
}

SeriesColumn csv_column_series(const CsvColumn *column) {
    SeriesColumn of = {.number = SERIES_NONE};
    if (column != NULL) {
        of.number = row_field_of_series(column->field, &of.series);
        of.low = csv_column_at(column->low);
        of.high = csv_column_at(column->high);
    }
    if (of.number != SERIES_NONE) {
        const size_t summary = row_summary_offset(of.series);
        of.median = csv_column_at(summary + offsetof(Summary, median));
        of.low = csv_column_at(summary + offsetof(Summary, ci_low));
        of.high = csv_column_at(summary + offsetof(Summary, ci_high));
        of.deviation = csv_column_at(summary + offsetof(Summary, stddev));
    }
    return of;
}

const Samples *series_column_samples(const SeriesColumn *column, const Row *row) {
    const Samples *samples =
        column->number != SERIES_NONE ? row_series_of(row, column->series) : NULL;
    return samples != NULL && samples->count > 0 ? samples : NULL;
}

double csv_column_number(const CsvColumn *column, const Row *row) {
    const RowField *field = column->field;
    if (column->known != NULL && !column->known(row)) {
        return NAN;
    }
    switch (field->kind) {
    case ROW_NUMBER:
    case ROW_NUMBER_OF: return number_written(row_number_get(field, row) * column->scale);
    case ROW_COUNT: return (double)row_count_get(field, row);
    default: return NAN;
    }
}

/* Whose name is these letters; STAGES_MAX: there is none. */
static size_t stage_of(const Variant *variant, const char *name, size_t length) {
    const size_t count = variant_stage_count(variant);
    for (size_t i = 0; i < count; i++) {
        const char *stage = variant->stages[i].name;
        if (strlen(stage) == length && memcmp(stage, name, length) == 0) {
            return i;
        }
    }
    return STAGES_MAX;
}

double csv_column_part(const CsvColumn *column, const Row *row, const char *part) {
    const RowField *field = column->field;
    if (field->kind == ROW_POINT) {
        return whole_number(point_text((const Point *)((const char *)row + field->offset), part));
    }
    const size_t stage =
        field->kind == ROW_STAGES ? stage_of(row->variant, part, strlen(part)) : STAGES_MAX;
    return stage < STAGES_MAX ? number_written(column->scale * row->stage_seconds[stage])
                              : (double)NAN;
}

void csv_column_value(const CsvColumn *column, const Row *row, char *value, size_t size) {
    const RowField *field = column->field;
    value[0] = '\0';
    if (column->known != NULL && !column->known(row)) {
        return;
    }
    switch (field->kind) {
    case ROW_NUMBER:
    case ROW_NUMBER_OF: number_text(row_number_get(field, row) * column->scale, value, size); break;
    case ROW_COUNT: snprintf(value, size, "%" PRIu64, row_count_get(field, row)); break;
    case ROW_POINT:
        point_format((const Point *)((const char *)row + field->offset), value, size);
        break;
    case ROW_STAGES: stages_text(row, column->scale, value, size); break;
    case ROW_TEXT_OF: field->text(row, value, size); break;
    default: snprintf(value, size, "%s", word_of(field, row));
    }
}

/* A window has the unit behind the name, and the meaning on several lines where it is narrow. */
static void print_column(FILE *stream, const char *name, const char *unit, const char *meaning) {
    enum { MEANING_AT = 50 };
    char term[80];
    if (!stream_is_terminal(stream)) {
        fprintf(stream, "%-39s %-9s %s\n", name, unit, meaning);
        return;
    }
    const bool known = unit[0] != '\0';
    snprintf(term, sizeof term, "%s%s%s%s", name, known ? " (" : "", unit, known ? ")" : "");
    text_entry(stream, 0, term, MEANING_AT, meaning);
}

void csv_columns_print(FILE *stream) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    print_column(stream, "column", "unit", "meaning");
    for (size_t i = 0; i < count; i++) {
        print_column(stream, columns[i].name, columns[i].unit, columns[i].meaning);
    }
}

/* === The file ================================================================================= */

void run_facts(const RunRecord *record, const Results *results,
               void (*take)(void *context, const char *key, const char *text), void *context) {
    char text[COMMAND_LINE_SIZE], key[CEILING_KEY_SIZE + 40];
    take(context, "started", record->started);
    if (record->options != NULL) {
        command_line_text(&record->options->arguments, text, sizeof text);
        take(context, "arguments", text);
        take(context, "interleaved", flag_word(record->options->interleave));
    }
    take(context, "complete", flag_word(record->complete));
    if (record->options != NULL && record->options->share.count > 0) {
        share_text(&record->options->share, text);
        take(context, "shard", text);
    }
    for (size_t i = 0; record->machine != NULL && i < record->machine->count; i++) {
        const Fact *fact = &record->machine->facts[i];
        number_text(fact->number, text, sizeof text);
        take(context, fact->key, fact->kind == FACT_NUMBER ? text : fact->text);
    }
    for (size_t i = 0; i < record->warnings.count; i++) {
        take(context, "warning", record->warnings.text[i]);
    }
    if (record->input_note[0] != '\0') {
        take(context, "input_note", record->input_note);
    }
    for (size_t i = 0; i < results->ceilings.count; i++) {
        static const char start[] = "ceiling ";
        memcpy(key, start, sizeof start);
        ceiling_name(&results->ceilings.list[i], key + strlen(start), sizeof key - strlen(start));
        ceiling_text(&results->ceilings.list[i], text, sizeof text);
        take(context, key, text);
    }
}

static void write_fact(void *stream, const char *key, const char *text) {
    csv_write_comment(stream, key, text);
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
    run_facts(record, results, write_fact, file.stream);
    write_header(file.stream);
    for (size_t i = 0; i < results->count; i++) {
        write_row(file.stream, &results->rows[i]);
    }
    return atomic_file_commit(&file);
}

/* === Rows read back =========================================================================== */

/* Columns that identify the cell of a row. */
static const char *const required[] = {"algorithm", "variant", "input",
                                       "answer",    "tuning",  "status"};

/* The place of each column of csv_columns in a file; SIZE_MAX: the file has no such column. */
typedef size_t Places[COLUMNS_MAX];

static Status read_header(const char *path, const CsvRecord *header, Places places) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (csv_field_index(header, required[i]) == SIZE_MAX) {
            return status_make(STATUS_FILE, "%s has no column \"%s\"", path, required[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = csv_field_index(header, columns[i].name);
    }
    return status_ok();
}

static const char *field_of(const CsvFrame *frame, const CsvRecord *record, const char *column) {
    return csv_field(record, csv_field_index(&frame->header, column));
}

/* "integral:0.512,features:8.13", by name. NULL, or why one cannot be such a time. */
static const char *read_stages(const CsvColumn *column, const char *text, Row *row) {
    const char *wrong = NULL;
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        const size_t name = strcspn(text, ":,");
        const size_t stage = name < length ? stage_of(row->variant, text, name) : STAGES_MAX;
        if (stage < STAGES_MAX) {
            const double seconds = strtod(text + name + 1, NULL) / column->scale;
            row->stage_seconds[stage] = seconds;
            wrong = wrong == NULL ? row_number_wrong(column->field, seconds) : wrong;
        }
        text += length;
        text += *text == ',';
    }
    return wrong;
}

/* Why the column cannot hold this number; NULL: it can. */
static const char *read_number(const CsvColumn *column, const char *text, Row *row) {
    const double number = whole_number(text) / column->scale;
    row_number_set(column->field, number, row);
    return text[0] != '\0' && isnan(number) ? "it is no number"
                                            : row_number_wrong(column->field, number);
}

/* NULL, or why the value is not one of the column. */
static const char *read_value(const CsvColumn *column, const char *text, Row *row) {
    const RowField *field = column->field;
    void *member = (char *)row + field->offset;
    switch (field->kind) {
    case ROW_NUMBER: return read_number(column, text, row);
    case ROW_COUNT: row_count_set(field, floor(whole_number(text)), row); break;
    case ROW_FLAG: *(bool *)member = csv_flag(text); break;
    case ROW_TEXT: utf8_copy(member, field->size, text); break;
    case ROW_STAGES: return read_stages(column, text, row);
    default: break; /* identifies the cell and was read before, or is calculated */
    }
    return NULL;
}

/* "tile:8,threads:4". False when it names an axis or a value that does not exist here,
 * or an axis twice. */
static bool read_point(const char *text, const Axis *const *axes, Point *point) {
    char part[CSV_VALUE_SIZE];
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        char *value = strchr(part, ':');
        if (value == NULL) {
            return false;
        }
        *value++ = '\0';
        if (!point_add(point, NULL, axes, part, whole_number(value), value)) {
            return false;
        }
        text += length;
        text += *text == ',';
    }
    return true;
}

/* "omp" of "omp/threads:16". */
static void first_part(const char *label, char *part, size_t size) {
    snprintf(part, size, "%.*s", (int)strcspn(label, "/"), label);
}

/* What labels are made of: "copy/omp/threads:16" was measured beside the cells,
 * "copy_dram/threads:16" is a ceiling, "copy_dram/gpus:2" one of two devices at once. */
static void read_labels(Row *row) {
    char best[RESULT_LABEL_SIZE];
    RoofParts *parts = &row->roof_parts;
    const char *rest = row->roof + strcspn(row->roof, "/");
    const char *gpus = text_after(rest, "/gpus:");
    first_part(row->roof, parts->name, sizeof parts->name);
    parts->copy = rest[0] != '\0' && registry_find_algorithm(parts->name) != NULL;
    if (parts->copy) {
        first_part(rest + 1, parts->name, sizeof parts->name);
    } else if (gpus != NULL) {
        parts->devices = (int)strtol(gpus, NULL, 10);
    }
    first_part(row->best_cpu, best, sizeof best);
    row->best_cpu_variant = registry_find_variant(row->algorithm, best);
}

/* False when the cell is of an algorithm, variant or axis that does not exist here. */
static bool identify(const CsvFrame *frame, const CsvRecord *record, Row *row) {
    *row = row_empty();
    return row_identify(row, NULL, field_of(frame, record, "algorithm"),
                        field_of(frame, record, "variant"), NULL) &&
           read_point(field_of(frame, record, "answer"), row->algorithm->answer, &row->answer) &&
           read_point(field_of(frame, record, "tuning"), row->variant->tuning, &row->tuning);
}

static Status read_row(const char *path, const CsvFrame *frame, const Places places,
                       const CsvRecord *record, Row *row) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        const char *text = csv_field(record, places[i]);
        const char *wrong = places[i] != SIZE_MAX ? read_value(&columns[i], text, row) : NULL;
        if (wrong != NULL) {
            return status_make(STATUS_FILE, "%.150s:%d: \"%s\" is '%.40s': %s", path, record->line,
                               columns[i].name, text, wrong);
        }
    }
    read_labels(row);
    row->status = csv_status(field_of(frame, record, "status"));
    row->best_tuning = strcmp(field_of(frame, record, "best_tuning"), "1") == 0;
    return status_ok();
}

static Status read_rows(const char *path, const CsvFrame *frame, Results *results,
                        size_t *ignored) {
    Places places;
    STATUS_TRY(read_header(path, &frame->header, places));
    for (size_t i = 0; i < frame->count; i++) {
        Row row;
        if (!identify(frame, &frame->records[i], &row)) {
            (*ignored)++;
            continue;
        }
        STATUS_TRY(read_row(path, frame, places, &frame->records[i], &row));
        STATUS_TRY(results_add(results, &row));
    }
    return status_ok();
}

Status results_csv_read(const char *path, Results *results, size_t *ignored) {
    CsvFrame frame;
    *results = (Results){.rows = NULL};
    *ignored = 0;
    STATUS_TRY(csv_frame_read(path, &frame));
    const Status status = read_rows(path, &frame, results, ignored);
    results_measured(results, csv_frame_fact(&frame, fact_gpu_model),
                     csv_frame_fact(&frame, fact_cpu_model),
                     (int)strtol(csv_frame_fact(&frame, fact_cpu_count), NULL, 10),
                     csv_frame_fact(&frame, "started"));
    csv_frame_release(&frame);
    if (!status_is_ok(&status)) {
        results_release(results);
    }
    return status;
}
