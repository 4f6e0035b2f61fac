/* How samples behave, and how time grows with size. */

#include "growth.h"
#include "number.h"
#include "results.h"
#include "results_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* === The dip test ============================================================================= */

/* A bound of the distribution function: its value at each point from lo to hi, and where it touches
 * the distribution function. */
typedef struct Hull {
    double at[DIP_SAMPLES_MAX];
    bool touches[DIP_SAMPLES_MAX];
} Hull;

/* The state of the search: the mode of the unimodal function is between points lo and hi. */
typedef struct Search {
    const double *x;
    size_t lo, hi;
    Hull below, above; /* greatest convex minorant, least concave majorant */
} Search;

/* The distribution function just before point i and at it, times n. */
static double before(size_t i) {
    return (double)i;
}

static double after(size_t i) {
    return (double)(i + 1);
}

static void fill_between(Hull *hull, const double *x, size_t from, size_t to) {
    const double slope = (hull->at[to] - hull->at[from]) / (x[to] - x[from]);
    for (size_t i = from + 1; i < to; i++) {
        hull->at[i] = hull->at[from] + slope * (x[i] - x[from]);
        hull->touches[i] = false;
    }
}

/* From each corner the hull continues with the least slope to a later point (sign 1: minorant) or
 * the greatest (sign -1: majorant). */
static void make_hull(const Search *search, Hull *hull, double (*height)(size_t), double sign) {
    size_t corner = search->lo;
    hull->at[corner] = height(corner);
    hull->touches[corner] = true;
    while (corner < search->hi) {
        size_t next = corner;
        double best = INFINITY;
        for (size_t i = corner + 1; i <= search->hi; i++) {
            const double slope =
                sign * (height(i) - height(corner)) / (search->x[i] - search->x[corner]);
            if (slope <= best) {
                best = slope;
                next = i;
            }
        }
        hull->at[next] = height(next);
        hull->touches[next] = true;
        fill_between(hull, search->x, corner, next);
        corner = next;
    }
}

/* Finds the widest gap between the hulls at a corner of either, and the interval that remains. */
static double widest_gap(const Search *search, size_t *lo, size_t *hi) {
    double widest = 0;
    for (size_t i = search->lo; i <= search->hi; i++) {
        const double gap = search->above.at[i] - search->below.at[i];
        if ((search->below.touches[i] || search->above.touches[i]) && gap > widest) {
            widest = gap;
            *lo = *hi = i;
        }
    }
    while (!search->below.touches[*lo]) {
        (*lo)--;
    }
    while (!search->above.touches[*hi]) {
        (*hi)++;
    }
    return widest;
}

/* The largest distance of the distribution function from the minorant left of `lo` and from the
 * majorant right of `hi`, which the unimodal function follows there. */
static double farthest_outside(const Search *search, size_t lo, size_t hi) {
    double farthest = 0;
    for (size_t i = search->lo; i <= lo; i++) {
        farthest = fmax(farthest, after(i) - search->below.at[i]);
    }
    for (size_t i = hi; i <= search->hi; i++) {
        farthest = fmax(farthest, search->above.at[i] - before(i));
    }
    return farthest;
}

double dip_of(const double *sorted, size_t n) {
    Search search = {.x = sorted, .lo = 0, .hi = n - 1};
    double dip = 1; /* times 2n: half a step of the distribution function is always missed */
    for (;;) {
        make_hull(&search, &search.below, before, 1);
        make_hull(&search, &search.above, after, -1);
        size_t lo = search.lo;
        size_t hi = search.hi;
        const double gap = widest_gap(&search, &lo, &hi);
        if (gap <= dip) {
            break;
        }
        dip = fmax(dip, farthest_outside(&search, lo, hi));
        if (lo == search.lo && hi == search.hi) {
            break;
        }
        search.lo = lo;
        search.hi = hi;
    }
    return dip / (2 * (double)n);
}

/* Fitted to 100,000 simulated uniform samples (40,000 above n = 60) at each of eleven sizes from 12
 * to 200; within 1% of every simulated quantile. */
double dip_critical(size_t n) {
    const double root = sqrt((double)n);
    return (0.543 - 0.324 / root) / root;
}

/* === Outliers, autocorrelation and modes ====================================================== */

enum { OUTLIER_SAMPLES_MIN = 5, AUTOCORRELATION_SAMPLES_MIN = 8 };

#define MODE_RESOLUTION 0.005

/* A sample and its place in time. */
typedef struct Timed {
    double value;
    size_t index;
} Timed;

