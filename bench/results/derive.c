/* Derives speedups, best CPU variants and rates from the samples of all rows. */

#include "algorithm.h"
#include "number.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "run_options.h"
#include "scaling.h"
#include "stored_run.h"
#include "times.h"
#include "variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

bool row_is_measured(const Row *row) {
    return row->status == CELL_OK && row->kernel_summary.count > 0;
}

bool results_have_side(const Results *results, RowSide side) {
    for (size_t i = 0; i < results->count; i++) {
        if (row_is_measured(&results->rows[i]) && row_is_of_side(&results->rows[i], side)) {
            return true;
        }
    }
    return false;
}

bool row_same_question(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && row_same_workload(a, b) &&
           point_equal(&a->answer, &b->answer);
}

static const Row *find_base(const Results *results, const Row *row) {
    const Row *other = question_first(results, row);
    while (other != NULL && other->variant != other->algorithm->cpu.rows) {
        other = question_next(results, other);
    }
    return other;
}

/* The fastest copy on the same backend; on the CPU with the same number of threads or the next
 * smaller one. */
static const Row *find_copy(const Results *results, const Row *row) {
    const Row *copies[RIVALS_MAX];
    Rival rivals[RIVALS_MAX];
    size_t count = 0;
    for (const Row *other = workload_first(results, row); other != NULL;
         other = workload_next(results, other)) {
        if (!row_is_roof(other) || other->peer ||
            other->variant->backend != row->variant->backend || other->threads > row->threads ||
            (count > 0 && other->threads < copies[0]->threads)) {
            continue;
        }
        count = count > 0 && other->threads > copies[0]->threads ? 0 : count;
        if (count < RIVALS_MAX) {
            copies[count] = other;
            rivals[count++] = row_rival(other, TIME_KERNEL);
        }
    }
    const size_t best = winner_least(rivals, count);
    return best != WINNER_NONE ? copies[best] : NULL;
}

static bool same_samples(const Samples *a, const Samples *b) {
    return a->count > 0 && a->count == b->count &&
           memcmp(a->seconds, b->seconds, a->count * sizeof(double)) == 0;
}

/* Without transfers, as on the CPU, the end-to-end time is the kernel time. */
static bool ends_with_kernel(const Row *row) {
    return same_samples(&row->kernel, &row->end_to_end);
}

static Times times_of(const Row *row, TimeKind kind) {
    Times times = times_from(row_samples(row, kind));
    times.median = row_summary(row, kind)->median;
    return times;
}

/* In each launch those of the cell that the other launches find best: the luck that makes a cell
 * win does not count as its speed. */
static Times times_of_winner(const Winner *winner, TimeKind kind) {
    Times times = times_of(winner->row, kind);
    const size_t launches = winner->choice.by_launch.launches;
    times.halved = winner->choice.halved;
    times.disturber = winner->choice.disturber;
    times.count = launches > 1 ? launches : times.count;
    for (size_t launch = 0; launches > 1 && launch < launches; launch++) {
        const Row *fastest = winner->of_launch[launch];
        double medians[LAUNCHES_MAX];
        const size_t known =
            fastest != NULL ? samples_launch_medians(row_samples(fastest, kind), medians) : 0;
        times.launches[launch] = launch < known ? medians[launch] : (double)NAN;
    }
    return times;
}

/* The members that hold one speedup and its interval. */
typedef struct Speedup {
    double *value, *low, *high;
    double *launch_low, *launch_high;
    Disturber *disturber;
} Speedup;

#define SPEEDUP(name)                                                                              \
    {                                                                                              \
        &row->name, &row->name##_ci_low, &row->name##_ci_high, &row->name##_launch_low,            \
            &row->name##_launch_high, &row->name##_disturber                                       \
    }

