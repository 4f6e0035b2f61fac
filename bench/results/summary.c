/* The summary that a run ends with: the answer, and what it rests on, in the width of the window.
 *
 * Rows of one algorithm and input share a block: a headline, a line for each size (or value of an
 * axis of the answer), sentences, and the variants at the largest size. */

#include "results_internal.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "price.h"
#include "text.h"
#include "utf8.h"

enum { TEXT_SIZE = 512, MARGIN = 2, FACT_COLUMN = 12 };

/* Too many arguments otherwise. */
typedef struct Screen {
    FILE *stream;
    size_t columns;
    const RunRecord *record;
    const Results *results;
    const char *folder;
    bool copy;     /* `copy` is shown as any algorithm */
    RowList shown; /* rows whose marks are explained */
} Screen;

/* === Words ==================================================================================== */

static Flow flow_at(const Screen *screen, size_t indent) {
    /* A full stop behind the last word has room. */
    return (Flow){.stream = screen->stream, .indent = indent, .columns = screen->columns - 1};
}

static void say(Flow *flow, const char *format, ...) STATUS_PRINTF(2, 3);

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
    return screen->copy || !row_is_roof(row);
}

/* Whether `copy` was asked for, or nothing else was measured. Older versions measured it in
 * every run, for the roof. */
static bool copy_is_wanted(const RunRecord *record, const Results *results) {
    const ArgumentList *list = &record->options->arguments;
    bool others = false;
    for (size_t i = 0; i < results->count; i++) {
        others |= !row_is_roof(&results->rows[i]);
    }
    bool wanted = !others;
    for (int i = 0; i < list->argc; i++) {
        const char *names = NULL;
        if (strncmp(list->argv[i], "--algo=", 7) == 0) {
            names = list->argv[i] + 7;
        } else if (strcmp(list->argv[i], "--algo") == 0 && i + 1 < list->argc) {
            names = list->argv[i + 1];
        }
        while (names != NULL) {
            char word[LIST_WORD_SIZE];
            const Status status = list_next(&names, word);
            wanted |= status_is_ok(&status) &&
                      (strcmp(word, roof_algorithm) == 0 || strcmp(word, "all") == 0);
        }
    }
    return wanted;
}

/* === Head ===================================================================================== */

/* Why no device was measured: of the first of its cells. */
static const char *why_no_gpu(const Screen *screen) {
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (row_on_device(row) && is_shown(screen, row) && row->why[0] != '\0') {
            return row->why;
        }
    }
    return "no GPU variant was asked for";
}

static void print_fact(const Screen *screen, const char *name, const char *format, ...)
    STATUS_PRINTF(3, 4);

static void print_fact(const Screen *screen, const char *name, const char *format, ...) {
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    Flow flow = flow_at(screen, FACT_COLUMN);
    fprintf(screen->stream, "  %-*s", FACT_COLUMN - MARGIN, name);
    flow.at = FACT_COLUMN;
    flow_words(&flow, INK_PLAIN, text);
    flow_end(&flow);
}

static void print_processors(const Screen *screen, bool gpu) {
    const Machine *machine = screen->record->machine;
    const char *model =
        results_gpus(screen->results, machine != NULL ? machine_text(machine, "gpu_model") : "");
    const char *cpu = machine != NULL ? machine_text(machine, "cpu_model") : "";
    if (gpu) {
        print_fact(screen, "GPU", "%.200s", model[0] != '\0' ? model : "not known");
    } else {
        print_fact(screen, "GPU", "none: %.400s", why_no_gpu(screen));
    }
    print_fact(screen, "CPU", "%.200s, %d processor%s", cpu[0] != '\0' ? cpu : "not known",
               machine != NULL ? machine->cpu_count : 0,
               machine != NULL && machine->cpu_count == 1 ? "" : "s");
}