/* Room for one analysis: `sorted` and `ranks` have a place for every sample. */
typedef struct Work {
    Timed *timed;
    double *sorted; /* ascending */
    double *ranks;  /* of the samples in the order taken, 1…n */
    size_t n;
} Work;

static void work_release(Work *work) {
    free(work->timed);
    free(work->sorted);
    free(work->ranks);
}

/* Released with work_release, whatever was returned. */
static Status work_make(const Samples *samples, Work *work) {
    const size_t n = samples->count;
    *work = (Work){.timed = malloc(n * sizeof *work->timed),
                   .sorted = malloc(n * sizeof *work->sorted),
                   .ranks = malloc(n * sizeof *work->ranks),
                   .n = n};
    STATUS_MEMORY(work->timed != NULL && work->sorted != NULL && work->ranks != NULL,
                  "to analyse %zu samples", n);
    for (size_t i = 0; i < n; i++) {
        work->timed[i] = (Timed){.value = samples->seconds[i], .index = i};
    }
    qsort(work->timed, n, sizeof *work->timed, compare_doubles);
    for (size_t i = 0; i < n; i++) {
        work->sorted[i] = work->timed[i].value;
    }
    return status_ok();
}

/* --- Outliers -------------------------------------------------------------------------------- */

static void count_outliers(const Work *work, Behaviour *behaviour) {
    if (work->n < OUTLIER_SAMPLES_MIN) {
        return;
    }
    const double q1 = quantile_sorted(work->sorted, work->n, 0.25);
    const double q3 = quantile_sorted(work->sorted, work->n, 0.75);
    const double range = q3 - q1;
    for (size_t i = 0; i < work->n; i++) {
        const double beyond = fmax(q1 - work->sorted[i], work->sorted[i] - q3);
        behaviour->outliers_severe += beyond > 3 * range;
        behaviour->outliers_mild += beyond > 1.5 * range && beyond <= 3 * range;
    }
}

/* --- Autocorrelation ------------------------------------------------------------------------- */

static void rank(Work *work) {
    size_t first = 0;
    while (first < work->n) {
        size_t end = first + 1;
        while (end < work->n && work->sorted[end] == work->sorted[first]) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            work->ranks[work->timed[i].index] = (double)(first + 1 + end) / 2;
        }
        first = end;
    }
}

static void correlate(Work *work, Behaviour *behaviour) {
    const double n = (double)work->n;
    if (work->n < AUTOCORRELATION_SAMPLES_MIN || work->sorted[0] == work->sorted[work->n - 1]) {
        return;
    }
    rank(work);
    const double mean = (n + 1) / 2;
    double squares = 0, products = 0;
    for (size_t i = 0; i < work->n; i++) {
        const double deviation = work->ranks[i] - mean;
        squares += deviation * deviation;
        products += i > 0 ? deviation * (work->ranks[i - 1] - mean) : 0;
    }
    behaviour->autocorrelation = products / squares;
    behaviour->autocorrelated = fabs(behaviour->autocorrelation + 1 / n) > 1.96 / sqrt(n);
}

/* --- Modes ----------------------------------------------------------------------------------- */

/* The step of the clock: if most samples are ties, the least difference of two samples. Otherwise
 * 0. */
static double clock_step(const Work *work) {
    size_t different = 1;
    double step = INFINITY;
    for (size_t i = 1; i < work->n; i++) {
        if (work->sorted[i] > work->sorted[i - 1]) {
            different++;
            step = fmin(step, work->sorted[i] - work->sorted[i - 1]);
        }
    }
    return 2 * different < work->n && isfinite(step) ? step : 0;
}

/* A multiple of the clock's step, so that every cell covers the same number of steps. */
static double cell_width(const Work *work) {
    const double width = MODE_RESOLUTION * quantile_sorted(work->sorted, work->n, 0.5);
    const double step = clock_step(work);
    return step > 0 ? step * ceil(width / step) : width;
}

/* Spreads the samples of each cell evenly over it. `sorted` stays ascending and has no ties then.
 */
static void spread_in_cells(Work *work) {
    const double width = cell_width(work);
    size_t first = 0;
    while (first < work->n) {
        const double cell = round(work->sorted[first] / width);
        size_t end = first + 1;
        while (end < work->n && round(work->sorted[end] / width) == cell) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            const double place = ((double)(i - first) + 0.5) / (double)(end - first);
            work->sorted[i] = (cell + place - 0.5) * width;
        }
        first = end;
    }
}

