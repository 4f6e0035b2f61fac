/* Rows: one for each planned cell, and the table of their fields. */

#include "algorithm.h"
#include "results.h"
#include "results_internal.h"
#include "scaling.h"
#include "variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "text.h"

/* === Fields =================================================================================== */

/* --- Functions used by row.def ---------------------------------------------------------------- */

#define TEXT_FUNCTION(name, format, ...)                                                           \
    static void name(const Row *row, char *value, size_t size) {                                   \
        snprintf(value, size, format, __VA_ARGS__);                                                \
    }

#define NUMBER_FUNCTION(name, number)                                                              \
    static double name(const Row *row) {                                                           \
        return number;                                                                             \
    }

#define TEST_FUNCTION(name, test)                                                                  \
    static bool name(const Row *row) {                                                             \
        return test;                                                                               \
    }

static const char *or_empty(const char *text) {
    return text != NULL ? text : "";
}

TEXT_FUNCTION(algorithm_text, "%s", row->algorithm->name)
TEXT_FUNCTION(variant_text, "%s", row->variant->name)
TEXT_FUNCTION(backend_text, "%s", row->variant->backend->name)
TEXT_FUNCTION(input_hash_text, "%016" PRIx64, row->input_hash)
TEXT_FUNCTION(item_text, "%s", or_empty(row->algorithm->item))
TEXT_FUNCTION(improves_on_text, "%s", or_empty(row->variant->improves_on))
TEXT_FUNCTION(mode_text, "%s", row->cold ? "cold" : "hot")
TEXT_FUNCTION(cost_operation_text, "%s", or_empty(row->cost.operation))

static bool is_measured_on_cpu(const Row *row) {
    return row->kernel.count > 0 && variant_is_on_cpu(row->variant) && isfinite(row->cpu_seconds);
}

bool row_same_reason(const Row *a, const Row *b) {
    return a->status == b->status && strcmp(a->why, b->why) == 0;
}

bool row_is_on_cpu(const Row *row) {
    return variant_is_on_cpu(row->variant);
}

bool row_counts_pixels(const Row *row) {
    return strcmp(or_empty(row->algorithm->item), "pixel") == 0;
}

/* NAN unless the item is a pixel: other items have items_per_second only. */
static double megapixels(const Row *row, double items) {
    return row_counts_pixels(row) ? items * 1e-6 : (double)NAN;
}

static double mebibytes(uint64_t bytes) {
    return bytes > 0 ? (double)bytes / (1024.0 * 1024.0) : (double)NAN;
}

NUMBER_FUNCTION(best_tuning_digit, row->best_tuning ? 1.0 : 0.0)
NUMBER_FUNCTION(items_per_joule, row->joule > 0 ? row->cost.items / row->joule : (double)NAN)
NUMBER_FUNCTION(megapixels_per_second, megapixels(row, row->items_per_second))
NUMBER_FUNCTION(megapixels_per_joule, megapixels(row, items_per_joule(row)))
NUMBER_FUNCTION(device_mebibytes, mebibytes(row->device_peak))
NUMBER_FUNCTION(host_mebibytes, mebibytes(row->host_peak))
/* The time of studies that process an image repeatedly without uploading it again. */
NUMBER_FUNCTION(resident_seconds,
                row->kernel_summary.min + (isfinite(row->download) ? row->download : 0))

NUMBER_FUNCTION(gpus_known, row_gpus(row) > 0 ? (double)row_gpus(row) : (double)NAN)
NUMBER_FUNCTION(per_gpu_items_per_second, row->items_per_second / gpus_known(row))

NUMBER_FUNCTION(effective_samples,
                row->kernel_summary.launches > 1
                    ? (double)row->kernel_summary.launches
                    : (double)row->kernel_summary.count / row->kernel_summary.tau)

TEST_FUNCTION(has_gpus, row_gpus(row) > 0)
TEST_FUNCTION(has_launches, row->kernel_summary.launches > 0)
TEST_FUNCTION(has_cpu_time, is_measured_on_cpu(row))
TEST_FUNCTION(has_sentinel, isfinite(row->sentinel_chain))
TEST_FUNCTION(has_input_hash, row->input_hash != 0)
TEST_FUNCTION(has_least_width, row->kernel.memory.time > 0)
TEST_FUNCTION(is_of_a_set, row->images > 0)
TEST_FUNCTION(is_ok, row->status == CELL_OK)
TEST_FUNCTION(has_roof, isfinite(row->roof_fraction))
TEST_FUNCTION(has_peak_memory, row->peak_memory != 0)
TEST_FUNCTION(has_batch, row->batch != 0)
TEST_FUNCTION(has_samples, row->kernel.count > 0)
TEST_FUNCTION(has_autocorrelation, isfinite(row->autocorrelation))
TEST_FUNCTION(has_dip_test, row->kernel.count >= DIP_SAMPLES_MIN)
/* "no" needs a clock that was read. */
TEST_FUNCTION(is_clock_known,
              is_ok(row) && (row->throttled || isfinite(row->clock_mhz_after / row->clock_mhz_max)))

