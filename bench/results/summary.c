/* The summary that a run ends with: the answer, and what it rests on, in the width of the window.
 *
 * Rows of one algorithm and input share a block: a headline, and a line for each size (or value of
 * an axis of the answer) or, where there is one, for each variant. */

#include "algorithm.h"
#include "command_line.h"
#include "modules.h"
#include "results_internal.h"
#include "row_winners.h"
#include "stored_run.h"
#include "terminal.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "price.h"
#include "registry.h"
#include "run_options.h"
#include "source_file.h"
#include "text.h"
#include "utf8.h"

enum { TEXT_SIZE = 512, MARGIN = 2, FOOT_COLUMN = 12, CROSSOVERS_SIZE = 2 * CROSSOVER_TEXT_SIZE };

/* Too many arguments otherwise. */
typedef struct Screen {
    FILE *stream;
    size_t columns;
    const RunRecord *record;
    const Results *results;
    const char *folder;
    bool gpu;      /* some device was measured */
    bool copy;     /* `copy` is shown as any algorithm */
    RowList shown; /* rows of the tables, each once */
    RowList heads; /* the first row of each block */
} Screen;

/* === Words ==================================================================================== */

static Flow flow_at(const Screen *screen, size_t indent) {
    /* A full stop behind the last word has room. */
    return (Flow){.stream = screen->stream, .indent = indent, .columns = screen->columns - 1};
}

STATUS_PRINTF(2, 3)
static void say(Flow *flow, const char *format, ...) {
    char text[2 * TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    flow_words(flow, INK_PLAIN, text);
}

/* "0.00353": milliseconds. */
static void milliseconds(double seconds, char text[SIGNIFICANT_SIZE]) {
    text[0] = '\0';
    if (isfinite(seconds)) {
        measured_text(seconds * 1e3, 3, text);
    }
}

/* === What is shown ============================================================================ */

static bool is_shown(const Screen *screen, const Row *row) {
    const char *only = screen->record->only;
    return only != NULL ? strcmp(row->algorithm->name, only) == 0
                        : screen->copy || !row_is_roof(row);
}

/* Several algorithms have a headline each; then the first alone has a table, unless one was asked
 * for. */
static bool is_brief(const Screen *screen) {
    return screen->heads.count > 1 && screen->record->only == NULL;
}

/* === Head ===================================================================================== */

/* Of the cells of a device the first that says why none was measured; NULL: no such was asked for.
 */
static const Row *row_without_gpu(const Screen *screen) {
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (!row_is_on_cpu(row) && is_shown(screen, row) && row->why[0] != '\0') {
            return row;
        }
    }
    return NULL;
}

/* "lbp at 16K: the GPU is 36.7× faster than 16 CPU threads (kernel only); with copies 1.70×
 * slower", and what failed. */
static void print_headline(const Screen *screen, const RunVerdict *verdict) {
    char text[TEXT_SIZE];
    Flow flow = flow_at(screen, MARGIN);
    flow_words(&flow, INK_STRONG, verdict->finding);
    if (verdict->failed[0] != '\0') {
        snprintf(text, sizeof text, ", %s", verdict->failed);
        flow_words(&flow, INK_SLOWER, text);
    }
    flow_end(&flow);
}

/* "NVIDIA H200 against AMD EPYC, 16 processors", "AMD EPYC, 2 processors, no GPU (no CUDA device)"
 */
static void say_machine(const Screen *screen, Flow *flow) {
    const Machine *machine = screen->record->machine;
    const char *model = results_gpus(screen->results, machine != NULL ? machine_gpu(machine) : "");
    const char *cpu = machine != NULL ? machine_cpu(machine) : "";
    const int processors = machine != NULL ? machine->cpu_count : 0;
    char name[NUMBER_WORDS_SIZE];
    machine_short_name(cpu, name);
    if (screen->gpu) {
        say(flow, "%.200s against", model[0] != '\0' ? model : "A GPU");
    }
    say(flow, " %s, %d processor%s", name[0] != '\0' ? name : "a CPU", processors,
        processors == 1 ? "" : "s");
    if (!screen->gpu) {
        const Row *row = row_without_gpu(screen);
        say(flow, ", no GPU (%.400s)", row != NULL ? row->why : "no GPU variant was asked for");
    }
}

/* " · 6 launches in 0:58", while more of them follow " · 1 launch so far, in 0:12" */
static void say_launches(const Screen *screen, Flow *flow, size_t launches) {
    const RunRecord *record = screen->record;
    char taken[DURATION_SIZE];
    say(flow, " · %zu launch%s%s", launches, launches == 1 ? "" : "es",
        record->so_far ? " so far," : "");
    if (isfinite(record->elapsed) && record->elapsed > 0) {
        duration_text(record->elapsed, taken);
        say(flow, " in %s", taken);
    }
}

