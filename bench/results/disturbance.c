/* What disturbed the times of rows: other guests of the host, other programs, stops. */

#include "number.h"
#include "results.h"
#include "results_internal.h"
#include "text.h"

#include <math.h>
#include <stdio.h>

/* A share of its processor's time that others had in a row: without it the time would be four
 * fifths. Ratios so near 1 count as even (even_words), so a smaller share is left to the marks,
 * which begin at 1% and 10%. */
static const double share_of_others = 0.2;
/* Seconds of a run from which on CPU time says how much of their processors several threads had. In
 * shorter runs the counters of threads that run meanwhile lag behind: of 500 stored rows below 1 ms
 * a quarter shows less than half, of 195 rows from here on two less than 0.8. */
static const double counted_run = 0.005;
/* A median that is so many times the least sample is no time of an undisturbed processor. Of 2,800
 * stored rows four are beyond, all of a CPU whose threads waited for one that others kept from its
 * processor; of all the others none is beyond 2.4. */
static const double least_times = 3;

bool row_uses_its_threads(const Row *row) {
    return row_is_on_cpu(row) && (row->threads == 1 || row->library[0] == '\0');
}

/* The share of its processors' time that a row of the CPU did not have; NAN: not known. */
static double share_missed(const Row *row) {
    const double median = row->kernel_summary.median;
    const bool counted = row->threads == 1 || median >= counted_run;
    return counted && row_uses_its_threads(row) ? 1 - row->cpu_seconds / (row->threads * median)
                                                : (double)NAN;
}

/* A device that is held works without the host. */
static bool needs_host(const Row *row, TimeKind kind) {
    return row_is_on_cpu(row) || !row->held || kind == TIME_END_TO_END;
}

static double share_stolen(const Row *row, TimeKind kind) {
    return needs_host(row, kind) ? row->stolen_share : (double)NAN;
}

/* Threads wait for the one whose processor is away. If each of n is away for a share s, all are
 * there for (1 - s)^n of the time: below half of it the median is a time that waited. At 13% of 16
 * processors a run of 0.03 ms took 9 ms. */
static bool guests_disturb(const Row *row, TimeKind kind) {
    const double waiting = row->threads > 1 ? 1 - pow(0.5, 1.0 / row->threads) : INFINITY;
    return share_stolen(row, kind) > fmin(waiting, share_of_others);
}

static bool programs_disturb(const Row *row) {
    return share_missed(row) > share_of_others;
}

static bool has_several(const Row *row) {
    return row->kernel_summary.launches > 1;
}

static bool is_far(const Summary *summary) {
    return summary->median > least_times * summary->min;
}

/* === A launch ================================================================================= */

/* The least times of the sentinel's parts in the rows of one class: cells of one thread run
 * elsewhere than those of several. */
static void find_fastest(const Results *results, bool single, double *chain, double *copy) {
    *chain = *copy = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (row_is_measured(row) && (row->threads == 1) == single) {
            *chain = fmin(*chain, row->sentinel_chain);
            *copy = fmin(*copy, row->sentinel_copy);
        }
    }
}

static void find_slowdowns(Results *results) {
    double chain[2], copy[2];
    for (int single = 0; single < 2; single++) {
        find_fastest(results, single, &chain[single], &copy[single]);
    }
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        const bool single = row->threads == 1;
        row->slowdown = row_is_measured(row) ? fmax(row->sentinel_chain / chain[single],
                                                    row->sentinel_copy / copy[single])
                                             : (double)NAN;
    }
}

/* Which disturbed a time of a measured row. Of several launches the means of what others had of the
 * processors say so; a slow phase, or a clock held down, may have been in one of them. */
