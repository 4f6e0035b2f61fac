/* What is derived from the samples of all rows: speedups, best CPU variants, rates. */

#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "base.h"
#include "fnv.h"
#include "status.h"
#include "variant.h"

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

/* The same question: rows whose times may be divided by each other. */
static bool same_question(const Row *a, const Row *b) {
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

/* The fastest copy on the same backend; on the CPU with as many threads, or else with the nearest
 * fewer. */
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

/* Without transfers, as on the CPU, end to end is the kernel. */
static bool ends_with_kernel(const Row *row) {
    return same_samples(&row->kernel, &row->end_to_end);
}

/* How many times faster `row` is than `reference`. `before` is what was derived the last time:
 * while the ratio is the same number, so are the samples, and the interval stands. Without memory
 * to resample, the interval stays empty and the ratio is still right. */
static Ratio times_faster(const Row *reference, const Row *row, bool end_to_end, Ratio before,
                          uint64_t seed) {
    const Summary *slow = end_to_end ? &reference->end_to_end_summary : &reference->kernel_summary;
    const Summary *fast = end_to_end ? &row->end_to_end_summary : &row->kernel_summary;
    Ratio ratio = {.value = slow->median / fast->median, .low = NAN, .high = NAN};
    if (reference == row) {
        ratio.low = ratio.high = ratio.value;
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

static Ratio end_to_end_ratio(const Row *reference, const Row *row, Ratio kernel, Ratio before,
                              uint64_t seed) {
    if (ends_with_kernel(reference) && ends_with_kernel(row)) {
        return kernel;
    }
    return times_faster(reference, row, true, before, seed);
}

static void derive_base(Row *row, const Row *before, const Row *base, uint64_t seed) {
    snprintf(row->base, sizeof row->base, "%s (%d thread%s)", base->variant->name, base->threads,
             base->threads == 1 ? "" : "s");
    row->base_seconds = base->kernel_summary.median;
    const Ratio old_kernel = {before->speedup, before->speedup_ci_low, before->speedup_ci_high};
    const Ratio kernel = times_faster(base, row, false, old_kernel, seed);
    row->speedup = kernel.value;
    row->speedup_ci_low = kernel.low;
    row->speedup_ci_high = kernel.high;
    const Ratio old_whole = {before->speedup_end_to_end, before->speedup_end_to_end_ci_low,
                             before->speedup_end_to_end_ci_high};
    const Ratio whole = end_to_end_ratio(base, row, kernel, old_whole, seed);
    row->speedup_end_to_end = whole.value;
    row->speedup_end_to_end_ci_low = whole.low;
    row->speedup_end_to_end_ci_high = whole.high;
}

static void derive_best_cpu(Row *row, const Row *before, const Row *best, uint64_t seed) {
    variant_label(best->variant, &best->tuning, row->best_cpu, sizeof row->best_cpu);
    const Ratio old_kernel = {before->speedup_vs_best_cpu, before->speedup_vs_best_cpu_ci_low,
                              before->speedup_vs_best_cpu_ci_high};
    const Ratio kernel = times_faster(best, row, false, old_kernel, seed);
    row->speedup_vs_best_cpu = kernel.value;
    row->speedup_vs_best_cpu_ci_low = kernel.low;
    row->speedup_vs_best_cpu_ci_high = kernel.high;
    const Ratio old_whole = {before->speedup_end_to_end_vs_best_cpu,
                             before->speedup_end_to_end_vs_best_cpu_ci_low,
                             before->speedup_end_to_end_vs_best_cpu_ci_high};
    const Ratio whole = end_to_end_ratio(best, row, kernel, old_whole, seed);
    row->speedup_end_to_end_vs_best_cpu = whole.value;
    row->speedup_end_to_end_vs_best_cpu_ci_low = whole.low;
    row->speedup_end_to_end_vs_best_cpu_ci_high = whole.high;
}

/* What an earlier derivation may have left, when rows have been added since. */
static void clear_derived(Row *row) {
    const Row empty = row_empty();
    memcpy(row->base, empty.base, sizeof row->base);
    memcpy(row->best_cpu, empty.best_cpu, sizeof row->best_cpu);
    row->items_per_second = row->bytes_per_second = NAN;
    row_roof_clear(row);
    row->base_seconds = row->speedup = row->speedup_ci_low = row->speedup_ci_high = NAN;
    row->speedup_end_to_end = NAN;
    row->speedup_end_to_end_ci_low = row->speedup_end_to_end_ci_high = NAN;
    row->speedup_vs_best_cpu = NAN;
    row->speedup_vs_best_cpu_ci_low = row->speedup_vs_best_cpu_ci_high = NAN;
    row->speedup_end_to_end_vs_best_cpu = NAN;
    row->speedup_end_to_end_vs_best_cpu_ci_low = NAN;
    row->speedup_end_to_end_vs_best_cpu_ci_high = NAN;
    row->best_tuning = false;
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
    const Row before = *row;
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
        derive_base(row, &before, base, seed);
    }
    if (best != NULL) {
        derive_best_cpu(row, &before, best, seed);
    }
    row_roof_derive(&results->ceilings, copy, row);
}

/* Random numbers of its own for each row: its interval does not depend on its neighbours. */
static uint64_t row_seed(const Row *row, uint64_t seed) {
    char name[2 * STATUS_WHY_SIZE];
    row_name(row, name, sizeof name);
    return fnv_bytes(FNV_START ^ seed, name, strlen(name));
}

/* A row read back from a file may bring its samples only. Without memory to sort them the summary
 * stays empty, and the row without derived numbers. */
static void complete_summaries(Row *row) {
    if (row->kernel_summary.count == 0 && row->kernel.count > 0) {
        summarize(&row->kernel, &row->kernel_summary);
    }
    if (row->end_to_end_summary.count == 0 && row->end_to_end.count > 0) {
        summarize(&row->end_to_end, &row->end_to_end_summary);
    }
}

/* Samples do not change after they were taken: one look at them is enough. Without memory it is
 * tried again the next time. */
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