/* What the run measured on, with what, when, and whether its answers are right. */
static void print_setting(const Screen *screen, const VerdictBlock *block) {
    size_t answers = 0, verified = 0;
    bool cold = false;
    size_t launches = 0;
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (row->status == CELL_OK && is_shown(screen, row)) {
            const size_t aside = row->set_aside > 0 ? (size_t)row->set_aside : 0;
            const size_t count = row->kernel_summary.launches + aside;
            cold |= row->cold;
            verified += row->verified;
            launches = count > launches ? count : launches;
        }
        answers += row->status != CELL_SKIP && is_shown(screen, row);
    }
    Flow flow = flow_at(screen, MARGIN);
    say_machine(screen, &flow);
    say(&flow, " · %.120s", block->head->input);
    if (block->kind == ALONG_AXIS && block->head->size_name[0] != '\0') {
        say(&flow, " at %s", block->head->size_name);
    }
    say_launches(screen, &flow, launches);
    if (screen->record->started[0] != '\0') {
        say(&flow, ", %.10s", screen->record->started);
    }
    if (cold) {
        say(&flow, " · cold caches");
    }
    if (verified == answers && answers == 1) {
        say(&flow, " · its answer verified");
    } else if (verified == answers) {
        say(&flow, " · all %zu answers verified", answers);
    } else {
        say(&flow, " · %zu of %zu %s verified", verified, answers,
            plural(answers, "answer", "answers"));
    }
    flow_end(&flow);
}

/* === Sizes ==================================================================================== */

/* Cells of one ratio: its words and its interval. */
static void put_ratio(TextTable *table, const Ratio *ratio) {
    char words[VERDICT_LABEL_SIZE], interval[NUMBER_WORDS_SIZE];
    factor_words(ratio, words);
    factor_interval(ratio, interval);
    text_table_put_ink(table, factor_ink(ratio), words);
    text_table_put_kind(table, CELL_PLAIN, words[0] != '\0' ? interval : "");
}

/* The kernel time of a row, or its end-to-end time. */
static void put_time(TextTable *table, const Row *row, TimeKind kind) {
    char time[SIGNIFICANT_SIZE] = "";
    if (row != NULL) {
        milliseconds(row_summary(row, kind)->median, time);
    }
    text_table_put_kind(table, CELL_PLAIN, time);
}

/* Notes that the row stands in the summary, so that its noise is told. */
static void note_shown(Screen *screen, const Row *row) {
    RowList *shown = &screen->shown;
    for (size_t i = 0; i < shown->count; i++) {
        if (shown->rows[i] == row) {
            return;
        }
    }
    if (row != NULL) {
        shown->rows[shown->count++] = row;
    }
}

/* "size"; where other algorithms have no table beside it whose it is: "lbp". */
static const char *first_column(const Screen *screen, const VerdictBlock *block) {
    return is_brief(screen) ? block->head->algorithm->name : block->along;
}

static void print_lines_of_gpu(Screen *screen, const VerdictBlock *block) {
    TextTable table = TEXT_TABLE(WORDS(first_column(screen, block)), NUMBERS("CPU ms", .rank = 2),
                                 NUMBERS("GPU ms", .rank = 2), NUMBERS("+ copies", .rank = 2),
                                 NUMBERS("kernel only"), WORDS("interval", .rank = 3),
                                 NUMBERS("with copies"), WORDS("interval", .rank = 4));
    for (size_t i = 0; i < block->count; i++) {
        const VerdictLine *line = &block->lines[i];
        text_table_put(&table, "%s", line->label);
        put_time(&table, line->cpu, TIME_KERNEL);
        put_time(&table, line->gpu[TIME_KERNEL], TIME_KERNEL);
        put_time(&table, line->gpu[TIME_END_TO_END], TIME_END_TO_END);
        for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
            const Ratio ratio = row_over_cpu(line->gpu[kind], kind);
            put_ratio(&table, &ratio);
            note_shown(screen, line->gpu[kind]);
        }
        note_shown(screen, line->cpu);
    }
    text_table_show(&table, screen->stream);
}

/* Titles of columns about the plain code. */
enum { BASE_TITLE_SIZE = MODULE_NAME_MAX + 16 };

/* What the best CPU is compared with: the plain code, or the one variant that is next in all lines,
 * or "the next". */
static const char *base_title(const VerdictBlock *block) {
    const Row *next = verdict_headline(block)->next;
    for (size_t i = 0; i < block->count && next != NULL; i++) {
        if (block->lines[i].next == NULL || block->lines[i].next->variant != next->variant) {
            return "the next";
        }
    }
    return next != NULL ? next->variant->name : verdict_base(block);
}

