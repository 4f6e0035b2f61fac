/* How it was measured: what holds for this run, by its command line and its rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"
#include "overview_parts.h"
#include "overview_text.h"

enum { VALUE_SIZE = 64 };

static bool has(const Overview *overview, const char *flag) {
    char value[VALUE_SIZE];
    return run_argument(overview->run, flag, value, sizeof value);
}

/* What was given, or else the default. */
static const char *value_or(const Overview *overview, const char *flag, const char *fallback) {
    char value[VALUE_SIZE];
    const bool given = run_argument(overview->run, flag, value, sizeof value) && value[0] != '\0';
    return document_text(overview->document, "%s", given ? value : fallback);
}

typedef struct Counts {
    size_t measured, batched, devices, cold, unconverged, least, most;
} Counts;

static Counts count_rows(const Results *results) {
    Counts counts = {.measured = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (row->status != CELL_OK) {
            continue;
        }
        const size_t samples = row->kernel_summary.count;
        counts.least = counts.measured == 0 || samples < counts.least ? samples : counts.least;
        counts.most = samples > counts.most ? samples : counts.most;
        counts.measured++;
        counts.batched += row->batch > 1;
        counts.devices += !row_is_on_cpu(row);
        counts.cold += row->cold;
        counts.unconverged += !row->converged;
    }
    return counts;
}

static void add_origin(const Overview *overview) {
    const StoredRun *stored = overview->run->stored;
    Document *document = overview->document;
    if (stored->argv[0] != '\0') {
        document_add(document, BLOCK_CODE, "bench %s", stored->argv);
    }
    char seconds[OVERVIEW_TEXT_SIZE] = "an unknown time";
    if (isfinite(stored->elapsed)) {
        seconds_text(stored->elapsed, seconds);
    }
    document_add(document, BLOCK_PARAGRAPH, "Started %s, took %s, %s.",
                 stored->started[0] != '\0' ? stored->started : "at an unknown time", seconds,
                 stored->complete ? "complete" : "not complete: some planned cells have no row");
}

/* "1 warm-up run", "3 warm-up runs" */
static const char *warm_up(const Overview *overview) {
    const char *count = value_or(overview, "--warmup", "3");
    const bool one = count != NULL && strcmp(count, "1") == 0;
    return document_text(overview->document, "%s warm-up run%s", count, one ? "" : "s");
}

static void add_stopping(const Overview *overview) {
    Document *document = overview->document;
    if (has(overview, "--reps")) {
        document_add(document, BLOCK_ITEM, "Samples: exactly %s a cell, after %s.",
                     value_or(overview, "--reps", ""), warm_up(overview));
        return;
    }
    char width[VALUE_SIZE];
    run_argument(overview->run, "--ci-width", width, sizeof width);
    char percent[VALUE_SIZE];
    number_text(100.0 * (width[0] != '\0' ? strtod(width, NULL) : 0.01), percent, sizeof percent);
    document_add(document, BLOCK_ITEM,
                 "Samples: after %s, until the 95%% interval of the median is within %s%% of it on "
                 "either side and there are %s samples, or %s s of sampling are over.",
                 warm_up(overview), percent, value_or(overview, "--min-reps", "15"),
                 value_or(overview, "--max-time", "10"));
}

static void add_counts(const Overview *overview, const Counts *counts) {
    Document *document = overview->document;
    if (counts->measured == 0) {
        return;
    }
    document_add(
        document, BLOCK_ITEM,
        "Cells with a time: %zu, of %zu to %zu samples each; %zu of them did not become as "
        "narrow as asked for.",
        counts->measured, counts->least, counts->most, counts->unconverged);
    if (counts->batched > 0) {
        document_add(document, BLOCK_ITEM,
                     "In %zu of them a sample is the mean of several runs, because one is short "
                     "beside the cost of the timer.",
                     counts->batched);
    }
}

static void add_conventions(const Overview *overview, const Counts *counts) {
    Document *document = overview->document;
    document_add(document, BLOCK_ITEM,
                 "Times are medians; their intervals are of order statistics and take no "
                 "distribution for granted. Speedups are ratios of medians with bootstrap "
                 "intervals. Intervals know the noise within a run, not from one day to the next.");
    if (counts->devices > 0) {
        document_add(document, BLOCK_ITEM,
                     "Kernel is the work alone, by events on the stream of the GPU and by the "
                     "monotonic clock on the CPU. End to end is upload, kernel and download by "
                     "wall clock, from and to %s memory; streamed variants overlap the three. "
                     "Creating the CUDA context is in neither. On the CPU both are the same.",
                     has(overview, "--pinned") ? "page-locked" : "ordinary (pageable)");
    } else {
        document_add(document, BLOCK_ITEM,
                     "Kernel is the work alone, by the monotonic clock. Nothing is copied on the "
                     "CPU, so end to end is the same.");
    }
    document_add(
        document, BLOCK_ITEM, "%s",
        counts->cold > 0
            ? "Caches were emptied before each sample (cold)."
            : "Caches were warm (hot): samples of a turn follow each other, which flatters "
              "small inputs.");
    document_add(document, BLOCK_ITEM, "%s",
                 has(overview, "--no-interleave")
                     ? "Cells were sampled one after the other, so that a drift of the machine "
                       "falls on some of them alone."
                     : "The cells that are compared with each other were sampled in turns, so that "
                       "a drift of the machine falls on all of them.");
    document_add(
        document, BLOCK_ITEM,
        "Where one run of seq was estimated to take longer than %s s, its cell is skipped, "
        "the fastest verified CPU variant is the oracle, and speedups over seq are left "
        "empty.",
        value_or(overview, "--max-cell", "60"));
    if (has(overview, "--energy")) {
        document_add(document, BLOCK_ITEM,
                     "Energy was read while each cell was repeated for a "
                     "second; it is in the results file.");
    }
}

void overview_method(const Overview *overview) {
    const Counts counts = count_rows(overview->results);
    document_heading(overview->document, 2, "How it was measured");
    add_origin(overview);
    add_stopping(overview);
    add_counts(overview, &counts);
    add_conventions(overview, &counts);
}
