/* What a result costs, in money and in joules: who wins, by how much, from what size on. */

#include "price.h"
#include "algorithm.h"
#include "contenders.h"
#include "crossover.h"
#include "prices.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHRASE_SIZE = 320, SECONDS_PER_HOUR = 3600 };

bool prices_given(const Prices *prices) {
    return prices->gpu > 0 && prices->cpu > 0;
}

Status prices_parse(const char *text, Prices *prices) {
    static const char right[] =
        "write what an hour costs on both sides, as gpu=3.2,cpu=0.8: numbers above 0";
    Prices read = {.gpu = 0};
    const char *list = text;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        const char *of_gpu = text_after(word, "gpu=");
        const char *price = of_gpu != NULL ? of_gpu : text_after(word, "cpu=");
        double *const side = of_gpu != NULL ? &read.gpu : &read.cpu;
        char *end = NULL;
        const double number = price != NULL ? strtod(price, &end) : 0;
        if (price == NULL || *side > 0 || end == price || *end != '\0' || !(number > 0) ||
            !isfinite(number)) {
            return status_make(STATUS_USAGE, "'%.60s': %s", text, right);
        }
        *side = number;
    }
    if (!prices_given(&read)) {
        return status_make(STATUS_USAGE, "'%.60s': %s", text, right);
    }
    *prices = read;
    return status_ok();
}

/* === Of one question ========================================================================== */

static double joules_of(const Row *row) {
    return row != NULL && row->joule > 0 ? row->joule : (double)NAN;
}

/* Counters are off by some percent, which no interval of launches shows: arXiv 2312.02741. */
#define JOULES_CLOSE_PERCENT 10
static const double joules_close = 1 + JOULES_CLOSE_PERCENT / 100.0;

/* The one that takes the least energy on a side. */
static const Row *thriftiest(const Results *results, const Row *question, RowSide side) {
    const Row *rows[RIVALS_MAX];
    Rival rivals[RIVALS_MAX];
    Summary *joules = calloc(RIVALS_MAX, sizeof *joules);
    size_t count = 0;
    for (const Row *row = question_first(results, question);
         joules != NULL && row != NULL && count < RIVALS_MAX; row = question_next(results, row)) {
        if (row_is_of_side(row, side) && isfinite(joules_of(row))) {
            joules[count].median = joules_of(row);
            rivals[count] =
                (Rival){.summary = &joules[count], .odd_median = NAN, .even_median = NAN};
            rows[count++] = row;
        }
    }
    const size_t best = winner_least(rivals, count);
    free(joules);
    return best != WINNER_NONE ? rows[best] : NULL;
}

/* Prices are the same at every size: the cheapest of a side is its fastest, and the ratio of costs
 * is the speedup times that of the prices. */
static Ratio cheaper(const Row *gpu, TimeKind kind, const Prices *prices) {
    return gpu != NULL && prices_given(prices)
               ? ratio_scaled(row_won_ratio(gpu, OVER_BEST_CPU, kind), prices->cpu / prices->gpu)
               : (Ratio){.value = NAN, .low = NAN, .high = NAN};
}

static double cost_of(const Winner *winner, double price) {
    return winner->row != NULL && price > 0 ? winner->choice.seconds * price / SECONDS_PER_HOUR
                                            : (double)NAN;
}

static Ratio joules_ratio(const Row *cpu, const Row *gpu) {
    const bool both = cpu != NULL && gpu != NULL && cpu != gpu;
    return counters_ratio(joules_of(cpu), both ? &cpu->energy_samples : NULL, joules_of(gpu),
                          both ? &gpu->energy_samples : NULL, joules_close);
}

Costs costs_of(const Results *results, const Row *question, const Prices *prices) {
    const Winner cpu = results_best_cpu(results, question);
    Costs costs = {.question = question,
                   .cpu = cpu.row,
                   .cpu_cost = cost_of(&cpu, prices->cpu),
                   .thrifty_cpu = thriftiest(results, question, SIDE_CPU),
                   .thrifty_gpu = thriftiest(results, question, SIDE_DEVICE)};
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Winner gpu = results_best(results, question, SIDE_DEVICE, kind);
        costs.gpu[kind] = gpu.row;
        costs.gpu_cost[kind] = cost_of(&gpu, prices->gpu);
        costs.cheaper[kind] = cheaper(gpu.row, kind, prices);
    }
    costs.saves = joules_ratio(costs.thrifty_cpu, costs.thrifty_gpu);
    return costs;
}

bool costs_are_known(const Costs *costs) {
    return isfinite(costs->cpu_cost) || isfinite(costs->gpu_cost[TIME_KERNEL]) ||
           isfinite(joules_of(costs->thrifty_cpu)) || isfinite(joules_of(costs->thrifty_gpu));
}

/* === Words ==================================================================================== */

void cost_text(double cost, char text[SIGNIFICANT_SIZE]) {
    text[0] = '\0';
    if (isfinite(cost)) {
        measured_text(1e6 * cost, 3, text);
    }
}

