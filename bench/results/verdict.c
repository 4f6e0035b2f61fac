/* What a run says about one algorithm and input, in a few sentences: for the terminal and for
 * pages.
 *
 * Rows of one algorithm and input share a block: a line for each size, or for each value of an axis
 * of the answer where there is one size. */

#include "algorithm.h"
#include "crossover.h"
#include "number.h"
#include "registry.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "scaling.h"
#include "terminal.h"
#include "text.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Ratios of a row ========================================================================== */

static const Ratio no_ratio = {.value = NAN, .low = NAN, .high = NAN};

Ratio row_over_cpu(const Row *row, TimeKind kind) {
    return row != NULL ? row_won_ratio(row, OVER_BEST_CPU, kind) : no_ratio;
}

Ratio row_over_base(const Row *row) {
    return row != NULL ? row_won_ratio(row, OVER_SEQ, TIME_KERNEL) : no_ratio;
}

Ratio line_over_base(const VerdictLine *line) {
    return line->next != NULL ? ratio_inverse(row_over_cpu(line->next, TIME_KERNEL))
                              : row_over_base(line->cpu);
}

/* === Lines ==================================================================================== */

/* Whether the answer of `a` comes after that of `b`: by the first axis whose numbers differ. */
static bool answer_is_later(const Row *a, const Row *b) {
    for (size_t i = 0; i < a->answer.count && i < b->answer.count; i++) {
        const double first = leading_number(a->answer.values[i].text, NULL);
        const double second = leading_number(b->answer.values[i].text, NULL);
        if (first != second && !isnan(first) && !isnan(second)) {
            return first > second;
        }
    }
    return true;
}

/* Whether the rows are of one size, and their answers differ in nothing but, perhaps, the axis. */
static bool same_but_for(const Row *a, const Row *b, size_t axis) {
    return strcmp(a->size_name, b->size_name) == 0 &&
           point_equal_but(&a->answer, &b->answer, b->answer.axes[axis]->name);
}

static double pixels_of(const Row *row) {
    return (double)row->width * row->height * (row->images > 0 ? row->images : 1);
}

/* Keeps the order ascending. */
static void add_line(VerdictBlock *block, const Row *row) {
    VerdictLine line = {.question = row, .x = row_size(row)};
    if (block->axis < row->answer.count) {
        line.x = leading_number(row->answer.values[block->axis].text, NULL);
        snprintf(line.label, sizeof line.label, "%s", row->answer.values[block->axis].text);
    } else {
        snprintf(line.label, sizeof line.label, "%.60s", row->size_name);
    }
    size_t at = block->count++;
    while (at > 0 && (block->lines[at - 1].x > line.x ||
                      (block->lines[at - 1].x == line.x &&
                       pixels_of(block->lines[at - 1].question) > pixels_of(row)))) {
        block->lines[at] = block->lines[at - 1];
        at--;
    }
    block->lines[at] = line;
}

static void find_rows(const Results *results, VerdictLine *line) {
    const Winner winner = results_best_cpu(results, line->question);
    line->cpu = winner.row;
    line->tied = winner.choice.tied_count;
    line->unsure = winner.unsure;
    line->disturber = winner.row != NULL ? winner.choice.disturber : DISTURBER_NONE;
    for (const Row *row = question_first(results, line->question); row != NULL;
         row = question_next(results, row)) {
        if (row->variant == registry_variant(row->algorithm, 0)) {
            line->seq = row;
        } else if (row_is_of_side(row, SIDE_CPU)) {
            line->rivals++;
        }
        if (row_gpus(row) > 1 &&
            (line->several == NULL || row_gpus(row) > row_gpus(line->several))) {
            line->several = row;
        }
    }
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Winner gpu = results_best(results, line->question, SIDE_DEVICE, kind);
        line->gpu[kind] = gpu.row;
        line->gpu_unsure[kind] = gpu.unsure;
    }
}

/* A peer only where nothing else is next. */
static void find_next(const Results *results, VerdictLine *line) {
    for (const Row *row = line->cpu != NULL ? question_first(results, line->question) : NULL;
         row != NULL; row = question_next(results, row)) {
        const bool other = row_is_on_cpu(row) && row->variant != line->cpu->variant;
        if (other && (line->next == NULL || (line->next->peer && !row->peer) ||
                      (line->next->peer == row->peer &&
                       row->kernel_summary.median < line->next->kernel_summary.median))) {
            line->next = row;
        }
    }
}