static void print_lines_of_cpu(Screen *screen, const VerdictBlock *block) {
    const char *base = base_title(block);
    char times[BASE_TITLE_SIZE], against[BASE_TITLE_SIZE];
    snprintf(times, sizeof times, "%.*s ms", MODULE_NAME_MAX, base);
    snprintf(against, sizeof against, "against %.*s", MODULE_NAME_MAX, base);
    TextTable table =
        TEXT_TABLE(WORDS(first_column(screen, block)), NUMBERS(times, .rank = 1),
                   NUMBERS("best CPU ms"), NUMBERS(against), WORDS("interval", .rank = 1));
    for (size_t i = 0; i < block->count; i++) {
        const VerdictLine *line = &block->lines[i];
        const Ratio ratio = line_over_base(line);
        const Row *other = line->next != NULL ? line->next : line->seq;
        text_table_put(&table, "%s", line->label);
        put_time(&table, other, TIME_KERNEL);
        put_time(&table, line->cpu, TIME_KERNEL);
        if (line->cpu == line->seq) { /* its own measure */
            text_table_put_kind(&table, CELL_PLAIN, line->cpu != NULL ? base : "");
            text_table_skip(&table);
        } else {
            put_ratio(&table, &ratio);
        }
        note_shown(screen, line->cpu);
        note_shown(screen, other);
    }
    text_table_show(&table, screen->stream);
}

/* === Variants ================================================================================= */

/* Of each variant the best tuning, fastest first. Returns how many. */
static size_t find_variants(const Screen *screen, const VerdictLine *line,
                            const Row *rows[OPTIONS_VARIANTS_MAX]) {
    size_t count = 0;
    for (const Row *row = question_first(screen->results, line->question);
         row != NULL && count < OPTIONS_VARIANTS_MAX; row = question_next(screen->results, row)) {
        if (results_best_tuning(screen->results, row).row != row) {
            continue;
        }
        size_t at = count++;
        while (at > 0 && rows[at - 1]->kernel_summary.median > row->kernel_summary.median) {
            rows[at] = rows[at - 1];
            at--;
        }
        rows[at] = row;
    }
    return count;
}

/* Over the best CPU where there is a device, or no time of the plain code; else over that. */
static void put_against(TextTable *table, const Row *row, const VerdictBlock *block,
                        TimeKind kind) {
    const VerdictLine *line = verdict_headline(block);
    const bool best = block->gpu || !block->seq;
    const Row *self = best ? line->cpu : line->seq;
    if (!block->gpu && !block->seq && line->next == NULL) { /* one variant alone */
        text_table_skip(table);
        text_table_skip(table);
    } else if (row == self) {
        text_table_put_kind(table, CELL_PLAIN,
                            kind == TIME_KERNEL ? (best ? "best CPU" : verdict_base(block)) : "");
        text_table_skip(table);
    } else {
        const Ratio ratio = best ? row_over_cpu(row, kind) : row_over_base(row);
        put_ratio(table, &ratio);
    }
}

/* The variants at the largest size, with their roofs if they are asked for. */
static void print_variants(Screen *screen, const VerdictBlock *block, bool roofs) {
    const VerdictLine *line = verdict_headline(block);
    const Row *rows[OPTIONS_VARIANTS_MAX];
    const size_t count = find_variants(screen, line, rows);
    char place[VERDICT_PLACE_SIZE];
    char title[VERDICT_PLACE_SIZE + VERDICT_LABEL_SIZE], against[BASE_TITLE_SIZE];
    verdict_place(block, line, place);
    snprintf(title, sizeof title, "%.40s%sat %s",
             is_brief(screen) ? block->head->algorithm->name : "", is_brief(screen) ? " " : "",
             place);
    snprintf(against, sizeof against, "against %.*s", MODULE_NAME_MAX,
             block->seq ? verdict_base(block) : "best CPU");
    TextTable table =
        TEXT_TABLE(WORDS(title), WORDS("tuning", .rank = 5), NUMBERS("ms"),
                   NUMBERS("+ copies", .rank = 2), NUMBERS(block->gpu ? "kernel only" : against),
                   WORDS("interval", .rank = 3), NUMBERS("with copies", .rank = 1),
                   WORDS("interval", .rank = 4), NUMBERS(roofs ? "roof" : ""));
    for (size_t i = 0; i < count; i++) {
        const bool device = !row_is_on_cpu(rows[i]);
        char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE], share[SIGNIFICANT_SIZE] = "";
        point_format(&rows[i]->tuning, tuning, sizeof tuning);
        text_table_put(&table, rows[i]->peer ? "%s (%s)" : "%s", rows[i]->variant->name,
                       rows[i]->library);
        text_table_put(&table, "%.40s", tuning);
        put_time(&table, rows[i], TIME_KERNEL);
        put_time(&table, device ? rows[i] : NULL, TIME_END_TO_END);
        put_against(&table, rows[i], block, TIME_KERNEL);
        if (block->gpu && device) {
            put_against(&table, rows[i], block, TIME_END_TO_END);
        } else {
            text_table_skip(&table);
            text_table_skip(&table);
        }
        if (roofs) {
            percent_text(rows[i]->roof_fraction, rows[i]->roof_fraction < 0.1 ? 1 : 0, share);
        }
        text_table_put_kind(&table, CELL_PLAIN, share);
        note_shown(screen, rows[i]);
    }
    text_table_show(&table, screen->stream);
}

