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

#include "utf8.h"

enum { TEXT_SIZE = 512, PHRASE_SIZE = 320, LABEL_SIZE = 64, MARGIN = 2, FACT_COLUMN = 12 };

enum { KERNEL, END_TO_END, KINDS };

/* One size, or one value of an axis. */
typedef struct Line {
    const Row *question; /* one of its rows */
    double x;            /* size or value; NAN: no number */
    char label[LABEL_SIZE];
    const Row *cpu, *seq;  /* the best CPU, and the base; NULL: not measured */
    const Row *gpu[KINDS]; /* the fastest on a device by each time */
} Line;

/* The lines of one algorithm and input. */
typedef struct Block {
    const Row *head;   /* a row of the answer point that is shown */
    const char *along; /* what the lines differ in: "size", "images", "rows", an axis */
    size_t axis;       /* of the answer; POINT_AXES_MAX: the lines are sizes */
    Line *lines;       /* ascending */
    size_t count;
    size_t others; /* answer points that are not shown */
    bool gpu;      /* some line has a time of a device */
} Block;

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

/* "36.7× faster", "1.70× slower", "as fast"; "" where it is not known. */
static void factor_words(double ratio, char text[LABEL_SIZE]) {
    char times[SIGNIFICANT_SIZE];
    times_text(ratio < 1 ? 1 / ratio : ratio, times);
    if (times[0] == '\0' || strcmp(times, "1.00×") == 0) {
        snprintf(text, LABEL_SIZE, "%s", times[0] == '\0' ? "" : "as fast");
    } else {
        snprintf(text, LABEL_SIZE, "%s %s", times, ratio < 1 ? "slower" : "faster");
    }
}

/* In a colour only where the interval is on one side. */
static Ink factor_ink(const Ratio *ratio) {
    const double low = isnan(ratio->low) ? ratio->value : ratio->low;
    const double high = isnan(ratio->high) ? ratio->value : ratio->high;
    return low > 1 ? INK_FASTER : high < 1 ? INK_SLOWER : INK_PLAIN;
}

/* "36.2 to 37.1", of a slowdown "1.69 to 1.71"; "" without an interval, or if it is that narrow. */
static void factor_interval(const Ratio *ratio, char text[NUMBER_WORDS_SIZE]) {
    static const double least = 1e-6;
    const bool slower = ratio->value < 1;
    text[0] = '\0';
    if (ratio->high - ratio->low > least * ratio->value) {
        interval_text(slower ? 1 / ratio->high : ratio->low, slower ? 1 / ratio->low : ratio->high,
                      text);
    }
}

/* "0.00353": milliseconds. */
static void milliseconds(double seconds, char text[SIGNIFICANT_SIZE]) {
    text[0] = '\0';
    if (isfinite(seconds)) {
        measured_text(seconds * 1e3, 3, text);
    }
}

/* === Ratios of a row ========================================================================== */

static const Ratio no_ratio = {.value = NAN, .low = NAN, .high = NAN};

/* Of the row over the best CPU. */
static Ratio over_cpu(const Row *row, int kind) {
    return row != NULL
               ? row_ratio(row, OVER_BEST_CPU, kind == KERNEL ? TIME_KERNEL : TIME_END_TO_END)
               : no_ratio;
}

static Ratio over_base(const Row *row) {
    return row != NULL ? row_ratio(row, OVER_SEQ, TIME_KERNEL) : no_ratio;
}

static bool on_device(const Row *row) {
    return !variant_is_on_cpu(row->variant);
}

/* A CPU variant copies nothing. */
static const Summary *summary_of(const Row *row, int kind) {
    return kind == END_TO_END && row->end_to_end_summary.count > 0 ? &row->end_to_end_summary
                                                                   : &row->kernel_summary;
}

static const Samples *samples_of(const Row *row, int kind) {
    return kind == END_TO_END && row->end_to_end.count > 0 ? &row->end_to_end : &row->kernel;
}

/* === Lines ==================================================================================== */

static bool is_shown(const Screen *screen, const Row *row) {
    return screen->copy || strcmp(row->algorithm->name, "copy") != 0;
}

