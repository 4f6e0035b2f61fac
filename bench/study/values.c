/* Values of a study's tables, from the records of its steps. */

#include "contenders.h"
#include "csv_columns.h"
#include "row.h"
#include "study_internal.h"
#include "winners.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "run_options.h"
#include "size_spec.h"
#include "status.h"
#include "text.h"

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
    uint64_t width, height;
    if (size_sides_read(text, &width, &height)) {
        return (double)width * (double)height;
    }
    return point_number(text);
}

double condition_number(const ConditionList *conditions, const char *key) {
    const Condition *condition = condition_of(conditions, key);
    if (condition == NULL) {
        return NAN;
    }
    return condition->kind == KEY_SIZE ? size_number(condition->value)
                                       : point_number(condition->value);
}

double unit_milliseconds(const StudyUnit *unit) {
    return unit->time != NULL ? 1e3 * unit->time->seconds : (double)NAN;
}

double unit_scale(const StudyUnit *unit, const StudyUnit *in) {
    const double scale = unit_milliseconds(unit) / unit_milliseconds(in);
    return isfinite(scale) ? scale : 1;
}

bool column_is_time(const StudyColumn *column) {
    return column->source == COLUMN_CSV && column->unit.time != NULL;
}

/* === Reading values =========================================================================== */

const TableResult *study_table_result(const StudyResult *result, const char *name) {
    return &result->tables[study_table(result->study, name) - result->study->tables];
}

const StudyValue *study_value(const TableResult *result, size_t row, size_t column) {
    return &result->values[row * result->table->column_count + column];
}

void study_value_text(const StudyValue *value, const CsvColumn *column, char text[CSV_VALUE_SIZE]) {
    text[0] = '\0';
    if (value->record != NULL) {
        const StepColumn of = step_column_of(value->records, column);
        step_text(value->record, &of, text);
    }
}

double study_value_number(const StudyValue *value, const CsvColumn *column) {
    if (value->record == NULL) {
        return NAN;
    }
    const StepColumn of = step_column_of(value->records, column);
    return step_number(value->record, &of);
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
    const StepRecord *record;
    double number; /* as in the file */
    double rank;   /* the least is the best */
} Match;

/* The records that match the conditions of a value. */
typedef struct Found {
    const StepRecord *record;  /* the best of those that have a number */
    double number;             /* its number, as in the file */
    double rank;               /* the least is the best */
    size_t count;              /* records with a number */
    const StepRecord *without; /* the first that was skipped or failed; NULL: there is none */
    const StepRecord *word;    /* the last that has no number; NULL: there is none */
    size_t skipped, failed;
    Match matches[RIVALS_MAX]; /* of those that have a number; of more the best */
    size_t kept;
    double even_seconds; /* of the best of one launch, by its even turns; NAN: by all */
} Found;

static bool is_median(const SeriesColumn *time) {
    return time->number == SERIES_MEDIAN;
}

/* NULL: the record has none. */
static const Samples *samples_of(const StepRecord *record, const SeriesColumn *time) {
    return record->row != NULL ? series_column_samples(time, record->row) : NULL;
}

/* What a column of a table reads of the records of its step, looked up once. */
typedef struct Reading {
    const StepRecords *records;
    const StudyColumn *column;
    SeriesColumn time, rank_time; /* of the number and what ranks it */
    bool milliseconds;            /* of the number */
    StepColumn number, rank;
    StepColumn median, low, high;      /* of a time those of its series, else its own */
    StepColumn least, greatest, seeds; /* the range over seeds: of "inliers" those of
                                          "inliers_low" and "inliers_high" */
    StepColumn launches, samples, independent, deviation;
} Reading;

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

static StepColumn column_with(const StepRecords *records, const char *stem, const char *end) {
    char name[128];
    snprintf(name, sizeof name, "%.100s%s", stem, end);
    return step_column(records, name);
}

/* Parts of one list are ranked as those of one run, the fastest. What "launches" says counts in
 * tables of runs alone: in others, such as a profile, the word means another thing. */
