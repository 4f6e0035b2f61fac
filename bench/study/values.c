/* Values of a study's tables, from the records of its steps. */

#include "study_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base.h"
#include "files.h"
#include "results.h"
#include "status.h"

/* === Step records ============================================================================= */

const char *step_record_value(const CsvFrame *records, const CsvRecord *record, const char *key,
                              size_t *length) {
    static const char *const lists[] = {"answer", "tuning"};
    const size_t index = csv_field_index(&records->header, key);
    if (index != SIZE_MAX) {
        const char *value = csv_field(record, index);
        *length = strlen(value);
        return value;
    }
    const char *value = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && value == NULL; i++) {
        const char *pairs = csv_field(record, csv_field_index(&records->header, lists[i]));
        value = step_pair(pairs, key, length);
    }
    return value;
}

static bool condition_holds(const CsvFrame *records, const CsvRecord *record,
                            const Condition *condition) {
    size_t length;
    const char *value = step_record_value(records, record, condition->key, &length);
    if (value == NULL || length != strlen(condition->value)) {
        return false;
    }
    return strcmp(condition->key, "size") == 0 ? strncasecmp(value, condition->value, length) == 0
                                               : strncmp(value, condition->value, length) == 0;
}

bool step_record_matches(const CsvFrame *records, const CsvRecord *record,
                         const ConditionList *conditions) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (!condition_holds(records, record, &conditions->items[i])) {
            return false;
        }
    }
    return true;
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

/* === Step algorithms ========================================================================== */

/* Which records of a step's CSV are of what the step asked for: a run also writes rows of the
 * algorithm `copy`, the roof of the others, with variants of the same names. */

static bool list_has(const char *list, const char *name) {
    const size_t length = strlen(name);
    while (*list != '\0') {
        const size_t item = strcspn(list, ",");
        if (item == length && strncmp(list, name, length) == 0) {
            return true;
        }
        list += item + (list[item] == ',' ? 1 : 0);
    }
    return false;
}

/* What is known of a name when all options were looked at. */
typedef struct Search {
    const char *name;
    bool options; /* there are any --algo */
    bool found;
} Search;

static void search(const StepArgumentList *arguments, Search *search) {
    for (size_t i = 0; i < arguments->count; i++) {
        const StepArgument *argument = &arguments->items[i];
        if (argument->option != NULL && strcmp(argument->option, "--algo") == 0 &&
            argument->value != NULL) {
            search->options = true;
            search->found = search->found || list_has(argument->value, search->name) ||
                            list_has(argument->value, "all");
        }
    }
}

static bool is_asked_for(const StudyStep *step, const char *algorithm) {
    Search state = {.name = algorithm};
    search(&step->arguments, &state);
    search(&step->quick, &state);
    search(&step->otherwise, &state);
    return state.found || !state.options;
}

/* Drops the records whose column `algorithm` names one that no `--algo` of the step names: a list
 * with commas, "all" being all. Keeps all where there is no such column or option. */
static void step_algorithms_keep(const StudyStep *step, CsvFrame *records) {
    const size_t column = csv_field_index(&records->header, "algorithm");
    size_t kept = 0;
    for (size_t i = 0; i < records->count; i++) {
        if (column == SIZE_MAX || is_asked_for(step, csv_field(&records->records[i], column))) {
            records->records[kept++] = records->records[i];
        }
    }
    records->count = kept;
}

/* === Study absent ============================================================================= */

/* Why no record of a step's CSV answers a cell's conditions. */

static bool is_somewhere(const CsvFrame *records, Condition *condition) {
    const ConditionList alone = {.items = condition, .count = 1};
    for (size_t i = 0; i < records->count; i++) {
        if (step_record_matches(records, &records->records[i], &alone)) {
            return true;
        }
    }
    return false;
}

/* "no record has threads=32", or "no record has all of variant=omp, size=4K" where each of them
 * alone is there. */
static void study_absent_words(const CsvFrame *records, const ConditionList *conditions, char *why,
                               size_t size) {
    char words[1024];
    if (records->count == 0) {
        snprintf(why, size, "the step left no records");
        return;
    }
    snprintf(words, sizeof words, "no record has all of");
    for (size_t i = 0; i < conditions->count; i++) {
        Condition *condition = &conditions->items[i];
        if (!is_somewhere(records, condition)) {
            snprintf(words, sizeof words, "no record has %s=%s", condition->key, condition->value);
            break;
        }
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s=%s", i > 0 ? ", " : " ",
                 condition->key, condition->value);
    }
    text_visible(words, why, size);
}