/* The lines that `axis` gives, POINT_AXES_MAX for those that the sizes give: one a question. */
static void fill_lines(const Results *results, VerdictBlock *block, size_t axis) {
    block->axis = axis;
    block->count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        const bool of_axis = axis < POINT_AXES_MAX
                                 ? same_but_for(row, block->head, axis)
                                 : point_equal(&row->answer, &block->head->answer);
        if (of_axis && row_same_input(row, block->head) && question_first(results, row) == row) {
            add_line(block, row);
        }
    }
    if (axis < POINT_AXES_MAX) {
        block->kind = ALONG_AXIS;
        block->along = block->head->answer.axes[axis]->name;
    } else {
        block->kind = row_is_image(block->head) ? ALONG_SIZES : ALONG_COUNTS;
        block->along =
            block->kind == ALONG_SIZES ? "size" : size_unit_words(row_size_unit(block->head));
    }
}

static size_t count_answers(const Results *results, const Row *head) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        bool first = row_is_measured(row) && row_same_input(row, head);
        for (size_t j = 0; j < i && first; j++) {
            first = !row_is_measured(&results->rows[j]) ||
                    !row_same_input(&results->rows[j], head) ||
                    !point_equal(&results->rows[j].answer, &row->answer);
        }
        count += first;
    }
    return count;
}

VerdictBlock verdict_block(const Results *results, const Row *first, VerdictLine *lines) {
    VerdictBlock block = {.results = results, .head = first, .lines = lines};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (row_is_measured(row) && row_same_input(row, first) &&
            answer_is_later(row, block.head)) {
            block.head = row;
        }
    }
    const size_t answers = count_answers(results, first);
    size_t axis = POINT_AXES_MAX;
    size_t most = 1;
    fill_lines(results, &block, axis);
    for (size_t i = 0; block.count == 1 && answers > 1 && i < block.head->answer.count; i++) {
        VerdictBlock other = block;
        fill_lines(results, &other, i);
        if (other.count > most) {
            most = other.count;
            axis = i;
        }
    }
    fill_lines(results, &block, axis);
    block.others = answers - (axis < POINT_AXES_MAX ? block.count : 1);
    for (size_t i = 0; i < block.count; i++) {
        find_rows(results, &block.lines[i]);
        block.gpu |= block.lines[i].gpu[TIME_KERNEL] != NULL;
        block.seq |= block.lines[i].seq != NULL;
    }
    for (size_t i = 0; i < block.count && !block.gpu && !block.seq; i++) {
        find_next(results, &block.lines[i]);
    }
    return block;
}

const char *verdict_base(const VerdictBlock *block) {
    const Variant *base = registry_variant(block->head->algorithm, 0);
    return base != NULL ? base->name : "seq";
}

Ratio verdict_ratio(const VerdictBlock *block, const VerdictLine *line) {
    return block->gpu ? row_over_cpu(line->gpu[TIME_KERNEL], TIME_KERNEL) : line_over_base(line);
}

/* What disturbed the answer at a place, or a cell that may be the best there. Where the plain code
 * alone has a time there is no answer to disturb. */
static Disturber disturber_at(const VerdictBlock *block, const VerdictLine *line) {
    if (!block->gpu && line->cpu != NULL && line->cpu == line->seq && line->rivals == 0) {
        return DISTURBER_NONE;
    }
    return disturber_of_either(verdict_ratio(block, line).disturber,
                               block->gpu ? DISTURBER_NONE : line->disturber);
}

const VerdictLine *verdict_headline(const VerdictBlock *block) {
    const VerdictLine *disturbed = NULL;
    for (size_t i = block->count; i > 0; i--) {
        const VerdictLine *line = &block->lines[i - 1];
        if (!isfinite(verdict_ratio(block, line).value)) {
            continue;
        }
        if (disturber_at(block, line) == DISTURBER_NONE) {
            return line;
        }
        disturbed = disturbed != NULL ? disturbed : line;
    }
    return disturbed != NULL ? disturbed : &block->lines[block->count - 1];
}

