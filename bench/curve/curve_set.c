#include "curve_set.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "curve_labels.h"
#include "file_bytes.h"

enum { COLUMN_BOX, COLUMN_LAMBDA, COLUMN_REQUIRED, COLUMN_THRESHOLD = 2, COLUMN_NORMALISED };
static const char *const column_names[] = {
    [COLUMN_BOX] = "box",
    [COLUMN_LAMBDA] = "lambda",
    [COLUMN_THRESHOLD] = "threshold",
    [COLUMN_NORMALISED] = "lambda_normalised",
};
enum { FILE_SIZE_MAX = 1 << 26 };
enum { COLUMN_COUNT = sizeof column_names / sizeof column_names[0] };

/* The curve of a file and threshold, made where there is none yet. */
static Status find_curve(CurveSet *set, size_t file, const char *threshold, Curve **curve) {
    for (size_t i = 0; i < set->count; i++) {
        *curve = &set->curves[i];
        if ((*curve)->file == file && strcmp((*curve)->threshold, threshold) == 0) {
            return status_ok();
        }
    }
    if (set->count == CURVES_MAX) {
        return status_make(STATUS_USAGE,
                           "more than %d curves (files times thresholds) in one chart; name fewer",
                           CURVES_MAX);
    }
    *curve = &set->curves[set->count++];
    **curve = (Curve){.file = file};
    snprintf((*curve)->threshold, sizeof(*curve)->threshold, "%s", threshold);
    return status_ok();
}

static Status add_point(Curve *curve, const LacunarityPoint *point) {
    if ((curve->count & (curve->count - 1)) == 0) { /* a power of two: the room is used up */
        const size_t capacity = curve->count > 0 ? 2 * curve->count : 1;
        LacunarityPoint *grown = realloc(curve->points, capacity * sizeof *grown);
        if (grown == NULL) {
            return status_skip("no memory left for the curves");
        }
        curve->points = grown;
    }
    curve->points[curve->count++] = *point;
    return status_ok();
}

/* A positive number, or NAN for an empty field. */
static Status read_number(const char *path, const char *text, double *number) {
    char *end;
    *number = text[0] != '\0' ? strtod(text, &end) : (double)NAN;
    if (text[0] != '\0' && (*end != '\0' || !isfinite(*number) || *number <= 0)) {
        return status_make(STATUS_FILE, "%s: '%.40s' is not a positive number", path, text);
    }
    return status_ok();
}

static Status read_row(const char *path, size_t file, const CsvRecord *record,
                       const size_t *columns, CurveSet *set) {
    LacunarityPoint point;
    Curve *curve;
    const char *threshold = csv_field(record, columns[COLUMN_THRESHOLD]);
    if (strlen(threshold) >= CURVE_THRESHOLD_SIZE) {
        return status_make(STATUS_FILE, "%s: the threshold '%.40s' is longer than %d characters",
                           path, threshold, CURVE_THRESHOLD_SIZE - 1);
    }
    STATUS_TRY(find_curve(set, file, threshold, &curve));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_BOX]), &point.box));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_LAMBDA]), &point.lambda));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_NORMALISED]), &point.normalised));
    const bool defined = !isnan(point.box) && !isnan(point.lambda);
    return defined ? add_point(curve, &point) : status_ok();
}

static Status read_records(const char *path, size_t file, char *text, CurveSet *set) {
    CsvRecord record;
    size_t columns[COLUMN_COUNT];
    if (!csv_next_record(&text, &record)) {
        return status_make(STATUS_FILE, "%s is empty", path);
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        columns[i] = csv_field_index(&record, column_names[i]);
        if (i < COLUMN_REQUIRED && columns[i] == SIZE_MAX) {
            return status_make(STATUS_FILE,
                               "%s has no column \"%s\": it is no curve of lacunarity, which "
                               "bench run --save writes",
                               path, column_names[i]);
        }
    }
    while (csv_next_record(&text, &record)) {
        STATUS_TRY(read_row(path, file, &record, columns, set));
    }
    return status_ok();
}

static Status read_file(const char *path, size_t file, CurveSet *set) {
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(path, "a table of curves", FILE_SIZE_MAX, &text, &length));
    const Status status = read_records(path, file, text, set);
    free(text);
    return status;
}

static int by_box(const void *left, const void *right) {
    const LacunarityPoint *a = left;
    const LacunarityPoint *b = right;
    return (a->box > b->box) - (a->box < b->box);
}

Status curve_set_read(const PathList *paths, CurveSet *set) {
    set->count = 0;
    set->title[0] = '\0';
    for (size_t i = 0; i < paths->count; i++) {
        STATUS_TRY(read_file(paths->paths[i], i, set));
    }
    for (size_t i = 0; i < set->count; i++) {
        Curve *curve = &set->curves[i];
        if (curve->count > 1) {
            qsort(curve->points, curve->count, sizeof *curve->points, by_box);
        }
    }
    if (paths->count > 0) {
        curve_labels_make(paths, set);
    }
    return status_ok();
}

void curve_set_release(CurveSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        free(set->curves[i].points);
    }
    set->count = 0;
}