static void print_launches(const Screen *screen, const LaunchRange *launches) {
    char words[TEXT_SIZE];
    char apart[64] = "";
    const double elapsed = screen->record->elapsed;
    const double most = (double)launches->most;
    /* Otherwise they are runs that were merged. Earlier versions do not say where their time went.
     */
    const bool of_one_run = wall_sum(&screen->record->wall) > 0 ||
                            argument_list_has(&screen->record->options->arguments, "--launches");
    interval_words(launches, words, sizeof words);
    if (of_one_run && elapsed > 0 && elapsed < LAUNCHES_APART * (most - 1)) {
        snprintf(apart, sizeof apart, ", %.2g s apart (see --spread)", elapsed / most);
    }
    if (launches->most >= MEDIAN_INTERVAL_MIN) {
        print_fact(screen, "launches", "%zu%s; intervals are %s", launches->most, apart, words);
    } else if (launches->most > 1) {
        print_fact(screen, "launches", "%zu: %s, too few for 95%% intervals", launches->most,
                   words);
    } else {
        print_fact(screen, "launches", "1: intervals are of this run only (see --launches)");
    }
}

static void print_cells(const Screen *screen) {
    size_t timed = 0;
    size_t verified = 0;
    size_t roof = 0;
    bool cold = false;
    LaunchRange launches = {.most = 0};
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (row->status != CELL_OK) {
            continue;
        }
        cold |= row->cold;
        if (is_shown(screen, row)) {
            timed++;
            verified += row->verified;
            launch_range_add_summary(&launches, &row->kernel_summary);
        } else {
            roof++;
        }
    }
    char others[VERDICT_LABEL_SIZE] = "";
    if (roof > 0) {
        snprintf(others, sizeof others, "; %zu of copy for the roof", roof);
    }
    print_fact(screen, "cells", "%zu of %zu verified%s; %s caches", verified, timed, others,
               cold ? "cold" : "hot");
    print_launches(screen, &launches);
}

static void print_head(const Screen *screen, bool gpu) {
    char taken[DURATION_SIZE];
    print_processors(screen, gpu);
    print_cells(screen);
    if (screen->record->so_far) {
        print_fact(screen, "so far",
                   "the first launch; the next ones follow, and Ctrl-C keeps "
                   "what there is");
    }
    if (isfinite(screen->record->elapsed) && screen->record->elapsed > 0) {
        duration_text(screen->record->elapsed, taken);
        print_fact(screen, "took", "%s, on %.10s", taken, screen->record->started);
    }
}

/* Where there is no room for every interval: "36.7× faster", but "undecided (0.92 to 1.09)". */
static void brief_words(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    if (!side_is_decided(ratio_side(ratio))) {
        faster_text(ratio, text);
    } else {
        factor_words(ratio, text);
    }
}