static Reading reading_of(const StepRecords *records, const StudyColumn *column) {
    const CsvColumn *kernel = csv_column_at(offsetof(Row, kernel_summary.median));
    const char *rank = column->by != NULL     ? column->by
                       : column->part != NULL ? kernel->name
                                              : column->csv;
    const SeriesColumn time = csv_column_series(csv_column_find(column->csv));
    const StepColumn of_run = step_column_of(records, kernel);
    Reading reading = {.records = records,
                       .column = column,
                       .time = time,
                       .rank_time = csv_column_series(csv_column_find(rank)),
                       .milliseconds = step_column_is_time(column->csv),
                       .number = step_column(records, column->csv),
                       .rank = step_column(records, rank),
                       .median = step_column_of(records, time.median),
                       .low = step_column_of(records, time.low),
                       .high = step_column_of(records, time.high),
                       .least = column_with(records, column->csv, "_low"),
                       .greatest = column_with(records, column->csv, "_high"),
                       .seeds = step_column(records, "seeds"),
                       .launches = step_column_of(records, NULL),
                       .samples = step_column_at(records, offsetof(Row, kernel_summary.count)),
                       .independent = step_column(records, "n_effective"),
                       .deviation = step_column_of(records, time.deviation)};
    if (time.number == SERIES_NONE) {
        reading.median = reading.number;
    }
    if (step_has_column(&of_run)) {
        reading.launches = step_column_at(records, offsetof(Row, kernel_summary.launches));
    }
    return reading;
}

