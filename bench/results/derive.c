/* Derives speedups, best CPU variants and rates from the samples of all rows. */

#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

static bool is_measured(const Row *row) {
    return row->status == CELL_OK && row->kernel_summary.count > 0;
}

static bool on_cpu(const Row *row) {
    return variant_is_on_cpu(row->variant);
}

static bool same_workload(const Row *a, const Row *b) {
    return strcmp(a->input, b->input) == 0 && strcmp(a->size_name, b->size_name) == 0 &&
           a->width == b->width && a->height == b->height && a->images == b->images &&
           a->cold == b->cold;
}

bool same_question(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && same_workload(a, b) &&
           point_equal(&a->answer, &b->answer);
}

static const Row *find_base(const Results *results, const Row *row) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *other = &results->rows[i];
        if (is_measured(other) && other->variant == &other->algorithm->cpu.rows[0] &&
            same_question(other, row)) {
            return other;
        }
    }
    return NULL;
}

static const Row *find_best_cpu(const Results *results, const Row *row) {
    const Row *best = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const Row *other = &results->rows[i];
        if (is_measured(other) && on_cpu(other) && same_question(other, row) &&
            (best == NULL || other->kernel_summary.median < best->kernel_summary.median)) {
            best = other;
        }
    }
    return best;
}

static double seconds_per_byte(const Row *row) {
    return row->kernel_summary.median / row->cost.bytes;
}

/* The fastest copy on the same backend; on the CPU with the same number of threads or the next
 * smaller one. */
static const Row *find_copy(const Results *results, const Row *row) {
    const Row *best = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const Row *other = &results->rows[i];
        if (!is_measured(other) || strcmp(other->algorithm->name, "copy") != 0 ||
            other->variant->backend != row->variant->backend || !same_workload(other, row) ||
            other->threads > row->threads) {
            continue;
        }
        if (best == NULL || other->threads > best->threads ||
            (other->threads == best->threads && seconds_per_byte(other) < seconds_per_byte(best))) {
            best = other;
        }
    }
    return best;
}

static bool same_samples(const Samples *a, const Samples *b) {
    return a->count > 0 && a->count == b->count &&
           memcmp(a->seconds, b->seconds, a->count * sizeof(double)) == 0;
}

/* Without transfers, as on the CPU, the end-to-end time is the kernel time. */
static bool ends_with_kernel(const Row *row) {
    return same_samples(&row->kernel, &row->end_to_end);
}

static Ratio ratio_over_launches(const LaunchSummary *launches) {
    return (Ratio){.value = launches->median,
                   .low = launches->low,
                   .high = launches->high,
                   .extremes = !launches->is_interval};
}

/* Each launch has a ratio of its own: what slows both down cancels. False when neither side has
 * several launches. */
static bool ratio_of_launches(const Samples *slow, const Samples *fast, Ratio *ratio) {
    double top[LAUNCHES_MAX], bottom[LAUNCHES_MAX];
    const size_t slow_count = samples_launch_medians(slow, top);
    const size_t fast_count = samples_launch_medians(fast, bottom);
    if (slow_count <= 1 && fast_count <= 1) {
        return false;
    }
    const LaunchSummary launches =
        launches_ratio(top, bottom, slow_count < fast_count ? slow_count : fast_count);
    *ratio = ratio_over_launches(&launches);
    return true;
}

/* How many times faster `row` is than `reference`. `before` is the result of the last derivation:
 * if the ratio is still the same number, the samples are too, and its interval is kept. Without
 * memory to resample, the interval is NAN. */
static Ratio times_faster(const Row *reference, const Row *row, bool end_to_end, Ratio before,
                          uint64_t seed) {
    const Summary *slow = end_to_end ? &reference->end_to_end_summary : &reference->kernel_summary;
    const Summary *fast = end_to_end ? &row->end_to_end_summary : &row->kernel_summary;
    Ratio ratio = {.value = slow->median / fast->median, .low = NAN, .high = NAN};
    if (reference == row) {
        ratio.low = ratio.high = ratio.value;
        return ratio;
    }
    if (ratio_of_launches(end_to_end ? &reference->end_to_end : &reference->kernel,
                          end_to_end ? &row->end_to_end : &row->kernel, &ratio)) {
        return ratio;
    }
    if (ratio.value == before.value && !isnan(before.low)) {
        return before;
    }
    Ratio resampled;
    const Status status =
        ratio_of_medians(end_to_end ? &reference->end_to_end : &reference->kernel,
                         end_to_end ? &row->end_to_end : &row->kernel, seed, &resampled);
    if (status_is_ok(&status)) {
        ratio.low = resampled.low;
        ratio.high = resampled.high;
    }
    return ratio;
}