/* --- The table -------------------------------------------------------------------------------- */

/* Arrays decay to pointers. Whole numbers of all widths are counts. */
#define KIND_OF(member)                                                                            \
    _Generic(((Row *)NULL)->member,                                                                \
        double: ROW_NUMBER,                                                                        \
        bool: ROW_FLAG,                                                                            \
        char *: ROW_TEXT,                                                                          \
        CellStatus: ROW_STATUS,                                                                    \
        Point: ROW_POINT,                                                                          \
        double *: ROW_STAGES,                                                                      \
        Samples: ROW_SAMPLES,                                                                      \
        default: ROW_COUNT)

#define MEMBER(type, member)
#define FIELD(type, member, key, csv) PART(member, key, csv)
#define ARRAY(type, member, count, key, csv) PART(member, key, csv)
#define PART(member, key, csv)                                                                     \
    {.kind = KIND_OF(member),                                                                      \
     .offset = offsetof(Row, member),                                                              \
     .size = sizeof((Row *)NULL)->member,                                                          \
     .json = key,                                                                                  \
     .column = csv},
#define NUMBER_OF(function, key, csv)                                                              \
    {.kind = ROW_NUMBER_OF, .number = function, .json = key, .column = csv},
#define TEXT_OF(function, key, csv)                                                                \
    {.kind = ROW_TEXT_OF, .text = function, .json = key, .column = csv},

#define KEY(key) ((RowKey){key, KEY_OPTIONAL, QUANTITY_OTHER})
#define REQUIRED(key) ((RowKey){key, KEY_REQUIRED, QUANTITY_OTHER})
#define NONZERO(key) ((RowKey){key, KEY_NONZERO, QUANTITY_OTHER})
#define DERIVED(key) ((RowKey){key, KEY_DERIVED, QUANTITY_OTHER})
#define SECONDS(key) ((RowKey){key, KEY_OPTIONAL, QUANTITY_SECONDS})
#define NONZERO_SECONDS(key) ((RowKey){key, KEY_NONZERO, QUANTITY_SECONDS})
#define CELSIUS(key) ((RowKey){key, KEY_OPTIONAL, QUANTITY_CELSIUS})
#define NO_KEY ((RowKey){NULL, KEY_OPTIONAL, QUANTITY_OTHER})

#define COLUMN(number, title, of_unit, factor, words)                                              \
    ((CsvColumn){                                                                                  \
        .place = number, .name = title, .unit = of_unit, .scale = factor, .meaning = words})
#define MS(number, title, words)                                                                   \
    ((CsvColumn){.place = number,                                                                  \
                 .name = title,                                                                    \
                 .unit = "ms",                                                                     \
                 .scale = 1e3,                                                                     \
                 .time = true,                                                                     \
                 .meaning = words})
#define BETWEEN(number, title, of_unit, low_end, high_end, words)                                  \
    ((CsvColumn){.place = number,                                                                  \
                 .name = title,                                                                    \
                 .unit = of_unit,                                                                  \
                 .scale = 1,                                                                       \
                 .meaning = words,                                                                 \
                 .low = offsetof(Row, low_end),                                                    \
                 .high = offsetof(Row, high_end)})