void joules_text(double joules, char text[NUMBER_WORDS_SIZE]) {
    text[0] = '\0';
    if (isfinite(joules)) {
        const bool milli = joules < 1, micro = joules < 1e-3;
        char number[SIGNIFICANT_SIZE];
        measured_text(joules * (micro ? 1e6 : milli ? 1e3 : 1), 3, number);
        snprintf(text, NUMBER_WORDS_SIZE, "%s %s", number, micro ? "µJ" : milli ? "mJ" : "J");
    }
}

const char cost_note[] = "Cost: of a million runs, the time of a run at the price of an hour. All "
                         "CPU variants have one price, whatever number of threads they use.";

#define DIGITS_OF(number) #number
#define TEXT_OF(number) DIGITS_OF(number)
const char joules_note[] =
    "Joules: those of the GPU are of its whole board without its host, those "
    "of the CPU of its packages without memory and board. Idle power is "
    "included; two within " TEXT_OF(JOULES_CLOSE_PERCENT) "% are undecided.";

/* --- From what size on ------------------------------------------------------------------------ */

/* The costs at each size of the series, ascending. Returns how many. */
static size_t sizes_of(const Results *results, const Row *of, const Prices *prices, Costs *sizes) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!row_same_series(row, of) || !(row_size(row) > 0) ||
            question_first(results, row) != row) {
            continue;
        }
        size_t at = count++;
        while (at > 0 && row_size(sizes[at - 1].question) > row_size(row)) {
            sizes[at] = sizes[at - 1];
            at--;
        }
        sizes[at] = costs_of(results, row, prices);
    }
    return count;
}

static const Ratio *ratio_of(const Costs *costs, CostKind kind) {
    return kind == COST_JOULES
               ? &costs->saves
               : &costs->cheaper[kind == COST_END_TO_END ? TIME_END_TO_END : TIME_KERNEL];
}

static void name_size(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    const Row *row = ((const Costs *const *)places)[place]->question;
    (row_is_image(row) ? size_short : size_words)(row, text);
}

/* "; cheaper at every size", "; cheaper from 4K on; undecided at 1080p"; "" for one size, or
 * without memory. */
static void crossover_clause(const Costs *sizes, size_t count, CostKind kind, const char *better,
                             char text[PHRASE_SIZE]) {
    char words[PHRASE_SIZE - 40];
    const Costs **at = calloc(count + 1, sizeof *at);
    SpeedSide *sides = calloc(count + 1, sizeof *sides);
    Series series = {
        .sides = sides, .name = name_size, .places = at, .noun = "size", .nouns = "sizes"};
    for (size_t i = 0; at != NULL && sides != NULL && i < count; i++) {
        const Ratio *ratio = ratio_of(&sizes[i], kind);
        if (isfinite(ratio->value)) {
            at[series.count] = &sizes[i];
            sides[series.count++] = ratio_side(ratio);
        }
    }
    text[0] = '\0';
    if (series.count > 1) {
        const bool even = crossover_of(sides, series.count).sides == 0;
        crossover_words(&series, words, sizeof words);
        snprintf(text, PHRASE_SIZE, "; %s%s%s", even ? "" : better, even ? "" : " ", words);
    }
    free(at);
    free(sides);
}

void cost_sentence(const Results *results, const Row *of, const Prices *prices, CostKind kind,
                   char *text, size_t size) {
    static const char *const titles[] = {[COST_KERNEL] = "Cost of the kernel",
                                         [COST_END_TO_END] = "Cost with copies",
                                         [COST_JOULES] = "Energy of the kernel"};
    const Compared compared = kind == COST_JOULES ? COMPARED_ENERGY : COMPARED_COST;
    Costs *sizes = calloc(results->count + 1, sizeof *sizes);
    text[0] = '\0';
    if (sizes == NULL) {
        return;
    }
    const size_t count = sizes_of(results, of, prices, sizes);
    size_t last = count;
    while (last > 0 && !isfinite(ratio_of(&sizes[last - 1], kind)->value)) {
        last--;
    }
    if (last > 0) {
        const Costs *largest = &sizes[last - 1];
        char factor[NUMBER_WORDS_SIZE], place[NUMBER_WORDS_SIZE], where[PHRASE_SIZE];
        char gpu[RESULT_LABEL_SIZE], cpu[RESULT_LABEL_SIZE];
        const Row *const sides[2] = {
            kind == COST_JOULES
                ? largest->thrifty_gpu
                : largest->gpu[kind == COST_END_TO_END ? TIME_END_TO_END : TIME_KERNEL],
            kind == COST_JOULES ? largest->thrifty_cpu : largest->cpu};
        variant_label(sides[0]->variant, &sides[0]->tuning, gpu, sizeof gpu);
        variant_label(sides[1]->variant, &sides[1]->tuning, cpu, sizeof cpu);
        const Ratio *ratio = ratio_of(largest, kind);
        const SpeedSide side = ratio_side(ratio);
        const bool takes = kind == COST_JOULES && side != SIDE_UNDECIDED;
        side_text(side, ratio, compared, factor);
        crossover_clause(sizes, count, kind, side_word(SIDE_FASTER, compared), where);
        size_words(largest->question, place);
        snprintf(text, size, "%s: the GPU (%s) %s %s %s the CPU (%s) at %s%s.", titles[kind], gpu,
                 takes ? "takes" : "is", factor, ratio_joint(ratio), cpu, place, where);
    }
    free(sizes);
}