/* === Study values ============================================================================= */

/* The number that a text begins with, if it ends there or at a ':' ("24:3" is 24). */
static double leading_number(const char *text) {
    char *end;
    const double number = strtod(text, &end);
    return end != text && (*end == '\0' || *end == ':') && isfinite(number) ? number : NAN;
}

static double size_number(const char *text) {
    const SizeSpec *named = named_size_find(text);
    if (named != NULL) {
        return named->width > 0 ? (double)named->width * named->height : NAN;
    }
    uint64_t width;
    uint64_t height;
    if (size_sides_read(text, &width, &height)) {
        return (double)width * (double)height;
    }
    return leading_number(text);
}

const char *condition_value(const ConditionList *conditions, const char *key) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (strcmp(conditions->items[i].key, key) == 0) {
            return conditions->items[i].value;
        }
    }
    return NULL;
}

double conditions_x(const ConditionList *conditions, const char *key) {
    const char *value = condition_value(conditions, key);
    if (value == NULL) {
        return NAN;
    }
    return strcmp(key, "size") == 0 ? size_number(value) : leading_number(value);
}

double study_row_x(const StudyRow *row, const char *key) {
    return conditions_x(&row->conditions, key);
}

const StudyValue *study_value(const TableResult *result, size_t row, size_t column) {
    return &result->values[row * result->table->column_count + column];
}

/* === Study places ============================================================================= */

const TableResult *study_table_result(const StudyResult *result, const char *name) {
    for (size_t i = 0; i < result->study->table_count; i++) {
        if (strcmp(result->tables[i].table->name, name) == 0) {
            return &result->tables[i];
        }
    }
    return NULL;
}

static size_t step_index(const StudyResult *result, const StudyTable *table,
                         const StudyColumn *column) {
    const char *name = column->step != NULL ? column->step : table->step;
    const StudyStep *step = name != NULL ? study_step(result->study, name) : NULL;
    return step != NULL ? (size_t)(step - result->study->steps) : SIZE_MAX;
}

const CsvFrame *study_column_records(const StudyResult *result, const StudyTable *table,
                                     const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX ? &result->records[index] : NULL;
}

const StepOutcome *study_column_outcome(const StudyResult *result, const StudyTable *table,
                                        const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX ? &result->outcomes[index] : NULL;
}

bool study_column_is_quick(const StudyResult *result, const StudyTable *table,
                           const StudyColumn *column) {
    const size_t index = step_index(result, table, column);
    return index != SIZE_MAX && result->settings->quick &&
           result->study->steps[index].quick.count > 0;
}

const PublishedNumber *study_published_number(const StudyResult *result, const TableResult *table,
                                              size_t row, size_t column) {
    if (result->published == NULL) {
        return NULL;
    }
    return published_find(result->published, table->table, table->table->rows[row].label,
                          table->table->columns[column].title);
}

const char *study_record_text(const CsvFrame *records, const CsvRecord *record,
                              const char *column) {
    if (records == NULL || record == NULL) {
        return "";
    }
    return csv_field(record, csv_field_index(&records->header, column));
}

bool study_has_published(const TableResult *result, size_t column) {
    for (size_t row = 0; row < result->table->row_count; row++) {
        for (size_t i = 0; i < result->table->column_count; i++) {
            if ((column == SIZE_MAX || column == i) &&
                isfinite(study_value(result, row, i)->published)) {
                return true;
            }
        }
    }
    return false;
}

/* === Study result csv ========================================================================= */

/* Half the 95% interval of a mean, in standard errors. */
#define MEAN_INTERVAL 1.96

/* What was found among the records for one number. */
typedef struct Found {
    const CsvRecord *record; /* the best of those that have a number */
    double number;           /* its number, as in the file */
    double rank;             /* what it is best by: least wins */
    size_t count;            /* records with a number */
    const char *why;         /* of a record that was skipped or failed; NULL: there is none */
    const char *text;        /* of a record whose text is no number; NULL: there is none */
} Found;

static bool is_time(const StudyColumn *column) {
    return strstr(column->csv, "_ms") != NULL;
}

double unit_milliseconds(const char *unit) {
    const TimeUnit *time = time_unit_find(unit, TIME_US, TIME_MIN);
    return time != NULL ? 1e3 * time->seconds : NAN;
}