/* Of parts their own number, where the file has no whole time. */
static double record_rank(const Reading *reading, const StepRecord *record, double number) {
    const bool itself = reading->column->by == NULL && reading->column->part == NULL;
    const double rank = itself ? number : step_number(record, &reading->rank);
    return reading->column->by != NULL || isfinite(rank) ? rank : number;
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

static void consider(const Reading *reading, const StepRecord *record, Found *found) {
    const CellStatus status = step_record_status(reading->records, record);
    const char *part = reading->column->part;
    if (status != CELL_OK) {
        *(status == CELL_SKIP ? &found->skipped : &found->failed) += 1;
        found->without = found->without == NULL ? record : found->without;
        return;
    }
    const double number = part != NULL ? step_part(record, &reading->number, part)
                                       : step_number(record, &reading->number);
    if (!isfinite(number)) {
        found->word = record;
        return;
    }
    const Match match = {record, number, record_rank(reading, record, number)};
    found->count++;
    keep_match(&match, found);
}

/* The best of the records, as every winner is chosen. */
static void choose_match(const Reading *reading, Found *found) {
    Contender all[RIVALS_MAX];
    Times *times = malloc((found->kept + 1) * sizeof *times);
    for (size_t i = 0; i < found->kept; i++) {
        const Samples *samples = samples_of(found->matches[i].record, &reading->rank_time);
        all[i] = (Contender){.number = {found->matches[i].rank, NAN, NAN}};
        if (times != NULL && samples != NULL && is_median(&reading->rank_time)) {
            times[i] = times_from(samples);
            all[i].times = &times[i];
            all[i].run = reading->records;
        }
    }
    Lead lead;
    contenders_lead(all, found->kept, &lead);
    const Match *best = &found->matches[lead.first != WINNER_NONE ? lead.first : 0];
    found->record = best->record;
    found->rank = best->rank;
    found->number = best->number;
    found->even_seconds = NAN;
    if (lead.even.count > 0 && reading->column->by == NULL && reading->column->part == NULL) {
        found->number = lead.number.value;
        found->even_seconds = lead.times.launches[0];
    }
    lead_release(&lead);
    free(times);
}

/* 1 in files that are older than launches, and in those that are no run's. */
static size_t record_launches(const Reading *reading, const StepRecord *record) {
    const double launches = step_number(record, &reading->launches);
    return launches > 1 ? (size_t)launches : 1;
}

/* That of the standard error, from as many samples as are independent. */
static Estimate mean_interval(const Reading *reading, const Found *found) {
    const double independent = step_number(found->record, &reading->independent);
    return estimate_of_mean(found->number, step_number(found->record, &reading->deviation),
                            independent > 0 ? independent
                                            : step_number(found->record, &reading->samples));
}

/* The interval in the file's unit: of a time over launches that is no median that of the median, in
 * proportion. */
static void find_interval(const Reading *reading, const Found *found, double *low, double *high) {
    double scale = 1;
    if (reading->time.number > SERIES_MEDIAN) {
        scale = found->number / step_number(found->record, &reading->median);
        if (record_launches(reading, found->record) == 1) {
            const bool mean = reading->time.number == SERIES_MEAN;
            const Estimate own = mean ? mean_interval(reading, found) : (Estimate){NAN, NAN, NAN};
            *low = own.low;
            *high = own.high;
            return;
        }
    }
    *low = scale * step_number(found->record, &reading->low);
    *high = scale * step_number(found->record, &reading->high);
}

/* The least and the greatest over seeds in the file's unit. Returns the number of seeds; 0 without
 * such columns. */
static size_t find_seed_range(const Reading *reading, const Found *found, double *low,
                              double *high) {
    const double least = step_number(found->record, &reading->least);
    const double greatest = step_number(found->record, &reading->greatest);
    const double seeds = step_number(found->record, &reading->seeds);
    if (!isfinite(least) || !isfinite(greatest) || !(seeds > 1)) {
        return 0;
    }
    *low = least;
    *high = greatest;
    return (size_t)seeds;
}

/* The fastest of several cells has the times of the one that the other launches choose, by the
 * column that ranks them: its luck does not count. */
static void choose_times(const Reading *reading, const Found *found, StudyValue *value) {
    const Samples *rank[RIVALS_MAX], *own[RIVALS_MAX];
    Times times;
    if (found->kept < 2 || found->kept != found->count || !is_median(&reading->time) ||
        !is_median(&reading->rank_time)) {
        return;
    }
    for (size_t i = 0; i < found->kept; i++) {
        own[i] = samples_of(found->matches[i].record, &reading->time);
        rank[i] = samples_of(found->matches[i].record, &reading->rank_time);
        if (own[i] == NULL || rank[i] == NULL) {
            return;
        }
    }
    if (times_of_fastest(rank, found->kept, own, &times) == WINNER_NONE || times.count < 2) {
        return;
    }
    const Estimate time = estimate_of_times(&times);
    const double scale = 1e3 / unit_milliseconds(&reading->column->unit);
    value->times = times;
    value->measured = time.value * scale;
    value->low = time.low * scale;
    value->high = time.high * scale;
}

/* The launches that a time rests on, of the best record. */
static void set_times(const Reading *reading, const Found *found, StudyValue *value) {
    const Samples *samples = samples_of(found->record, &reading->time);
    if (samples == NULL || reading->column->part != NULL || reading->column->unit.time == NULL) {
        return;
    }
    value->median = is_median(&reading->time);
    value->times = times_from(samples);
    if (!isnan(found->even_seconds)) {
        value->times.launches[0] = found->even_seconds;
    }
    choose_times(reading, found, value);
}

static void set_number(const Reading *reading, const Found *found, StudyValue *value) {
    const StudyColumn *column = reading->column;
    const double scale = reading->milliseconds && column->unit.time != NULL
                             ? 1 / unit_milliseconds(&column->unit)
                             : 1;
    const size_t launches = record_launches(reading, found->record);
    double low = NAN, high = NAN;
    if (column->part == NULL) {
        find_interval(reading, found, &low, &high);
        value->seeds = find_seed_range(reading, found, &low, &high);
    }
    value->measured = found->number * scale;
    if (isfinite(low) && isfinite(high)) {
        value->low = low * scale;
        value->high = high * scale;
    }
    if (launches > 1 || (isfinite(value->low) && value->seeds == 0)) {
        launch_range_add(&value->launches, launches);
    }
    value->record = found->record;
    set_times(reading, found, value);
}

static bool is_somewhere(const StepRecords *records, Condition *condition) {
    const ConditionList alone = {.items = condition, .count = 1};
    for (size_t i = 0; i < records->count; i++) {
        if (step_record_matches(records, &records->list[i], &alone)) {
            return true;
        }
    }
    return false;
}

/* "no record has threads=32", or "no record has all of variant=omp, size=4K" if each condition
 * alone holds for some record. */
static void absent_words(const StepRecords *records, const ConditionList *conditions, char *why,
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
    static const char *const states[] = {[STEP_DONE] = "not run here",
                                         [STEP_LEFT_OUT] = "left out",
                                         [STEP_FAILED] = "step failed",
                                         [STEP_NOT_RUN] = "not reached"};
    const size_t size = sizeof value->why;
    const bool cut_off = outcome->code == EXIT_INTERRUPTED;
    value->missing = cut_off ? "interrupted" : states[outcome->state];
    value->wrong = outcome->state == STEP_FAILED && !cut_off;
    if (outcome->state == STEP_NOT_RUN) {
        snprintf(value->why, size, "the step '%.100s' was not run", step->name);
    } else if (outcome->state != STEP_DONE) {
        text_visible(outcome->why[0] != '\0' ? outcome->why : "the step did not end well",
                     value->why, size);
    } else {
        absent_words(value->records, &value->conditions, value->why, size);
        if (quick) {
            value->missing = "not with --quick";
            text_append(value->why, size, " with --quick");
        }
    }
}

/* Why the records that match give no number. What a machine does not tell, as its joules, is no
 * failure. */
static void explain_records(const Reading *reading, const Found *found, StudyValue *value) {
    const size_t size = sizeof value->why;
    const StepColumn why = step_column_at(reading->records, offsetof(Row, why));
    char text[CSV_VALUE_SIZE];
    value->missing = "no number";
    value->wrong = true;
    if (found->count > 0) {
        snprintf(value->why, size, "%zu records match", found->count);
    } else if (found->word != NULL) {
        step_text(found->word, &reading->number, text);
        value->wrong = found->failed > 0 || text[0] != '\0';
        snprintf(value->why, size,
                 text[0] != '\0' ? "'%.60s' is no number" : "the record has no number there", text);
    } else {
        step_text(found->without, &why, text);
        value->wrong = found->failed > 0;
        value->skipped = found->skipped > 0;
        value->missing = found->failed > 0 ? "failed" : "not run here";
        text_visible(text[0] != '\0' ? text : "skipped", value->why, size);
    }
}

/* Records without a number, or several numbers that are neither times nor ranked, are none. */
static bool is_one_number(const Found *found, const Reading *reading) {
    return found->count == 1 ||
           (found->count > 1 &&
            (reading->column->by != NULL ? isfinite(found->rank) : reading->milliseconds));
}

static bool same_value(const StepRecords *records, const StepRecord *left, const StepRecord *right,
                       const char *key) {
    char one[CSV_VALUE_SIZE], other[CSV_VALUE_SIZE];
    step_key_text(records, left, key, one);
    step_key_text(records, right, key, other);
    return strcmp(one, other) == 0;
}

/* The best of the records that match; `like`: of those with its value of the key. */
static Found find_best(const Reading *reading, const StudyValue *value, const StepRecord *like,
                       const char *key) {
    const StepRecords *records = reading->records;
    Found found = {.number = NAN, .rank = NAN, .even_seconds = NAN};
    for (size_t i = 0; i < records->count; i++) {
        const StepRecord *record = &records->list[i];
        if (step_record_matches(records, record, &value->conditions) &&
            (like == NULL || same_value(records, record, like, key))) {
            consider(reading, record, &found);
        }
    }
    if (found.count > 0) {
        choose_match(reading, &found);
    }
    return found;
}

/* Whether an earlier record that matches has the same value of the key. */
static bool is_repeated(const StudyValue *value, size_t index, const char *key) {
    const StepRecords *records = value->records;
    for (size_t i = 0; i < index; i++) {
        if (step_record_matches(records, &records->list[i], &value->conditions) &&
            same_value(records, &records->list[i], &records->list[index], key)) {
            return true;
        }
    }
    return false;
}

/* The mean over the values of a key, of each the best record; its interval is the mean of theirs.
 * Where one has no number there is no mean: that of the others would be of other work. Returns what
 * was found of the last. */
static Found find_mean(const Reading *reading, const char *key, StudyValue *value) {
    const StepRecords *records = reading->records;
    StudyValue sum = {.averaged = 0};
    Estimate total = {0, 0, 0};
    Found found = {.number = NAN, .rank = NAN, .even_seconds = NAN};
    for (size_t i = 0; i < records->count; i++) {
        const StepRecord *record = &records->list[i];
        if (!step_record_matches(records, record, &value->conditions) ||
            is_repeated(value, i, key)) {
            continue;
        }
        StudyValue one = *value;
        found = find_best(reading, value, record, key);
        if (!is_one_number(&found, reading)) {
            return found;
        }
        set_number(reading, &found, &one);
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
    const StepRecords *records = value->records = &result->records[index];
    const bool quick = result->settings->quick && step->quick.count > 0;
    const Reading reading = reading_of(records, column);
    const Found found = table->mean_over != NULL ? find_mean(&reading, table->mean_over, value)
                                                 : find_best(&reading, value, NULL, NULL);
    if (is_one_number(&found, &reading)) {
        if (table->mean_over == NULL) {
            set_number(&reading, &found, value);
        }
        return;
    }
    if (found.count > 0 || found.word != NULL || found.without != NULL) {
        explain_records(&reading, &found, value);
    } else {
        explain_absence(step, outcome, quick, value);
    }
    if ((records->rows || records->table.header.count > 0) && !step_has_column(&reading.number)) {
        snprintf(value->why, sizeof value->why, "the step's CSV has no column '%.60s'",
                 column->csv);
    }
}

/* === Computed values ========================================================================== */

/* Whether both times are of one run, so that the ratio of each launch says more than the two
 * intervals. */
static bool same_run(const StudyValue *a, const StudyValue *b) {
    return a->times.count > 0 && b->times.count > 0 && a->records == b->records;
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
    value->scale = unit_scale(&table->columns[over].unit, &table->columns[under].unit);
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
    const Status status = step_prices(study_column_step(study->study, result->table, of), &prices);
    value->missing = "—";
    if (!isfinite(time->measured) || !status_is_ok(&status)) {
        snprintf(value->why, sizeof value->why, "%.150s",
                 status_is_ok(&status) ? time->why : status.why);
        return;
    }
    const bool gpu = time->record != NULL && step_is_on_device(time->records, time->record);
    const double scale = runs * unit_milliseconds(&of->unit) / milliseconds_per_hour *
                         (gpu ? prices.gpu : prices.cpu);
    value->measured = scale * time->measured;
    value->low = scale * time->low;
    value->high = scale * time->high;
    value->launches = time->launches;
    value->records = time->records;
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
        const StudyStep *step = study_column_step(result->study, table, value->column);
        measure(result, table, (size_t)(step - result->study->steps), value);
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

/* A step whose file cannot be read has the reason in its outcome, unless it has one already. False
 * without memory. */
static bool read_steps(StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        StepOutcome *outcome = &result->outcomes[i];
        if (outcome->csv[0] == '\0') {
            continue;
        }
        const Status status = step_records_read(&result->memory, outcome->csv, &result->records[i]);
        if (status.code == STATUS_SKIP) {
            return false;
        }
        if (!status_is_ok(&status) && outcome->state == STEP_DONE) {
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
    result->tables = owned_take(&result->memory, (study->table_count + 1) * sizeof *result->tables);
    bool made = result->records != NULL && result->tables != NULL && read_steps(result);
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
        step_records_release(&result->records[i]);
    }
    owned_release(&result->memory);
    free(result->outcomes);
    *result = (StudyResult){0};
}
