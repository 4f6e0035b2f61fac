/* Rows: one for each planned cell. */

#include "results_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "base.h"
#include "status.h"
#include "variant.h"

Row row_empty(void) {
    Row row = {.status = CELL_SKIP,
               .agreement = NAN,
               .autocorrelation = NAN,
               .exponent = NAN,
               .exponent_low = NAN,
               .exponent_high = NAN,
               .clock_mhz_before = NAN,
               .clock_mhz_after = NAN,
               .clock_mhz_max = NAN,
               .temperature_before = NAN,
               .temperature_after = NAN,
               .power_before = NAN,
               .power_after = NAN,
               .ceiling_bandwidth = NAN,
               .ceiling_operations = NAN,
               .kernel_summary = summary_none(),
               .end_to_end_summary = summary_none(),
               .cpu_seconds = NAN,
               .upload = NAN,
               .download = NAN,
               .with_alloc = NAN,
               .with_alloc_mean = NAN,
               .cost = {.bytes = NAN, .operations = NAN, .items = NAN},
               .items_per_second = NAN,
               .bytes_per_second = NAN,
               .roof_seconds = NAN,
               .roof_fraction = NAN,
               .base_seconds = NAN,
               .speedup = NAN,
               .speedup_ci_low = NAN,
               .speedup_ci_high = NAN,
               .speedup_end_to_end = NAN,
               .speedup_end_to_end_ci_low = NAN,
               .speedup_end_to_end_ci_high = NAN,
               .speedup_vs_best_cpu = NAN,
               .speedup_vs_best_cpu_ci_low = NAN,
               .speedup_vs_best_cpu_ci_high = NAN,
               .speedup_end_to_end_vs_best_cpu = NAN,
               .speedup_end_to_end_vs_best_cpu_ci_low = NAN,
               .speedup_end_to_end_vs_best_cpu_ci_high = NAN,
               .joule = NAN};
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

double row_items_per_joule(const Row *row) {
    return row->joule > 0 ? row->cost.items / row->joule : (double)NAN;
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