static void find_disturbers(const Row *row, TimeKind kind, bool by[DISTURBERS]) {
    const bool guests = guests_disturb(row, kind), one = !has_several(row);
    by[DISTURBER_NONE] = false;
    by[DISTURBER_GUESTS] = guests;
    by[DISTURBER_PROGRAMS] = !guests && (programs_disturb(row) || is_far(row_summary(row, kind)));
    by[DISTURBER_THROTTLING] = one && row->throttled;
    by[DISTURBER_SLOW_PHASE] =
        one && needs_host(row, kind) && row->slowdown > 1 / (1 - share_of_others);
}

/* The first of them. */
static Disturber first_disturber(const Row *row, TimeKind kind) {
    bool by[DISTURBERS];
    find_disturbers(row, kind, by);
    for (int of = DISTURBER_NONE; of < DISTURBERS; of++) {
        if (by[of]) {
            return (Disturber)of;
        }
    }
    return DISTURBER_NONE;
}

/* A device that is held works without the host, but its transfers do not. */
bool row_is_disturbed(const Row *row) {
    return row_is_measured(row) && (first_disturber(row, TIME_KERNEL) != DISTURBER_NONE ||
                                    first_disturber(row, TIME_END_TO_END) != DISTURBER_NONE);
}

/* === A row ==================================================================================== */

static double count_disturbed(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? row->disturbed : row->disturbed_end_to_end;
}

Disturber row_disturber(const Row *row, TimeKind kind) {
    const double count = count_disturbed(row, kind);
    if (!row_is_measured(row)) {
        return DISTURBER_NONE;
    }
    if (!has_several(row) || isnan(count)) {
        return first_disturber(row, kind);
    }
    const Disturber by = disturber_named(row->disturbed_by);
    /* Earlier versions took the pauses of a library's threads for other programs. */
    const bool pauses = by == DISTURBER_PROGRAMS && row_is_on_cpu(row) &&
                        !row_uses_its_threads(row) && !is_far(row_summary(row, kind));
    return count > 0 && 2 * count >= (double)row->kernel_summary.launches && !pauses
               ? by
               : DISTURBER_NONE;
}

/* At least so many seconds its time has without what disturbed it: most of its fastest sample may
 * be others'. What a slower clock takes is not known. */
static double undisturbed_of(const Row *row, TimeKind kind) {
    /* Beside three busy programs on two processors the fastest sample of an unchanged cell took
     * four times as long. */
    static const double most = 0.25;
    const double others = fmax(share_missed(row), share_stolen(row, kind));
    const double own = row_disturber(row, kind) == DISTURBER_THROTTLING ? 0 : 1 - others;
    return fmax(fmin(own, most), 0) * row_summary(row, kind)->min;
}

/* Of a row of one launch. */
static void count_launch(Row *row) {
    const Disturber kernel = first_disturber(row, TIME_KERNEL);
    const Disturber end_to_end = first_disturber(row, TIME_END_TO_END);
    row->disturbed = kernel != DISTURBER_NONE;
    row->disturbed_end_to_end = end_to_end != DISTURBER_NONE;
    snprintf(row->disturbed_by, sizeof row->disturbed_by, "%s",
             disturber_name(disturber_of_either(kernel, end_to_end)));
}

void results_find_disturbances(Results *results) {
    for (size_t i = 0; i < results->count; i++) {
        row_complete_summaries(&results->rows[i]);
    }
    find_slowdowns(results);
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        if (row_is_measured(row) && !has_several(row)) {
            count_launch(row);
        }
        row->kernel.disturber = row_disturber(row, TIME_KERNEL);
        row->end_to_end.disturber = row_disturber(row, TIME_END_TO_END);
        row->kernel.undisturbed = undisturbed_of(row, TIME_KERNEL);
        row->end_to_end.undisturbed = undisturbed_of(row, TIME_END_TO_END);
    }
}