/* "lbp on meadow.jpg, box:64 at 16K: GPU 36.7× faster, end to end 1.70× slower" */
static void print_headline(const Screen *screen, const VerdictBlock *block, const char *about) {
    const VerdictLine *line = verdict_largest(block);
    char place[VERDICT_PLACE_SIZE];
    char words[NUMBER_WORDS_SIZE];
    char text[TEXT_SIZE];
    Flow flow = flow_at(screen, MARGIN);
    verdict_place(block, line, place);
    snprintf(text, sizeof text, "%.370s, %s:", about, place);
    flow_words(&flow, INK_STRONG, text);
    const Ratio kernel = block->gpu ? best_over_cpu(line->gpu[VERDICT_KERNEL], VERDICT_KERNEL)
                                    : best_over_base(line->cpu);
    brief_words(&kernel, words);
    if (words[0] == '\0') {
        say(&flow, " no speedup, one side has no time");
    } else if (!block->gpu && line->cpu == line->seq) {
        no_faster_words(line, words);
        say(&flow, " %s", words);
    } else if (block->gpu) {
        flow_words(&flow, INK_STRONG, " GPU ");
        snprintf(text, sizeof text, " %s", words);
        flow_words(&flow, factor_ink(&kernel), text);
        const Ratio whole = best_over_cpu(line->gpu[VERDICT_END_TO_END], VERDICT_END_TO_END);
        brief_words(&whole, words);
        if (words[0] != '\0') {
            flow_words(&flow, INK_STRONG, ", end to end ");
            snprintf(text, sizeof text, " %s", words);
            flow_words(&flow, factor_ink(&whole), text);
        }
    } else {
        flow_words(&flow, INK_STRONG, " best CPU");
        snprintf(text, sizeof text, " %s", words);
        flow_words(&flow, factor_ink(&kernel), text);
        snprintf(text, sizeof text, " %s seq", ratio_joint(&kernel));
        flow_words(&flow, INK_STRONG, text);
    }
    if (isfinite(kernel.value) && (block->gpu || line->cpu != line->seq || line->rivals > 0)) {
        verdict_disturbed(block, text);
        flow_words(&flow, INK_STRONG, text);
    }
    char failed[VERDICT_FAILED_SIZE];
    verdict_failed(block, failed);
    if (failed[0] != '\0') {
        snprintf(text, sizeof text, ", %s", failed);
        flow_words(&flow, INK_SLOWER, text);
    }
    flow_end(&flow);
}

/* === Sizes ==================================================================================== */

/* Cells of one ratio: its words and its interval. */
static void put_ratio(TextTable *table, const Ratio *ratio) {
    char words[VERDICT_LABEL_SIZE];
    char interval[NUMBER_WORDS_SIZE];
    factor_words(ratio, words);
    factor_interval(ratio, interval);
    text_table_put_ink(table, factor_ink(ratio), words);
    text_table_put_kind(table, CELL_PLAIN, words[0] != '\0' ? interval : "");
}

/* The name of a row's variant, its tuning and its kernel time. */
static void put_variant(TextTable *table, const Row *row) {
    char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE] = "";
    char time[SIGNIFICANT_SIZE] = "";
    if (row != NULL) {
        point_format(&row->tuning, tuning, sizeof tuning);
        milliseconds(row->kernel_summary.median, time);
    }
    text_table_put(table, "%s", row != NULL ? row->variant->name : "");
    text_table_put(table, "%.40s", tuning);
    text_table_put_kind(table, CELL_PLAIN, time);
}

/* The marks of two rows, each once. */
static void put_marks(Screen *screen, TextTable *table, const Row *first, const Row *second) {
    const Row *rows[] = {first, second};
    char marks[2 * CONSOLE_MARKS_SIZE] = "";
    for (size_t i = 0; i < 2; i++) {
        char own[CONSOLE_MARKS_SIZE] = "";
        if (rows[i] != NULL) {
            row_marks(rows[i], own);
            screen->shown.rows[screen->shown.count++] = rows[i];
        }
        for (const char *mark = own; *mark != '\0'; mark++) {
            if (*mark != ' ' && strchr(marks, *mark) == NULL) {
                text_append(marks, sizeof marks, "%c", *mark);
            }
        }
    }
    text_table_put(table, "%s", marks);
}

static void end_table(const Screen *screen, TextTable *table) {
    const Status status = text_table_end(table, screen->stream, table_print);
    if (!status_is_ok(&status)) {
        visible_line(screen->stream, "%s", status.why);
    }
}