#define RATIO(place, member, unit, meaning)                                                        \
    BETWEEN(place, #member, unit, member##_ci_low, member##_ci_high, meaning)
#define PLAIN(place, name, meaning) COLUMN(place, name, "", 1, meaning)
#define KNOWN(number, title, test, words)                                                          \
    ((CsvColumn){                                                                                  \
        .place = number, .name = title, .unit = "", .scale = 1, .known = test, .meaning = words})
#define JSON_ONLY(words) ((CsvColumn){.meaning = words})
#define NO_COLUMN ((CsvColumn){.place = 0})

const RowField row_fields[] = {
#include "row.def"
};

const size_t row_field_count = sizeof row_fields / sizeof row_fields[0];

/* --- Members by their field ------------------------------------------------------------------- */

static const void *member_of(const RowField *field, const Row *row) {
    return (const char *)row + field->offset;
}

uint64_t row_count_get(const RowField *field, const Row *row) {
    if (field->size == sizeof(int32_t)) {
        int32_t count;
        memcpy(&count, member_of(field, row), sizeof count);
        return count > 0 ? (uint64_t)count : 0;
    }
    uint64_t count;
    memcpy(&count, member_of(field, row), sizeof count);
    return count;
}

double row_number_get(const RowField *field, const Row *row) {
    if (field->kind == ROW_NUMBER_OF) {
        return field->number(row);
    }
    double number;
    memcpy(&number, member_of(field, row), sizeof number);
    return number;
}

void row_number_set(const RowField *field, double number, Row *row) {
    memcpy((char *)row + field->offset, &number, sizeof number);
}

bool row_count_set(const RowField *field, double number, Row *row) {
    const bool narrow = field->size == sizeof(int32_t);
    const double most = narrow ? (double)INT32_MAX : 9007199254740992.0; /* exact in a double */
    const bool whole = number >= 0 && number <= most && number == floor(number);
    const uint64_t wide = whole ? (uint64_t)number : 0;
    const int32_t count = whole && narrow ? (int32_t)number : 0;
    memcpy((char *)row + field->offset, narrow ? (const void *)&count : &wide, field->size);
    return whole;
}

bool row_flag_get(const RowField *field, const Row *row) {
    return *(const bool *)member_of(field, row);
}

/* === Rows ===================================================================================== */

Row row_empty(void) {
    Row row = {.status = CELL_SKIP};
    for (size_t i = 0; i < row_field_count; i++) {
        if (row_fields[i].kind == ROW_NUMBER) {
            row_number_set(&row_fields[i], NAN, &row);
        }
    }
    row_forget_stages(&row);
    return row;
}

void row_forget_stages(Row *row) {
    for (size_t i = 0; i < STAGES_MAX; i++) {
        row->stage_seconds[i] = NAN;
    }
}

size_t variant_stage_count(const Variant *variant) {
    size_t count = 0;
    while (count < STAGES_MAX && variant->stages != NULL && variant->stages[count].name != NULL) {
        count++;
    }
    return count;
}

/* The lists of samples and what each is summarized in, offsets; the last has no summary. */
static const struct {
    size_t samples, summary;
} row_series[ROW_SERIES] = {
    {offsetof(Row, kernel), offsetof(Row, kernel_summary)},
    [SERIES_END_TO_END] = {offsetof(Row, end_to_end), offsetof(Row, end_to_end_summary)},
    {offsetof(Row, with_alloc), offsetof(Row, with_alloc_summary)},
    {offsetof(Row, energy_samples), offsetof(Row, energy_summary)},
    {offsetof(Row, cpu), 0},
};

SeriesNumber row_field_of_series(const RowField *field, size_t *series) {
    static const size_t within[SERIES_NUMBERS] = {[SERIES_MEDIAN] = offsetof(Summary, median),
                                                  [SERIES_MEAN] = offsetof(Summary, mean),
                                                  [SERIES_LEAST] = offsetof(Summary, min)};
    for (*series = 0; *series < ROW_SUMMARIES && field->kind == ROW_NUMBER; ++*series) {
        for (SeriesNumber number = SERIES_MEDIAN; number < SERIES_NUMBERS; number++) {
            if (field->offset == row_series[*series].summary + within[number]) {
                return number;
            }
        }
    }
    *series = SERIES_END_TO_END;
    return field->kind == ROW_NUMBER_OF && field->number == resident_seconds ? SERIES_LEAST
                                                                             : SERIES_NONE;
}

static Samples *series_samples(Row *row, size_t index) {
    return (Samples *)(void *)((char *)row + row_series[index].samples);
}

const Samples *row_series_of(const Row *row, size_t index) {
    return (const Samples *)(const void *)((const char *)row + row_series[index].samples);
}

size_t row_summary_offset(size_t index) {
    return row_series[index].summary;
}

static Summary *series_summary(Row *row, size_t index) {
    return (Summary *)(void *)((char *)row + row_series[index].summary);
}

void row_release(Row *row) {
    for (size_t i = 0; i < ROW_SERIES; i++) {
        samples_release(series_samples(row, i));
    }
}

void row_forget_samples(Row *row) {
    for (size_t i = 0; i < ROW_SERIES; i++) {
        *series_samples(row, i) = (Samples){0};
    }
}

void row_forget_summaries(Row *row) {
    for (size_t i = 0; i < ROW_SUMMARIES; i++) {
        *series_summary(row, i) = summary_none();
    }
}

void row_set_memory(Row *row, size_t index, const LaunchMemory *memory) {
    series_samples(row, index)->memory = *memory;
}

void row_complete_summaries(Row *row) {
    for (size_t i = 0; i < ROW_SUMMARIES; i++) {
        if (series_summary(row, i)->count == 0 && row_series_of(row, i)->count > 0) {
            summarize(row_series_of(row, i), series_summary(row, i));
        }
        summary_remember(&row_series_of(row, i)->memory, series_summary(row, i));
    }
    if (row->energy_samples.count > 0) {
        row->joule = row->energy_summary.median;
    }
}

Status row_append_samples(Row *row, const Row *more, uint32_t launch) {
    for (size_t i = 0; i < ROW_SERIES; i++) {
        STATUS_TRY(samples_append(series_samples(row, i), row_series_of(more, i), launch));
        if (i < ROW_SUMMARIES && row_series_of(row, i)->count > 0) {
            *series_summary(row, i) = summary_none();
        }
    }
    return status_ok();
}

Status row_copy(const Row *row, Row *copy) {
    *copy = *row;
    row_forget_samples(copy);
    Status status = status_ok();
    for (size_t i = 0; i < ROW_SERIES && status_is_ok(&status); i++) {
        status = samples_copy(row_series_of(row, i), series_samples(copy, i));
    }
    if (!status_is_ok(&status)) {
        row_release(copy);
    }
    return status;
}

void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size) {
    char point[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(tuning, point, sizeof point);
    snprintf(label, size, "%s%s%s", variant->name, point[0] != '\0' ? "/" : "", point);
}

void point_spaced(const Point *point, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < point->count; i++) {
        text_append(text, size, "%s%s:%s", i == 0 ? "" : " ", point->axes[i]->name,
                    point->values[i].text);
    }
}