/* The references of speedups. */
typedef enum Over { OVER_BASE, OVER_BEST_CPU, OVERS } Over;

/* The members that hold one speedup and its interval. */
typedef struct Speedup {
    double *value, *low, *high;
    double *launch_low, *launch_high;
} Speedup;

#define SPEEDUP(name)                                                                              \
    {                                                                                              \
        &row->name, &row->name##_ci_low, &row->name##_ci_high, &row->name##_launch_low,            \
            &row->name##_launch_high                                                               \
    }

/* One for the kernel and one end to end. */
static Speedup speedup_of(Row *row, Over over, bool end_to_end) {
    const Speedup speedups[OVERS][2] = {
        [OVER_BASE] = {SPEEDUP(speedup), SPEEDUP(speedup_end_to_end)},
        [OVER_BEST_CPU] = {SPEEDUP(speedup_vs_best_cpu), SPEEDUP(speedup_end_to_end_vs_best_cpu)},
    };
    return speedups[over][end_to_end];
}

static Ratio speedup_get(const Speedup *speedup) {
    return (Ratio){.value = *speedup->value, .low = *speedup->low, .high = *speedup->high};
}

static void speedup_set(const Speedup *speedup, Ratio ratio) {
    *speedup->value = ratio.value;
    *speedup->low = ratio.extremes ? (double)NAN : ratio.low;
    *speedup->high = ratio.extremes ? (double)NAN : ratio.high;
    *speedup->launch_low = ratio.extremes ? ratio.low : (double)NAN;
    *speedup->launch_high = ratio.extremes ? ratio.high : (double)NAN;
}

/* Both speedups over `reference`. `before` is the row as it was derived the last time. */
static void derive_speedups(Row *row, Row *before, Over over, const Row *reference, uint64_t seed) {
    Ratio ratio = {.value = NAN, .low = NAN, .high = NAN};
    for (int end_to_end = 0; end_to_end < 2; end_to_end++) {
        const Speedup speedup = speedup_of(row, over, end_to_end);
        const Speedup old = speedup_of(before, over, end_to_end);
        if (end_to_end == 0 || !ends_with_kernel(reference) || !ends_with_kernel(row)) {
            ratio = times_faster(reference, row, end_to_end, speedup_get(&old), seed);
        }
        speedup_set(&speedup, ratio);
    }
}

enum { CPU_CELLS_MAX = 256 };

/* The launch medians of the CPU cells that answer the same question as a row. */
typedef struct CpuCells {
    const Row *rows[CPU_CELLS_MAX];
    double medians[CPU_CELLS_MAX][LAUNCHES_MAX];
    size_t count, launches;
} CpuCells;

static void find_cpu_cells(const Results *results, const Row *row, CpuCells *cells) {
    cells->count = cells->launches = 0;
    for (size_t i = 0; i < results->count && cells->count < CPU_CELLS_MAX; i++) {
        const Row *other = &results->rows[i];
        if (is_measured(other) && on_cpu(other) && same_question(other, row)) {
            const size_t launches =
                samples_launch_medians(&other->kernel, cells->medians[cells->count]);
            cells->launches = launches > cells->launches ? launches : cells->launches;
            cells->rows[cells->count++] = other;
        }
    }
}

/* How many times faster a row is than the best CPU cell. In each launch the best is the one that
 * the other launches find best: the luck that makes a cell win does not count as its speed. */
static Ratio over_best_of_launches(const CpuCells *cells, const Row *row, bool end_to_end) {
    const double *lanes[CPU_CELLS_MAX];
    double best[LAUNCHES_MAX], own[LAUNCHES_MAX], medians[LAUNCHES_MAX];
    for (size_t i = 0; i < cells->count; i++) {
        lanes[i] = cells->medians[i];
    }
    samples_launch_medians(end_to_end ? &row->end_to_end : &row->kernel, own);
    for (size_t launch = 0; launch < cells->launches; launch++) {
        const size_t winner = launches_winner(lanes, cells->count, cells->launches, launch, NULL);
        best[launch] = NAN;
        if (winner < cells->count) {
            const Row *fastest = cells->rows[winner];
            samples_launch_medians(end_to_end ? &fastest->end_to_end : &fastest->kernel, medians);
            best[launch] = medians[launch];
        }
    }
    const LaunchSummary ratio = launches_ratio(best, own, cells->launches);
    return ratio_over_launches(&ratio);
}