static void print_lines_of_gpu(Screen *screen, const VerdictBlock *block) {
    const DocColumn columns[] = {{.title = block->along},
                                 {.title = "best CPU", .rank = 1},
                                 {.title = "tuning", .rank = 5},
                                 {.title = "ms", .numeric = true, .rank = 2},
                                 {.title = "best GPU"},
                                 {.title = "tuning", .rank = 5},
                                 {.title = "ms", .numeric = true, .rank = 2},
                                 {.title = "kernel only", .numeric = true},
                                 {.title = "interval", .rank = 3},
                                 {.title = "end to end", .numeric = true},
                                 {.title = "interval", .rank = 3},
                                 {.title = "by", .rank = 4},
                                 {.title = ""}};
    TextTable table = text_table_start(columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < block->count; i++) {
        const VerdictLine *line = &block->lines[i];
        const Row *end_to_end = line->gpu[VERDICT_END_TO_END];
        text_table_put(&table, "%s", line->label);
        put_variant(&table, line->cpu);
        put_variant(&table, line->gpu[VERDICT_KERNEL]);
        for (int kind = VERDICT_KERNEL; kind < VERDICT_KINDS; kind++) {
            const Ratio ratio = best_over_cpu(line->gpu[kind], kind);
            put_ratio(&table, &ratio);
        }
        text_table_put(&table, "%s", end_to_end != NULL ? end_to_end->variant->name : "");
        put_marks(screen, &table, line->cpu, line->gpu[VERDICT_KERNEL]);
    }
    end_table(screen, &table);
}

static void print_lines_of_cpu(Screen *screen, const VerdictBlock *block) {
    const DocColumn columns[] = {{.title = block->along},
                                 {.title = "best CPU"},
                                 {.title = "tuning", .rank = 2},
                                 {.title = "ms", .numeric = true},
                                 {.title = "seq ms", .numeric = true, .rank = 1},
                                 {.title = "against seq", .numeric = true},
                                 {.title = "interval", .rank = 1},
                                 {.title = ""}};
    TextTable table = text_table_start(columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < block->count; i++) {
        const VerdictLine *line = &block->lines[i];
        const Ratio ratio = best_over_base(line->cpu);
        char seq[SIGNIFICANT_SIZE];
        milliseconds(line->seq != NULL ? line->seq->kernel_summary.median : (double)NAN, seq);
        text_table_put(&table, "%s", line->label);
        put_variant(&table, line->cpu);
        text_table_put_kind(&table, CELL_PLAIN, seq);
        put_ratio(&table, &ratio);
        put_marks(screen, &table, line->cpu, line->seq);
    }
    end_table(screen, &table);
}

/* === Variants at the largest size ============================================================= */

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

/* "0.00353 to 0.00362" */
static void put_range(TextTable *table, const Row *row) {
    double low, high;
    char from[SIGNIFICANT_SIZE];
    char to[SIGNIFICANT_SIZE];
    summary_range(&row->kernel_summary, &low, &high);
    milliseconds(low, from);
    milliseconds(high, to);
    text_table_put(table, "%s%s%s", from, from[0] != '\0' && to[0] != '\0' ? " to " : "", to);
}

static void put_against(TextTable *table, const Row *row, const VerdictLine *line, bool gpu,
                        int kind) {
    const Row *self = gpu ? line->cpu : line->seq;
    const Ratio ratio = gpu ? row_over_cpu(row, kind) : row_over_base(row);
    char words[NUMBER_WORDS_SIZE];
    brief_words(&ratio, words);
    if (row == self) {
        text_table_put_kind(table, CELL_PLAIN,
                            kind == VERDICT_KERNEL ? (gpu ? "best CPU" : "seq") : "");
    } else {
        text_table_put_ink(table, factor_ink(&ratio), words);
    }
}

