#include "behaviour.h"

#include <math.h>
#include <stdlib.h>

#include "dip.h"
#include "stats.h"

/* A sample and its place in time. */
typedef struct Timed {
    double value;
    size_t index;
} Timed;

static int compare_timed(const void *left, const void *right) {
    const double a = ((const Timed *)left)->value;
    const double b = ((const Timed *)right)->value;
    return (a > b) - (a < b);
}

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
    if (work->timed == NULL || work->sorted == NULL || work->ranks == NULL) {
        return status_skip("no memory left to look at %zu samples", n);
    }
    for (size_t i = 0; i < n; i++) {
        work->timed[i] = (Timed){.value = samples->seconds[i], .index = i};
    }
    qsort(work->timed, n, sizeof *work->timed, compare_timed);
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
    double squares = 0;
    double products = 0;
    for (size_t i = 0; i < work->n; i++) {
        const double deviation = work->ranks[i] - mean;
        squares += deviation * deviation;
        products += i > 0 ? deviation * (work->ranks[i - 1] - mean) : 0;
    }
    behaviour->autocorrelation = products / squares;
    behaviour->autocorrelated = fabs(behaviour->autocorrelation + 1 / n) > 1.96 / sqrt(n);
}

/* --- Modes ----------------------------------------------------------------------------------- */

/* Least difference of two samples, where most of them are ties: the step of the clock. Else 0. */
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

/* Whole steps, so that every cell holds equally many of them. */
static double cell_width(const Work *work) {
    const double width = MODE_RESOLUTION * quantile_sorted(work->sorted, work->n, 0.5);
    const double step = clock_step(work);
    return step > 0 ? step * ceil(width / step) : width;
}

/* Writes over `sorted`, which stays ascending and has no ties afterwards. */
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

static void look_for_modes(Work *work, Behaviour *behaviour) {
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
        look_for_modes(&work, behaviour);
    }
    work_release(&work);
    return status;
}
