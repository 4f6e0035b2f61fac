/* The rows of a stored run whose claims decide most. */

#include "results.h"
#include "results_internal.h"
#include "verdict.h"

#include <stdlib.h>

/* A launch runs seq so often, if it is short: it is verified, warmed up and sampled. */
static const double runs_of_launch = 4;

enum { LAUNCHES_LEAST = 3 };

/* What the best CPU is compared with: the best of a device, without one the base. */
static const Row *rival_of(const VerdictLine *line, TimeKind kind) {
    return line->gpu[kind] != NULL ? line->gpu[kind] : line->seq;
}

static SpeedSide side_of(const VerdictLine *line, TimeKind kind) {
    const Ratio ratio = row_over_cpu(rival_of(line, kind), kind);
    return ratio_side(&ratio);
}

static double median_of(const Row *row) {
    return row != NULL ? row->kernel_summary.median : 0;
}

/* Seconds of a launch. */
static double seconds_of(const VerdictLine *line) {
    double seconds = runs_of_launch * median_of(line->seq != NULL ? line->seq : line->cpu);
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        seconds += median_of(rival_of(line, kind));
    }
    return seconds;
}

/* The ends, and where another side is ahead from one line to the next. */
static void choose_lines(const VerdictBlock *block, bool *kept) {
    for (size_t i = 0; i < block->count; i++) {
        kept[i] = i == 0 || i + 1 == block->count;
    }
    for (size_t i = 1; i < block->count; i++) {
        for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
            if (side_of(&block->lines[i - 1], kind) != side_of(&block->lines[i], kind)) {
                kept[i - 1] = kept[i] = true;
            }
        }
    }
}

/* Drops what takes longest until the launches that a run has at least fit. */
static void fit_lines(const VerdictBlock *block, double seconds, bool *kept) {
    double sum;
    do {
        size_t longest = block->count;
        sum = 0;
        for (size_t i = 0; i < block->count; i++) {
            const double own = kept[i] ? seconds_of(&block->lines[i]) : 0;
            if (kept[i] && (longest == block->count || own > seconds_of(&block->lines[longest]))) {
                longest = i;
            }
            sum += own;
        }
        if (longest < block->count && LAUNCHES_LEAST * sum > seconds) {
            kept[longest] = false;
        }
    } while (LAUNCHES_LEAST * sum > seconds);
}

static bool is_of(const Row *row, const VerdictLine *line) {
    bool is = line->cpu != NULL && row->variant == line->cpu->variant;
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Row *rival = rival_of(line, kind);
        is |= rival != NULL && row->variant == rival->variant;
    }
    return is;
}

static void mark(const VerdictBlock *block, const bool *kept, bool *chosen) {
    const Results *results = block->results;
    for (size_t i = 0; i < results->count; i++) {
        for (size_t j = 0; j < block->count; j++) {
            const VerdictLine *line = &block->lines[j];
            chosen[i] |= kept[j] && row_is_measured(&results->rows[i]) &&
                         row_same_question(&results->rows[i], line->question) &&
                         is_of(&results->rows[i], line);
        }
    }
}

Status decisive_rows(const Results *results, double seconds, bool *chosen) {
    VerdictLine *lines = calloc(results->count + 1, sizeof *lines);
    bool *kept = calloc(results->count + 1, sizeof *kept);
    size_t blocks = 0;
    for (size_t i = 0; i < results->count; i++) {
        blocks += results_begins(results, i, row_same_input);
    }
    for (size_t i = 0; i < results->count && lines != NULL && kept != NULL; i++) {
        if (results_begins(results, i, row_same_input)) {
            const VerdictBlock block = verdict_block(results, &results->rows[i], lines);
            choose_lines(&block, kept);
            fit_lines(&block, seconds / (double)blocks, kept);
            mark(&block, kept, chosen);
        }
    }
    const bool whole = lines != NULL && kept != NULL;
    free(lines);
    free(kept);
    return whole ? status_ok() : status_no_memory("for the claims of a run");
}
