/* Rows: one for each planned cell, and the table of their fields. */

#include "results_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* === Fields =================================================================================== */

/* --- Functions used by row.def ---------------------------------------------------------------- */

static void algorithm_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->algorithm->name);
}

static void variant_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->name);
}

static void backend_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->backend->name);
}

static void input_hash_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%016" PRIx64, row->input_hash);
}

static void item_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->algorithm->item != NULL ? row->algorithm->item : "");
}

static void improves_on_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->improves_on != NULL ? row->variant->improves_on : "");
}

static void mode_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->cold ? "cold" : "hot");
}

static void cost_operation_text(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->cost.operation != NULL ? row->cost.operation : "");
}

static double best_tuning_digit(const Row *row) {
    return row->best_tuning ? 1.0 : 0.0;
}

static double items_per_joule(const Row *row) {
    return row->joule > 0 ? row->cost.items / row->joule : (double)NAN;
}

/* NAN unless the item is a pixel: other items have items_per_second only. */
static double megapixels(const Row *row, double items) {
    const char *item = row->algorithm->item;
    return item != NULL && strcmp(item, "pixel") == 0 ? items * 1e-6 : (double)NAN;
}

static double megapixels_per_second(const Row *row) {
    return megapixels(row, row->items_per_second);
}

static double megapixels_per_joule(const Row *row) {
    return megapixels(row, items_per_joule(row));
}

static double mebibytes(uint64_t bytes) {
    return bytes > 0 ? (double)bytes / (1024.0 * 1024.0) : (double)NAN;
}

static double device_mebibytes(const Row *row) {
    return mebibytes(row->device_peak);
}

static double host_mebibytes(const Row *row) {
    return mebibytes(row->host_peak);
}

/* The time of studies that process an image repeatedly without uploading it again. */
static double resident_seconds(const Row *row) {
    return row->kernel_summary.min + (isfinite(row->download) ? row->download : 0);
}

static bool has_input_hash(const Row *row) {
    return row->input_hash != 0;
}

static bool is_of_a_set(const Row *row) {
    return row->images > 0;
}

static bool is_ok(const Row *row) {
    return row->status == CELL_OK;
}

/* "no" needs a clock that was read. */
static bool is_clock_known(const Row *row) {
    return is_ok(row) && (row->throttled || isfinite(row->clock_mhz_after / row->clock_mhz_max));
}

static bool has_roof(const Row *row) {
    return isfinite(row->roof_fraction);
}

static bool has_batch(const Row *row) {
    return row->batch != 0;
}

static bool has_samples(const Row *row) {
    return row->kernel.count > 0;
}

static bool has_autocorrelation(const Row *row) {
    return isfinite(row->autocorrelation);
}

static bool has_dip_test(const Row *row) {
    return row->kernel.count >= DIP_SAMPLES_MIN;
}

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

#define KEY(key) ((RowKey){key, KEY_OPTIONAL})
#define REQUIRED(key) ((RowKey){key, KEY_REQUIRED})
#define NONZERO(key) ((RowKey){key, KEY_NONZERO})
#define DERIVED(key) ((RowKey){key, KEY_DERIVED})
#define NO_KEY ((RowKey){NULL, KEY_OPTIONAL})

#define COLUMN(place, name, unit, scale, meaning)                                                  \
    ((CsvColumn){place, name, unit, scale, NULL, meaning, NULL})
#define MS(place, name, meaning) COLUMN(place, name, "ms", 1e3, meaning)
#define PLAIN(place, name, meaning) COLUMN(place, name, "", 1, meaning)
#define KNOWN(place, name, test, meaning) ((CsvColumn){place, name, "", 1, test, meaning, NULL})
#define NO_COLUMN ((CsvColumn){0, NULL, NULL, 0, NULL, NULL, NULL})

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

bool row_identify(Row *row, const char *algorithm, const char *variant) {
    row->algorithm = registry_find_algorithm(algorithm);
    row->variant = row->algorithm != NULL ? registry_find_variant(row->algorithm, variant) : NULL;
    return row->variant != NULL;
}

const Axis *axis_in_list(const Axis *const *axes, const char *name) {
    for (; axes != NULL && *axes != NULL; axes++) {
        if (strcmp((*axes)->name, name) == 0) {
            return *axes;
        }
    }
    return NULL;
}

static bool read_value(const Axis *axis, double number, const char *text, AxisValue *value) {
    if (axis->kind == AXIS_INTEGER) {
        if (!(number >= (double)axis->minimum && number <= (double)axis->maximum)) {
            return false;
        }
        value->number = (int64_t)number;
        snprintf(value->text, sizeof value->text, "%" PRId64, value->number);
        return true;
    }
    utf8_copy(value->text, sizeof value->text, text != NULL ? text : "");
    for (int64_t i = 0; axis->kind == AXIS_CHOICE && text != NULL && axis->choices[i] != NULL;
         i++) {
        if (strcmp(axis->choices[i], text) == 0) {
            value->number = i;
            return true;
        }
    }
    return axis->kind == AXIS_TEXT && text != NULL;
}

bool point_add(Point *point, const Axis *const *axes, const char *name, double number,
               const char *text) {
    const Axis *axis = axis_in_list(axes, name);
    if (axis == NULL || point_value(point, name) != NULL || point->count == POINT_AXES_MAX ||
        !read_value(axis, number, text, &point->values[point->count])) {
        return false;
    }
    point->axes[point->count++] = axis;
    return true;
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

void row_release(Row *row) {
    samples_release(&row->kernel);
    samples_release(&row->end_to_end);
}

void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size) {
    char point[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(tuning, point, sizeof point);
    snprintf(label, size, "%s%s%s", variant->name, point[0] != '\0' ? "/" : "", point);
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

Status results_add(Results *results, const Row *row) {
    STATUS_TRY(LIST_ROOM(NULL, results->rows, results->count, results->capacity, "result rows"));
    results->rows[results->count++] = *row;
    return status_ok();
}

void results_release(Results *results) {
    for (size_t i = 0; i < results->count; i++) {
        row_release(&results->rows[i]);
    }
    free(results->rows);
    *results = (Results){0};
}