bool unit_is_time(const char *unit) {
    return isfinite(unit_milliseconds(unit));
}

bool unit_is_ratio(const char *unit) {
    return strcmp(unit, "x") == 0;
}

/* Adds the conditions whose key is not in the list yet; there is room. */
static void add_missing(ConditionList *list, const ConditionList *more) {
    const ConditionList before = *list;
    for (size_t i = 0; i < more->count; i++) {
        if (condition_value(&before, more->items[i].key) == NULL) {
            list->items[list->count++] = more->items[i];
        }
    }
}

bool cell_conditions(const StudyTable *table, const StudyRow *row, const StudyColumn *column,
                     ConditionList *conditions) {
    const size_t count = table->conditions.count + row->conditions.count + column->conditions.count;
    *conditions =
        (ConditionList){.items = calloc(count + 1, sizeof *conditions->items), .capacity = count};
    if (conditions->items == NULL) {
        return false;
    }
    add_missing(conditions, &column->conditions);
    add_missing(conditions, &row->conditions);
    add_missing(conditions, &table->conditions);
    return true;
}

/* A whole text that is a number, or one of "part:number,…". */
static double value_of_text(const char *text, const char *part) {
    size_t length = strlen(text);
    if (part != NULL) {
        text = step_pair(text, part, &length);
    }
    if (text == NULL || length == 0) {
        return NAN;
    }
    char *end;
    const double number = strtod(text, &end);
    return end == text + length ? number : NAN;
}

static double field_number(const CsvFrame *records, const CsvRecord *record, const char *name) {
    return value_of_text(csv_field(record, csv_field_index(&records->header, name)), NULL);
}

/* Parts of one list are those of one run, the fastest, as long as the file has its whole time. */
static double record_rank(const CsvFrame *records, const CsvRecord *record,
                          const StudyColumn *column, double number) {
    const double whole =
        column->part != NULL ? field_number(records, record, "kernel_ms_median") : NAN;
    return isfinite(whole) ? whole : number;
}

static void consider(const CsvFrame *records, const CsvRecord *record, const StudyColumn *column,
                     Found *found) {
    const size_t state = csv_field_index(&records->header, "status");
    if (state != SIZE_MAX && strcmp(csv_field(record, state), "ok") != 0) {
        if (found->why == NULL) {
            found->why = csv_field(record, csv_field_index(&records->header, "why"));
        }
        return;
    }
    const char *text = csv_field(record, csv_field_index(&records->header, column->csv));
    const double number = value_of_text(text, column->part);
    if (!isfinite(number)) {
        found->text = text;
        return;
    }
    const double rank = record_rank(records, record, column, number);
    if (found->count++ == 0 || rank < found->rank) {
        found->record = record;
        found->number = number;
        found->rank = rank;
    }
}

/* The interval in the file's unit: of a median that of its column, "kernel_ms_median" having
 * "kernel_ms_ci_low"; of a mean by its standard error. */
static void find_interval(const CsvFrame *records, const StudyColumn *column, const Found *found,
                          double *low, double *high) {
    if (column->part != NULL) {
        return;
    }
    if (strcmp(column->csv, "kernel_ms_mean") == 0) {
        const double half = MEAN_INTERVAL *
                            field_number(records, found->record, "kernel_ms_stddev") /
                            sqrt(field_number(records, found->record, "samples"));
        *low = half > found->number ? 0 : found->number - half; /* no time is below 0 */
        *high = found->number + half;
        return;
    }
    const size_t length = strlen(column->csv);
    const char *ending = length > 7 ? column->csv + length - 7 : "";
    const int kept = (int)(strcmp(ending, "_median") == 0 ? length - 7 : length);
    char name[128];
    snprintf(name, sizeof name, "%.*s_ci_low", kept, column->csv);
    *low = field_number(records, found->record, name);
    snprintf(name, sizeof name, "%.*s_ci_high", kept, column->csv);
    *high = field_number(records, found->record, name);
}

static void set_number(const CsvFrame *records, const StudyColumn *column, const Found *found,
                       StudyValue *value) {
    const double unit = is_time(column) ? unit_milliseconds(column->unit) : NAN;
    const double scale = isfinite(unit) ? 1 / unit : 1;
    double low = NAN;
    double high = NAN;
    find_interval(records, column, found, &low, &high);
    value->measured = found->number * scale;
    if (isfinite(low) && isfinite(high)) {
        value->low = low * scale;
        value->high = high * scale;
    }
    value->record = found->record;
}