/* "other guests had its processors for 38% of the time", and how far the samples lie apart. */
static void say_shares(const Row *row, TimeKind kind, const char *whose,
                       char text[DISTURBANCE_SIZE]) {
    const Summary *summary = row_summary(row, kind);
    const bool guests = guests_disturb(row, kind);
    char share[SIGNIFICANT_SIZE], least[NUMBER_WORDS_SIZE], median[NUMBER_WORDS_SIZE];
    if (guests || programs_disturb(row)) {
        percent_text(guests ? share_stolen(row, kind) : share_missed(row), 0, share);
        snprintf(text, DISTURBANCE_SIZE, "other %s had %s for %s of the time",
                 guests ? "guests" : "programs", whose, share);
    }
    if (is_far(summary)) {
        seconds_text(summary->min, least);
        seconds_text(summary->median, median);
        text_append(text, DISTURBANCE_SIZE, "%sits fastest sample took %s, the median %s",
                    text[0] != '\0' ? ", and " : "", least, median);
    }
}

void row_disturbance(const Row *row, TimeKind kind, char text[DISTURBANCE_SIZE]) {
    const Disturber disturber = row_disturber(row, kind);
    const double count = count_disturbed(row, kind);
    const bool counted = has_several(row) && isfinite(count);
    const char *whose = !row_is_on_cpu(row) ? "the host's processors"
                        : row->threads == 1 ? "its processor"
                                            : "its processors";
    const bool others = disturber == DISTURBER_GUESTS || disturber == DISTURBER_PROGRAMS;
    text[0] = '\0';
    if (disturber == DISTURBER_NONE) {
        return;
    }
    if (others && !counted) {
        say_shares(row, kind, whose, text);
    } else if (others) {
        snprintf(text, DISTURBANCE_SIZE, "other %s had %s",
                 disturber == DISTURBER_GUESTS ? "guests" : "programs", whose);
    } else {
        snprintf(text, DISTURBANCE_SIZE, "%s", disturber_clause(disturber));
    }
    if (counted) {
        text_append(text, DISTURBANCE_SIZE, " in %.0f of %zu launches", count,
                    row->kernel_summary.launches);
    }
}

/* === All rows of a launch ===================================================================== */

LaunchDisturbance results_disturbance(Results *results) {
    LaunchDisturbance found = {.measured = 0};
    results_find_disturbances(results);
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        bool by[DISTURBERS] = {false};
        if (!row_is_measured(row)) {
            continue;
        }
        if (has_several(row)) {
            by[row_disturber(row, TIME_KERNEL)] = true;
        } else {
            find_disturbers(row, TIME_KERNEL, by);
        }
        for (int of = DISTURBER_GUESTS; of < DISTURBERS; of++) {
            found.by[of] += by[of];
        }
        found.disturbed += row->kernel.disturber != DISTURBER_NONE;
        found.measured++;
    }
    return found;
}

void results_warn_of_disturbances(Results *results, Warnings *warnings) {
    const LaunchDisturbance found = results_disturbance(results);
    if (found.disturbed == 0 || warnings->count == WARNINGS_MAX) {
        return;
    }
    char *text = warnings->text[warnings->count++];
    snprintf(text, WARNING_SIZE,
             "%zu of %zu %s %s disturbed and may be too slow by a fifth or more", found.disturbed,
             found.measured, plural(found.measured, "cell", "cells"),
             plural(found.disturbed, "was", "were"));
    const char *before = ": ";
    for (int of = 0; of < DISTURBERS; of++) {
        if (found.by[of] > 0) {
            text_append(text, WARNING_SIZE, "%s%s (%zu)", before, disturber_name((Disturber)of),
                        found.by[of]);
            before = ", ";
        }
    }
}

void results_warn_of_stops(const Results *results, Warnings *warnings) {
    double repeated = 0;
    for (size_t i = 0; i < results->count; i++) {
        repeated += results->rows[i].repeated > 0 ? results->rows[i].repeated : 0;
    }
    if (repeated > 0 && warnings->count < WARNINGS_MAX) {
        snprintf(warnings->text[warnings->count++], WARNING_SIZE,
                 "the process was stopped while it measured (SIGSTOP, Ctrl-Z or suspend): %.0f "
                 "timing%s taken again",
                 repeated, repeated == 1 ? " was" : "s were");
    }
}