/* Whether `copy` was asked for, or nothing else was measured. */
static bool copy_is_wanted(const RunRecord *record, const Results *results) {
    const ArgumentList list = options_arguments(record->options);
    bool others = false;
    for (size_t i = 0; i < results->count; i++) {
        others |= strcmp(results->rows[i].algorithm->name, "copy") != 0;
    }
    bool wanted = !others;
    for (int i = 0; i < list.argc; i++) {
        const char *names = NULL;
        if (strncmp(list.argv[i], "--algo=", 7) == 0) {
            names = list.argv[i] + 7;
        } else if (strcmp(list.argv[i], "--algo") == 0 && i + 1 < list.argc) {
            names = list.argv[i + 1];
        }
        while (names != NULL) {
            char word[LIST_WORD_SIZE];
            const Status status = list_next(&names, word);
            wanted |=
                status_is_ok(&status) && (strcmp(word, "copy") == 0 || strcmp(word, "all") == 0);
        }
    }
    return wanted;
}

static bool same_block(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0;
}

/* The number that a value begins with, as 24 of "24:3"; NAN: none. */
static double leading_number(const AxisValue *value) {
    char *end;
    const double number = strtod(value->text, &end);
    return end != value->text ? number : (double)NAN;
}

/* Whether the answer of `a` comes after that of `b`: by the first axis whose numbers differ. */
static bool answer_is_later(const Row *a, const Row *b) {
    for (size_t i = 0; i < a->answer.count && i < b->answer.count; i++) {
        const double first = leading_number(&a->answer.values[i]);
        const double second = leading_number(&b->answer.values[i]);
        if (first != second && !isnan(first) && !isnan(second)) {
            return first > second;
        }
    }
    return true;
}

/* Whether the answers differ in nothing but, perhaps, the axis. */
static bool same_but_for(const Row *a, const Row *b, size_t axis) {
    for (size_t i = 0; i < a->answer.count; i++) {
        if (i != axis && strcmp(a->answer.values[i].text, b->answer.values[i].text) != 0) {
            return false;
        }
    }
    return true;
}

static double pixels_of(const Row *row) {
    return (double)row->width * row->height * (row->images > 0 ? row->images : 1);
}

static const char *along_of(const Row *row) {
    return row_is_image(row) ? "size" : row_size_unit(row);
}

/* Whether the row is on a line of the block that its lines do not have yet. */
static bool is_new_line(const Block *block, const Row *row) {
    for (size_t i = 0; i < block->count; i++) {
        if (row_same_question(block->lines[i].question, row)) {
            return false;
        }
    }
    return true;
}

/* Keeps the order ascending. */
static void add_line(Block *block, const Row *row) {
    Line line = {.question = row, .x = row_size(row)};
    if (block->axis < row->answer.count) {
        line.x = leading_number(&row->answer.values[block->axis]);
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

static void find_rows(const Results *results, Line *line) {
    line->cpu = results_best_cpu(results, line->question).row;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!row_is_measured(row) || !row_same_question(row, line->question)) {
            continue;
        }
        if (row->variant == registry_variant(row->algorithm, 0)) {
            line->seq = row;
        }
        for (int kind = KERNEL; on_device(row) && kind < KINDS; kind++) {
            const Row *best = line->gpu[kind];
            const bool timed = kind == KERNEL || row->end_to_end_summary.count > 0;
            if (timed &&
                (best == NULL || summary_of(row, kind)->median < summary_of(best, kind)->median)) {
                line->gpu[kind] = row;
            }
        }
    }
}

/* The lines that `axis` gives, POINT_AXES_MAX for those that the sizes give. */
static void fill_lines(const Screen *screen, Block *block, size_t axis) {
    block->axis = axis;
    block->count = 0;
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        const bool of_axis = axis < POINT_AXES_MAX
                                 ? same_but_for(row, block->head, axis)
                                 : point_equal(&row->answer, &block->head->answer);
        if (row_is_measured(row) && same_block(row, block->head) && of_axis &&
            is_new_line(block, row)) {
            add_line(block, row);
        }
    }
    block->along =
        axis < POINT_AXES_MAX ? block->head->answer.axes[axis]->name : along_of(block->head);
}

static size_t count_answers(const Screen *screen, const Row *head) {
    const Results *results = screen->results;
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        bool first = row_is_measured(row) && same_block(row, head);
        for (size_t j = 0; j < i && first; j++) {
            first = !row_is_measured(&results->rows[j]) || !same_block(&results->rows[j], head) ||
                    !point_equal(&results->rows[j].answer, &row->answer);
        }
        count += first;
    }
    return count;
}

/* The block that the row is the first of: of the last answer all sizes or, of one size, the axis of
 * the answer with the most values. `lines` has room for every row. */
