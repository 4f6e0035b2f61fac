#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study_absent.h"
#include "study_places.h"
#include "study_result_cells.h"
#include "visible.h"

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
    static const struct {
        const char *name;
        double milliseconds;
    } units[] = {{"us", 1e-3}, {"ms", 1}, {"s", 1e3}, {"min", 6e4}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            return units[i].milliseconds;
        }
    }
    return NAN;
}

/* Adds the conditions whose key is not in the list yet; there is room. */
static void add_missing(ConditionList *list, const ConditionList *more) {
    const size_t before = list->count;
    for (size_t i = 0; i < more->count; i++) {
        bool known = false;
        for (size_t j = 0; j < before; j++) {
            known = known || strcmp(list->items[j].key, more->items[i].key) == 0;
        }
        if (!known) {
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
static double text_number(const char *text, const char *part) {
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

static double field_number(const StepRecords *records, const CsvRecord *record, const char *name) {
    return text_number(csv_field(record, csv_field_index(&records->header, name)), NULL);
}

/* Parts of one list are those of one run, the fastest, as long as the file says which that is. */
static double record_rank(const StepRecords *records, const CsvRecord *record,
                          const StudyColumn *column, double number) {
    const double whole =
        column->part != NULL ? field_number(records, record, "kernel_ms_median") : NAN;
    return isfinite(whole) ? whole : number;
}

static void look_at(const StepRecords *records, const CsvRecord *record, const StudyColumn *column,
                    Found *found) {
    const size_t state = csv_field_index(&records->header, "status");
    if (state != SIZE_MAX && strcmp(csv_field(record, state), "ok") != 0) {
        if (found->why == NULL) {
            found->why = csv_field(record, csv_field_index(&records->header, "why"));
        }
        return;
    }
    const char *text = csv_field(record, csv_field_index(&records->header, column->csv));
    const double number = text_number(text, column->part);
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
static void find_interval(const StepRecords *records, const StudyColumn *column, const Found *found,
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

static void take_number(const StepRecords *records, const StudyColumn *column, const Found *found,
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
static void not_found(const StepRecords *records, const char *step, const StepOutcome *outcome,
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

static void take_found(const StepRecords *records, const StudyColumn *column, const Found *found,
                       StudyValue *value) {
    if (found->count == 0) {
        no_number(found, value);
    } else if (found->count > 1 && !is_time(column)) {
        snprintf(value->why, sizeof value->why, "%zu records match", found->count);
    } else {
        take_number(records, column, found, value);
    }
}

bool cell_measure(const StudyResult *result, const StudyTable *table, const StudyRow *row,
                  const StudyColumn *column, StudyValue *value) {
    const StepRecords *records = study_column_records(result, table, column);
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
            look_at(records, &records->records[i], column, &found);
        }
    }
    if (found.count > 0 || found.text != NULL || found.why != NULL) {
        take_found(records, column, &found, value);
    } else {
        not_found(records, column->step != NULL ? column->step : table->step, outcome, &conditions,
                  study_column_is_quick(result, table, column), value);
    }
    free(conditions.items);
    return true;
}