/* === Below the table ========================================================================== */

/* Which cells of a block were best from one place to the next. */
typedef struct Bests {
    const Row *first, *last;
    const VerdictLine *changed; /* where it last became another one */
    size_t changes;
    const Variant *variants[OPTIONS_VARIANTS_MAX]; /* each once */
    size_t count;
} Bests;

static bool is_tied(const Winner *winner, const Row *row) {
    bool tied = row_same_way(winner->row, row);
    for (size_t i = 0; i < winner->choice.tied_count && i < WINNER_TIES_MAX; i++) {
        tied |= row_same_way(winner->tied[i], row);
    }
    return tied;
}

static void add_best(Bests *bests, const VerdictLine *line, const Row *row) {
    size_t at = 0;
    while (at < bests->count && bests->variants[at] != row->variant) {
        at++;
    }
    if (at == bests->count && at < OPTIONS_VARIANTS_MAX) {
        bests->variants[bests->count++] = row->variant;
    }
    bests->changes += bests->first != NULL;
    bests->first = bests->first != NULL ? bests->first : row;
    bests->last = row;
    bests->changed = line;
}

/* What is tied with the best is no worse: it stays the best, and so it does where a disturbed cell
 * may be better than the new one. */
static Bests bests_of(const VerdictBlock *block, RowSide side, TimeKind kind) {
    Bests bests = {.count = 0};
    for (size_t i = 0; i < block->count; i++) {
        const VerdictLine *line = &block->lines[i];
        const Winner winner = results_best(block->results, line->question, side, kind);
        const bool sure = winner.choice.disturber == DISTURBER_NONE;
        if (winner.row != NULL && (bests.last == NULL || (sure && !is_tied(&winner, bests.last)))) {
            add_best(&bests, line, winner.row);
        }
    }
    return bests;
}

/* Whether a row's variant and tuning were best, or tied with the best, at every place. */
static bool is_always_tied(const VerdictBlock *block, RowSide side, TimeKind kind, const Row *row) {
    bool tied = true;
    for (size_t i = 0; i < block->count && tied; i++) {
        const Winner winner = results_best(block->results, block->lines[i].question, side, kind);
        tied = winner.row == NULL || is_tied(&winner, row);
    }
    return tied;
}

/* Adds the other variants that were never worse than the only best: " (or cuda_graph)". */
static void add_always_tied(const VerdictBlock *block, RowSide side, TimeKind kind,
                            const Bests *bests, char *text, size_t size) {
    const Winner winner = results_best(block->results, block->lines[0].question, side, kind);
    char names[RESULT_LABEL_SIZE] = "";
    for (size_t i = 0; i < winner.choice.tied_count && i < WINNER_TIES_MAX; i++) {
        const Row *row = winner.tied[i];
        if (row->variant != bests->first->variant &&
            !text_has_item(names, " or ", row->variant->name) &&
            is_always_tied(block, side, kind, row)) {
            text_append(names, sizeof names, "%s%s", names[0] != '\0' ? " or " : "",
                        row->variant->name);
        }
    }
    if (names[0] != '\0') {
        text_append(text, size, " (or %s)", names);
    }
}

/* Writes who was best: "cuda_fast (or cuda_graph)", "omp/threads:8, from 720p on omp/threads:16";
 * where that changes more than once "cuda_driver or cuda_fast, by size". Nothing where nobody
 * was. */
static void name_best(const VerdictBlock *block, RowSide side, TimeKind kind, char *text,
                      size_t size) {
    const Bests bests = bests_of(block, side, kind);
    char first[RESULT_LABEL_SIZE] = "", last[RESULT_LABEL_SIZE], place[VERDICT_PLACE_SIZE];
    if (bests.first != NULL) {
        variant_label(bests.first->variant, &bests.first->tuning, first, sizeof first);
    }
    snprintf(text, size, "%s", bests.changes > 1 ? "" : first);
    for (size_t i = 0; bests.changes > 1 && i < bests.count; i++) {
        text_append(text, size, "%s%s", i > 0 ? " or " : "", bests.variants[i]->name);
    }
    if (bests.changes > 1) {
        text_append(text, size, ", by %s", block->along);
    } else if (bests.changes == 1) {
        variant_label(bests.last->variant, &bests.last->tuning, last, sizeof last);
        verdict_place(block, bests.changed, place);
        text_append(text, size, ", from %s on %s", place, last);
    } else if (bests.first != NULL) {
        add_always_tied(block, side, kind, &bests, text, size);
    }
}

