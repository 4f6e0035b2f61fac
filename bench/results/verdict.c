/* What a run says about one question, in three sentences. */

#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES_MAX = 256, CLAUSE_SIZE = 320 };

/* --- The fastest of each size ----------------------------------------------------------------- */

/* The fastest cell of each size, ascending by size. */
typedef struct Fastest {
    const Row *rows[SIZES_MAX];
    size_t count;
} Fastest;

static bool same_series(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0 && a->cold == b->cold &&
           point_equal(&a->answer, &b->answer);
}

static void add_row(Fastest *fastest, const Row *row, TimeKind kind) {
    size_t at = fastest->count;
    while (at > 0 && row_size(fastest->rows[at - 1]) > row_size(row)) {
        at--;
    }
    if (at > 0 && row_size(fastest->rows[at - 1]) == row_size(row)) {
        const bool faster = row_seconds(row, kind) < row_seconds(fastest->rows[at - 1], kind);
        fastest->rows[at - 1] = faster ? row : fastest->rows[at - 1];
    } else if (fastest->count < SIZES_MAX) {
        memmove(&fastest->rows[at + 1], &fastest->rows[at],
                (fastest->count - at) * sizeof(const Row *));
        fastest->rows[at] = row;
        fastest->count++;
    }
}

static Fastest fastest_of(const Results *results, const Row *of, bool cpu, TimeKind kind) {
    Fastest fastest = {.count = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (same_series(row, of) && variant_is_on_cpu(row->variant) == cpu &&
            isfinite(row_seconds(row, kind)) && row_size(row) > 0) {
            add_row(&fastest, row, kind);
        }
    }
    return fastest;
}

static size_t cells_of(const Fastest *fastest, TimeKind kind, CurveCell cells[SIZES_MAX]) {
    for (size_t i = 0; i < fastest->count; i++) {
        const Row *row = fastest->rows[i];
        cells[i] = (CurveCell){.x = row_size(row),
                               .summary = row_summary(row, kind),
                               .samples = row_samples(row, kind),
                               .weight = 1};
    }
    return fastest->count;
}

static const Row *last_of(const Fastest *fastest) {
    return fastest->count > 0 ? fastest->rows[fastest->count - 1] : NULL;
}

/* Both sides at the largest size that both have. */
typedef struct Match {
    const Row *device, *cpu; /* NULL: no size has both */
} Match;

static Match largest_match(const Fastest *device, const Fastest *cpu) {
    for (size_t i = device->count; i > 0; i--) {
        for (size_t j = cpu->count; j > 0; j--) {
            if (row_size(device->rows[i - 1]) == row_size(cpu->rows[j - 1])) {
                return (Match){.device = device->rows[i - 1], .cpu = cpu->rows[j - 1]};
            }
        }
    }
    return (Match){.device = NULL};
}

/* --- Clauses ---------------------------------------------------------------------------------- */

/* ", and ahead from 5.36 Mpixel on (5.06 to 5.58)"; "" for one size. */
static void crossover_clause(const Crossover *crossover, const Row *any, char text[CLAUSE_SIZE]) {
    SizeText *size_text = row_size_text(any);
    const bool ahead = crossover->kind == CROSSOVER_ALWAYS;
    text[0] = '\0';
    if (crossover->points < 2) {
        return;
    }
    if (!ahead && crossover->kind != CROSSOVER_NEVER) {
        char words[CLAUSE_SIZE - 16];
        crossover_words(crossover, size_text, words, sizeof words);
        snprintf(text, CLAUSE_SIZE, ", and ahead %s", words);
        return;
    }
    const double end = ahead ? crossover->high : crossover->low;
    snprintf(text, CLAUSE_SIZE, ", and %s at ", ahead ? "ahead" : "behind");
    if (crossover->points == 2) {
        text_append(text, CLAUSE_SIZE, "both sizes");
    } else {
        text_append(text, CLAUSE_SIZE, "all %zu sizes", crossover->points);
    }
    if (!isnan(end)) {
        char place[32];
        size_text(end, place, sizeof place);
        text_append(text, CLAUSE_SIZE, ", %s from %s on given the intervals",
                    ahead ? "surely only" : "but possibly ahead", place);
    } else if (crossover->unsure) {
        text_append(text, CLAUSE_SIZE, ", but not in every launch");
    }
}

/* "36.7× faster (36.2–37.1) than", "1.7× slower (1.6–1.8) than", "as fast (0.98–1.03) as" */
static void ratio_clause(const Ratio *ratio, char text[CLAUSE_SIZE]) {
    char words[NUMBER_WORDS_SIZE];
    if (ratio->low <= 1 && ratio->high >= 1) {
        interval_text(ratio->low, ratio->high, words);
        snprintf(text, CLAUSE_SIZE, "as fast (%s times) as", words);
    } else {
        faster_text(ratio, words);
        snprintf(text, CLAUSE_SIZE, "%s than", words);
    }
}

static void label_of(const Row *row, char label[RESULT_LABEL_SIZE]) {
    variant_label(row->variant, &row->tuning, label, RESULT_LABEL_SIZE);
}