void verdict_place(const VerdictBlock *block, const VerdictLine *line,
                   char text[VERDICT_PLACE_SIZE]) {
    switch (block->kind) {
    case ALONG_SIZES: snprintf(text, VERDICT_PLACE_SIZE, "%s", line->label); break;
    case ALONG_COUNTS:
        snprintf(text, VERDICT_PLACE_SIZE, "%s %s", line->label, block->along);
        break;
    case ALONG_AXIS: snprintf(text, VERDICT_PLACE_SIZE, "%s %s", block->along, line->label); break;
    }
}

/* "pr:24:3 interp:bilinear" where all lines have the same answer; "" otherwise. */
static void verdict_answer(const VerdictBlock *block, char text[RESULT_LABEL_SIZE]) {
    text[0] = '\0';
    if (block->axis < POINT_AXES_MAX) {
        return;
    }
    point_spaced(&block->head->answer, text, RESULT_LABEL_SIZE);
}

/* "lbp_riu on texture, pr:24:3 interp:bilinear" */
static void block_name(const VerdictBlock *block, char *text, size_t size) {
    char answer[RESULT_LABEL_SIZE];
    verdict_answer(block, answer);
    snprintf(text, size, "%s on %.120s%s%.160s", block->head->algorithm->name, block->head->input,
             answer[0] != '\0' ? ", " : "", answer);
}

/* === Sentences ================================================================================ */

STATUS_PRINTF(2, 3)
static void say(Sentence *sentence, const char *format, ...) {
    const size_t used = strlen(sentence->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence->text + used, sizeof sentence->text - used, format, arguments);
    va_end(arguments);
}

/* Whether the lines stand at numbers that rise, so that there may be a place between two. */
static bool has_places(const VerdictBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (!(block->lines[i].x > 0) || (i > 0 && !(block->lines[i].x > block->lines[i - 1].x))) {
            return false;
        }
    }
    return block->count > 1;
}

/* Lines of a block. */
typedef struct CrossoverLines {
    const VerdictBlock *block;
    const VerdictLine **at;
} CrossoverLines;

static void name_line(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    const CrossoverLines *lines = places;
    if (lines->block->kind == ALONG_COUNTS) {
        verdict_place(lines->block, lines->at[place], text);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "%s", lines->at[place]->label);
    }
}

/* What a line is, and several are; of counts the name of what is counted follows. */
static const struct {
    const char *one, *several;
} line_nouns[] = {[ALONG_SIZES] = {"size", "sizes"},
                  [ALONG_COUNTS] = {"number of ", "numbers of "},
                  [ALONG_AXIS] = {"value", "values"}};

/* The next line from `*at` on that has a time of both, and the GPU's side there; NULL: none. */
static const VerdictLine *next_side(const VerdictBlock *block, TimeKind kind, size_t *at,
                                    SpeedSide *side) {
    while (*at < block->count) {
        const VerdictLine *line = &block->lines[(*at)++];
        const Ratio ratio = row_over_cpu(line->gpu[kind], kind);
        if (!isnan(ratio.value)) {
            *side = ratio_side(&ratio);
            return line;
        }
    }
    return NULL;
}

static bool same_sides(const VerdictBlock *a, const VerdictBlock *b, TimeKind kind) {
    for (size_t i = 0, j = 0;;) {
        SpeedSide a_side, b_side;
        const VerdictLine *of_a = next_side(a, kind, &i, &a_side);
        const VerdictLine *of_b = next_side(b, kind, &j, &b_side);
        if (of_a == NULL || of_b == NULL) {
            return of_a == of_b;
        }
        if (a_side != b_side || strcmp(of_a->label, of_b->label) != 0) {
            return false;
        }
    }
}

bool verdict_same_crossovers(const VerdictBlock *a, const VerdictBlock *b) {
    return a->kind == b->kind && strcmp(a->along, b->along) == 0 &&
           has_places(a) == has_places(b) && same_sides(a, b, TIME_KERNEL) &&
           same_sides(a, b, TIME_END_TO_END);
}