/* One for the kernel and one end to end. */
static Speedup speedup_of(Row *row, SpeedupOver over, bool end_to_end) {
    const Speedup speedups[SPEEDUPS_OVER][2] = {
        [OVER_SEQ] = {SPEEDUP(speedup), SPEEDUP(speedup_end_to_end)},
        [OVER_BEST_CPU] = {SPEEDUP(speedup_vs_best_cpu), SPEEDUP(speedup_end_to_end_vs_best_cpu)},
        [OVER_PEER] = {SPEEDUP(speedup_vs_best_peer), SPEEDUP(speedup_end_to_end_vs_best_peer)},
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
    *speedup->disturber = ratio.disturber;
}

/* Notes what disturbed either side of the row's speedups over `base`, whose disturber is `of_base`.
 */
static void note_disturbers(Row *row, SpeedupOver over, const Row *base, Disturber of_base) {
    for (TimeKind kind = TIME_KERNEL; base != row && kind < TIME_KINDS; kind++) {
        *speedup_of(row, over, kind).disturber =
            disturber_of_either(of_base, row_samples(row, kind)->disturber);
    }
}

/* Both speedups over `reference`, which is the best of some as `winner` says, or with NULL the
 * base. `before` is the row as it was derived the last time. */
static void derive_speedups(Row *row, Row *before, SpeedupOver over, const Row *reference,
                            const Winner *winner, bool drawn) {
    const bool several = winner != NULL && winner->choice.by_launch.launches > 1;
    Ratio ratio = {.value = 1, .low = 1, .high = 1};
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Speedup speedup = speedup_of(row, over, kind), old = speedup_of(before, over, kind);
        const bool other = several || reference != row;
        if (other && (kind == TIME_KERNEL || several || !ends_with_kernel(reference) ||
                      !ends_with_kernel(row))) {
            const Times slow =
                winner != NULL ? times_of_winner(winner, kind) : times_of(reference, kind);
            const Times fast = times_of(row, kind);
            ratio = times_ratio_drawn(&slow, &fast, &(Draws){drawn, speedup_get(&old)});
        }
        speedup_set(&speedup, ratio);
    }
}

/* How many times as fast the best of a side is as `slow`, both as the judge times winners. `plain`
 * is the ratio of its row, which is the same unless even turns time the best alone. */
static Ratio ratio_of_winner(const Times *slow, const Winner *winner, TimeKind kind, Ratio plain,
                             Ratio before, bool drawn) {
    const Times fast = times_of_winner(winner, kind);
    const bool apart = fast.halved && !slow->halved;
    Ratio ratio = times_ratio_drawn(slow, &fast, &(Draws){drawn, apart ? before : plain});
    ratio.disturber = disturber_of_either(slow->disturber, fast.disturber);
    return ratio;
}

/* The same over the base, which nobody chose. */
static Ratio winner_over_base(const Row *base, const Winner *winner, Ratio before, bool drawn) {
    Ratio plain = row_ratio(winner->row, OVER_SEQ, TIME_KERNEL);
    const Times slow = times_of(base, TIME_KERNEL);
    if (base != winner->row) {
        return ratio_of_winner(&slow, winner, TIME_KERNEL, plain, before, drawn);
    }
    plain.disturber = DISTURBER_NONE;
    return plain;
}

/* Of the best of a side, by each time. `base` is NULL where it has no time. */
static void derive_won(const Results *results, const Row *base, const Winner *cpu, Row *row,
                       bool drawn) {
    static const Ratio none = {.value = NAN, .low = NAN, .high = NAN};
    const Ratio over_seq = row->won_over_seq;
    const Ratio over_cpu[] = {row->won_kernel, row->won_end_to_end};
    Ratio *const won[] = {&row->won_kernel, &row->won_end_to_end};
    row->won_over_seq = row->won_kernel = row->won_end_to_end = none;
    if (base != NULL && cpu->row == row) {
        row->won_over_seq = winner_over_base(base, cpu, over_seq, drawn);
    }
    for (TimeKind kind = TIME_KERNEL; row_is_of_side(row, SIDE_DEVICE) && kind < TIME_KINDS;
         kind++) {
        const Winner device = results_best(results, row, SIDE_DEVICE, kind);
        if (device.row != row) {
            continue;
        }
        if (cpu->row != NULL) {
            const Times slow = times_of_winner(cpu, kind);
            *won[kind] = ratio_of_winner(&slow, &device, kind, row_ratio(row, OVER_BEST_CPU, kind),
                                         over_cpu[kind], drawn);
        }
        if (base != NULL && kind == TIME_KERNEL) {
            row->won_over_seq = winner_over_base(base, &device, over_seq, drawn);
        }
    }
}