static void print_variants(Screen *screen, const VerdictBlock *block) {
    const VerdictLine *line = verdict_largest(block);
    const Row *rows[OPTIONS_VARIANTS_MAX];
    const size_t count = find_variants(screen, line, rows);
    char place[VERDICT_PLACE_SIZE];
    char title[VERDICT_PLACE_SIZE + 16];
    verdict_place(block, line, place);
    snprintf(title, sizeof title, "at %s", place);
    const DocColumn columns[] = {
        {.title = title},
        {.title = "tuning", .rank = 3},
        {.title = "ms", .numeric = true},
        {.title = "interval", .rank = 2},
        {.title = block->gpu ? "kernel only" : "against seq", .numeric = true},
        {.title = "end to end", .numeric = true, .rank = 1},
        {.title = "roof", .numeric = true},
        {.title = ""}};
    TextTable table = text_table_start(columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < count; i++) {
        char share[SIGNIFICANT_SIZE];
        put_variant(&table, rows[i]);
        put_range(&table, rows[i]);
        put_against(&table, rows[i], line, block->gpu, VERDICT_KERNEL);
        if (block->gpu && row_on_device(rows[i])) {
            put_against(&table, rows[i], line, true, VERDICT_END_TO_END);
        } else {
            text_table_skip(&table);
        }
        percent_text(rows[i]->roof_fraction, rows[i]->roof_fraction < 0.1 ? 1 : 0, share);
        text_table_put_kind(&table, CELL_PLAIN, share);
        put_marks(screen, &table, rows[i], NULL);
    }
    end_table(screen, &table);
    Flow flow = flow_at(screen, 0);
    say(&flow, "ms: kernel time; roof: share of what this machine allows%s",
        block->gpu ? "; faster, slower: than the best CPU" : "");
    flow_end(&flow);
}

/* === Block ==================================================================================== */

static void print_block(Screen *screen, const VerdictBlock *block, bool first, bool gpu) {
    FILE *stream = screen->stream;
    RunVerdict verdict;
    verdict_say(block, &verdict);
    fputc('\n', stream);
    print_headline(screen, block, verdict.about);
    if (first) {
        print_head(screen, gpu);
    }
    fputc('\n', stream);
    (block->gpu ? print_lines_of_gpu : print_lines_of_cpu)(screen, block);
    if (block->others > 0) {
        Flow flow = flow_at(screen, 0);
        char answer[RESULT_LABEL_SIZE];
        point_format(&block->head->answer, answer, sizeof answer);
        say(&flow, "Shown: %s; %zu more answer%s in all rows.", answer, block->others,
            block->others == 1 ? "" : "s");
        flow_end(&flow);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < verdict.count; i++) {
        sentence_print(screen->stream, screen->columns - 1, &verdict.sentences[i]);
    }
    fputc('\n', stream);
    print_variants(screen, block);
}

/* Blocks in the order of the rows. Returns how many. */
static size_t print_blocks(Screen *screen, VerdictLine *lines) {
    const Results *results = screen->results;
    size_t count = 0;
    bool gpu = false;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        gpu |= row_is_measured(row) && row_on_device(row);
    }
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        bool first = row_is_measured(row) && is_shown(screen, row);
        for (size_t j = 0; j < i && first; j++) {
            first =
                !row_is_measured(&results->rows[j]) || !verdict_same_block(&results->rows[j], row);
        }
        if (first) {
            const VerdictBlock block = verdict_block(results, row, lines);
            print_block(screen, &block, count == 0, gpu);
            count++;
        }
    }
    return count;
}

/* === Foot ===================================================================================== */

static bool same_skip(const Row *a, const Row *b) {
    return a->status == CELL_SKIP && b->status == CELL_SKIP && a->algorithm == b->algorithm &&
           a->variant == b->variant;
}

/* A line for each variant that was skipped, with its first reason; that of all devices is in the
 * head already. */
static void print_skips(const Screen *screen, bool gpu) {
    const Results *results = screen->results;
    const char *told = gpu ? "" : why_no_gpu(screen);
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        size_t count = 0;
        bool first =
            row->status == CELL_SKIP && is_shown(screen, row) && strcmp(row->why, told) != 0;
        for (size_t j = 0; j < results->count && first; j++) {
            const bool same = same_skip(row, &results->rows[j]);
            first = !same || j >= i;
            count += same;
        }
        if (first) {
            Flow flow = flow_at(screen, MARGIN);
            say(&flow, "skipped: %s (%zu cell%s): %s", row->variant->name, count,
                count == 1 ? "" : "s", row->why[0] != '\0' ? row->why : "no reason was given");
            flow_end(&flow);
        }
    }
}