/* Whether a crossover is ahead of anything is set where it has a side. */
static void crossover_of_lines(const VerdictBlock *block, TimeKind kind,
                               char words[CROSSOVER_TEXT_SIZE], bool *sided) {
    const CrossoverLines lines = {.block = block, .at = calloc(block->count, sizeof *lines.at)};
    SpeedSide *sides = calloc(block->count, sizeof *sides);
    char one[VERDICT_LABEL_SIZE], several[VERDICT_LABEL_SIZE];
    Series series = {
        .sides = sides, .name = name_line, .places = &lines, .noun = one, .nouns = several};
    const VerdictLine *line;
    SpeedSide side;
    for (size_t i = 0;
         lines.at != NULL && sides != NULL && (line = next_side(block, kind, &i, &side)) != NULL;) {
        lines.at[series.count] = line;
        sides[series.count++] = side;
    }
    const char *counted = block->kind == ALONG_COUNTS ? block->along : "";
    snprintf(one, sizeof one, "%s%s", line_nouns[block->kind].one, counted);
    snprintf(several, sizeof several, "%s%s", line_nouns[block->kind].several, counted);
    words[0] = '\0';
    *sided = false;
    if (series.count > 1 && has_places(block)) {
        crossover_words(&series, words, CROSSOVER_TEXT_SIZE);
        *sided = crossover_of(sides, series.count).sides > 0;
    }
    free(lines.at);
    free(sides);
}

void verdict_crossover(const VerdictBlock *block, TimeKind kind, char words[CROSSOVER_TEXT_SIZE]) {
    bool sided;
    crossover_of_lines(block, kind, words, &sided);
}

/* "; it is ahead from 480p on; undecided at 360p", "; by box it is ahead at every value" */
static void say_crossover(Sentence *sentence, const VerdictBlock *block, TimeKind kind) {
    const bool axis = block->kind == ALONG_AXIS;
    char words[CROSSOVER_TEXT_SIZE];
    bool sided;
    crossover_of_lines(block, kind, words, &sided);
    if (words[0] != '\0') {
        say(sentence, "; %s%s%sit is %s%s", axis ? "by " : "", axis ? block->along : "",
            axis ? " " : "", sided ? "ahead " : "", words);
    }
}

/* "36.7× faster (36.2 to 37.1) than seq", of which the first two words have a colour. */
static void say_factor(Sentence *sentence, const Ratio *ratio, const char *than) {
    char words[RATIO_WORDS_SIZE], text[NUMBER_WORDS_SIZE];
    factor_words(ratio, words);
    faster_text(ratio, text);
    sentence->from = strlen(sentence->text);
    sentence->ink = factor_ink(ratio);
    say(sentence, " %s", words);
    sentence->to = strlen(sentence->text);
    const bool disturbed =
        ratio->disturber != DISTURBER_NONE; /* the sentence ends with the reason */
    say(sentence, "%s %s %s", disturbed ? "" : text + strlen(words), ratio_joint(ratio), than);
}

/* A time that a sentence rests on. */
typedef struct UsedTime {
    const Row *row;
    TimeKind kind;
} UsedTime;

enum { USED_TIMES_MAX = 5 };

/* Those of a line that were disturbed: of the device's row, if there is one, and of the CPU. */
static size_t find_disturbed(const VerdictLine *line, const Row *device, TimeKind kind,
                             UsedTime found[USED_TIMES_MAX]) {
    const Row *base = device == NULL && line->seq != line->cpu ? line->seq : NULL;
    const UsedTime used[USED_TIMES_MAX] = {
        {device, kind},
        {device != NULL ? line->gpu_unsure[kind] : NULL, kind},
        {line->cpu, TIME_KERNEL},
        {base, TIME_KERNEL},
        {line->unsure != base ? line->unsure : NULL, TIME_KERNEL}};
    size_t count = 0;
    for (size_t i = 0; i < USED_TIMES_MAX; i++) {
        char why[DISTURBANCE_SIZE] = "";
        if (used[i].row != NULL) {
            row_disturbance(used[i].row, used[i].kind, why);
        }
        if (why[0] != '\0') {
            found[count++] = used[i];
        }
    }
    return count;
}

/* ", since omp/threads:2's time is disturbed: other guests had its processors for 38% of the time"
 */