/* "Best CPU: omp/threads:16. Best GPU: cuda_fast; with copies cuda_streamed." */
static void print_bests(const Screen *screen, const VerdictBlock *block) {
    char text[TEXT_SIZE], whole[TEXT_SIZE];
    Flow flow = flow_at(screen, 0);
    name_best(block, SIDE_CPU, TIME_KERNEL, text, sizeof text);
    if (text[0] != '\0') {
        say(&flow, "Best CPU: %s.", text);
    }
    name_best(block, SIDE_DEVICE, TIME_KERNEL, text, sizeof text);
    name_best(block, SIDE_DEVICE, TIME_END_TO_END, whole, sizeof whole);
    if (text[0] != '\0') {
        say(&flow, " Best GPU: %s", text);
        if (whole[0] != '\0' && strcmp(text, whole) != 0) {
            say(&flow, "; with copies %s", whole);
        }
        say(&flow, ".");
    }
    flow_end(&flow);
}

/* "Over the best other code at 4K: CPU 1.2× faster than OpenCV 5.0.0 (opencv/threads:2); GPU …" */
static void print_peers(const Screen *screen, const VerdictBlock *block) {
    const VerdictLine *line = verdict_headline(block);
    const Row *const bests[] = {line->cpu, line->gpu[TIME_KERNEL]};
    static const char *const sides[] = {"CPU", "GPU"};
    char place[VERDICT_PLACE_SIZE];
    bool any = false;
    Flow flow = flow_at(screen, 0);
    verdict_place(block, line, place);
    for (size_t i = 0; i < sizeof bests / sizeof bests[0]; i++) {
        const Row *peer = bests[i] != NULL ? row_best_peer(screen->results, bests[i]) : NULL;
        if (peer == NULL) {
            continue;
        }
        const Ratio ratio = row_won_ratio(bests[i], OVER_PEER, TIME_KERNEL);
        char words[RATIO_WORDS_SIZE], text[RATIO_WORDS_SIZE + 2];
        factor_words(&ratio, words);
        snprintf(text, sizeof text, " %s", isnan(ratio.value) ? "undecided" : words);
        say(&flow, any ? ";" : "Over the best other code at %s:", place);
        say(&flow, " %s", sides[i]);
        flow_words(&flow, factor_ink(&ratio), text);
        say(&flow, " %s %s (%s%s)", ratio_joint(&ratio), peer->library, bests[i]->best_peer,
            peer->another_definition[0] != '\0' ? ", another definition" : "");
        any = true;
    }
    if (any) {
        say(&flow, ".");
        flow_end(&flow);
    }
}

/* "kernel only at every size; with copies at no size", or "". */
static void crossovers_of(const VerdictBlock *block, char text[CROSSOVERS_SIZE]) {
    static const char *const names[TIME_KINDS] = {"kernel only", "with copies"};
    text[0] = '\0';
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS && block->gpu; kind++) {
        char words[CROSSOVER_TEXT_SIZE];
        verdict_crossover(block, kind, words);
        if (words[0] != '\0') {
            text_append(text, CROSSOVERS_SIZE, "%s%s %s", text[0] != '\0' ? "; " : "", names[kind],
                        words);
        }
    }
}

/* "GPU ahead: kernel only …."; of several algorithms "GPU ahead, lbp, copy: …". */
static void print_crossovers(const Screen *screen, const char *names, const char *words) {
    if (words[0] != '\0') {
        Flow flow = flow_at(screen, 0);
        say(&flow, "GPU ahead%s: %s.", names, words);
        flow_end(&flow);
    }
}

/* " at 16K", " at scale 100"; "" where all rows shown have the same size and answer. */
static void place_among(const RowList *shown, const Row *row, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < shown->count; i++) {
        if (strcmp(shown->rows[i]->size_name, row->size_name) != 0) {
            snprintf(text, size, " at %s", row->size_name);
            return;
        }
    }
    for (size_t i = 0; i < shown->count; i++) {
        const Point *other = &shown->rows[i]->answer, *own = &row->answer;
        for (size_t k = 0; k < own->count && k < other->count; k++) {
            if (own->axes[k] == other->axes[k] &&
                strcmp(own->values[k].text, other->values[k].text) != 0) {
                snprintf(text, size, " at %s %s", own->axes[k]->name, own->values[k].text);
                return;
            }
        }
    }
}