static Block make_block(const Screen *screen, const Row *first, Line *lines) {
    Block block = {.head = first, .lines = lines};
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (row_is_measured(row) && same_block(row, first) && answer_is_later(row, block.head)) {
            block.head = row;
        }
    }
    const size_t answers = count_answers(screen, first);
    size_t axis = POINT_AXES_MAX;
    size_t most = 1;
    fill_lines(screen, &block, axis);
    for (size_t i = 0; block.count == 1 && answers > 1 && i < block.head->answer.count; i++) {
        Block other = block;
        fill_lines(screen, &other, i);
        if (other.count > most) {
            most = other.count;
            axis = i;
        }
    }
    fill_lines(screen, &block, axis);
    block.others = answers - (axis < POINT_AXES_MAX ? block.count : 1);
    for (size_t i = 0; i < block.count; i++) {
        find_rows(screen->results, &block.lines[i]);
        block.gpu |= block.lines[i].gpu[KERNEL] != NULL;
    }
    return block;
}

static const Line *largest_line(const Block *block) {
    return &block->lines[block->count - 1];
}

/* "16K", "20000 images", "box 64" */
static void place_words(const Block *block, const Line *line, char text[LABEL_SIZE * 2]) {
    if (block->axis < POINT_AXES_MAX) {
        snprintf(text, (size_t)LABEL_SIZE * 2, "%s %s", block->along, line->label);
    } else if (strcmp(block->along, "size") == 0) {
        snprintf(text, (size_t)LABEL_SIZE * 2, "%s", line->label);
    } else {
        snprintf(text, (size_t)LABEL_SIZE * 2, "%s %s", line->label, block->along);
    }
}

/* === Head ===================================================================================== */

/* Why no device was measured: of the first of its cells. */
static const char *why_no_gpu(const Screen *screen) {
    for (size_t i = 0; i < screen->results->count; i++) {
        const Row *row = &screen->results->rows[i];
        if (on_device(row) && is_shown(screen, row) && row->why[0] != '\0') {
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
    const char *model = machine != NULL ? machine_text(machine, "gpu_model") : "";
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
            launch_range_add(&launches, row->kernel_summary.launches);
        } else {
            roof++;
        }
    }
    char others[LABEL_SIZE] = "";
    if (roof > 0) {
        snprintf(others, sizeof others, "; %zu of copy for the roof", roof);
    }
    print_fact(screen, "cells", "%zu of %zu verified%s; %s caches", verified, timed, others,
               cold ? "cold" : "hot");
    char words[TEXT_SIZE];
    interval_words(&launches, words, sizeof words);
    if (launches.most >= MEDIAN_INTERVAL_MIN) {
        print_fact(screen, "launches", "%zu; intervals are %s", launches.most, words);
    } else if (launches.most > 1) {
        print_fact(screen, "launches", "%zu: %s, too few for 95%% intervals", launches.most, words);
    } else {
        print_fact(screen, "launches", "1: intervals are of this run only (see --launches)");
    }
}

static void print_head(const Screen *screen, bool gpu) {
    char taken[DURATION_SIZE];
    print_processors(screen, gpu);
    print_cells(screen);
    if (isfinite(screen->record->elapsed) && screen->record->elapsed > 0) {
        duration_text(screen->record->elapsed, taken);
        print_fact(screen, "took", "%s, on %.10s", taken, screen->record->started);
    }
}

/* "lbp on meadow.jpg, box:64 at 16K: GPU 36.7× faster, end to end 1.70× slower" */
static void print_headline(const Screen *screen, const Block *block) {
    const Line *line = largest_line(block);
    const Row *head = block->head;
    char place[LABEL_SIZE * 2];
    char answer[RESULT_LABEL_SIZE];
    char words[LABEL_SIZE];
    char text[TEXT_SIZE];
    Flow flow = flow_at(screen, MARGIN);
    place_words(block, line, place);
    point_format(&head->answer, answer, sizeof answer);
    for (char *comma = strchr(answer, ','); comma != NULL; comma = strchr(comma, ',')) {
        *comma = ' ';
    }
    snprintf(text, sizeof text, "%s on %.120s%s%s, %s:", head->algorithm->name, head->input,
             block->axis == POINT_AXES_MAX && answer[0] != '\0' ? ", " : "",
             block->axis == POINT_AXES_MAX ? answer : "", place);
    flow_words(&flow, INK_STRONG, text);
    const Ratio kernel = block->gpu ? over_cpu(line->gpu[KERNEL], KERNEL) : over_base(line->cpu);
    factor_words(kernel.value, words);
    if (words[0] == '\0') {
        say(&flow, " no speedup, one side has no time");
    } else if (!block->gpu && line->cpu == line->seq) {
        say(&flow, " no CPU variant is faster than seq");
    } else if (block->gpu) {
        flow_words(&flow, INK_STRONG, " GPU ");
        snprintf(text, sizeof text, " %s", words);
        flow_words(&flow, factor_ink(&kernel), text);
        const Ratio whole = over_cpu(line->gpu[END_TO_END], END_TO_END);
        factor_words(whole.value, words);
        if (words[0] != '\0') {
            flow_words(&flow, INK_STRONG, ", end to end ");
            snprintf(text, sizeof text, " %s", words);
            flow_words(&flow, factor_ink(&whole), text);
        }
    } else {
        flow_words(&flow, INK_STRONG, " best CPU");
        snprintf(text, sizeof text, " %s", words);
        flow_words(&flow, factor_ink(&kernel), text);
        flow_words(&flow, INK_STRONG, strcmp(words, "as fast") == 0 ? " as seq" : " than seq");
    }
    flow_end(&flow);
}