static void say_disturbed(Sentence *sentence, const VerdictLine *line, const Row *device,
                          TimeKind kind) {
    UsedTime found[USED_TIMES_MAX];
    const size_t count = find_disturbed(line, device, kind, found);
    for (size_t i = 0; i < count; i++) {
        const Row *row = found[i].row;
        char label[RESULT_LABEL_SIZE], why[DISTURBANCE_SIZE];
        variant_label(row->variant, &row->tuning, label, sizeof label);
        row_disturbance(row, found[i].kind, why);
        say(sentence, "%s %s's time%s is disturbed: %s", i == 0 ? ", since" : "; and", label,
            found[i].kind == TIME_END_TO_END ? " with copies" : "", why);
    }
}

/* The best of a side at the largest place, and what is tied with it. */
static void label_best(const VerdictBlock *block, RowSide side, TimeKind kind,
                       char label[RESULT_LABEL_SIZE]) {
    const Winner winner =
        results_best(block->results, verdict_headline(block)->question, side, kind);
    winner_label(&winner, label, RESULT_LABEL_SIZE);
}

static void say_gpu(const VerdictBlock *block, TimeKind kind, Sentence *sentence) {
    static const char *const titles[TIME_KINDS] = {"Kernel only", "With copies"};
    const VerdictLine *line = verdict_headline(block);
    const Row *row = line->gpu[kind];
    const Ratio ratio = row_over_cpu(row, kind);
    char place[VERDICT_PLACE_SIZE];
    char gpu[RESULT_LABEL_SIZE], cpu[RESULT_LABEL_SIZE];
    char than[RESULT_LABEL_SIZE + VERDICT_LABEL_SIZE];
    verdict_place(block, line, place);
    if (row == NULL || line->cpu == NULL || isnan(ratio.value)) {
        say(sentence, "%s, there is no speedup at %s: %s.", titles[kind], place,
            row == NULL ? "no GPU variant has a time" : "no CPU variant has a time");
        return;
    }
    label_best(block, SIDE_DEVICE, kind, gpu);
    label_best(block, SIDE_CPU, TIME_KERNEL, cpu);
    say(sentence, "%s, the GPU (%s) is", titles[kind], gpu);
    snprintf(than, sizeof than, "the best CPU (%s)", cpu);
    say_factor(sentence, &ratio, than);
    say(sentence, " at %s", place);
    say_crossover(sentence, block, kind);
    say_disturbed(sentence, line, row, kind);
    say(sentence, ".");
}

bool verdict_seq_is_best(const VerdictLine *line) {
    return line->tied == 0 && line->disturber == DISTURBER_NONE;
}

/* Of a line whose best CPU is the plain code: that no CPU variant is faster, or that this is
 * undecided, or that there is no other. */
static void no_faster_words(const VerdictBlock *block, const VerdictLine *line,
                            char text[VERDICT_LABEL_SIZE]) {
    const char *base = verdict_base(block);
    if (line->rivals == 0) {
        snprintf(text, VERDICT_LABEL_SIZE, "%s alone has a time on the CPU", base);
    } else if (!verdict_seq_is_best(line)) {
        snprintf(text, VERDICT_LABEL_SIZE, "whether a CPU variant is faster than %s is undecided",
                 base);
    } else {
        snprintf(text, VERDICT_LABEL_SIZE, "no CPU variant is faster than %s", base);
    }
}

/* Why the line has no ratio: which of its sides was not measured. */
static void no_time_words(const VerdictBlock *block, const VerdictLine *line, bool device,
                          char text[VERDICT_LABEL_SIZE]) {
    if (!device && line->cpu != NULL) {
        snprintf(text, VERDICT_LABEL_SIZE, "%s has no time", verdict_base(block));
    } else {
        snprintf(text, VERDICT_LABEL_SIZE, "no %s variant has a time",
                 device && line->cpu != NULL ? "GPU" : "CPU");
    }
}

enum { BASE_LABEL_SIZE = RESULT_LABEL_SIZE + VERDICT_LABEL_SIZE };