/* " In one launch only: seq at 16K; its ratios are of that launch." Nothing if all are of one. */
static void say_single(const Screen *screen, size_t most, Flow *flow) {
    const RowList *shown = &screen->shown;
    size_t count = 0;
    for (size_t i = 0; i < shown->count; i++) {
        const Row *row = shown->rows[i];
        if (most > 1 && row->kernel_summary.launches == 1) {
            char place[RESULT_LABEL_SIZE];
            place_among(shown, row, place, sizeof place);
            say(flow, "%s %s%s", count++ > 0 ? "," : " In one launch only:", row->variant->name,
                place);
        }
    }
    if (count > 0) {
        say(flow, "; %s ratios are of that launch.", count > 1 ? "their" : "its");
    }
}

/* "Intervals: 95% of 6 launches." */
static void print_intervals(const Screen *screen) {
    LaunchRange launches = {.most = 0};
    char words[TEXT_SIZE], apart[64] = "";
    const double elapsed = screen->record->elapsed;
    for (size_t i = 0; i < screen->shown.count; i++) {
        launch_range_add_summary(&launches, &screen->shown.rows[i]->kernel_summary);
    }
    interval_words(&launches, words, sizeof words);
    if (words[0] == '\0') {
        return;
    }
    /* Otherwise they are runs that were merged. Earlier versions do not say where their time went.
     */
    RunOptions request;
    request_recall(&screen->record->options->arguments, &request);
    const bool of_one_run =
        wall_sum(&screen->record->wall) > 0 || options_was_given(&request.given, "launches");
    const double most = (double)launches.most;
    if (most > 1 && of_one_run && elapsed > 0 && elapsed < LAUNCHES_APART * (most - 1)) {
        /* Shares that were merged took the time of all of them, but a cell is of one. */
        const double within = launches.within > 0 ? launches.within : elapsed;
        snprintf(apart, sizeof apart, ", %.2g s apart", within / most);
    }
    Flow flow = flow_at(screen, 0);
    say(&flow, "Intervals: %s%s%s.", words, apart,
        most > 1 && most < MEDIAN_INTERVAL_MIN ? ", too few for 95%" : "");
    say_single(screen, launches.most, &flow);
    flow_end(&flow);
}

/* === Block ==================================================================================== */

static void print_others(const Screen *screen, const VerdictBlock *block) {
    char answer[RESULT_LABEL_SIZE];
    if (block->others > 0) {
        Flow flow = flow_at(screen, 0);
        const Point *head = &block->head->answer;
        const Point point = /* the lines have all values of their axis */
            point_without(head, block->axis < head->count ? head->axes[block->axis] : NULL);
        point_format(&point, answer, sizeof answer);
        say(&flow, "Shown: %s; %zu more answer%s in all rows.", answer, block->others,
            block->others == 1 ? "" : "s");
        flow_end(&flow);
    }
}

/* Of several sizes a line each, of one the variants. */
static void print_table(Screen *screen, const VerdictBlock *block) {
    fputc('\n', screen->stream);
    if (block->count == 1) {
        print_variants(screen, block, false);
    } else {
        (block->gpu ? print_lines_of_gpu : print_lines_of_cpu)(screen, block);
    }
    print_others(screen, block);
    fputc('\n', screen->stream);
}

static void print_finding(const Screen *screen, const VerdictBlock *block) {
    RunVerdict verdict;
    verdict_say(block, &verdict);
    print_headline(screen, &verdict);
}

/* An algorithm: the answer, what it rests on, and the table. */
static void print_block(Screen *screen, const VerdictBlock *block, bool first) {
    char words[CROSSOVERS_SIZE];
    fputc('\n', screen->stream);
    print_finding(screen, block);
    if (first) {
        print_setting(screen, block);
    }
    print_table(screen, block);
    print_bests(screen, block);
    print_peers(screen, block);
    crossovers_of(block, words);
    print_crossovers(screen, "", words);
}

/* Once for all blocks of which the same is true. */
static void print_crossovers_of(const Screen *screen, const VerdictBlock *blocks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char names[TEXT_SIZE] = "", words[CROSSOVERS_SIZE];
        bool told = false;
        for (size_t j = 0; j < count; j++) {
            const char *name = blocks[j].head->algorithm->name;
            const bool same = verdict_same_crossovers(&blocks[j], &blocks[i]);
            told |= same && j < i;
            if (same && !text_has_item(names, ", ", name)) {
                text_append(names, sizeof names, ", %s", name);
            }
        }
        crossovers_of(&blocks[i], words);
        print_crossovers(screen, names, told ? "" : words);
    }
}

/* Several algorithms: all answers, the table of the first, and from where on the GPU is ahead. */
static void print_briefly(Screen *screen, VerdictLine *lines) {
    const RowList *heads = &screen->heads;
    VerdictBlock *blocks = calloc(heads->count, sizeof *blocks);
    fputc('\n', screen->stream);
    if (blocks == NULL) {
        visible_line(screen->stream, "no memory for the summary");
        return;
    }
    /* No row is of two blocks, so all have room. */
    for (size_t i = 0; i < heads->count; i++) {
        blocks[i] = verdict_block(screen->results, heads->rows[i], lines);
        lines += blocks[i].count;
        print_finding(screen, &blocks[i]);
    }
    print_setting(screen, &blocks[0]);
    print_table(screen, &blocks[0]);
    print_bests(screen, &blocks[0]);
    print_peers(screen, &blocks[0]);
    print_crossovers_of(screen, blocks, heads->count);
    free(blocks);
}