Point point_without(const Point *point, const Axis *axis) {
    Point rest = STRUCT_OF(Point, .count = 0);
    for (size_t i = 0; i < point->count; i++) {
        if (point->axes[i] != axis) {
            rest.axes[rest.count] = point->axes[i];
            rest.values[rest.count++] = point->values[i];
        }
    }
    return rest;
}

static void append_point(const Point *point, char *name, size_t size) {
    if (point->count == 0) {
        return;
    }
    char text[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(point, text, sizeof text);
    const size_t length = strlen(name);
    snprintf(name + length, size - length, "/%s", text);
}

void row_name(const Row *row, char *name, size_t size) {
    snprintf(name, size, "%s/%s/%s/%s", row->algorithm->name, row->variant->name, row->input,
             row->size_name);
    append_point(&row->answer, name, size);
    append_point(&row->tuning, name, size);
}

bool row_same_way(const Row *a, const Row *b) {
    return a == NULL || b == NULL ? a == b
                                  : a->variant == b->variant && point_equal(&a->tuning, &b->tuning);
}

bool row_same_cell(const Row *a, const Row *b) {
    /* Without an algorithm: moved out of its results. */
    return a->algorithm != NULL && row_same_way(a, b) && a->width == b->width &&
           a->height == b->height && a->images == b->images &&
           strcmp(a->size_name, b->size_name) == 0 && row_same_series(a, b);
}

bool row_same_input(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0;
}

bool row_same_answer(const Row *a, const Row *b) {
    return row_same_input(a, b) && point_equal(&a->answer, &b->answer);
}

bool row_same_series(const Row *a, const Row *b) {
    return row_same_answer(a, b) && a->cold == b->cold;
}

bool row_same_growth(const Row *a, const Row *b) {
    return a->variant == b->variant && row_same_series(a, b);
}

bool results_begins(const Results *results, size_t index,
                    bool (*same)(const Row *a, const Row *b)) {
    const Row *row = &results->rows[index];
    bool first = row_is_measured(row);
    for (size_t i = 0; i < index && first; i++) {
        first = !row_is_measured(&results->rows[i]) || !same(&results->rows[i], row);
    }
    return first;
}

Status results_add(Results *results, const Row *row) {
    LIST_ADD(NULL, results->rows, results->count, results->capacity, "result rows", *row);
    return status_ok();
}

void results_release(Results *results) {
    for (size_t i = 0; i < results->count; i++) {
        row_release(&results->rows[i]);
    }
    hash_index_release(&results->cells);
    hash_index_release(&results->workloads);
    free(results->rows);
    *results = (Results){0};
}

size_t results_launches(const Results *results) {
    size_t most = 0;
    for (size_t i = 0; i < results->count; i++) {
        const size_t launches = samples_launches(&results->rows[i].kernel);
        most = launches > most ? launches : most;
    }
    return most;
}