/* === Sizes ==================================================================================== */

/* Cells of one ratio: its words and its interval. */
static void put_ratio(TextTable *table, const Ratio *ratio) {
    char words[LABEL_SIZE];
    char interval[NUMBER_WORDS_SIZE];
    factor_words(ratio->value, words);
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

static void print_lines_of_gpu(Screen *screen, const Block *block) {
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
        const Line *line = &block->lines[i];
        const Row *end_to_end = line->gpu[END_TO_END];
        text_table_put(&table, "%s", line->label);
        put_variant(&table, line->cpu);
        put_variant(&table, line->gpu[KERNEL]);
        for (int kind = KERNEL; kind < KINDS; kind++) {
            const Ratio ratio = over_cpu(line->gpu[kind], kind);
            put_ratio(&table, &ratio);
        }
        text_table_put(&table, "%s", end_to_end != NULL ? end_to_end->variant->name : "");
        put_marks(screen, &table, line->cpu, line->gpu[KERNEL]);
    }
    end_table(screen, &table);
}

static void print_lines_of_cpu(Screen *screen, const Block *block) {
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
        const Line *line = &block->lines[i];
        const Ratio ratio = over_base(line->cpu);
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

/* === Sentences ================================================================================ */

static void value_text(double x, char *text, size_t size) {
    char number[SIGNIFICANT_SIZE];
    significant_text(x, x == floor(x) && x < 1e9 ? 9 : 3, number);
    if (strchr(number, '.') != NULL && x == floor(x)) {
        number[strcspn(number, ".")] = '\0';
    }
    snprintf(text, size, "%s", number);
}

/* The times of a side along the lines; returns how many there are. */
static size_t fill_curve(const Block *block, int kind, bool gpu, CurveCell *cells) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const Row *row = gpu ? block->lines[i].gpu[kind] : block->lines[i].cpu;
        if (row != NULL) {
            cells[count++] = (CurveCell){.x = block->lines[i].x,
                                         .summary = summary_of(row, kind),
                                         .samples = samples_of(row, kind),
                                         .weight = 1};
        }
    }
    return count;
}

static Crossover block_crossover(const Block *block, int kind) {
    CurveCell *cells = calloc(2 * block->count, sizeof *cells);
    if (cells == NULL) {
        return (Crossover){.kind = CROSSOVER_UNKNOWN, .x = NAN};
    }
    CurveCell *cpu = cells + block->count;
    const size_t gpu_count = fill_curve(block, kind, true, cells);
    const size_t cpu_count = fill_curve(block, kind, false, cpu);
    const Crossover crossover = crossover_of_cells(cells, gpu_count, cpu, cpu_count, true);
    free(cells);
    return crossover;
}

/* Whether the lines stand at numbers that rise, so that there may be a place between two. */
static bool has_places(const Block *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (!(block->lines[i].x > 0) || (i > 0 && !(block->lines[i].x > block->lines[i - 1].x))) {
            return false;
        }
    }
    return block->count > 1;
}