static void print_answers(Screen *screen, VerdictLine *lines) {
    if (is_brief(screen)) {
        print_briefly(screen, lines);
        return;
    }
    for (size_t i = 0; i < screen->heads.count; i++) {
        const VerdictBlock block = verdict_block(screen->results, screen->heads.rows[i], lines);
        print_block(screen, &block, i == 0);
    }
}

/* The same in sentences, with intervals and roofs, and the variants at the largest size. */
static void print_details(Screen *screen, VerdictLine *lines) {
    for (size_t i = 0; i < screen->heads.count; i++) {
        const VerdictBlock block = verdict_block(screen->results, screen->heads.rows[i], lines);
        RunVerdict verdict;
        verdict_say(&block, &verdict);
        fputc('\n', screen->stream);
        visible_line(screen->stream, "%s:", verdict.about);
        for (size_t j = 0; j < verdict.count; j++) {
            sentence_print(screen->stream, screen->columns - 1, &verdict.sentences[j]);
        }
        fputc('\n', screen->stream);
        print_variants(screen, &block, true);
        Flow flow = flow_at(screen, 0);
        say(&flow, "ms: kernel time; roof: share of what this machine allows%s",
            block.gpu ? "; faster, slower: than the best CPU" : "");
        flow_end(&flow);
    }
}

/* Blocks in the order of the rows. */
static void find_heads(Screen *screen) {
    const Results *results = screen->results;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (results_begins(results, i, row_same_input) && is_shown(screen, row)) {
            screen->heads.rows[screen->heads.count++] = row;
        }
    }
}

/* === Foot ===================================================================================== */

static bool has_several_algorithms(const Screen *screen) {
    const Row *first = NULL;
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        first = first == NULL && is_shown(screen, row) ? row : first;
        if (is_shown(screen, row) && row->algorithm != first->algorithm) {
            return true;
        }
    }
    return false;
}

static bool same_skip(const Row *a, const Row *b) {
    return a->status == CELL_SKIP && b->status == CELL_SKIP && a->algorithm == b->algorithm &&
           a->variant == b->variant;
}

/* A line for each variant that was skipped, with its first reason; that of all devices is in the
 * head already. */
static void print_skips(const Screen *screen) {
    const Results *results = screen->results;
    const bool several = has_several_algorithms(screen);
    const Row *told = screen->gpu ? NULL : row_without_gpu(screen);
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        size_t count = 0, otherwise = 0;
        bool first = row->status == CELL_SKIP && is_shown(screen, row) &&
                     !(told != NULL && row_same_reason(row, told));
        for (size_t j = 0; j < results->count && first; j++) {
            const bool same = same_skip(row, &results->rows[j]);
            first = !same || j >= i;
            count += same;
            otherwise += same && !row_same_reason(row, &results->rows[j]);
        }
        if (first) {
            Flow flow = flow_at(screen, MARGIN);
            say(&flow, "Skipped: %s%s%s (%zu): %s", several ? row->algorithm->name : "",
                several ? "/" : "", row->variant->name, count,
                row->why[0] != '\0' ? row->why : "no reason was given");
            if (otherwise > 0) {
                say(&flow, "; %zu for other reasons", otherwise);
            }
            say(&flow, ".");
            flow_end(&flow);
        }
    }
}

static void print_chart(const Screen *screen) {
    const RunCharts *charts = &screen->record->charts;
    char path[ATOMIC_FILE_PATH_SIZE];
    if (charts->count == 0) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s.svg", screen->folder, charts->best);
    if (utf8_width(path, strlen(path)) + FOOT_COLUMN <= screen->columns) {
        visible_line(screen->stream, "%-*s%s", FOOT_COLUMN, "chart", path);
    } else {
        visible_line(screen->stream, "%-*s%zu in the folder", FOOT_COLUMN, "charts", charts->count);
    }
}

/* A module, or the file that it was compiled of: what was compiled is not kept for ever. */
static Status add_module(const char *module, ArgumentList *words) {
    char source[DATA_FOLDER_PATH_SIZE], how[DATA_FOLDER_PATH_SIZE];
    const char *const plugin[] = {"--plugin", module, NULL};
    return source_file_of_module(module, source, how, sizeof source)
               ? argument_list_add(words, source)
           : source_file_is_named(module) ? argument_list_add(words, module)
                                          : argument_list_add_all(words, plugin);
}

