/* Values of a study's tables, from the records of its steps. */

#include "contenders.h"
#include "paths.h"
#include "stored_run.h"
#include "study_internal.h"
#include "winners.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "files.h"
#include "list.h"
#include "report.h"
#include "run_options.h"
#include "run_table.h"
#include "size_spec.h"
#include "status.h"
#include "text.h"

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

static bool is_peer(const CsvFrame *records, const CsvRecord *record) {
    const size_t library = csv_field_index(&records->header, "library");
    return library != SIZE_MAX && csv_field(record, library)[0] != '\0';
}

/* Other people's code is never among "the best" of this program: it is asked for. */
static bool may_be_peer(const CsvFrame *records, const CsvRecord *record,
                        const ConditionList *conditions) {
    const char *wanted = condition_value(conditions, "peer");
    if (wanted != NULL) {
        return is_peer(records, record) == (strcmp(wanted, "yes") == 0);
    }
    return condition_value(conditions, "variant") != NULL || !is_peer(records, record);
}

bool step_record_matches(const CsvFrame *records, const CsvRecord *record,
                         const ConditionList *conditions) {
    if (!may_be_peer(records, record, conditions)) {
        return false;
    }
    for (size_t i = 0; i < conditions->count; i++) {
        if (strcmp(conditions->items[i].key, "peer") != 0 &&
            !condition_holds(records, record, &conditions->items[i])) {
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

/* Whether an --algo of the step names the algorithm or "all", or the step has no --algo. */
static bool is_asked_for(const StudyStep *step, const char *algorithm) {
    const StepArgumentList *const lists[] = {&step->arguments, &step->quick, &step->otherwise};
    bool options = false;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const StepArgument *argument = &lists[i]->items[j];
            if (argument->option == NULL || strcmp(argument->option, "--algo") != 0 ||
                argument->value == NULL) {
                continue;
            }
            options = true;
            if (list_has(argument->value, algorithm) || list_has(argument->value, "all")) {
                return true;
            }
        }
    }
    return !options;
}

/* Drops the records of algorithms that the step did not ask for: a run of an older version also has
 * rows of `copy`, the roof of the others, whose variants have the same names. */
static void keep_asked_for(const StudyStep *step, CsvFrame *records, const Row **cells) {
    const size_t column = csv_field_index(&records->header, "algorithm");
    size_t kept = 0;
    for (size_t i = 0; i < records->count; i++) {
        if (column == SIZE_MAX || is_asked_for(step, csv_field(&records->records[i], column))) {
            cells[kept] = cells[i];
            records->records[kept++] = records->records[i];
        }
    }
    records->count = kept;
}

/* === Numbers of conditions and units ========================================================== */

/* The number that a text begins with, if it ends there or at a ':' ("24:3" is 24). */
static double point_number(const char *text) {
    const char *rest;
    const double number = leading_number(text, &rest);
    return (*rest == '\0' || *rest == ':') && isfinite(number) ? number : NAN;
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
    return point_number(text);
}

const char *condition_value(const ConditionList *conditions, const char *key) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (strcmp(conditions->items[i].key, key) == 0) {
            return conditions->items[i].value;
        }
    }
    return NULL;
}