static Disturber of_rows(const Row *a, const Row *b, TimeKind kind) {
    return a == b ? DISTURBER_NONE
                  : disturber_of_either(row_samples(a, kind)->disturber,
                                        row_samples(b, kind)->disturber);
}

/* Efficiencies of a row on several GPUs or threads, in percent. They are formed within launches, as
 * speedups are: what slows down all of them cancels. */
static void derive_efficiency(const Results *results, Row *row, const Row *before, bool drawn) {
    const double old[][3] = {[TIME_KERNEL] = {before->parallel_efficiency,
                                              before->parallel_efficiency_ci_low,
                                              before->parallel_efficiency_ci_high},
                             [TIME_END_TO_END] = {before->parallel_efficiency_end_to_end,
                                                  before->parallel_efficiency_end_to_end_ci_low,
                                                  before->parallel_efficiency_end_to_end_ci_high}};
    const Speedup members[] = {[TIME_KERNEL] = SPEEDUP(parallel_efficiency),
                               [TIME_END_TO_END] = SPEEDUP(parallel_efficiency_end_to_end)};
    const Row *one = row_workers(row) > 0 ? row_on_one(results, row) : NULL;
    const double percent = 100.0 / (row->weak || one == NULL ? 1 : row_workers(row));
    Ratio ratio = {.value = 1, .low = 1, .high = 1};
    for (TimeKind kind = TIME_KERNEL; one != NULL && kind < TIME_KINDS; kind++) {
        if (one != row &&
            (kind == TIME_KERNEL || !ends_with_kernel(one) || !ends_with_kernel(row))) {
            const Times slow = times_of(one, kind), fast = times_of(row, kind);
            const Ratio known = {.value = old[kind][0] / percent,
                                 .low = old[kind][1] / percent,
                                 .high = old[kind][2] / percent};
            ratio = times_ratio_drawn(&slow, &fast, &(Draws){drawn, known});
        }
        ratio.disturber = of_rows(one, row, kind);
        speedup_set(&members[kind], ratio_scaled(ratio, percent));
    }
}

/* Clears the results of an earlier derivation, since rows may have been added. */
static void clear_derived(Row *row) {
    const Ratio none = {.value = NAN, .low = NAN, .high = NAN};
    row->base[0] = row->best_cpu[0] = row->best_peer[0] = '\0';
    row->best_cpu_variant = NULL;
    row->won_over_peer = none;
    row->items_per_second = row->bytes_per_second = row->base_seconds = NAN;
    row->best_tuning = false;
    row_roof_clear(row);
    for (int over = 0; over < SPEEDUPS_OVER; over++) {
        for (int end_to_end = 0; end_to_end < 2; end_to_end++) {
            const Speedup speedup = speedup_of(row, (SpeedupOver)over, end_to_end);
            speedup_set(&speedup, none);
        }
    }
    speedup_set(&(Speedup)SPEEDUP(parallel_efficiency), none);
    speedup_set(&(Speedup)SPEEDUP(parallel_efficiency_end_to_end), none);
}

/* Over the fastest of other people's code on the row's backend. */
static void derive_over_peer(const Results *results, Row *before, Row *row, bool drawn) {
    const bool cpu = row_is_on_cpu(row);
    const Winner peer =
        results_best(results, row, cpu ? SIDE_PEER_CPU : SIDE_PEER_DEVICE, TIME_KERNEL);
    if (peer.row == NULL) {
        return;
    }
    variant_label(peer.row->variant, &peer.row->tuning, row->best_peer, sizeof row->best_peer);
    derive_speedups(row, before, OVER_PEER, peer.row, &peer, drawn);
    note_disturbers(row, OVER_PEER, peer.row, peer.choice.disturber);
    const Winner own = results_best(results, row, cpu ? SIDE_CPU : SIDE_DEVICE, TIME_KERNEL);
    if (own.row == row) {
        const Times slow = times_of_winner(&peer, TIME_KERNEL);
        row->won_over_peer =
            ratio_of_winner(&slow, &own, TIME_KERNEL, row_ratio(row, OVER_PEER, TIME_KERNEL),
                            before->won_over_peer, drawn);
    }
}