static bool has_algorithm(const Results *results, const Algorithm *algorithm) {
    bool has = false;
    for (size_t i = 0; i < results->count; i++) {
        has |= results->rows[i].algorithm == algorithm;
    }
    return has;
}

/* `bench show`, with the modules that the run's algorithms are from. */
static Status make_command(const Screen *screen, const char *option, const char *value,
                           ArgumentList *words) {
    const char *const start[] = {"bench", "show", screen->folder, option, value, NULL};
    STATUS_TRY(argument_list_add_all(words, start));
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Module *module = module_of(registry_algorithm(i));
        if (module != NULL && has_algorithm(screen->results, module->algorithm)) {
            STATUS_TRY(add_module(module->path, words));
        }
    }
    return status_ok();
}

/* "everything  bench show runs/lbp --all" */
static void print_command(const Screen *screen, const char *what, const char *option,
                          const char *value) {
    char command[COMMAND_LINE_SIZE];
    ArgumentList words = {.argc = 0};
    const Status made = make_command(screen, option, value, &words);
    if (status_is_ok(&made)) {
        command_line_text(&words, command, sizeof command);
        visible_line(screen->stream, "%-*s%s", FOOT_COLUMN, what, command);
    }
    argument_list_release(&words);
}

static void print_foot(const Screen *screen) {
    const RunRecord *record = screen->record;
    char noise[TEXT_SIZE];
    print_intervals(screen);
    print_skips(screen);
    Flow flow = flow_at(screen, MARGIN);
    if (record->input_note[0] != '\0') {
        say(&flow, "Note: %s.", record->input_note);
        flow_end(&flow);
    }
    noise_words(&screen->shown, record->warnings.count, noise, sizeof noise);
    if (noise[0] != '\0') {
        flow = flow_at(screen, 0);
        say(&flow, "Noise: %s.", noise);
        flow_end(&flow);
    }
    fputc('\n', screen->stream);
    print_chart(screen);
    if (noise[0] != '\0') {
        print_command(screen, "noise", "--noise", NULL);
    }
    if (is_brief(screen)) { /* the first one whose table is not shown */
        print_command(screen, "others", "--algo", screen->heads.rows[1]->algorithm->name);
    }
    print_command(screen, "everything", "--all", NULL);
    cells_print_totals(screen->stream, record, screen->results);
    visible_line(screen->stream, "%s", screen->folder);
}

typedef void PrintScreen(Screen *screen, VerdictLine *lines);

/* False without memory, which is said. */
static bool print_results(Screen *screen, PrintScreen *print) {
    const size_t rows = screen->results->count;
    /* A line shows three rows at most. */
    const size_t room = 3 * rows + OPTIONS_VARIANTS_MAX;
    VerdictLine *lines = calloc(rows + 1, sizeof *lines);
    screen->shown = (RowList){.rows = calloc(room, sizeof(const Row *))};
    screen->heads = (RowList){.rows = calloc(rows + 1, sizeof(const Row *))};
    const bool good = lines != NULL && screen->shown.rows != NULL && screen->heads.rows != NULL;
    if (good) {
        find_heads(screen);
        print(screen, lines);
    } else {
        visible_line(screen->stream, "no memory for the summary");
    }
    free(lines);
    return good;
}

static Screen screen_of(FILE *stream, const RunRecord *record, const Results *results,
                        const char *folder) {
    return (Screen){.stream = stream,
                    .columns = (size_t)terminal_columns(stream),
                    .record = record,
                    .results = results,
                    .folder = folder,
                    .gpu = results_have_side(results, SIDE_DEVICE),
                    .copy = roof_rows_are_wanted(&record->options->arguments, results)};
}

void report_details(FILE *stream, const RunRecord *record, const Results *results) {
    Screen screen = screen_of(stream, record, results, "");
    if (print_results(&screen, print_details)) {
        costs_print(stream, results, &record->options->prices, record->only, false);
    }
    free(screen.shown.rows);
    free(screen.heads.rows);
}

void report_summary(FILE *stream, const RunRecord *record, const Results *results,
                    const char *folder) {
    Screen screen = screen_of(stream, record, results, folder);
    const RowList all = results_all(results);
    if (print_results(&screen, print_answers)) {
        if (screen.heads.count == 0) {
            char text[HEADLINE_SIZE];
            const Status status = results_headline(results, text);
            fputc('\n', stream);
            visible_line(stream, "%s", status_is_ok(&status) ? text : status.why);
        }
        cells_print_reasons(stream, &all, CELL_FAIL, "Failed");
        if (prices_given(&record->options->prices)) {
            costs_print(stream, results, &record->options->prices, record->only, is_brief(&screen));
        }
    }
    print_foot(&screen);
    free(screen.shown.rows);
    free(screen.heads.rows);
    free(all.rows);
}