static int is_chart(const struct dirent *entry) {
    return entry->d_name[0] != '.' && text_ends(entry->d_name, ".svg");
}

/* The chart over the best CPU is the answer; without one the first. */
static void print_charts(const Screen *screen) {
    FolderList list;
    const Status status = folder_list(screen->folder, is_chart, &list);
    const char *name = NULL;
    for (size_t i = 0; status_is_ok(&status) && i < list.count; i++) {
        const char *own = list.entries[i]->d_name;
        if (name == NULL ||
            (strstr(name, "speedup-best-cpu") == NULL && strstr(own, "speedup-best-cpu") != NULL)) {
            name = own;
        }
    }
    if (name != NULL && utf8_width(name, strlen(name)) + FACT_COLUMN < screen->columns) {
        print_fact(screen, list.count > 1 ? "charts" : "chart", "%s", name);
        if (list.count > 1) {
            print_fact(screen, "", "and %zu more in the folder", list.count - 1);
        }
    } else if (name != NULL) {
        print_fact(screen, "charts", "%zu in the folder", list.count);
    }
    folder_list_release(&list);
}

static void print_foot(const Screen *screen, bool gpu) {
    const RunRecord *record = screen->record;
    row_marks_explain(screen->stream, &screen->shown);
    for (size_t i = 0; i < record->warnings.count; i++) {
        Flow flow = flow_at(screen, MARGIN);
        say(&flow, "warning: %s", record->warnings.text[i]);
        flow_end(&flow);
    }
    if (record->input_note[0] != '\0') {
        Flow flow = flow_at(screen, MARGIN);
        say(&flow, "note: %s", record->input_note);
        flow_end(&flow);
    }
    print_skips(screen, gpu);
    fputc('\n', screen->stream);
    print_charts(screen);
    char command[COMMAND_LINE_SIZE];
    char *words[] = {"bench", "show", (char *)screen->folder, "--all", NULL};
    command_line_text(&(ArgumentList){.argc = 4, .argv = words}, command, sizeof command);
    print_fact(screen, "all rows", "%s", command);
    cells_print_totals(screen->stream, record, screen->results);
    visible_line(screen->stream, "%s", screen->folder);
}

void report_summary(FILE *stream, const RunRecord *record, const Results *results,
                    const char *folder) {
    /* A line shows two rows, and a variant at the largest size one. */
    const size_t room = 3 * results->count + 1;
    Screen screen = {.stream = stream,
                     .columns = (size_t)terminal_columns(stream),
                     .record = record,
                     .results = results,
                     .folder = folder,
                     .copy = copy_is_wanted(record, results),
                     .shown = {.rows = calloc(room, sizeof(const Row *))}};
    VerdictLine *lines = calloc(results->count + 1, sizeof *lines);
    RowList all = {.rows = calloc(results->count + 1, sizeof *all.rows)};
    bool gpu = false;
    for (size_t i = 0; all.rows != NULL && i < results->count; i++) {
        all.rows[all.count++] = &results->rows[i];
        gpu |= row_is_measured(&results->rows[i]) && row_on_device(&results->rows[i]);
    }
    if (screen.shown.rows == NULL || lines == NULL || all.rows == NULL) {
        visible_line(stream, "no memory for the summary");
    } else {
        if (print_blocks(&screen, lines) == 0) {
            char text[HEADLINE_SIZE];
            const Status status = results_headline(results, text);
            fputc('\n', stream);
            visible_line(stream, "%s", status_is_ok(&status) ? text : status.why);
        }
        cells_print_reasons(stream, &all, CELL_FAIL, "Failed");
        costs_print(stream, results, &record->options->prices);
    }
    print_foot(&screen, gpu);
    free(screen.shown.rows);
    free(lines);
    free(all.rows);
}