static void derive_row(const Results *results, Row *row, bool drawn) {
    Row before = *row;
    clear_derived(row);
    if (!row_is_measured(row)) {
        return;
    }
    const Row *base = find_base(results, row);
    const Winner best = results_best_cpu(results, row);
    const Row *copy = find_copy(results, row);
    row->items_per_second = row->cost.items / row->kernel_summary.median;
    row->bytes_per_second = row->cost.bytes / row->kernel_summary.median;
    row->best_tuning = winner_is_best_tuning(results, row);
    if (base != NULL) {
        snprintf(row->base, sizeof row->base, "%s (%d thread%s)", base->variant->name,
                 base->threads, base->threads == 1 ? "" : "s");
        row->base_seconds = base->kernel_summary.median;
        derive_speedups(row, &before, OVER_SEQ, base, NULL, drawn);
        note_disturbers(row, OVER_SEQ, base, base->kernel.disturber);
    }
    if (best.row != NULL) {
        row->best_cpu_variant = best.row->variant;
        variant_label(best.row->variant, &best.row->tuning, row->best_cpu, sizeof row->best_cpu);
        derive_speedups(row, &before, OVER_BEST_CPU, best.row, &best, drawn);
        note_disturbers(row, OVER_BEST_CPU, best.row, best.choice.disturber);
    }
    derive_won(results, base, &best, row, drawn);
    if (!row->peer) {
        derive_over_peer(results, &before, row, drawn);
    }
    derive_efficiency(results, row, &before, drawn);
    row_roof_derive(&results->ceilings, copy, row);
}

/* By the seed of the run and the name of the cell. */
static void seed_samples(Row *row, uint64_t seed) {
    char name[2 * STATUS_WHY_SIZE];
    row_name(row, name, sizeof name);
    row->kernel.seed = row->end_to_end.seed = fnv_bytes(FNV_START ^ seed, name, strlen(name));
}

/* Of a row without a summary nothing is derived. */
static void complete_summaries(Row *row) {
    row_complete_summaries(row);
    winner_complete_halves(row);
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
        row->starved = row_uses_its_threads(row) &&
                       row->cpu_seconds < starved_share * row->threads * row->kernel_summary.mean;
    }
}

/* Of the time of its processors; below this, other guests matter less than the interval's width. */
static const double stolen_most = 0.01;

/* A part of the sentinel that takes this many times the least time of the run shows a slow phase.
 */
static const double slow_phase_factor = 1.05;

static void derive_disturbances(Results *results) {
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        row->slow_phase = row->slowdown > slow_phase_factor;
        row->stolen = row_is_measured(row) && row->stolen_share > stolen_most;
    }
}

static void derive(Results *results, bool drawn) {
    for (size_t i = 0; i < results->count; i++) {
        complete_summaries(&results->rows[i]);
        complete_behaviour(&results->rows[i]);
    }
    results_find_disturbances(results);
    results_index_workloads(results);
    for (size_t i = 0; i < results->count; i++) {
        derive_row(results, &results->rows[i], drawn);
    }
    derive_disturbances(results);
    complexity_derive(results);
}

void results_derive(Results *results, uint64_t seed) {
    for (size_t i = 0; i < results->count; i++) {
        seed_samples(&results->rows[i], seed);
    }
    derive(results, true);
}

void results_derive_values(Results *results) {
    derive(results, false);
}

void stored_run_derive(StoredRun *stored) {
    RunOptions request;
    request_recall(&stored->arguments, &request);
    results_derive(&stored->results, request.seed);
}