static void find_modes(Work *work, Behaviour *behaviour) {
    if (work->n < DIP_SAMPLES_MIN || !(work->sorted[0] > 0)) {
        return;
    }
    spread_in_cells(work);
    double points[DIP_SAMPLES_MAX];
    const size_t count = work->n < DIP_SAMPLES_MAX ? work->n : DIP_SAMPLES_MAX;
    for (size_t i = 0; i < count; i++) {
        const double share = ((double)i + 0.5) / (double)count;
        points[i] = work->n <= DIP_SAMPLES_MAX ? work->sorted[i]
                                               : quantile_sorted(work->sorted, work->n, share);
    }
    behaviour->multimodal = dip_of(points, count) > dip_critical(count);
}

Status behaviour_of(const Samples *samples, Behaviour *behaviour) {
    *behaviour = (Behaviour){.autocorrelation = NAN};
    if (samples->count == 0) {
        return status_ok();
    }
    Work work;
    const Status status = work_make(samples, &work);
    if (status_is_ok(&status)) {
        count_outliers(&work, behaviour);
        correlate(&work, behaviour);
        find_modes(&work, behaviour);
    }
    work_release(&work);
    return status;
}

/* === Complexity =============================================================================== */

/* With --weak more GPUs have more items: their times say nothing about growth with size. */
static bool is_fitted(const Row *row) {
    return row->status == CELL_OK && row->kernel_summary.median > 0 && row->cost.items > 0 &&
           !row->weak;
}

/* Items and seconds of one family: room for as many points as there are rows. */
typedef struct Curve {
    const Row **rows;
    double *items, *seconds;
    double (*medians)[LAUNCHES_MAX]; /* of the launches of each point */
} Curve;

/* The launches of a family have a line each, through the sizes that they measured. False where they
 * are too few for an interval. */
static bool fit_launches(const Curve *curve, size_t n, PowerFit *fit, size_t *launches) {
    double exponents[LAUNCHES_MAX];
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t count = samples_launch_medians(&curve->rows[i]->kernel, curve->medians[i]);
        for (size_t launch = count; launch < LAUNCHES_MAX; launch++) {
            curve->medians[i][launch] = NAN;
        }
        most = count > most ? count : most;
    }
    for (size_t launch = 0; launch < most; launch++) {
        size_t points = 0;
        for (size_t i = 0; i < n; i++) {
            if (curve->medians[i][launch] > 0) {
                curve->items[points] = curve->rows[i]->cost.items;
                curve->seconds[points++] = curve->medians[i][launch];
            }
        }
        exponents[launch] = power_fit(curve->items, curve->seconds, points).exponent;
    }
    const LaunchSummary summary = launches_summarize(exponents, most);
    *fit = (PowerFit){.exponent = summary.median, .low = summary.low, .high = summary.high};
    *launches = summary.launches;
    return summary.is_interval;
}

static PowerFit fit_family(const Results *results, const Row *row, const Curve *curve,
                           size_t *launches) {
    size_t n = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *other = &results->rows[i];
        if (is_fitted(other) && other->best_tuning && row_same_growth(other, row)) {
            curve->rows[n++] = other;
        }
    }
    PowerFit fit;
    if (fit_launches(curve, n, &fit, launches)) {
        return fit;
    }
    *launches = 0;
    for (size_t i = 0; i < n; i++) {
        curve->items[i] = curve->rows[i]->cost.items;
        curve->seconds[i] = curve->rows[i]->kernel_summary.median;
    }
    return power_fit(curve->items, curve->seconds, n);
}

static void fit_all(Results *results, const Curve *curve) {
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        size_t first = 0;
        if (!is_fitted(row)) {
            continue;
        }
        while (first < i &&
               !(is_fitted(&results->rows[first]) && row_same_growth(&results->rows[first], row))) {
            first++;
        }
        const Row *known = &results->rows[first];
        PowerFit fit = {known->exponent, known->exponent_low, known->exponent_high};
        size_t launches = known->exponent_launches;
        if (first == i) {
            fit = fit_family(results, row, curve, &launches);
        }
        row->exponent = fit.exponent;
        row->exponent_low = fit.low;
        row->exponent_high = fit.high;
        row->exponent_launches = launches;
    }
}

void complexity_derive(Results *results) {
    const size_t room = results->count + 1;
    const Curve curve = {.rows = malloc(room * sizeof *curve.rows),
                         .items = malloc(room * sizeof(double)),
                         .seconds = malloc(room * sizeof(double)),
                         .medians = malloc(room * sizeof *curve.medians)};
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        row->exponent = row->exponent_low = row->exponent_high = NAN;
        row->exponent_launches = 0;
    }
    if (curve.rows != NULL && curve.items != NULL && curve.seconds != NULL &&
        curve.medians != NULL) {
        fit_all(results, &curve);
    }
    free(curve.rows);
    free(curve.items);
    free(curve.seconds);
    free(curve.medians);
}