double condition_number(const ConditionList *conditions, const char *key) {
    const char *value = condition_value(conditions, key);
    if (value == NULL) {
        return NAN;
    }
    return strcmp(key, "size") == 0 ? size_number(value) : point_number(value);
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

/* === Reading values =========================================================================== */

const TableResult *study_table_result(const StudyResult *result, const char *name) {
    return &result->tables[study_table(result->study, name) - result->study->tables];
}

const StudyValue *study_value(const TableResult *result, size_t row, size_t column) {
    return &result->values[row * result->table->column_count + column];
}

const char *study_value_text(const StudyValue *value, const char *column) {
    return value->record != NULL
               ? csv_field(value->record, csv_field_index(&value->records->header, column))
               : "";
}

bool study_has_published(const TableResult *result, size_t column) {
    for (size_t i = 0; i < result->count; i++) {
        const bool asked = column == SIZE_MAX || column == i % result->table->column_count;
        if (asked && result->values[i].paper != NULL) {
            return true;
        }
    }
    return false;
}

/* === Values of records ======================================================================== */

/* A record that has a number. */
typedef struct Match {
    const CsvRecord *record;
    const Row *cell; /* NULL: it has none */
    double number;   /* as in the file */
    double rank;     /* the least is the best */
} Match;

/* The records that match the conditions of a value. */
typedef struct Found {
    const CsvRecord *record;       /* the best of those that have a number */
    double number;                 /* its number, as in the file */
    double rank;                   /* the least is the best */
    size_t count;                  /* records with a number */
    const char *why;               /* of a record that was skipped or failed; NULL: there is none */
    const char *text;              /* of a record whose text is no number; NULL: there is none */
    size_t skipped, failed, other; /* records by their status */
    Match matches[RIVALS_MAX];     /* of those that have a number; of more the best */
    size_t kept;
    double even_seconds; /* of the best of one launch, by its even turns; NAN: by all */
} Found;

/* The times of a row that a column of the CSV has: its median, or what goes with that. */
static const struct {
    const char *csv;
    size_t series; /* offset of the samples within Row */
    bool median;
} timed[] = {
    {"kernel_ms_median", offsetof(Row, kernel), true},
    {"kernel_ms_mean", offsetof(Row, kernel), false},
    {"kernel_ms_min", offsetof(Row, kernel), false},
    {"end_to_end_ms", offsetof(Row, end_to_end), true},
    {"resident_ms_min", offsetof(Row, end_to_end), false},
    {"with_alloc_ms", offsetof(Row, with_alloc), true},
    {"with_alloc_ms_mean", offsetof(Row, with_alloc), false},
};

/* The samples of a column, of a CPU variant those of its kernel where it copies nothing; NULL: the
 * row has none. */
static const Samples *samples_of(const Row *row, const char *csv, bool *median) {
    for (size_t i = 0; i < sizeof timed / sizeof timed[0]; i++) {
        if (strcmp(timed[i].csv, csv) == 0) {
            const Samples *samples =
                (const Samples *)(const void *)((const char *)row + timed[i].series);
            *median = timed[i].median;
            return samples->count > 0 ? samples : NULL;
        }
    }
    return NULL;
}

static bool is_time(const StudyColumn *column) {
    return strstr(column->csv, "_ms") != NULL;
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

/* The conditions of column, row and table; of several with one key the first. False without
 * memory. */
static bool make_conditions(void **memory, const StudyTable *table, StudyValue *value) {
    const ConditionList *const lists[] = {&value->column->conditions, &value->row->conditions,
                                          &table->conditions};
    const size_t count = lists[0]->count + lists[1]->count + lists[2]->count;
    value->conditions.items = owned_take(memory, (count + 1) * sizeof(Condition));
    for (size_t i = 0; value->conditions.items != NULL && i < 3; i++) {
        add_missing(&value->conditions, lists[i]);
    }
    return value->conditions.items != NULL;
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
    const char *rest;
    const double number = leading_number(text, &rest);
    return rest == text + length ? number : NAN;
}

static double field_number(const CsvFrame *records, const CsvRecord *record, const char *name) {
    return value_of_text(csv_field(record, csv_field_index(&records->header, name)), NULL);
}

/* The column that ranks records. Parts of one list are those of one run, the fastest. */
static const char *rank_column(const StudyColumn *column) {
    return column->by != NULL     ? column->by
           : column->part != NULL ? "kernel_ms_median"
                                  : column->csv;
}

/* Of parts their own number, where the file has no whole time. */
static double record_rank(const CsvFrame *records, const CsvRecord *record,
                          const StudyColumn *column, double number) {
    const bool itself = column->by == NULL && column->part == NULL;
    const double rank = itself ? number : field_number(records, record, rank_column(column));
    return column->by != NULL || isfinite(rank) ? rank : number;
}

/* Of more than there is room for the best stay. */
static void keep_match(const Match *match, Found *found) {
    size_t place = found->kept;
    if (found->kept == RIVALS_MAX) {
        place = 0;
        for (size_t i = 1; i < found->kept; i++) {
            place = found->matches[i].rank > found->matches[place].rank ? i : place;
        }
        if (!(match->rank < found->matches[place].rank)) {
            return;
        }
    }
    found->matches[place] = *match;
    found->kept += place == found->kept;
}

static void consider(const CsvFrame *records, const CsvRecord *record, const Row *cell,
                     const StudyColumn *column, Found *found) {
    const size_t state = csv_field_index(&records->header, "status");
    const char *status = csv_field(record, state);
    size_t *counted = strcmp(status, "skip") == 0   ? &found->skipped
                      : strcmp(status, "fail") == 0 ? &found->failed
                                                    : &found->other;
    *counted += 1;
    if (state != SIZE_MAX && strcmp(status, "ok") != 0) {
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
    const Match match = {record, cell, number, record_rank(records, record, column, number)};
    found->count++;
    keep_match(&match, found);
}

/* The best of the records, as every winner is chosen. */
static void choose_match(const StudyValue *value, Found *found) {
    const StudyColumn *column = value->column;
    Contender all[RIVALS_MAX];
    Times *times = malloc((found->kept + 1) * sizeof *times);
    for (size_t i = 0; i < found->kept; i++) {
        const Row *cell = found->matches[i].cell;
        bool median = false;
        const Samples *samples =
            times != NULL && cell != NULL ? samples_of(cell, rank_column(column), &median) : NULL;
        all[i] = (Contender){.number = {found->matches[i].rank, NAN, NAN}};
        if (samples != NULL && median) {
            times[i] = times_from(samples);
            all[i].times = &times[i];
            all[i].run = value->cells;
        }
    }
    Lead lead;
    contenders_lead(all, found->kept, &lead);
    const Match *best = &found->matches[lead.first != WINNER_NONE ? lead.first : 0];
    found->record = best->record;
    found->rank = best->rank;
    found->number = best->number;
    found->even_seconds = NAN;
    if (lead.even.count > 0 && column->by == NULL && column->part == NULL) {
        found->number = lead.number.value;
        found->even_seconds = lead.times.launches[0];
    }
    lead_release(&lead);
    free(times);
}

/* 1 in files that are older than launches, and in those that are no run's, such as a profile, where
 * the word means another thing. */
static size_t record_launches(const CsvFrame *records, const CsvRecord *record) {
    const bool of_run = csv_field_index(&records->header, "kernel_ms_median") != SIZE_MAX;
    const double launches = of_run ? field_number(records, record, "launches") : NAN;
    return launches > 1 ? (size_t)launches : 1;
}

/* Reads "kernel_ms_ci_low" and "kernel_ms_ci_high" of "kernel_ms", times `scale`. */
static void read_interval(const CsvFrame *records, const CsvRecord *record, const char *stem,
                          double scale, double *low, double *high) {
    char name[128];
    snprintf(name, sizeof name, "%.100s_ci_low", stem);
    *low = scale * field_number(records, record, name);
    snprintf(name, sizeof name, "%.100s_ci_high", stem);
    *high = scale * field_number(records, record, name);
}

/* That of the standard error, from as many samples as are independent. */
static void mean_interval(const CsvFrame *records, const Found *found, double *low, double *high) {
    const double independent = field_number(records, found->record, "n_effective");
    const double samples =
        independent > 0 ? independent : field_number(records, found->record, "samples");
    const Estimate mean = estimate_of_mean(
        found->number, field_number(records, found->record, "kernel_ms_stddev"), samples);
    *low = mean.low;
    *high = mean.high;
}

/* Numbers that have the interval of a median over launches, in proportion. That of the end to end
 * includes the download of resident_ms_min, whose own interval is not known. */
static const struct {
    const char *csv, *median, *stem;
} in_proportion[] = {
    {"kernel_ms_mean", "kernel_ms_median", "kernel_ms"},
    {"kernel_ms_min", "kernel_ms_median", "kernel_ms"},
    {"with_alloc_ms_mean", "with_alloc_ms", "with_alloc_ms"},
    {"resident_ms_min", "end_to_end_ms", "end_to_end_ms"},
};

/* The interval in the file's unit: of a median that of its column, "kernel_ms_median" having
 * "kernel_ms_ci_low". */
static void find_interval(const CsvFrame *records, const StudyColumn *column, const Found *found,
                          double *low, double *high) {
    if (column->part != NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof in_proportion / sizeof in_proportion[0]; i++) {
        if (strcmp(column->csv, in_proportion[i].csv) != 0) {
            continue;
        }
        if (record_launches(records, found->record) > 1) {
            const double scale =
                found->number / field_number(records, found->record, in_proportion[i].median);
            read_interval(records, found->record, in_proportion[i].stem, scale, low, high);
        } else if (strcmp(column->csv, "kernel_ms_mean") == 0) {
            mean_interval(records, found, low, high);
        }
        return;
    }
    const size_t length = strlen(column->csv);
    const bool median = length > 7 && strcmp(column->csv + length - 7, "_median") == 0;
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", (int)(median ? length - 7 : length), column->csv);
    read_interval(records, found->record, stem, 1, low, high);
}

/* The least and the greatest over seeds in the file's unit: of "inliers" the numbers in
 * "inliers_low" and "inliers_high". Returns the number of seeds; 0 without such columns. */
static size_t find_seed_range(const CsvFrame *records, const StudyColumn *column,
                              const Found *found, double *low, double *high) {
    char name[128];
    if (column->part != NULL) {
        return 0;
    }
    snprintf(name, sizeof name, "%.100s_low", column->csv);
    const double least = field_number(records, found->record, name);
    snprintf(name, sizeof name, "%.100s_high", column->csv);
    const double greatest = field_number(records, found->record, name);
    const double seeds = field_number(records, found->record, "seeds");
    if (!isfinite(least) || !isfinite(greatest) || !(seeds > 1)) {
        return 0;
    }
    *low = least;
    *high = greatest;
    return (size_t)seeds;
}

/* The row of a record; NULL: it has none. */
static const Row *cell_of(const StudyValue *value, const CsvRecord *record) {
    return value->cells != NULL ? value->cells[record - value->records->records] : NULL;
}

/* The fastest of several cells has the times of the one that the other launches choose, by the
 * column that ranks them: its luck does not count. */
static void choose_times(const Found *found, StudyValue *value) {
    const StudyColumn *column = value->column;
    const Samples *rank[RIVALS_MAX], *own[RIVALS_MAX];
    bool median = true, ranked = true;
    size_t count = 0;
    for (; count < found->kept && found->matches[count].cell != NULL; count++) {
        const Row *cell = found->matches[count].cell;
        own[count] = samples_of(cell, column->csv, &median);
        rank[count] = column->by != NULL ? samples_of(cell, column->by, &ranked) : own[count];
        if (own[count] == NULL || rank[count] == NULL || !median || !ranked) {
            return;
        }
    }
    Times times;
    if (count < 2 || count != found->count ||
        times_of_fastest(rank, count, own, &times) == WINNER_NONE || times.count < 2) {
        return;
    }
    const Estimate time = estimate_of_times(&times);
    const double scale = 1e3 / unit_milliseconds(column->unit);
    value->times = times;
    value->median = true;
    value->measured = time.value * scale;
    value->low = time.low * scale;
    value->high = time.high * scale;
}

/* The launches that a time rests on, of the best record. */
static void set_times(const Found *found, StudyValue *value) {
    const Row *cell = cell_of(value, found->record);
    const Samples *samples =
        cell != NULL && value->column->part == NULL && unit_is_time(value->column->unit)
            ? samples_of(cell, value->column->csv, &value->median)
            : NULL;
    if (samples != NULL) {
        value->times = times_from(samples);
        if (!isnan(found->even_seconds)) {
            value->times.launches[0] = found->even_seconds;
        }
        choose_times(found, value);
    }
}

static void set_number(const Found *found, StudyValue *value) {
    const double unit = is_time(value->column) ? unit_milliseconds(value->column->unit) : NAN;
    const double scale = isfinite(unit) ? 1 / unit : 1;
    double low = NAN;
    double high = NAN;
    find_interval(value->records, value->column, found, &low, &high);
    value->seeds = find_seed_range(value->records, value->column, found, &low, &high);
    value->measured = found->number * scale;
    const size_t launches = record_launches(value->records, found->record);
    if (isfinite(low) && isfinite(high)) {
        value->low = low * scale;
        value->high = high * scale;
    }
    if (launches > 1 || (isfinite(value->low) && value->seeds == 0)) {
        launch_range_add(&value->launches, launches);
    }
    value->record = found->record;
    set_times(found, value);
}

static bool is_somewhere(const CsvFrame *records, Condition *condition) {
    const ConditionList alone = {.items = condition, .count = 1};
    for (size_t i = 0; i < records->count; i++) {
        if (step_record_matches(records, &records->records[i], &alone)) {
            return true;
        }
    }
    return false;
}

/* "no record has threads=32", or "no record has all of variant=omp, size=4K" if each condition
 * alone holds for some record. */
static void absent_words(const CsvFrame *records, const ConditionList *conditions, char *why,
                         size_t size) {
    char words[1024] = "no record has all of";
    for (size_t i = 0; i < conditions->count; i++) {
        Condition *condition = &conditions->items[i];
        if (!is_somewhere(records, condition)) {
            snprintf(words, sizeof words, "no record has %s=%s", condition->key, condition->value);
            break;
        }
        text_append(words, sizeof words, "%s%s=%s", i > 0 ? ", " : " ", condition->key,
                    condition->value);
    }
    text_visible(records->count > 0 ? words : "the step left no records", why, size);
}

/* Why no record matches. */
static void explain_absence(const StudyStep *step, const StepOutcome *outcome, bool quick,
                            StudyValue *value) {
    const size_t size = sizeof value->why;
    if (outcome->state == STEP_NOT_RUN) {
        snprintf(value->why, size, "the step '%.100s' was not run", step->name);
    } else if (outcome->state != STEP_DONE) {
        text_visible(outcome->why[0] != '\0' ? outcome->why : "the step did not end well",
                     value->why, size);
    } else if (quick) {
        snprintf(value->why, size, "not run with --quick");
    } else {
        absent_words(value->records, &value->conditions, value->why, size);
    }
}

/* Why the records that match give no number. */
static void explain_records(const Found *found, StudyValue *value) {
    const size_t size = sizeof value->why;
    if (found->count > 0) {
        snprintf(value->why, size, "%zu records match", found->count);
    } else if (found->text != NULL && found->text[0] != '\0') {
        snprintf(value->why, size, "'%.60s' is no number", found->text);
    } else if (found->text != NULL) {
        snprintf(value->why, size, "the record has no number there");
    } else {
        text_visible(found->why[0] != '\0' ? found->why : "skipped", value->why, size);
    }
}

static void set_missing(const Found *found, const StepOutcome *outcome, bool quick,
                        StudyValue *value) {
    static const char *const states[] = {[STEP_LEFT_OUT] = "left out",
                                         [STEP_FAILED] = "step failed",
                                         [STEP_NOT_RUN] = "not reached"};
    const bool reached = found->skipped + found->failed + found->other > 0;
    /* What a machine does not tell, as its joules, is no failure. */
    const bool untold = found->count == 0 && found->text != NULL && found->text[0] == '\0';
    value->skipped = found->skipped > 0 && found->other == 0;
    value->wrong = found->failed > 0 || (found->other > 0 && !untold) ||
                   (!reached && outcome->state == STEP_FAILED);
    value->missing = found->other > 0                          ? "no number"
                     : found->failed > 0                       ? "failed"
                     : !reached && outcome->state != STEP_DONE ? states[outcome->state]
                     : !reached && quick                       ? "not with --quick"
                                                               : "not run here";
}

/* Records without a number, or several numbers that are neither times nor ranked, are none. */
static bool is_one_number(const Found *found, const StudyColumn *column) {
    return found->count == 1 ||
           (found->count > 1 && (column->by != NULL ? isfinite(found->rank) : is_time(column)));
}

static bool same_value(const CsvFrame *records, const CsvRecord *left, const CsvRecord *right,
                       const char *key) {
    size_t length[2];
    const char *one = step_record_value(records, left, key, &length[0]);
    const char *other = step_record_value(records, right, key, &length[1]);
    return one == NULL || other == NULL
               ? one == other
               : length[0] == length[1] && strncmp(one, other, length[0]) == 0;
}

/* The best of the records that match; `like`: of those with its value of the key. */
static Found find_best(const StudyValue *value, const CsvRecord *like, const char *key) {
    const CsvFrame *records = value->records;
    Found found = {.number = NAN, .rank = NAN, .even_seconds = NAN};
    for (size_t i = 0; i < records->count; i++) {
        const CsvRecord *record = &records->records[i];
        if (step_record_matches(records, record, &value->conditions) &&
            (like == NULL || same_value(records, record, like, key))) {
            consider(records, record, cell_of(value, record), value->column, &found);
        }
    }
    if (found.count > 0) {
        choose_match(value, &found);
    }
    return found;
}

/* Whether an earlier record that matches has the same value of the key. */
static bool is_repeated(const StudyValue *value, size_t index, const char *key) {
    const CsvFrame *records = value->records;
    for (size_t i = 0; i < index; i++) {
        if (step_record_matches(records, &records->records[i], &value->conditions) &&
            same_value(records, &records->records[i], &records->records[index], key)) {
            return true;
        }
    }
    return false;
}

/* The mean over the values of a key, of each the best record; its interval is the mean of theirs.
 * Where one has no number there is no mean: that of the others would be of other work. Returns what
 * was found of the last. */
static Found find_mean(const char *key, StudyValue *value) {
    const CsvFrame *records = value->records;
    StudyValue sum = {.averaged = 0};
    Estimate total = {0, 0, 0};
    Found found = {.number = NAN, .rank = NAN, .even_seconds = NAN};
    for (size_t i = 0; i < records->count; i++) {
        const CsvRecord *record = &records->records[i];
        if (!step_record_matches(records, record, &value->conditions) ||
            is_repeated(value, i, key)) {
            continue;
        }
        StudyValue one = *value;
        found = find_best(value, record, key);
        if (!is_one_number(&found, value->column)) {
            return found;
        }
        set_number(&found, &one);
        estimate_add(&total, &(Estimate){one.measured, one.low, one.high});
        sum.averaged++;
        sum.seeds = one.seeds > sum.seeds ? one.seeds : sum.seeds;
        launch_range_join(&sum.launches, &one.launches);
    }
    if (sum.averaged > 0) {
        const Estimate mean = estimate_mean(&total, sum.averaged);
        value->measured = mean.value;
        value->low = mean.low;
        value->high = mean.high;
        value->averaged = sum.averaged;
        value->seeds = sum.seeds;
        value->launches = sum.launches;
        value->record = found.record;
    }
    return found;
}

/* The number of a COLUMN_CSV, its interval and record, or why there is none. */
static void measure(const StudyResult *result, const StudyTable *table, size_t index,
                    StudyValue *value) {
    const StudyStep *step = &result->study->steps[index];
    const StepOutcome *outcome = &result->outcomes[index];
    const StudyColumn *column = value->column;
    const CsvFrame *records = value->records = &result->records[index];
    value->cells = result->cells[index];
    const bool quick = result->settings->quick && step->quick.count > 0;
    const Found found = table->mean_over != NULL ? find_mean(table->mean_over, value)
                                                 : find_best(value, NULL, NULL);
    set_missing(&found, outcome, quick, value);
    if (records->header.count > 0 && csv_field_index(&records->header, column->csv) == SIZE_MAX) {
        snprintf(value->why, sizeof value->why, "the step's CSV has no column '%.60s'",
                 column->csv);
    } else if (is_one_number(&found, column)) {
        if (table->mean_over == NULL) {
            set_number(&found, value);
        }
    } else if (found.count > 0 || found.text != NULL || found.why != NULL) {
        explain_records(&found, value);
    } else {
        explain_absence(step, outcome, quick, value);
    }
}

/* === Computed values ========================================================================== */

/* Whether both times are of one run, so that the ratio of each launch says more than the two
 * intervals. */
static bool same_run(const StudyValue *a, const StudyValue *b) {
    return a->times.count > 0 && b->times.count > 0 && a->cells == b->cells;
}

/* Of times the ratios of the launches. A mean or a least time has their interval in proportion. */
static void divide_launches(StudyValue *value) {
    const TimesRatio ratio = times_ratio(&value->over->times, &value->under->times);
    const double scale =
        value->over->median && value->under->median ? 1 : value->measured / ratio.ratio.value;
    if (ratio.count > 0 && !ratio.ratio.extremes) {
        const Ratio scaled = ratio_scaled(ratio.ratio, scale);
        value->measured = scaled.value;
        value->low = scaled.low;
        value->high = scaled.high;
    }
}

static void divide(StudyValue *value) {
    const StudyValue *over = value->over;
    const StudyValue *under = value->under;
    if (under->measured == 0) {
        snprintf(value->why, sizeof value->why, "it would be divided by zero");
        return;
    }
    value->measured = value->scale * over->measured / under->measured;
    launch_range_join(&value->launches, &over->launches);
    launch_range_join(&value->launches, &under->launches);
    value->seeds = over->seeds > under->seeds ? over->seeds : under->seeds;
    value->averaged = over->averaged > under->averaged ? over->averaged : under->averaged;
    if (same_run(over, under)) {
        divide_launches(value);
    } else if (over->low >= 0 && under->low > 0) {
        /* Only what is above zero has its order kept. */
        const Ratio ratio =
            ratio_scaled(estimate_ratio(&(Estimate){over->measured, over->low, over->high},
                                        &(Estimate){under->measured, under->low, under->high}),
                         value->scale);
        value->low = ratio.low;
        value->high = ratio.high;
    }
}

/* The number of a COLUMN_RATIO or COLUMN_BASE, from values that the table has already. */
static void derive(const TableResult *result, size_t row, StudyValue *value) {
    const StudyTable *table = result->table;
    const bool base = value->column->source == COLUMN_BASE;
    const size_t over = study_column_index(table, value->column->over);
    const size_t under = base ? over : study_column_index(table, value->column->under);
    value->over =
        study_value(result, base ? study_row_index(table, value->column->base) : row, over);
    value->under = study_value(result, row, under);
    const double scale = unit_milliseconds(table->columns[over].unit) /
                         unit_milliseconds(table->columns[under].unit);
    value->scale = isfinite(scale) ? scale : 1;
    value->missing = "—"; /* the values that it is computed from have the reason */
    if (!isfinite(value->over->measured) || !isfinite(value->under->measured)) {
        const char *why = isfinite(value->over->measured) ? value->under->why : value->over->why;
        snprintf(value->why, sizeof value->why, "%s", why[0] != '\0' ? why : "not measured");
    } else if (value->over == value->under) {
        value->measured = 1;
    } else {
        divide(value);
    }
}

/* Of a million runs, at the price of an hour. */
static void make_cost(const StudyResult *study, const TableResult *result, size_t row,
                      StudyValue *value) {
    static const double runs = 1e6, milliseconds_per_hour = 3600e3;
    const size_t column = study_column_index(result->table, value->column->over);
    const StudyColumn *of = &result->table->columns[column];
    const StudyValue *time = study_value(result, row, column);
    Prices prices;
    const Status status = study_prices(study->study, result->table, of, &prices);
    value->missing = "—";
    if (!isfinite(time->measured) || !status_is_ok(&status)) {
        snprintf(value->why, sizeof value->why, "%.150s",
                 status_is_ok(&status) ? time->why : status.why);
        return;
    }
    const bool gpu = strcmp(study_value_text(time, "backend"), "cuda") == 0;
    const double scale = runs * unit_milliseconds(of->unit) / milliseconds_per_hour *
                         (gpu ? prices.gpu : prices.cpu);
    value->measured = scale * time->measured;
    value->low = scale * time->low;
    value->high = scale * time->high;
    value->launches = time->launches;
    value->cells = time->cells;
    value->times = time->times;
    value->median = time->median;
    value->times.samples = NULL; /* these are times, and no costs */
    for (size_t i = 0; i < time->times.count; i++) {
        value->times.launches[i] *= scale;
    }
}

/* An interval keeps its order under a negative factor. */
static void make_linear(const TableResult *result, size_t row, StudyValue *value) {
    const StudyColumn *column = value->column;
    const StudyValue *of =
        study_value(result, row, study_column_index(result->table, column->over));
    value->missing = "—";
    if (!isfinite(of->measured)) {
        snprintf(value->why, sizeof value->why, "%.150s", of->why);
        return;
    }
    const double ends[] = {column->factor * of->low + column->offset,
                           column->factor * of->high + column->offset};
    value->measured = column->factor * of->measured + column->offset;
    value->low = ends[column->factor < 0];
    value->high = ends[column->factor >= 0];
    value->launches = of->launches;
}

/* === Study result ============================================================================= */

static int by_key(const void *left, const void *right) {
    return strcmp(((const Condition *)left)->key, ((const Condition *)right)->key);
}

/* Sets the published number, and the measured one of a COLUMN_CSV. False without memory. */
static bool make_value(StudyResult *result, const StudyTable *table, StudyValue *value) {
    value->measured = value->low = value->high = value->published = NAN;
    if (result->published != NULL) {
        value->paper = published_find(result->published, table->published, value->row->label,
                                      value->column->title);
        value->published = value->paper != NULL ? value->paper->value : (double)NAN;
    }
    if (!make_conditions(&result->memory, table, value)) {
        return false;
    }
    if (value->column->source == COLUMN_CSV) {
        const char *step = value->column->step != NULL ? value->column->step : table->step;
        measure(result, table, (size_t)(study_step(result->study, step) - result->study->steps),
                value);
    }
    qsort(value->conditions.items, value->conditions.count, sizeof(Condition), by_key);
    return true;
}

/* First the columns of files, then the others in their order: a ratio may be made of an earlier
 * one. False without memory. */
static bool make_table(StudyResult *result, const StudyTable *table, TableResult *made) {
    const size_t columns = table->column_count;
    *made = (TableResult){.table = table, .count = table->row_count * columns};
    made->values = owned_take(&result->memory, (made->count + 1) * sizeof *made->values);
    for (size_t i = 0; made->values != NULL && i < made->count; i++) {
        StudyValue *value = &made->values[i];
        value->row = &table->rows[i / columns];
        value->column = &table->columns[i % columns];
        if (!make_value(result, table, value)) {
            return false;
        }
    }
    for (size_t column = 0; made->values != NULL && column < columns; column++) {
        for (size_t row = 0; row < table->row_count; row++) {
            StudyValue *value = &made->values[row * columns + column];
            if (table->columns[column].source == COLUMN_COST) {
                make_cost(result, made, row, value);
            } else if (table->columns[column].source == COLUMN_LINEAR) {
                make_linear(made, row, value);
            } else if (table->columns[column].source != COLUMN_CSV) {
                derive(made, row, value);
            }
        }
    }
    return made->values != NULL;
}

/* Whether the step's table is the results.csv of a run that has all of its rows here. A file of
 * another program, or without rows, is that of no run. */
static bool read_run(const StepOutcome *outcome, StoredRun *stored) {
    static const char table[] = "results.csv"; /* or packed */
    char folder[ATOMIC_FILE_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
    const Status named = path_folder(outcome->csv, folder, sizeof folder);
    const Status found = status_is_ok(&named) ? stored_run_in(folder, path, sizeof path) : named;
    return strncmp(path_name(outcome->csv), table, strlen(table)) == 0 && status_is_ok(&found) &&
           access(path, R_OK) == 0 && report_run_read(path, stored).code == STATUS_OK &&
           stored->ignored == 0;
}

/* The records of a step: the rows of its run, or those of the table that it left. */
static Status read_records(StudyResult *result, size_t step) {
    CsvFrame *records = &result->records[step];
    const Results *results = &result->stored[step].results;
    size_t rows = 0;
    if (read_run(&result->outcomes[step], &result->stored[step])) {
        STATUS_TRY(stored_run_table(&result->stored[step], records));
        rows = results->count;
    } else {
        STATUS_TRY(csv_frame_read(result->outcomes[step].csv, records));
    }
    result->cells[step] = owned_take(&result->memory, (records->count + 1) * sizeof(const Row *));
    if (result->cells[step] == NULL) {
        return status_no_memory("for %zu records", records->count);
    }
    for (size_t i = 0; i < rows; i++) {
        result->cells[step][i] = &results->rows[i];
    }
    return status_ok();
}

/* A step whose file cannot be read has the reason in its outcome, unless it has one already. False
 * without memory. */
static bool read_steps(StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        StepOutcome *outcome = &result->outcomes[i];
        if (outcome->csv[0] == '\0') {
            continue;
        }
        const Status status = read_records(result, i);
        if (status_is_ok(&status)) {
            keep_asked_for(&result->study->steps[i], &result->records[i], result->cells[i]);
        } else if (status.code == STATUS_SKIP) {
            return false;
        } else if (outcome->state == STEP_DONE) {
            outcome->state = STEP_FAILED;
            text_visible(status.why, outcome->why, sizeof outcome->why);
        }
    }
    return true;
}

Status study_result_make(const Study *study, const Published *published,
                         const StudySettings *settings, StepOutcome *outcomes,
                         StudyResult *result) {
    *result = (StudyResult){
        .study = study, .published = published, .settings = settings, .outcomes = outcomes};
    result->records =
        owned_take(&result->memory, (study->step_count + 1) * sizeof *result->records);
    result->stored = owned_take(&result->memory, (study->step_count + 1) * sizeof *result->stored);
    result->cells = owned_take(&result->memory, (study->step_count + 1) * sizeof *result->cells);
    result->tables = owned_take(&result->memory, (study->table_count + 1) * sizeof *result->tables);
    bool made = result->records != NULL && result->stored != NULL && result->cells != NULL &&
                result->tables != NULL && read_steps(result);
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
    for (size_t i = 0; result->records != NULL && i < result->study->step_count; i++) {
        csv_frame_release(&result->records[i]);
    }
    for (size_t i = 0; result->stored != NULL && i < result->study->step_count; i++) {
        stored_run_release(&result->stored[i]);
    }
    owned_release(&result->memory);
    free(result->outcomes);
    *result = (StudyResult){0};
}
