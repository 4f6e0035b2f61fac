/* Curves of a group: time against size. */
#include <math.h>
#include <stdlib.h>

#include "run_groups.h"

static const Summary *summary_of(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel_summary : &row->end_to_end_summary;
}

double row_seconds(const Row *row, TimeKind kind) {
    const double seconds = summary_of(row, kind)->median;
    return row->status == CELL_OK && seconds > 0.0 ? seconds : (double)NAN;
}

bool row_is_on_cpu(const Row *row) {
    return variant_is_on_cpu(row->variant);
}

/* Of one variant, or of all on the CPU, or of all on devices. */
static bool is_asked_for(const Row *row, const Variant *variant, bool cpu) {
    return variant != NULL ? row->variant == variant : row_is_on_cpu(row) == cpu;
}

/* Sorted by size; of one size the fastest. */
typedef struct RowList {
    const Row **rows;
    size_t count;
} RowList;

static void take_row(RowList *list, const Row *row, TimeKind kind) {
    size_t place = 0;
    while (place < list->count && row_size(list->rows[place]) < row_size(row)) {
        place++;
    }
    if (place < list->count && row_size(list->rows[place]) == row_size(row)) {
        if (row_seconds(row, kind) < row_seconds(list->rows[place], kind)) {
            list->rows[place] = row;
        }
        return;
    }
    for (size_t i = list->count; i > place; i--) {
        list->rows[i] = list->rows[i - 1];
    }
    list->rows[place] = row;
    list->count++;
}

static Status make_curve(const RunGroup *group, const Variant *variant, bool cpu, TimeKind kind,
                         CurvePoint **curve, const Row ***rows, size_t *count) {
    *curve = NULL;
    *count = 0;
    if (rows != NULL) {
        *rows = NULL;
    }
    RowList list = {.rows = calloc(group->count + 1, sizeof(const Row *))};
    CurvePoint *points = calloc(group->count + 1, sizeof *points);
    if (list.rows == NULL || points == NULL) {
        free(list.rows);
        free(points);
        return status_skip("no memory left for a curve of %zu rows", group->count);
    }
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (is_asked_for(row, variant, cpu) && isfinite(row_seconds(row, kind)) &&
            row_size(row) > 0.0) {
            take_row(&list, row, kind);
        }
    }
    for (size_t i = 0; i < list.count; i++) {
        const Summary *summary = summary_of(list.rows[i], kind);
        points[i] = (CurvePoint){.x = row_size(list.rows[i]),
                                 .value = summary->median,
                                 .low = summary->ci_low,
                                 .high = summary->ci_high};
    }
    *curve = points;
    *count = list.count;
    if (rows != NULL) {
        *rows = list.rows;
    } else {
        free(list.rows);
    }
    return status_ok();
}

Status run_curve(const RunGroup *group, const Variant *variant, TimeKind kind, CurvePoint **curve,
                 const Row ***rows, size_t *count) {
    return make_curve(group, variant, true, kind, curve, rows, count);
}

Status run_device_curve(const RunGroup *group, TimeKind kind, CurvePoint **curve, const Row ***rows,
                        size_t *count) {
    return make_curve(group, NULL, false, kind, curve, rows, count);
}