/* No record matches. */
static void not_found(const CsvFrame *records, const char *step, const StepOutcome *outcome,
                      const ConditionList *conditions, bool quick, StudyValue *value) {
    if (outcome->state == STEP_NOT_RUN) {
        snprintf(value->why, sizeof value->why, "the step '%.100s' was not run", step);
    } else if (outcome->state != STEP_DONE) {
        text_visible(outcome->why[0] != '\0' ? outcome->why : "the step did not end well",
                     value->why, sizeof value->why);
    } else if (quick) {
        snprintf(value->why, sizeof value->why, "not run with --quick");
    } else {
        study_absent_words(records, conditions, value->why, sizeof value->why);
    }
}

/* Records match, but have no number. */
static void no_number(const Found *found, StudyValue *value) {
    if (found->text != NULL && found->text[0] != '\0') {
        snprintf(value->why, sizeof value->why, "'%.60s' is no number", found->text);
    } else if (found->text != NULL) {
        snprintf(value->why, sizeof value->why, "the record has no number there");
    } else {
        text_visible(found->why[0] != '\0' ? found->why : "skipped", value->why, sizeof value->why);
    }
}

static void set_found(const CsvFrame *records, const StudyColumn *column, const Found *found,
                      StudyValue *value) {
    if (found->count == 0) {
        no_number(found, value);
    } else if (found->count > 1 && !is_time(column)) {
        snprintf(value->why, sizeof value->why, "%zu records match", found->count);
    } else {
        set_number(records, column, found, value);
    }
}

/* The numbers of a COLUMN_CSV: measured, its interval, its record, or why there is none. False
 * without memory. */
static bool cell_measure(const StudyResult *result, const StudyTable *table, const StudyRow *row,
                         const StudyColumn *column, StudyValue *value) {
    const CsvFrame *records = study_column_records(result, table, column);
    const StepOutcome *outcome = study_column_outcome(result, table, column);
    if (records == NULL || outcome == NULL) {
        snprintf(value->why, sizeof value->why, "the study has no such step");
        return true;
    }
    if (records->header.count > 0 && csv_field_index(&records->header, column->csv) == SIZE_MAX) {
        snprintf(value->why, sizeof value->why, "the step's CSV has no column '%.60s'",
                 column->csv);
        return true;
    }
    ConditionList conditions;
    if (!cell_conditions(table, row, column, &conditions)) {
        return false;
    }
    Found found = {.number = NAN, .rank = NAN};
    for (size_t i = 0; i < records->count; i++) {
        if (step_record_matches(records, &records->records[i], &conditions)) {
            consider(records, &records->records[i], column, &found);
        }
    }
    if (found.count > 0 || found.text != NULL || found.why != NULL) {
        set_found(records, column, &found, value);
    } else {
        not_found(records, column->step != NULL ? column->step : table->step, outcome, &conditions,
                  study_column_is_quick(result, table, column), value);
    }
    free(conditions.items);
    return true;
}

/* === Study result ratio ======================================================================= */

bool ratio_source(const StudyTable *table, size_t row, size_t column, RatioSource *source) {
    const StudyColumn *ratio = &table->columns[column];
    const bool base = ratio->source == COLUMN_BASE;
    const size_t over = study_column_index(table, ratio->over);
    const size_t under = base ? over : study_column_index(table, ratio->under);
    const size_t over_row = base ? study_row_index(table, ratio->base) : row;
    if (over == SIZE_MAX || under == SIZE_MAX || over_row == SIZE_MAX) {
        return false;
    }
    const double scale = unit_milliseconds(table->columns[over].unit) /
                         unit_milliseconds(table->columns[under].unit);
    *source = (RatioSource){.over_row = over_row,
                            .over_column = over,
                            .under_row = row,
                            .under_column = under,
                            .scale = isfinite(scale) ? scale : 1};
    return true;
}

static void divide(const StudyValue *over, const StudyValue *under, double scale,
                   StudyValue *value) {
    if (under->measured == 0) {
        snprintf(value->why, sizeof value->why, "it would be divided by zero");
        return;
    }
    value->measured = scale * over->measured / under->measured;
    /* The widest that both intervals allow; only what is above zero has its order kept. */
    if (over->low >= 0 && under->low > 0) {
        value->low = scale * over->low / under->high;
        value->high = scale * over->high / under->low;
    }
}

