/* Several GPUs or threads: which rows are of one scaling, and how well it scales. */

#include <math.h>
#include <string.h>

#include "algorithm.h"
#include "results.h"
#include "results_internal.h"
#include "scaling.h"

const char scaling_gpus[] = "gpus", scaling_threads[] = "threads";

const char *row_scaling_axis(const Row *row) {
    static const char *const names[] = {scaling_gpus, scaling_threads};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (point_value(&row->tuning, names[i]) != NULL) {
            return names[i];
        }
    }
    return NULL;
}

int row_workers(const Row *row) {
    const char *axis = row_scaling_axis(row);
    return axis != NULL ? (int)point_integer(&row->tuning, axis, 0) : 0;
}

int row_gpus(const Row *row) {
    return (int)point_integer(&row->tuning, scaling_gpus, 0);
}

const char *workers_noun(const char *axis, int count) {
    const bool gpus = strcmp(axis, scaling_gpus) == 0;
    return count == 1 ? (gpus ? "GPU" : "thread") : gpus ? "GPUs" : scaling_threads;
}

double weak_factor(const Algorithm *algorithm, int workers) {
    return algorithm->weak_power == 2 ? sqrt(workers) : workers;
}

/* Whether each worker has the same work in both. */
static bool grows_evenly(double a, int a_workers, double b, int b_workers) {
    return a * b_workers == b * a_workers;
}

/* What has grown √N-fold was rounded to a whole number. */
static double rounding(const Algorithm *algorithm, int workers) {
    return algorithm->weak_power == 2 && workers > 1 ? 0.5 : 0;
}

/* The same of weak_axis. */
static bool axis_grows_evenly(const Algorithm *algorithm, double a, int a_workers, double b,
                              int b_workers) {
    const double m = weak_factor(algorithm, a_workers), n = weak_factor(algorithm, b_workers);
    return fabs(a * n - b * m) <=
           rounding(algorithm, a_workers) * n + rounding(algorithm, b_workers) * m;
}

/* The sizes that one worker has of the rows' inputs are equal. */
static bool same_share_of_input(const Row *a, const Row *b) {
    const int m = row_workers(a), n = row_workers(b);
    const bool set = a->images > 0;
    return a->width == b->width && (a->images > 0) == (b->images > 0) &&
           (set ? a->height == b->height && grows_evenly(a->images, m, b->images, n)
                : grows_evenly(a->height, m, b->height, n));
}

static bool same_share(const Row *a, const Row *b) {
    const char *axis = a->algorithm->weak_axis;
    if (axis == NULL) {
        return same_share_of_input(a, b) && point_equal(&a->answer, &b->answer);
    }
    return a->width == b->width && a->height == b->height && a->images == b->images &&
           point_equal_but(&a->answer, &b->answer, axis) &&
           axis_grows_evenly(a->algorithm, (double)point_integer(&a->answer, axis, 0),
                             row_workers(a), (double)point_integer(&b->answer, axis, 0),
                             row_workers(b));
}

bool row_same_scaling(const Row *a, const Row *b) {
    const char *axis = row_scaling_axis(a);
    if (axis == NULL || a->algorithm != b->algorithm || a->variant != b->variant ||
        row_scaling_axis(b) != axis || a->weak != b->weak || a->cold != b->cold ||
        strcmp(a->input, b->input) != 0 || !point_equal_but(&a->tuning, &b->tuning, axis)) {
        return false;
    }
    return a->weak ? same_share(a, b) : row_same_question(a, b);
}

static bool is_on_one(const Row *other, const Row *row) {
    return row_is_measured(other) && row_workers(other) == 1 && row_same_scaling(other, row);
}

/* With --weak one worker has another question. */
const Row *row_on_one(const Results *results, const Row *row) {
    for (size_t i = 0; row->weak && i < results->count; i++) {
        if (is_on_one(&results->rows[i], row)) {
            return &results->rows[i];
        }
    }
    const Row *other = row->weak ? NULL : question_first(results, row);
    while (other != NULL && !is_on_one(other, row)) {
        other = question_next(results, other);
    }
    return other;
}

Ratio row_efficiency(const Row *row, TimeKind kind) {
    const Ratio percent = kind == TIME_KERNEL ? ROW_RATIO(row, parallel_efficiency)
                                              : ROW_RATIO(row, parallel_efficiency_end_to_end);
    return ratio_scaled(percent, 0.01);
}

Ratio row_over_one(const Row *row, TimeKind kind) {
    return ratio_scaled(row_efficiency(row, kind), row_workers(row));
}
