/* Which numbers a stored row may hold: files may come from anybody, and from broken disks. */

#include "results_internal.h"
#include "stored_run.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* === A number ================================================================================= */

bool seconds_possible(double seconds) {
    return seconds > 0 && seconds <= SECONDS_MOST;
}

/* Rates are great where a time is tiny. */
static const double number_most = 1e30;

const char seconds_words[] = "a time is above 0 and at most 1e6 s";

/* Whether this part of a summary is a time of its samples, and not one of their spread. */
static bool is_of_samples(size_t part) {
    static const size_t parts[] = {offsetof(Summary, min),        offsetof(Summary, p25),
                                   offsetof(Summary, median),     offsetof(Summary, p75),
                                   offsetof(Summary, p99),        offsetof(Summary, mean),
                                   offsetof(Summary, ci_low),     offsetof(Summary, ci_high),
                                   offsetof(Summary, launch_low), offsetof(Summary, launch_high)};
    bool is = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        is |= parts[i] == part;
    }
    return is;
}

/* Whether earlier runs may have moved it beyond the samples. */
static bool is_interval_end(size_t part) {
    return part == offsetof(Summary, ci_low) || part == offsetof(Summary, ci_high) ||
           part == offsetof(Summary, launch_low) || part == offsetof(Summary, launch_high);
}

/* Whether the field is part of this summary of a row, and where in it. */
static bool is_part_of(const RowField *field, size_t summary, size_t *part) {
    *part = field->offset - summary;
    return field->number == NULL && field->text == NULL && field->offset >= summary &&
           *part < sizeof(Summary);
}

static bool is_time_of_samples(const RowField *field) {
    bool is = false;
    for (size_t i = 0; i < ROW_SUMMARIES; i++) {
        size_t part;
        is |= is_part_of(field, row_summary_offset(i), &part) && is_of_samples(part);
    }
    return is;
}

/* Derived numbers are correlations and exponents. */
static bool may_be_negative(const RowField *field) {
    return field->json.name == NULL || field->json.rule == KEY_DERIVED ||
           field->json.quantity == QUANTITY_CELSIUS;
}

const char *row_number_wrong(const RowField *field, double number) {
    if (isnan(number)) {
        return NULL;
    }
    if (is_time_of_samples(field)) {
        return seconds_possible(number) ? NULL : seconds_words;
    }
    if (field->json.quantity == QUANTITY_SECONDS) {
        return number >= 0 && number <= SECONDS_MOST ? NULL
                                                     : "such a time is from 0 on and at most 1e6 s";
    }
    return fabs(number) <= number_most && (number >= 0 || may_be_negative(field))
               ? NULL
               : "such a number is from 0 on and at most 1e30";
}

/* === A summary and its samples ================================================================ */

/* The least and the greatest sample, and how many launches have some. */
typedef struct Extent {
    double low, high;
    size_t launches;
} Extent;

static Extent extent_of(const Samples *samples) {
    Extent extent = {.low = INFINITY, .high = -INFINITY, .launches = 1};
    for (size_t i = 0; i < samples->count; i++) {
        extent.low = fmin(extent.low, samples->seconds[i]);
        extent.high = fmax(extent.high, samples->seconds[i]);
        extent.launches += i > 0 && samples->origins != NULL &&
                           samples->origins[i].launch != samples->origins[i - 1].launch;
    }
    return extent;
}

/* Sums of many samples, and numbers of other programs, may be rounded. */
static const double rounding = 1e-9;

/* What was not stored, NAN or 0, fits. */
static bool fits(const RowField *field, size_t part, const Row *row, const Samples *samples,
                 const Extent *extent) {
    if (field->kind == ROW_NUMBER) {
        const double number = row_number_get(field, row);
        const double width = is_interval_end(part) && samples->memory.time > 0
                                 ? samples->memory.time + rounding
                                 : rounding;
        return isnan(number) || !is_of_samples(part) ||
               (number >= extent->low * exp(-width) && number <= extent->high * exp(width));
    }
    const uint64_t count = row_count_get(field, row);
    return count == 0 ||
           count == (part == offsetof(Summary, count) ? samples->count : extent->launches);
}

/* The key of a summary's part that its samples contradict. */
static const char *contradiction(const Row *row, const Samples *samples, size_t summary) {
    const Extent extent = extent_of(samples);
    for (size_t i = 0; i < row_field_count; i++) {
        const RowField *field = &row_fields[i];
        size_t part;
        if (field->json.name != NULL && is_part_of(field, summary, &part) &&
            !fits(field, part, row, samples, &extent)) {
            return field->json.name;
        }
    }
    return NULL;
}

const char *row_contradiction(const Row *row) {
    const char *key = NULL;
    for (size_t i = 0; i < ROW_SUMMARIES && key == NULL; i++) {
        const Samples *samples = row_series_of(row, i);
        key = samples->count > 0 ? contradiction(row, samples, row_summary_offset(i)) : NULL;
    }
    return key;
}