/* === On the terminal ========================================================================== */

static void put_side(TextTable *table, const Row *row) {
    text_table_put(table, "%s", row != NULL ? row->variant->name : "");
}

static void put_cost(TextTable *table, double cost) {
    char text[SIGNIFICANT_SIZE];
    cost_text(cost, text);
    text_table_put_kind(table, CELL_PLAIN, text);
}

static void put_joules(TextTable *table, const Row *row) {
    char text[NUMBER_WORDS_SIZE];
    joules_text(joules_of(row), text);
    text_table_put_kind(table, CELL_PLAIN, text);
}

static void put_factor(TextTable *table, const Ratio *ratio, Compared compared) {
    char text[RATIO_WORDS_SIZE];
    side_words(ratio_side(ratio), ratio, compared, text);
    text_table_put_ink(table, factor_ink(ratio), text);
}

static void put_line(TextTable *table, const Costs *costs) {
    const Row *row = costs->question;
    char answer[RESULT_LABEL_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    text_table_put(table, "%s", row->algorithm->name);
    text_table_put(table, "%.40s", answer);
    text_table_put(table, "%.60s", row->size_name);
    put_side(table, costs->cpu);
    put_cost(table, costs->cpu_cost);
    put_side(table, costs->gpu[TIME_KERNEL]);
    put_cost(table, costs->gpu_cost[TIME_KERNEL]);
    put_factor(table, &costs->cheaper[TIME_KERNEL], COMPARED_COST);
    put_factor(table, &costs->cheaper[TIME_END_TO_END], COMPARED_COST);
    put_joules(table, costs->thrifty_cpu);
    put_joules(table, costs->thrifty_gpu);
    put_factor(table, &costs->saves, COMPARED_ENERGY);
}

/* Whether the row is of this algorithm; NULL: of any but copy. */
static bool is_asked(const Row *row, const char *only) {
    return only != NULL ? strcmp(row->algorithm->name, only) == 0 : !row_is_roof(row);
}

static void say_line(FILE *stream, const char *text) {
    Flow flow = {.stream = stream, .columns = (size_t)terminal_columns(stream) - 1};
    if (text[0] != '\0') {
        flow_words(&flow, INK_PLAIN, text);
        flow_end(&flow);
    }
}

static void print_apart(FILE *stream, const DocTable *table) {
    fputc('\n', stream);
    table_print(stream, table);
}

static void print_nothing(FILE *stream, const DocTable *table) {
    (void)stream;
    (void)table;
}

void costs_print(FILE *stream, const Results *results, const Prices *prices, const char *only,
                 bool briefly) {
    TextTable table = TEXT_TABLE(
        WORDS("algorithm", .rank = briefly ? 0 : 6), WORDS("answer", .rank = 5), WORDS("size"),
        WORDS("CPU", .rank = 3), NUMBERS("CPU cost", .rank = 1), WORDS("GPU", .rank = 3),
        NUMBERS("GPU cost", .rank = 1), NUMBERS("kernel only"), NUMBERS("with copies"),
        NUMBERS("CPU J", .rank = 2), NUMBERS("GPU J", .rank = 2), NUMBERS("energy"));
    bool joules = false, any = false;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (question_first(results, row) == row && is_asked(row, only)) {
            const Costs costs = costs_of(results, row, prices);
            if (costs_are_known(&costs)) {
                put_line(&table, &costs);
                joules |= costs.thrifty_cpu != NULL || costs.thrifty_gpu != NULL;
                any = true;
            }
        }
    }
    const Status status = text_table_end(&table, stream, any ? print_apart : print_nothing);
    if (!status_is_ok(&status)) {
        visible_line(stream, "%s", status.why);
    }
    for (size_t i = 0; i < results->count; i++) {
        const bool told = !briefly && is_asked(&results->rows[i], only) &&
                          results_begins(results, i, row_same_series);
        for (int kind = 0; told && kind < COST_KINDS; kind++) {
            char text[2 * PHRASE_SIZE];
            cost_sentence(results, &results->rows[i], prices, (CostKind)kind, text, sizeof text);
            say_line(stream, text);
        }
    }
    say_line(stream, prices_given(prices) ? cost_note : "");
    say_line(stream, joules                 ? joules_note
                     : prices_given(prices) ? "Joules were not measured (see --energy)."
                                            : "");
}