/* What the best CPU is compared with: "seq", "omp/threads:4", "opencv (OpenCV 5.0.0)" */
static void base_label(const VerdictBlock *block, const VerdictLine *line,
                       char text[BASE_LABEL_SIZE]) {
    char label[RESULT_LABEL_SIZE];
    snprintf(text, BASE_LABEL_SIZE, "%s", verdict_base(block));
    if (line->next != NULL) {
        variant_label(line->next->variant, &line->next->tuning, label, sizeof label);
        snprintf(text, BASE_LABEL_SIZE, line->next->peer ? "%s (%s)" : "%s", label,
                 line->next->library);
    }
}

static void say_cpu(const VerdictBlock *block, Sentence *sentence) {
    const VerdictLine *line = verdict_headline(block);
    const Ratio ratio = line_over_base(line);
    char place[VERDICT_PLACE_SIZE];
    verdict_place(block, line, place);
    if (line->cpu == NULL || isnan(ratio.value)) {
        char words[VERDICT_LABEL_SIZE];
        no_time_words(block, line, false, words);
        say(sentence, "There is no speedup at %s: %s.", place, words);
    } else if (line->cpu == line->seq) {
        char words[VERDICT_LABEL_SIZE], failed[VERDICT_FAILED_SIZE];
        no_faster_words(block, line, words);
        verdict_failed(block, failed);
        say(sentence, "At %s %s", place, words);
        if (line->rivals > 0) {
            say_disturbed(sentence, line, NULL, TIME_KERNEL);
        }
        say(sentence, "%s%s.", failed[0] != '\0' ? "; " : "", failed);
    } else {
        char label[RESULT_LABEL_SIZE], base[BASE_LABEL_SIZE];
        label_best(block, SIDE_CPU, TIME_KERNEL, label);
        base_label(block, line, base);
        say(sentence, "The best CPU (%s) is", label);
        say_factor(sentence, &ratio, line->next != NULL ? base : line->cpu->base);
        say(sentence, " at %s", place);
        say_disturbed(sentence, line, NULL, TIME_KERNEL);
        say(sentence, ".");
    }
}

static void say_roof(const VerdictBlock *block, Sentence *sentence) {
    const VerdictLine *line = verdict_headline(block);
    const Row *rows[] = {line->gpu[TIME_KERNEL], line->cpu};
    char place[VERDICT_PLACE_SIZE];
    bool any = false;
    verdict_place(block, line, place);
    for (size_t i = 0; i < 2; i++) {
        if (rows[i] == NULL || !isfinite(rows[i]->roof_fraction)) {
            continue;
        }
        char label[RESULT_LABEL_SIZE], share[SIGNIFICANT_SIZE];
        variant_label(rows[i]->variant, &rows[i]->tuning, label, sizeof label);
        percent_text(rows[i]->roof_fraction, rows[i]->roof_fraction < 0.1 ? 1 : 0, share);
        if (any) {
            say(sentence, ", %s %s", label, share);
        } else {
            say(sentence, "At %s %s reaches %s of its roof", place, label, share);
        }
        if (rows[i]->bound[0] != '\0') {
            say(sentence, " (%s%s)", any ? "" : "bound by ", rows[i]->bound);
        }
        any = true;
    }
    say(sentence, "%s",
        any ? "." : "The roof is not known: it was not measured, or there is no cost model.");
}

/* "1.87× faster (1.85 to 1.89) than on one (93% of ideal)", "with copies 1.7× slower (30%)" */
static void say_strong(Sentence *sentence, const Row *row) {
    const Ratio ratio = row_over_one(row, TIME_KERNEL), whole = row_over_one(row, TIME_END_TO_END);
    char share[SIGNIFICANT_SIZE], words[VERDICT_LABEL_SIZE];
    say(sentence, " is");
    say_factor(sentence, &ratio, "on one");
    percent_text(row_efficiency(row, TIME_KERNEL).value, 0, share);
    say(sentence, " (%s of ideal)", share);
    if (isfinite(whole.value)) {
        factor_words(&whole, words);
        percent_text(row_efficiency(row, TIME_END_TO_END).value, 0, share);
        say(sentence, ", with copies %s (%s)", words, share);
    }
}