/* "<before> the GPU is 36.7× faster (36.2–37.1) than the best CPU at 16K (…), and ahead at …." */
static void compare(const Results *results, const Row *of, TimeKind kind, const char *before,
                    char *text, size_t size) {
    const Fastest device = fastest_of(results, of, false, kind);
    const Fastest cpu = fastest_of(results, of, true, kind);
    const Match match = largest_match(&device, &cpu);
    const Ratio ratio =
        match.device != NULL ? row_ratio(match.device, OVER_BEST_CPU, kind) : (Ratio){.value = NAN};
    text[0] = '\0';
    if (!isfinite(ratio.value)) {
        return;
    }
    CurveCell ahead[SIZES_MAX];
    CurveCell behind[SIZES_MAX];
    const size_t ahead_count = cells_of(&device, kind, ahead);
    const size_t behind_count = cells_of(&cpu, kind, behind);
    const Crossover crossover = crossover_of_cells(ahead, ahead_count, behind, behind_count, true);
    char factor[CLAUSE_SIZE];
    char where[CLAUSE_SIZE];
    char place[NUMBER_WORDS_SIZE];
    char variant[RESULT_LABEL_SIZE];
    ratio_clause(&ratio, factor);
    crossover_clause(&crossover, match.device, where);
    size_words(match.device, place);
    label_of(match.device, variant);
    snprintf(text, size, "%s the GPU is %s the best CPU at %s (%s against %s)%s.", before, factor,
             place, variant, match.device->best_cpu, where);
}

/* --- Sentences -------------------------------------------------------------------------------- */

/* Without a GPU beside a CPU. */
static void verdict_of_one_side(const Results *results, const Row *of, char *text, size_t size) {
    const Fastest device = fastest_of(results, of, false, TIME_KERNEL);
    const Fastest cpu = fastest_of(results, of, true, TIME_KERNEL);
    const Row *row = cpu.count > 0 ? last_of(&cpu) : last_of(&device);
    char label[RESULT_LABEL_SIZE];
    char place[NUMBER_WORDS_SIZE];
    if (row == NULL) {
        snprintf(text, size, "No cell has a verified time.");
        return;
    }
    label_of(row, label);
    size_words(row, place);
    const Ratio ratio = row_ratio(row, OVER_SEQ, TIME_KERNEL);
    if (cpu.count > 0 && isfinite(ratio.value) && row->threads > 0 &&
        row->variant != &row->algorithm->cpu.rows[0]) {
        char factor[CLAUSE_SIZE];
        ratio_clause(&ratio, factor);
        snprintf(text, size, "Kernel: no GPU was measured; the best CPU (%s) is %s seq at %s.",
                 label, factor, place);
        return;
    }
    char seconds[NUMBER_WORDS_SIZE];
    seconds_text(row_seconds(row, TIME_KERNEL), seconds);
    snprintf(text, size, "Kernel: %s; %s takes %s at %s.",
             device.count == 0 ? "no GPU was measured"
             : cpu.count == 0  ? "no CPU was measured"
                               : "no size was measured on both sides",
             label, seconds, place);
}

void verdict_kernel(const Results *results, const Row *of, char *text, size_t size) {
    compare(results, of, TIME_KERNEL, "Kernel:", text, size);
    if (text[0] == '\0') {
        verdict_of_one_side(results, of, text, size);
    }
}

void verdict_end_to_end(const Results *results, const Row *of, char *text, size_t size) {
    compare(results, of, TIME_END_TO_END, "End to end, copies included,", text, size);
}

/* What allows no less time, as a noun. */
static const char *bound_words(const char *bound) {
    static const char *const words[][2] = {
        {"dram", "memory bandwidth"},    {"llc", "the last-level cache"},
        {"l2", "the L2 cache"},          {"l1", "the L1 cache"},
        {"int32", "int32 arithmetic"},   {"fp32", "fp32 arithmetic"},
        {"launch", "a kernel's launch"}, {"copy", "a plain copy"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], bound) == 0) {
            return words[i][1];
        }
    }
    return bound;
}

/* Appends "<before> the GPU (cuda_fast)<verb> 78% of what memory bandwidth allows". */
static void append_roof(const Row *row, const char *before, const char *verb, char *text,
                        size_t size) {
    char label[RESULT_LABEL_SIZE];
    char share[SIGNIFICANT_SIZE];
    label_of(row, label);
    percent_text(row->roof_fraction, 0, share);
    text_append(text, size, "%s (%s)%s %s of what %s allows", before, label, verb,
                row->roof_fraction < 0.01 ? "less than 1%" : share, bound_words(row->bound));
}

void verdict_roof(const Results *results, const Row *of, char *text, size_t size) {
    const Fastest device = fastest_of(results, of, false, TIME_KERNEL);
    const Fastest cpu = fastest_of(results, of, true, TIME_KERNEL);
    Match match = largest_match(&device, &cpu);
    if (match.device == NULL) {
        match.device = last_of(&device);
        match.cpu = match.device == NULL ? last_of(&cpu) : NULL;
    }
    const Row *sides[] = {match.device, match.cpu};
    static const char *const names[] = {"the GPU", "the best CPU"};
    text[0] = '\0';
    for (size_t i = 0; i < 2; i++) {
        const bool first = text[0] == '\0';
        char before[CLAUSE_SIZE];
        char place[NUMBER_WORDS_SIZE];
        if (sides[i] == NULL || !isfinite(sides[i]->roof_fraction)) {
            continue;
        }
        size_words(sides[i], place);
        snprintf(before, sizeof before, "%s%s%s%s", first ? "Roof: at " : ", ", first ? place : "",
                 first ? " " : "", names[i]);
        append_roof(sides[i], before, first ? " reaches" : "", text, size);
    }
    text_append(text, size, "%s", text[0] != '\0' ? "." : "");
}