/* "; it is ahead from 202 kpixel on (194 to 208), between 360p and 480p" */
static void say_crossover(Flow *flow, const Block *block, int kind) {
    if (!has_places(block)) {
        return;
    }
    const bool axis = block->axis < POINT_AXES_MAX;
    const Crossover crossover = block_crossover(block, kind);
    const bool always = crossover.kind == CROSSOVER_ALWAYS;
    if (crossover.points < 2) {
        return;
    }
    if (always || crossover.kind == CROSSOVER_NEVER) {
        say(flow, "; it is ahead at %s %s%s%s", always ? "every" : "no",
            axis                                ? "value of "
            : strcmp(block->along, "size") == 0 ? ""
                                                : "number of ",
            block->along, crossover.unsure ? ", but not in every launch" : "");
        return;
    }
    char words[PHRASE_SIZE];
    const bool pixels = !axis && strcmp(block->along, "size") == 0;
    crossover_words(&crossover, pixels ? row_size_text(block->head) : value_text, words,
                    sizeof words);
    say(flow, "; it is ahead %s%s", words, pixels ? "" : " ");
    say(flow, "%s", pixels ? "" : block->along);
    for (size_t i = 1; i < block->count; i++) {
        if (block->lines[i - 1].x < crossover.x && crossover.x < block->lines[i].x) {
            say(flow, ", between %s and %s", block->lines[i - 1].label, block->lines[i].label);
        }
    }
}

static void say_factor(Flow *flow, const Ratio *ratio, const char *than) {
    char words[LABEL_SIZE];
    char text[LABEL_SIZE + 1];
    char interval[NUMBER_WORDS_SIZE];
    factor_words(ratio->value, words);
    factor_interval(ratio, interval);
    snprintf(text, sizeof text, " %s", words);
    flow_words(flow, factor_ink(ratio), text);
    if (interval[0] != '\0') {
        say(flow, " (%s)", interval);
    }
    say(flow, " %s %s", strcmp(words, "as fast") == 0 ? "as" : "than", than);
}

/* "Kernel only, the GPU (cuda_fast) is 36.7× faster (36.2 to 37.1) than the best CPU
 * (omp/threads:16) at 16K; it is ahead at every size." */
static void print_verdict_of_gpu(const Screen *screen, const Block *block, int kind) {
    static const char *const titles[KINDS] = {"Kernel only",
                                              "End to end, with upload and download"};
    const Line *line = largest_line(block);
    const Row *row = line->gpu[kind];
    const Ratio ratio = over_cpu(row, kind);
    char place[LABEL_SIZE * 2];
    char label[RESULT_LABEL_SIZE];
    char than[RESULT_LABEL_SIZE + LABEL_SIZE];
    Flow flow = flow_at(screen, 0);
    place_words(block, line, place);
    if (row == NULL || line->cpu == NULL) {
        say(&flow, "%s, there is no speedup at %s: %s.", titles[kind], place,
            row == NULL ? "no GPU variant has a time" : "no CPU variant has a time");
        flow_end(&flow);
        return;
    }
    variant_label(row->variant, &row->tuning, label, sizeof label);
    say(&flow, "%s, the GPU (%s) is", titles[kind], label);
    snprintf(than, sizeof than, "the best CPU (%s)", row->best_cpu);
    say_factor(&flow, &ratio, than);
    say(&flow, " at %s", place);
    say_crossover(&flow, block, kind);
    say(&flow, ".");
    flow_end(&flow);
}

static void print_verdict_of_cpu(const Screen *screen, const Block *block) {
    const Line *line = largest_line(block);
    const Ratio ratio = over_base(line->cpu);
    char place[LABEL_SIZE * 2];
    Flow flow = flow_at(screen, 0);
    place_words(block, line, place);
    if (line->cpu == NULL || isnan(ratio.value)) {
        say(&flow, "There is no speedup at %s: %s.", place,
            line->cpu == NULL ? "no CPU variant has a time" : "seq has no time");
    } else if (line->cpu == line->seq) {
        say(&flow, "At %s no CPU variant is faster than seq.", place);
    } else {
        char label[RESULT_LABEL_SIZE];
        variant_label(line->cpu->variant, &line->cpu->tuning, label, sizeof label);
        say(&flow, "The best CPU (%s) is", label);
        say_factor(&flow, &ratio, line->cpu->base);
        say(&flow, " at %s.", place);
    }
    flow_end(&flow);
}

