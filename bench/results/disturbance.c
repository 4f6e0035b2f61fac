/* What disturbed the times of rows: other guests of the host, other programs, stops. */

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

/* The share of its processors' time that a row of the CPU did not have; NAN: not known. */
static double share_missed(const Row *row) {
    const double median = row->kernel_summary.median;
    const bool counted = row->threads == 1 || median >= counted_run;
    return counted && !row_on_device(row) ? 1 - row->cpu_seconds / (row->threads * median)
                                          : (double)NAN;
}

/* A device that is held works without the host. */
static double share_stolen(const Row *row, TimeKind kind) {
    return row_on_device(row) && row->held && kind == TIME_KERNEL ? (double)NAN : row->stolen_share;
}

void row_disturbance(const Row *row, TimeKind kind, char text[DISTURBANCE_SIZE]) {
    const Summary *summary = row_summary(row, kind);
    const double stolen = share_stolen(row, kind);
    const double missed = share_missed(row);
    const bool guests = stolen > share_of_others;
    const bool far = summary->median > least_times * summary->min;
    const char *whose = row_on_device(row)  ? "the host's processors"
                        : row->threads == 1 ? "its processor"
                                            : "its processors";
    char share[SIGNIFICANT_SIZE], least[NUMBER_WORDS_SIZE], median[NUMBER_WORDS_SIZE];
    text[0] = '\0';
    if (guests || missed > share_of_others) {
        percent_text(guests ? stolen : missed, 0, share);
        snprintf(text, DISTURBANCE_SIZE, "other %s had %s for %s of the time",
                 guests ? "guests" : "programs", whose, share);
    }
    if (far) {
        seconds_text(summary->min, least);
        seconds_text(summary->median, median);
        text_append(text, DISTURBANCE_SIZE, "%sits fastest sample took %s, the median %s",
                    text[0] != '\0' ? ", and " : "", least, median);
    }
}

bool row_is_disturbed(const Row *row) {
    char kernel[DISTURBANCE_SIZE], end_to_end[DISTURBANCE_SIZE];
    row_disturbance(row, TIME_KERNEL, kernel);
    row_disturbance(row, TIME_END_TO_END, end_to_end);
    return kernel[0] != '\0' || end_to_end[0] != '\0';
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