/* "takes 1.02× the time of one GPU with its share of the work (98% of ideal)" */
static void say_weak(Sentence *sentence, const Row *row) {
    const double kernel = row_efficiency(row, TIME_KERNEL).value;
    const double whole = row_efficiency(row, TIME_END_TO_END).value;
    char times[SIGNIFICANT_SIZE], share[SIGNIFICANT_SIZE];
    times_text(1 / kernel, times);
    percent_text(kernel, 0, share);
    say(sentence, " takes %s the time of one with its share of the work (%s of ideal)", times,
        share);
    if (isfinite(whole)) {
        times_text(1 / whole, times);
        percent_text(whole, 0, share);
        say(sentence, ", with copies %s (%s)", times, share);
    }
}

/* Of the variant on the most GPUs. */
static void say_scaling(const VerdictBlock *block, Sentence *sentence) {
    const VerdictLine *line = verdict_headline(block);
    const Row *row = line->several;
    char place[VERDICT_PLACE_SIZE];
    verdict_place(block, line, place);
    say(sentence, "On %d GPUs %s", row_gpus(row), row->variant->name);
    if (isnan(row_efficiency(row, TIME_KERNEL).value)) {
        say(sentence, " has no efficiency at %s: it was not measured on one.", place);
        return;
    }
    if (row->weak) {
        say_weak(sentence, row);
    } else {
        say_strong(sentence, row);
    }
    say(sentence, ", at %s.", place);
}

/* "16 CPU threads", "one CPU thread (simd)" */
static void cpu_words(const Row *row, char text[VERDICT_LABEL_SIZE]) {
    if (row->threads == 1) {
        snprintf(text, VERDICT_LABEL_SIZE, "one CPU thread (%.40s)", row->variant->name);
    } else {
        snprintf(text, VERDICT_LABEL_SIZE, "%d CPU threads", row->threads);
    }
}

/* ": other guests had the processors", behind a ratio that is undecided by that. */
static void append_disturber(const Ratio *ratio, char *text, size_t size) {
    if (ratio->disturber != DISTURBER_NONE) {
        text_append(text, size, ": %s", disturber_clause(ratio->disturber));
    }
}

/* The kernel alone, then with copies. */
static void find_gpu(const VerdictLine *line, char *text, size_t size) {
    const Ratio kernel = row_over_cpu(line->gpu[TIME_KERNEL], TIME_KERNEL);
    const Ratio whole = row_over_cpu(line->gpu[TIME_END_TO_END], TIME_END_TO_END);
    const int gpus = row_gpus(line->gpu[TIME_KERNEL]);
    char cpu[VERDICT_LABEL_SIZE], words[NUMBER_WORDS_SIZE];
    cpu_words(line->cpu, cpu);
    brief_words(&kernel, words);
    text_append(text, size, gpus > 1 ? "%d GPUs are" : "the GPU is", gpus);
    text_append(text, size, " %s %s %s (kernel only)", words, ratio_joint(&kernel), cpu);
    if (!isfinite(whole.value) || whole.disturber != kernel.disturber) {
        append_disturber(&kernel, text, size);
    }
    if (isfinite(whole.value)) {
        brief_words(&whole, words);
        text_append(text, size, "; with copies %s", words);
        append_disturber(&whole, text, size);
    }
}

static void find_cpu(const VerdictBlock *block, const VerdictLine *line, char *text, size_t size) {
    const Ratio ratio = line_over_base(line);
    char label[RESULT_LABEL_SIZE], words[NUMBER_WORDS_SIZE], base[BASE_LABEL_SIZE];
    variant_label(line->cpu->variant, &line->cpu->tuning, label, sizeof label);
    base_label(block, line, base);
    brief_words(&ratio, words);
    text_append(text, size, "%s is %s %s %s%s", label, words, ratio_joint(&ratio), base,
                line->next == NULL ? " (plain code, one thread)" : "");
    append_disturber(&ratio, text, size);
}

/* "omp/threads:16 takes 223 µs, with no other variant beside it" */
static void find_alone(const VerdictLine *line, char *text, size_t size) {
    char label[RESULT_LABEL_SIZE], time[NUMBER_WORDS_SIZE];
    variant_label(line->cpu->variant, &line->cpu->tuning, label, sizeof label);
    seconds_text(line->cpu->kernel_summary.median, time);
    text_append(text, size, "%s takes %s, with no other variant beside it", label, time);
}