/* With one launch, or without memory, nothing is changed. */
static void derive_over_best_of_launches(const Results *results, Row *row) {
    CpuCells *cells = malloc(sizeof *cells);
    if (cells == NULL) {
        return;
    }
    find_cpu_cells(results, row, cells);
    for (int end_to_end = 0; cells->launches > 1 && end_to_end < 2; end_to_end++) {
        const Speedup speedup = speedup_of(row, OVER_BEST_CPU, end_to_end);
        speedup_set(&speedup, over_best_of_launches(cells, row, end_to_end));
    }
    free(cells);
}

/* Clears the results of an earlier derivation, since rows may have been added. */
static void clear_derived(Row *row) {
    const Ratio none = {.value = NAN, .low = NAN, .high = NAN};
    row->base[0] = row->best_cpu[0] = '\0';
    row->items_per_second = row->bytes_per_second = row->base_seconds = NAN;
    row->best_tuning = false;
    row_roof_clear(row);
    for (int over = 0; over < OVERS; over++) {
        for (int end_to_end = 0; end_to_end < 2; end_to_end++) {
            const Speedup speedup = speedup_of(row, (Over)over, end_to_end);
            speedup_set(&speedup, none);
        }
    }
}

/* Of equal rows the first is the best. */
static bool is_best_tuning(const Results *results, const Row *row) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *other = &results->rows[i];
        if (other == row || !is_measured(other) || other->variant != row->variant ||
            !same_question(other, row)) {
            continue;
        }
        const double difference = other->kernel_summary.median - row->kernel_summary.median;
        if (difference < 0 || (difference == 0 && other < row)) {
            return false;
        }
    }
    return true;
}

static void derive_row(const Results *results, Row *row, uint64_t seed) {
    Row before = *row;
    clear_derived(row);
    if (!is_measured(row)) {
        return;
    }
    const Row *base = find_base(results, row);
    const Row *best = find_best_cpu(results, row);
    const Row *copy = find_copy(results, row);
    row->items_per_second = row->cost.items / row->kernel_summary.median;
    row->bytes_per_second = row->cost.bytes / row->kernel_summary.median;
    row->best_tuning = is_best_tuning(results, row);
    if (base != NULL) {
        snprintf(row->base, sizeof row->base, "%s (%d thread%s)", base->variant->name,
                 base->threads, base->threads == 1 ? "" : "s");
        row->base_seconds = base->kernel_summary.median;
        derive_speedups(row, &before, OVER_BASE, base, seed);
    }
    if (best != NULL) {
        variant_label(best->variant, &best->tuning, row->best_cpu, sizeof row->best_cpu);
        derive_speedups(row, &before, OVER_BEST_CPU, best, seed);
        derive_over_best_of_launches(results, row);
    }
    row_roof_derive(&results->ceilings, copy, row);
}

/* A seed for each row, so that its interval does not depend on other rows. */
static uint64_t row_seed(const Row *row, uint64_t seed) {
    char name[2 * STATUS_WHY_SIZE];
    row_name(row, name, sizeof name);
    return fnv_bytes(FNV_START ^ seed, name, strlen(name));
}

/* A row read from a file may have only its samples. Without memory the summary stays empty, and
 * nothing is derived for the row. */
static void complete_summaries(Row *row) {
    if (row->kernel_summary.count == 0 && row->kernel.count > 0) {
        summarize(&row->kernel, &row->kernel_summary);
    }
    if (row->end_to_end_summary.count == 0 && row->end_to_end.count > 0) {
        summarize(&row->end_to_end, &row->end_to_end_summary);
    }
}

/* Of the wall-clock time of all threads that a cell uses: with less, other programs ran in between.
 */
static const double starved_share = 0.9;

/* Samples do not change, so this is done once; without memory, again the next time. */
static void complete_behaviour(Row *row) {
    Behaviour behaviour;
    if (row->status != CELL_OK || !isnan(row->autocorrelation)) {
        return;
    }
    const Status status = behaviour_of(&row->kernel, &behaviour);
    if (status_is_ok(&status)) {
        row->outliers_mild = behaviour.outliers_mild;
        row->outliers_severe = behaviour.outliers_severe;
        row->autocorrelation = behaviour.autocorrelation;
        row->autocorrelated = behaviour.autocorrelated;
        row->multimodal = behaviour.multimodal;
        row->starved = on_cpu(row) &&
                       row->cpu_seconds < starved_share * row->threads * row->kernel_summary.mean;
    }
}

void results_derive(Results *results, uint64_t seed) {
    for (size_t i = 0; i < results->count; i++) {
        complete_summaries(&results->rows[i]);
        complete_behaviour(&results->rows[i]);
    }
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        derive_row(results, row, row_seed(row, seed));
    }
    complexity_derive(results);
}