/* Those of a COLUMN_RATIO or COLUMN_BASE, of numbers that the table has already. */
static void cell_derive(const TableResult *result, size_t row, size_t column) {
    const StudyTable *table = result->table;
    StudyValue *value = &result->values[row * table->column_count + column];
    RatioSource source;
    if (!ratio_source(table, row, column, &source)) {
        snprintf(value->why, sizeof value->why, "its row or column is not there");
        return;
    }
    const StudyValue *over = study_value(result, source.over_row, source.over_column);
    const StudyValue *under = study_value(result, source.under_row, source.under_column);
    if (!isfinite(over->measured) || !isfinite(under->measured)) {
        const char *why = isfinite(over->measured) ? under->why : over->why;
        snprintf(value->why, sizeof value->why, "%s", why[0] != '\0' ? why : "not measured");
    } else if (over == under) {
        value->measured = 1;
    } else {
        divide(over, under, source.scale, value);
    }
}

/* === Study result ============================================================================= */

static void set_published(const StudyResult *result, const StudyTable *table, size_t row,
                          size_t column, StudyValue *value) {
    const PublishedNumber *number =
        result->published != NULL ? published_find(result->published, table, table->rows[row].label,
                                                   table->columns[column].title)
                                  : NULL;
    if (number != NULL) {
        value->published = number->value;
        value->printed = number->printed;
    }
}

/* Ratios come after what they are made of: first the columns of files, then the others in their
 * order, so that one may be made of an earlier one. */
static bool make_table(const StudyResult *result, const StudyTable *table, TableResult *made) {
    *made = (TableResult){
        .table = table,
        .values = calloc(table->row_count * table->column_count + 1, sizeof *made->values)};
    if (made->values == NULL) {
        return false;
    }
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            StudyValue *value = &made->values[row * table->column_count + column];
            *value = (StudyValue){.measured = NAN, .low = NAN, .high = NAN, .published = NAN};
            set_published(result, table, row, column, value);
            if (table->columns[column].source == COLUMN_CSV &&
                !cell_measure(result, table, &table->rows[row], &table->columns[column], value)) {
                return false;
            }
        }
    }
    for (size_t column = 0; column < table->column_count; column++) {
        for (size_t row = 0; row < table->row_count; row++) {
            if (table->columns[column].source != COLUMN_CSV) {
                cell_derive(made, row, column);
            }
        }
    }
    return true;
}

/* A step whose file cannot be read has the reason in its outcome, unless it has one already. */
static void read_steps(StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        StepOutcome *outcome = &result->outcomes[i];
        if (outcome->csv[0] == '\0') {
            continue;
        }
        const Status status = csv_frame_read(outcome->csv, &result->records[i]);
        if (status_is_ok(&status)) {
            step_algorithms_keep(&result->study->steps[i], &result->records[i]);
        } else if (outcome->state == STEP_DONE) {
            outcome->state = STEP_FAILED;
            text_visible(status.why, outcome->why, sizeof outcome->why);
        }
    }
}

Status study_result_make(const Study *study, const Published *published,
                         const StudySettings *settings, StepOutcome *outcomes,
                         StudyResult *result) {
    *result = (StudyResult){.study = study,
                            .published = published,
                            .settings = settings,
                            .outcomes = outcomes,
                            .records = calloc(study->step_count + 1, sizeof *result->records),
                            .tables = calloc(study->table_count + 1, sizeof *result->tables)};
    bool made = result->records != NULL && result->tables != NULL;
    if (made) {
        read_steps(result);
    }
    for (size_t i = 0; made && i < study->table_count; i++) {
        made = make_table(result, &study->tables[i], &result->tables[i]);
    }
    if (!made) {
        study_result_release(result);
        return status_fail("not enough memory for the numbers of the study '%.80s'", study->name);
    }
    return status_ok();
}

void study_result_release(StudyResult *result) {
    for (size_t i = 0; result->tables != NULL && i < result->study->table_count; i++) {
        free(result->tables[i].values);
    }
    for (size_t i = 0; result->records != NULL && i < result->study->step_count; i++) {
        csv_frame_release(&result->records[i]);
    }
    free(result->tables);
    free(result->records);
    free(result->outcomes);
    *result = (StudyResult){0};
}