static void say_finding(const VerdictBlock *block, char text[VERDICT_FINDING_SIZE]) {
    const VerdictLine *line = verdict_headline(block);
    const VerdictLine *largest = &block->lines[block->count - 1];
    const Ratio kernel = verdict_ratio(block, line);
    char answer[RESULT_LABEL_SIZE], place[VERDICT_PLACE_SIZE], words[VERDICT_LABEL_SIZE];
    verdict_answer(block, answer);
    verdict_place(block, line, place);
    snprintf(text, VERDICT_FINDING_SIZE, "%s%s%.200s%s at %s: ", block->head->algorithm->name,
             answer[0] != '\0' ? ", " : "", answer, answer[0] != '\0' ? "," : "", place);
    if (!isfinite(kernel.value) && !block->gpu && !block->seq && line->cpu != NULL) {
        find_alone(line, text, VERDICT_FINDING_SIZE);
    } else if (!isfinite(kernel.value)) {
        no_time_words(block, line, block->gpu, words);
        text_append(text, VERDICT_FINDING_SIZE, "no speedup, %s", words);
    } else if (block->gpu) {
        find_gpu(line, text, VERDICT_FINDING_SIZE);
    } else if (line->cpu == line->seq) {
        no_faster_words(block, line, words);
        text_append(text, VERDICT_FINDING_SIZE, "%s", words);
    } else {
        find_cpu(block, line, text, VERDICT_FINDING_SIZE);
    }
    if (line != largest) {
        verdict_place(block, largest, place);
        if (isfinite(verdict_ratio(block, largest).value)) {
            snprintf(words, sizeof words, "undecided: %s",
                     disturber_clause(disturber_at(block, largest)));
        } else {
            no_time_words(block, largest, block->gpu, words);
        }
        text_append(text, VERDICT_FINDING_SIZE, "; at %s %s", place, words);
    }
}

void verdict_say(const VerdictBlock *block, RunVerdict *verdict) {
    *verdict = (RunVerdict){.head = block->head};
    block_name(block, verdict->about, sizeof verdict->about);
    say_finding(block, verdict->finding);
    verdict_failed(block, verdict->failed);
    if (block->gpu) {
        say_gpu(block, TIME_KERNEL, &verdict->sentences[verdict->count++]);
        say_gpu(block, TIME_END_TO_END, &verdict->sentences[verdict->count++]);
    } else {
        say_cpu(block, &verdict->sentences[verdict->count++]);
    }
    say_roof(block, &verdict->sentences[verdict->count++]);
    if (verdict_headline(block)->several != NULL) {
        say_scaling(block, &verdict->sentences[verdict->count++]);
    }
}

Status verdict_of(const Results *results, const Row *of, RunVerdict *verdict) {
    VerdictLine *lines = calloc(results->count + 1, sizeof *lines);
    *verdict = (RunVerdict){.count = 0};
    STATUS_MEMORY(lines, "for a verdict");
    const Row *first = of;
    for (size_t i = 0; i < results->count && !row_is_measured(first); i++) {
        first = row_same_input(&results->rows[i], of) ? &results->rows[i] : first;
    }
    if (row_is_measured(first)) {
        const VerdictBlock block = verdict_block(results, first, lines);
        verdict_say(&block, verdict);
    } else {
        say(&verdict->sentences[verdict->count++], "No cell has a verified time.");
    }
    free(lines);
    return status_ok();
}

void sentence_print(FILE *stream, size_t columns, const Sentence *sentence) {
    const struct {
        size_t from, to;
        Ink ink;
    } parts[] = {{0, sentence->from, INK_PLAIN},
                 {sentence->from, sentence->to, sentence->ink},
                 {sentence->to, strlen(sentence->text), INK_PLAIN}};
    Flow flow = {.stream = stream, .columns = columns};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char text[VERDICT_TEXT_SIZE];
        snprintf(text, sizeof text, "%.*s", (int)(parts[i].to - parts[i].from),
                 sentence->text + parts[i].from);
        flow_words(&flow, parts[i].ink, text);
    }
    flow_end(&flow);
}
