/* A run in one line, and the variants that failed beside its ratios. */

#include "algorithm.h"
#include "results.h"
#include "results_internal.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "verdict.h"

/* === Failed variants ========================================================================== */

/* The failed row is the first of its variant in the block. */
static bool is_first_failure(const VerdictBlock *block, const Row *row) {
    for (const Row *other = block->results->rows; other < row; other++) {
        if (other->status == CELL_FAIL && row_same_input(other, row) &&
            other->variant == row->variant) {
            return false;
        }
    }
    return true;
}

/* Cells of a variant in a block; with `failed` only those that failed. */
static size_t count_cells(const VerdictBlock *block, const Row *of, bool failed) {
    size_t count = 0;
    for (size_t i = 0; i < block->results->count; i++) {
        const Row *row = &block->results->rows[i];
        count += row_same_input(row, of) && row->variant == of->variant &&
                 (!failed || row->status == CELL_FAIL);
    }
    return count;
}

void verdict_failed(const VerdictBlock *block, char text[VERDICT_FAILED_SIZE]) {
    enum { NAMED = 3 };
    size_t variants = 0, failed = 0, cells = 0;
    text[0] = '\0';
    for (size_t i = 0; i < block->results->count; i++) {
        const Row *row = &block->results->rows[i];
        if (row->status != CELL_FAIL || !row_same_input(row, block->head) ||
            !is_first_failure(block, row)) {
            continue;
        }
        if (variants++ < NAMED) {
            text_append(text, VERDICT_FAILED_SIZE, "%s%s", variants > 1 ? ", " : "",
                        row->variant->name);
        }
        failed += count_cells(block, row, true);
        cells += count_cells(block, row, false);
    }
    if (variants > NAMED) {
        text_append(text, VERDICT_FAILED_SIZE, " and %zu more", variants - NAMED);
    }
    if (failed > 0) {
        text_append(text, VERDICT_FAILED_SIZE, " FAILED");
    }
    if (failed < cells) {
        text_append(text, VERDICT_FAILED_SIZE, " in %zu of %zu cells", failed, cells);
    }
}

/* === In one line ============================================================================== */

/* "GPU 37.9× faster", "omp 33.6× faster", or why there is no ratio. */
static void say_ratio(const VerdictBlock *block, char text[HEADLINE_SIZE]) {
    const VerdictLine *line = verdict_headline(block);
    const Ratio ratio = verdict_ratio(block, line);
    char words[RATIO_WORDS_SIZE];
    factor_words(&ratio, words);
    if (isnan(ratio.value)) {
        snprintf(text, HEADLINE_SIZE, "no speedup");
    } else if (!block->gpu && line->cpu == line->seq) {
        snprintf(text, HEADLINE_SIZE,
                 line->rivals == 0           ? "%s alone"
                 : verdict_seq_is_best(line) ? "none faster than %s"
                                             : "undecided against %s",
                 verdict_base(block));
    } else {
        snprintf(text, HEADLINE_SIZE, "%s %s", block->gpu ? "GPU" : line->cpu->variant->name,
                 words);
    }
}

static size_t count_algorithms(const Results *results) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        bool first = !row_is_roof(&results->rows[i]);
        for (size_t j = 0; j < i && first; j++) {
            first = results->rows[j].algorithm != results->rows[i].algorithm;
        }
        count += first;
    }
    return count;
}

/* The first measured row; not one of the roof, unless all are. NULL: nothing is measured. */
static const Row *first_measured(const Results *results) {
    const Row *found = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        const bool better = found == NULL || (row_is_roof(found) && !row_is_roof(row));
        found = row_is_measured(row) && better ? row : found;
    }
    return found;
}

static void say_unmeasured(const Results *results, char text[HEADLINE_SIZE]) {
    const Row *failed = NULL;
    for (size_t i = 0; i < results->count && failed == NULL; i++) {
        failed = results->rows[i].status == CELL_FAIL ? &results->rows[i] : NULL;
    }
    snprintf(text, HEADLINE_SIZE, "no cell has a time");
    if (failed != NULL) {
        text_append(text, HEADLINE_SIZE, ": %s FAILED", failed->variant->name);
    }
}

Status results_headline(const Results *results, char text[HEADLINE_SIZE]) {
    const Row *first = first_measured(results);
    const size_t algorithms = count_algorithms(results);
    char place[VERDICT_PLACE_SIZE], failed[VERDICT_FAILED_SIZE];
    if (first == NULL) {
        say_unmeasured(results, text);
        return status_ok();
    }
    VerdictLine *lines = calloc(results->count + 1, sizeof *lines);
    STATUS_MEMORY(lines, "for the headline of a run");
    const VerdictBlock block = verdict_block(results, first, lines);
    verdict_place(&block, verdict_headline(&block), place);
    verdict_failed(&block, failed);
    say_ratio(&block, text);
    text_append(text, HEADLINE_SIZE, "%s%s, %s %s", failed[0] != '\0' ? ", " : "", failed,
                first->algorithm->name, place);
    if (algorithms > 1) {
        text_append(text, HEADLINE_SIZE, " and %zu more", algorithms - 1);
    }
    free(lines);
    return status_ok();
}
