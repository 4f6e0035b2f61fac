/* Several stored launches of one run become one run. */

#include "merge.h"
#include "results.h"
#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How samples behave is derived again. */
static void forget_behaviour(Row *row) {
    row->autocorrelation = row->odd_median = row->even_median = NAN;
    row->odd_end_to_end = row->even_end_to_end = NAN;
    row->outliers_mild = row->outliers_severe = 0;
    row->autocorrelated = row->multimodal = false;
}

/* Appends the samples of `more` as those of launch `launch`. The CPU time of a run of one launch is
 * that launch's; what each of several took is not known of files of earlier versions. */
static Status append_samples(Row *row, const Row *more, uint32_t launch) {
    STATUS_TRY(row_append_samples(row, more, launch));
    if (more->cpu.count > 0 || samples_launches(&more->kernel) != 1 ||
        !isfinite(more->cpu_seconds)) {
        return status_ok();
    }
    row->cpu.origin = (SampleOrigin){.launch = launch};
    return samples_add(&row->cpu, more->cpu_seconds);
}

/* The first row of a cell, with its samples as those of launch `launch`. */
static Status add_cell(Results *whole, const Row *row, uint32_t launch) {
    Row copy = *row;
    row_forget_samples(&copy);
    Status status = append_samples(&copy, row, launch);
    forget_behaviour(&copy);
    STATUS_THEN(status, results_add(whole, &copy));
    if (!status_is_ok(&status)) {
        row_release(&copy);
    }
    return status;
}

/* The mean of two numbers that stand for so many samples; what is not known does not count. */
static double weighted_mean(double a, size_t of_a, double b, size_t of_b) {
    if (isnan(a) || isnan(b)) {
        return isnan(a) ? b : a;
    }
    return (a * (double)of_a + b * (double)of_b) / (double)(of_a + of_b);
}

/* What is not known does not count. */
static double sum(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* A cell that no launch so far could measure keeps its place. */
static void start_cell(Row *row, const Row *more) {
    Row first = *more;
    row_forget_samples(&first);
    row_release(row);
    *row = first;
}

/* What one launch measures for all. */
static void take_once(Row *row, const Row *more) {
    row->joule = isnan(row->joule) ? more->joule : row->joule;
    if (isnan(row->stage_seconds[0])) {
        memcpy(row->stage_seconds, more->stage_seconds, sizeof row->stage_seconds);
    }
}

/* A cell that was measured in another launch too. */
static Status join_cell(Row *row, const Row *more, uint32_t launch) {
    const size_t before = row->kernel.count;
    const size_t added = more->kernel.count;
    const size_t windows = row->energy_samples.count;
    STATUS_TRY(append_samples(row, more, launch));
    row->idle_watt = weighted_mean(row->idle_watt, windows, more->idle_watt,
                                   row->energy_samples.count - windows);
    row->agreement = fmin(row->agreement, more->agreement);
    row->verified &= more->verified;
    row->converged &= more->converged;
    row->throttled |= more->throttled;
    row->held &= more->held;
    row->cpu_seconds = weighted_mean(row->cpu_seconds, before, more->cpu_seconds, added);
    row->upload = weighted_mean(row->upload, before, more->upload, added);
    row->download = weighted_mean(row->download, before, more->download, added);
    row->call = weighted_mean(row->call, before, more->call, added);
    row->sentinel_chain = weighted_mean(row->sentinel_chain, before, more->sentinel_chain, added);
    row->stolen_share = weighted_mean(row->stolen_share, before, more->stolen_share, added);
    row->sentinel_copy = weighted_mean(row->sentinel_copy, before, more->sentinel_copy, added);
    row->repeated = sum(row->repeated, more->repeated);
    row->disturbed = sum(row->disturbed, more->disturbed);
    row->disturbed_end_to_end = sum(row->disturbed_end_to_end, more->disturbed_end_to_end);
    if (row->disturbed_by[0] == '\0') {
        snprintf(row->disturbed_by, sizeof row->disturbed_by, "%s", more->disturbed_by);
    }
    row->host_peak = more->host_peak > row->host_peak ? more->host_peak : row->host_peak;
    row->peak_memory = more->peak_memory > row->peak_memory ? more->peak_memory : row->peak_memory;
    row->device_peak = more->device_peak > row->device_peak ? more->device_peak : row->device_peak;
    take_once(row, more);
    forget_behaviour(row);
    return status_ok();
}

static void fail_cell(Row *row, const char *why, uint32_t launch) {
    row->status = CELL_FAIL;
    snprintf(row->why, sizeof row->why, "launch %u: %.360s", (unsigned)launch + 1, why);
    row_release(row);
    row_forget_summaries(row);
    forget_behaviour(row);
}

static bool differ(uint64_t a, uint64_t b) {
    return a != 0 && b != 0 && a != b;
}

const char *rows_differ(const Row *row, const Row *more) {
    return row == NULL                                       ? NULL
           : differ(row->input_hash, more->input_hash)       ? "was measured on another input than"
           : differ(row->answer_digest, more->answer_digest) ? "has another answer than"
                                                             : NULL;
}

/* A wrong answer in one launch is a wrong answer; a cell that was skipped in one has the others. */
static Status join_known(Row *known, const Row *row, uint32_t launch) {
    const char *differs = rows_differ(known, row);
    if (known->status == CELL_FAIL) {
        return status_ok();
    }
    if (row->status == CELL_FAIL) {
        fail_cell(known, row->why, launch);
    } else if (row->status == CELL_OK && known->status == CELL_OK && differs != NULL) {
        char why[STATUS_WHY_SIZE];
        snprintf(why, sizeof why, "it %s in the launch before", differs);
        fail_cell(known, why, launch);
    } else if (row->status == CELL_OK && known->status == CELL_OK) {
        return join_cell(known, row, launch);
    }
    return status_ok();
}

Status results_merge(Results *whole, const Results *more, uint32_t launch) {
    for (size_t i = 0; i < more->count; i++) {
        if (launch + samples_launches(&more->rows[i].kernel) > LAUNCHES_MAX) {
            return status_make(STATUS_USAGE, "there are more than %d launches", LAUNCHES_MAX);
        }
    }
    for (size_t i = 0; i < more->count; i++) {
        const Row *row = &more->rows[i];
        Row *known = results_find(whole, row);
        if (known != NULL && known->status == CELL_SKIP) {
            start_cell(known, row);
        }
        STATUS_TRY(known == NULL ? add_cell(whole, row, launch) : join_known(known, row, launch));
    }
    if (whole->ceilings.count == 0) {
        whole->ceilings = more->ceilings;
    }
    return status_ok();
}

/* The row of the cell in that launch, if it has a time. */
static const Row *timed_row(Results *launch, const Row *cell) {
    const Row *row = results_find(launch, cell);
    return row != NULL && row->status == CELL_OK ? row : NULL;
}

/* Whether the cell's time in launch `number` does not count: it was disturbed, and `least` others
 * remain. Which go is decided by nothing but their order, never by a time. */
static bool is_set_aside(Results *launches, size_t count, size_t number, const Row *cell,
                         size_t least) {
    size_t timed = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        const Row *row = timed_row(&launches[i], cell);
        timed += row != NULL;
        before += row != NULL && i < number && row_is_disturbed(row);
    }
    return cell->status == CELL_OK && row_is_disturbed(cell) && timed > least &&
           before < timed - least;
}