/* "At 16K cuda_fast reaches 84% of its roof (bound by dram), omp/threads:16 43% (dram)." */
static void print_verdict_of_roof(const Screen *screen, const Block *block) {
    const Line *line = largest_line(block);
    const Row *rows[] = {line->gpu[KERNEL], line->cpu};
    char place[LABEL_SIZE * 2];
    Flow flow = flow_at(screen, 0);
    bool any = false;
    place_words(block, line, place);
    for (size_t i = 0; i < 2; i++) {
        if (rows[i] == NULL || !isfinite(rows[i]->roof_fraction)) {
            continue;
        }
        char label[RESULT_LABEL_SIZE];
        char share[SIGNIFICANT_SIZE];
        variant_label(rows[i]->variant, &rows[i]->tuning, label, sizeof label);
        percent_text(rows[i]->roof_fraction, rows[i]->roof_fraction < 0.1 ? 1 : 0, share);
        say(&flow, any ? ", %s%s%s" : "At %s %s reaches %s of its roof", any ? "" : place, label,
            any ? "" : share);
        if (any) {
            say(&flow, " %s", share);
        }
        if (rows[i]->bound[0] != '\0') {
            say(&flow, " (%s%s)", any ? "" : "bound by ", rows[i]->bound);
        }
        any = true;
    }
    say(&flow,
        any ? "." : "The roof is not known: it was not measured, or there is no cost model.");
    flow_end(&flow);
}

/* === Variants at the largest size ============================================================= */

/* Of each variant the best tuning, fastest first. Returns how many. */
static size_t find_variants(const Screen *screen, const Line *line,
                            const Row *rows[OPTIONS_VARIANTS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < screen->results->count && count < OPTIONS_VARIANTS_MAX; i++) {
        const Row *row = &screen->results->rows[i];
        if (!row_is_measured(row) || !row_same_question(row, line->question) ||
            results_best_tuning(screen->results, row).row != row) {
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

static void put_against(TextTable *table, const Row *row, const Line *line, bool gpu, int kind) {
    const Row *self = gpu ? line->cpu : line->seq;
    const Ratio ratio = gpu ? over_cpu(row, kind) : over_base(row);
    char words[LABEL_SIZE];
    factor_words(ratio.value, words);
    if (row == self) {
        text_table_put_kind(table, CELL_PLAIN, kind == KERNEL ? (gpu ? "best CPU" : "seq") : "");
    } else {
        text_table_put_ink(table, factor_ink(&ratio), words);
    }
}

static void print_variants(Screen *screen, const Block *block) {
    const Line *line = largest_line(block);
    const Row *rows[OPTIONS_VARIANTS_MAX];
    const size_t count = find_variants(screen, line, rows);
    char place[LABEL_SIZE * 2];
    char title[LABEL_SIZE * 2 + 16];
    place_words(block, line, place);
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
        put_against(&table, rows[i], line, block->gpu, KERNEL);
        if (block->gpu && on_device(rows[i])) {
            put_against(&table, rows[i], line, true, END_TO_END);
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

static void print_block(Screen *screen, const Block *block, bool first, bool gpu) {
    FILE *stream = screen->stream;
    fputc('\n', stream);
    print_headline(screen, block);
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
    if (block->gpu) {
        print_verdict_of_gpu(screen, block, KERNEL);
        print_verdict_of_gpu(screen, block, END_TO_END);
    } else {
        print_verdict_of_cpu(screen, block);
    }
    print_verdict_of_roof(screen, block);
    fputc('\n', stream);
    print_variants(screen, block);
}

/* Blocks in the order of the rows. Returns how many. */
static size_t print_blocks(Screen *screen, Line *lines) {
    const Results *results = screen->results;
    size_t count = 0;
    bool gpu = false;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        gpu |= row_is_measured(row) && on_device(row);
    }
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        bool first = row_is_measured(row) && is_shown(screen, row);
        for (size_t j = 0; j < i && first; j++) {
            first = !row_is_measured(&results->rows[j]) || !same_block(&results->rows[j], row);
        }
        if (first) {
            const Block block = make_block(screen, row, lines);
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
    Line *lines = calloc(results->count + 1, sizeof *lines);
    RowList all = {.rows = calloc(results->count + 1, sizeof *all.rows)};
    bool gpu = false;
    for (size_t i = 0; all.rows != NULL && i < results->count; i++) {
        all.rows[all.count++] = &results->rows[i];
        gpu |= row_is_measured(&results->rows[i]) && on_device(&results->rows[i]);
    }
    if (screen.shown.rows == NULL || lines == NULL || all.rows == NULL) {
        visible_line(stream, "no memory for the summary");
    } else {
        if (print_blocks(&screen, lines) == 0) {
            fputs("\nno cell has a time\n", stream);
        }
        cells_print_reasons(stream, &all, CELL_FAIL, "Failed");
        costs_print(stream, results, &record->options->prices);
    }
    print_foot(&screen, gpu);
    free(screen.shown.rows);
    free(lines);
    free(all.rows);
}