/* Adds what counts of launch `number`; `kept` has room for its rows. */
static Status join_launch(Results *whole, Results *launches, size_t count, size_t number,
                          size_t least, Row *kept) {
    Results *launch = &launches[number];
    Results part = {.rows = kept, .ceilings = launch->ceilings};
    for (size_t i = 0; i < launch->count; i++) {
        if (!is_set_aside(launches, count, number, &launch->rows[i], least)) {
            kept[part.count++] = launch->rows[i];
        }
    }
    return results_merge(whole, &part, (uint32_t)number);
}

static void count_set_aside(Results *whole, Results *launches, size_t count) {
    for (size_t i = 0; i < whole->count; i++) {
        Row *row = &whole->rows[i];
        size_t all = 0;
        for (size_t j = 0; j < count; j++) {
            all += timed_row(&launches[j], row) != NULL;
        }
        double medians[LAUNCHES_MAX];
        size_t used = 0;
        for (size_t j = samples_launch_medians(&row->kernel, medians); j-- > 0;) {
            used += isfinite(medians[j]);
        }
        row->set_aside = row->status == CELL_OK ? (double)(all - used) : (double)NAN;
    }
}

Status results_join(Results *whole, Results *launches, size_t count, size_t least) {
    Status status = status_ok();
    for (size_t i = 0; i < count; i++) {
        results_find_disturbances(&launches[i]);
    }
    for (size_t i = 0; i < count && status_is_ok(&status); i++) {
        Row *kept = calloc(launches[i].count + 1, sizeof *kept);
        status = kept != NULL ? join_launch(whole, launches, count, i, least, kept)
                              : status_no_memory("for the rows");
        free(kept);
    }
    if (status_is_ok(&status) && least < SIZE_MAX) {
        count_set_aside(whole, launches, count);
    }
    results_find_disturbances(whole);
    return status;
}
