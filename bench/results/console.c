/* The table on the console, its notes and reasons. */

#include "results_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "base.h"

/* === Console notes ============================================================================ */

/* Notes to a table on the console: how its samples behave, and how time grows with size. */

enum { CONSOLE_MARKS_SIZE = 8 };

static bool is_unconverged(const Row *row) {
    return !row->converged;
}

static bool is_throttled(const Row *row) {
    return row->throttled;
}

static bool is_autocorrelated(const Row *row) {
    return row->autocorrelated;
}

static bool is_multimodal(const Row *row) {
    return row->multimodal;
}

static bool is_over_roof(const Row *row) {
    return row->over_roof;
}

static const struct {
    char letter;
    bool (*applies)(const Row *row);
    const char *meaning;
} marks_table[] = {
    {'*', is_unconverged, "not converged: the interval is wider than asked for"},
    {'!', is_throttled, "throttled: the processor ran clearly below its clock"},
    {'~', is_autocorrelated,
     "autocorrelated: samples resemble their neighbours, and the interval is too narrow"},
    {'^', is_multimodal, "multimodal: the samples have more than one mode, a median may jump"},
    {'>', is_over_roof,
     "over the roof: the cost model or a ceiling is wrong ('bench roof --fresh')"},
};

enum { MARK_COUNT = sizeof marks_table / sizeof marks_table[0] };

_Static_assert(MARK_COUNT + 2 <= CONSOLE_MARKS_SIZE, "a blank, every mark and the end fit");

/* " *!~^>", or as many of these as apply to the row: not converged, throttled, autocorrelated,
 * multimodal, over its roof. */
static void console_marks(const Row *row, char marks[CONSOLE_MARKS_SIZE]) {
    size_t length = 0;
    for (size_t i = 0; i < MARK_COUNT; i++) {
        if (marks_table[i].applies(row)) {
            marks[length] = length == 0 ? ' ' : marks[length];
            length += length == 0;
            marks[length++] = marks_table[i].letter;
        }
    }
    marks[length] = '\0';
}

typedef bool (*SameTable)(const Row *a, const Row *b);

static bool is_shown(const Results *results, size_t first, size_t index, SameTable same_table) {
    const Row *row = &results->rows[index];
    return row->status == CELL_OK && same_table(row, &results->rows[first]);
}

/* Rows of one table, as `same_table` says, beginning with row `first`: a legend line for each mark
 * that a row has, and how many outliers there are. Nothing where there is nothing to say. */
static void console_legend_print(FILE *stream, const Results *results, size_t first,
                                 bool (*same_table)(const Row *a, const Row *b)) {
    bool any[MARK_COUNT] = {false};
    size_t mild = 0;
    size_t severe = 0;
    size_t samples = 0;
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!is_shown(results, first, i, same_table)) {
            continue;
        }
        for (size_t mark = 0; mark < MARK_COUNT; mark++) {
            any[mark] |= marks_table[mark].applies(row);
        }
        mild += row->outliers_mild;
        severe += row->outliers_severe;
        samples += row->kernel.count;
    }
    for (size_t mark = 0; mark < MARK_COUNT; mark++) {
        if (any[mark]) {
            fprintf(stream, "%c %s\n", marks_table[mark].letter, marks_table[mark].meaning);
        }
    }
    if (mild + severe > 0) {
        fprintf(stream, "outliers: %zu mild, %zu severe of %zu samples; none is left out\n", mild,
                severe, samples);
    }
}

static bool told_before(const Results *results, size_t first, size_t index, SameTable same_table) {
    for (size_t i = first; i < index; i++) {
        if (is_shown(results, first, i, same_table) &&
            same_complexity(&results->rows[i], &results->rows[index])) {
            return true;
        }
    }
    return false;
}

/* "time ~ pixels^1.02 [1.00, 1.04]" for each variant of the table measured at enough sizes. */
static void console_complexity_print(FILE *stream, const Results *results, size_t first,
                                     bool (*same_table)(const Row *a, const Row *b)) {
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!is_shown(results, first, i, same_table) || !isfinite(row->exponent) ||
            told_before(results, first, i, same_table)) {
            continue;
        }
        const char *item = row->algorithm->item != NULL ? row->algorithm->item : "item";
        fprintf(stream, "%s: time ~ %ss^%.2f [%.2f, %.2f]\n", row->variant->name, item,
                row->exponent, row->exponent_low, row->exponent_high);
    }
}

/* === Console reasons ========================================================================== */

/* Why cells have no time: one line for each reason, however many cells share it. */

static bool same_reason(const Row *a, const Row *b) {
    return a->status == b->status && strcmp(a->why, b->why) == 0;
}

static bool same_variant(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && a->variant == b->variant;
}

/* Whether an earlier row is of the same reason and, when asked, of the same variant. */
static bool repeats(const Results *results, size_t index, bool by_variant) {
    const Row *row = &results->rows[index];
    for (size_t i = 0; i < index; i++) {
        if (same_reason(&results->rows[i], row) &&
            (!by_variant || same_variant(&results->rows[i], row))) {
            return true;
        }
    }
    return false;
}

static size_t count_reason(const Results *results, const Row *row, bool by_variant) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += same_reason(&results->rows[i], row) &&
                 (!by_variant || same_variant(&results->rows[i], row));
    }
    return count;
}

/* "lbp/cuda_naive (7), lbp/cuda_tiled (28)" */
static void print_variants(FILE *stream, const Results *results, size_t first) {
    bool any = false;
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!same_reason(row, &results->rows[first]) || repeats(results, i, true)) {
            continue;
        }
        fprintf(stream, "%s%s/%s (%zu)", any ? ", " : "      ", row->algorithm->name,
                row->variant->name, count_reason(results, row, true));
        any = true;
    }
    fputc('\n', stream);
}

static void print_reason(FILE *stream, const Results *results, size_t first) {
    const Row *row = &results->rows[first];
    const char *why = row->why[0] != '\0' ? row->why : "no reason was given";
    const size_t count = count_reason(results, row, false);
    if (count == 1) {
        char name[512];
        row_name(row, name, sizeof name);
        visible_line(stream, "  %s: %s", name, why);
        return;
    }
    visible_line(stream, "  %zu cells: %s", count, why);
    print_variants(stream, results, first);
}

/* Lists the cells of `status` under `title`; prints nothing when there are none. */
static void console_reasons_print(FILE *stream, const Results *results, CellStatus status,
                                  const char *title) {
    bool any = false;
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].status != status || repeats(results, i, false)) {
            continue;
        }
        if (!any) {
            fprintf(stream, "\n%s:\n", title);
        }
        any = true;
        print_reason(stream, results, i);
    }
}

/* === Report console =========================================================================== */

enum {
    COLUMN_VARIANT,
    COLUMN_SIZE,
    COLUMN_TUNING,
    COLUMN_KERNEL,
    COLUMN_INTERVAL,
    COLUMN_RATE,
    COLUMN_BANDWIDTH,
    COLUMN_ROOF,
    COLUMN_SPEEDUP,
    COLUMN_SPEEDUP_CPU,
    COLUMN_WHOLE,
    COLUMN_WHOLE_SPEEDUP,
    COLUMN_WHOLE_SPEEDUP_CPU,
    COLUMN_VERIFIED,
    TABLE_COLUMN_COUNT
};

/* The title of COLUMN_RATE names the algorithm's item. */
static const TextColumn table_columns[TABLE_COLUMN_COUNT] = {
    [COLUMN_VARIANT] = {.title = "variant", .left = true},
    [COLUMN_SIZE] = {.title = "size", .left = true},
    [COLUMN_TUNING] = {.title = "tuning", .left = true},
    [COLUMN_KERNEL] = {.title = "kernel ms"},
    [COLUMN_INTERVAL] = {.title = "95% CI ±", .left = true},
    [COLUMN_BANDWIDTH] = {.title = "GB/s"},
    [COLUMN_ROOF] = {.title = "roof"},
    [COLUMN_SPEEDUP] = {.title = "vs base"},
    [COLUMN_SPEEDUP_CPU] = {.title = "vs CPU"},
    [COLUMN_WHOLE] = {.title = "end-to-end ms"},
    [COLUMN_WHOLE_SPEEDUP] = {.title = "vs base"},
    [COLUMN_WHOLE_SPEEDUP_CPU] = {.title = "vs CPU"},
    [COLUMN_VERIFIED] = {.title = "verified", .left = true},
};

/* Four significant digits without an exponent; empty for what was not measured. */
static void significant(double number, const char *suffix, char *cell) {
    cell[0] = '\0';
    if (!isfinite(number)) {
        return;
    }
    const double magnitude = fabs(number) > 0.0 ? floor(log10(fabs(number))) : 0.0;
    const int decimals = magnitude >= 3.0 ? 0 : magnitude <= -5.0 ? 8 : 3 - (int)magnitude;
    snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.*f%s", decimals, number, suffix);
}

/* Ratios in three digits: a fourth is never significant. */
static void ratio(double number, char *cell) {
    cell[0] = '\0';
    if (isfinite(number)) {
        const int decimals = number >= 100.0 ? 0 : number >= 10.0 ? 1 : 2;
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.*f×", decimals, number);
    }
}

/* "2.31 T" a second of the items that the column is named after. Bytes are in GB/s, and a pixel is
 * a fixed number of them: their column stays empty and is left out. */
static void rate(const Row *row, char *cell) {
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    const size_t largest = sizeof prefixes / sizeof prefixes[0] - 1;
    const char *item = row->algorithm->item;
    double number = row->items_per_second;
    size_t prefix = 0;
    cell[0] = '\0';
    if (item == NULL || strcmp(item, "pixel") == 0 || !isfinite(number)) {
        return;
    }
    for (; number >= 999.5 && prefix < largest; prefix++) {
        number /= 1000;
    }
    const int decimals = number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.*f%s", decimals, number, prefixes[prefix]);
}

/* The wider side of the interval, relative to the median. */
static void interval(const Row *row, char *cell) {
    const Summary *summary = &row->kernel_summary;
    const double half = fmax(summary->ci_high - summary->median, summary->median - summary->ci_low);
    char marks[CONSOLE_MARKS_SIZE];
    console_marks(row, marks);
    if (isfinite(half) && summary->median > 0.0) {
        const double percent = 100.0 * half / summary->median;
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.*f%%%s", percent < 100.0 ? 1 : 0, percent, marks);
    } else {
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%s", marks + (marks[0] == ' '));
    }
}

static void verified(const Row *row, char *cell) {
    const bool partial = row->verified && row->agreement < 1.0;
    if (partial) {
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%.2f%%", 100.0 * row->agreement);
    } else {
        snprintf(cell, TEXT_TABLE_CELL_SIZE, "%s", row->verified ? "yes" : "no");
    }
}

static void fill_row(const Row *row, TextRow *text) {
    char(*cells)[TEXT_TABLE_CELL_SIZE] = text->cells;
    char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->tuning, tuning, sizeof tuning);
    snprintf(cells[COLUMN_VARIANT], TEXT_TABLE_CELL_SIZE, "%s", row->variant->name);
    snprintf(cells[COLUMN_SIZE], TEXT_TABLE_CELL_SIZE, "%s", row->size_name);
    snprintf(cells[COLUMN_TUNING], TEXT_TABLE_CELL_SIZE, "%.40s", tuning);
    significant(row->kernel_summary.median * 1e3, "", cells[COLUMN_KERNEL]);
    interval(row, cells[COLUMN_INTERVAL]);
    rate(row, cells[COLUMN_RATE]);
    significant(row->bytes_per_second * 1e-9, "", cells[COLUMN_BANDWIDTH]);
    cells[COLUMN_ROOF][0] = '\0';
    if (isfinite(row->roof_fraction)) {
        snprintf(cells[COLUMN_ROOF], TEXT_TABLE_CELL_SIZE, "%.1f%%", 100.0 * row->roof_fraction);
    }
    ratio(row->speedup, cells[COLUMN_SPEEDUP]);
    ratio(row->speedup_vs_best_cpu, cells[COLUMN_SPEEDUP_CPU]);
    significant(row->end_to_end_summary.median * 1e3, "", cells[COLUMN_WHOLE]);
    ratio(row->speedup_end_to_end, cells[COLUMN_WHOLE_SPEEDUP]);
    ratio(row->speedup_end_to_end_vs_best_cpu, cells[COLUMN_WHOLE_SPEEDUP_CPU]);
    verified(row, cells[COLUMN_VERIFIED]);
}

/* Rows of one algorithm, input and answer point share a table: only they can be compared. */
static bool same_table(const Row *a, const Row *b) {
    char answer_a[RESULT_LABEL_SIZE], answer_b[RESULT_LABEL_SIZE];
    point_format(&a->answer, answer_a, sizeof answer_a);
    point_format(&b->answer, answer_b, sizeof answer_b);
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0 &&
           strcmp(answer_a, answer_b) == 0;
}

static bool has_time(const Row *row) {
    return row->status == CELL_OK;
}

typedef const char *(*Label)(const Row *row);

static const char *base_label(const Row *row) {
    return row->base;
}

static const char *best_cpu_label(const Row *row) {
    return row->best_cpu;
}

static const char *throttle_label(const Row *row) {
    return row->throttle;
}

static bool seen_before(const Results *results, size_t first, size_t index, Label label) {
    for (size_t i = first; i < index; i++) {
        if (has_time(&results->rows[i]) && same_table(&results->rows[i], &results->rows[index]) &&
            strcmp(label(&results->rows[i]), label(&results->rows[index])) == 0) {
            return true;
        }
    }
    return false;
}

/* "base: seq (1 thread)": every different label of the table, in the order of the rows. */
static void print_labels(FILE *stream, const Results *results, size_t first, const char *title,
                         Label label) {
    bool any = false;
    for (size_t i = first; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!has_time(row) || !same_table(row, &results->rows[first]) || label(row)[0] == '\0' ||
            seen_before(results, first, i, label)) {
            continue;
        }
        fputs(any ? ", " : title, stream);
        text_visible_print(stream, label(row));
        any = true;
    }
    if (any) {
        fputc('\n', stream);
    }
}

static void print_rows(FILE *stream, const Algorithm *algorithm, const TextRow *text,
                       size_t count) {
    TextColumn columns[TABLE_COLUMN_COUNT];
    char rate_title[TEXT_TABLE_CELL_SIZE];
    memcpy(columns, table_columns, sizeof columns);
    snprintf(rate_title, sizeof rate_title, "%ss/s",
             algorithm->item != NULL ? algorithm->item : "");
    columns[COLUMN_RATE].title = rate_title;
    text_table_print(stream, columns, TABLE_COLUMN_COUNT, text, count);
}

static void print_table(FILE *stream, const Results *results, size_t first, TextRow *text) {
    const Row *head = &results->rows[first];
    char answer[RESULT_LABEL_SIZE];
    point_format(&head->answer, answer, sizeof answer);
    size_t count = 0;
    for (size_t i = first; i < results->count; i++) {
        if (has_time(&results->rows[i]) && same_table(&results->rows[i], head)) {
            fill_row(&results->rows[i], &text[count++]);
        }
    }
    fputc('\n', stream);
    visible_line(stream, "%s on %s%s%s, %s caches", head->algorithm->name, head->input,
                 answer[0] != '\0' ? ", " : "", answer, head->cold ? "cold" : "hot");
    print_rows(stream, head->algorithm, text, count);
    print_labels(stream, results, first, "base: ", base_label);
    print_labels(stream, results, first, "best CPU, by size: ", best_cpu_label);
    console_legend_print(stream, results, first, same_table);
    print_labels(stream, results, first, "clock held down by: ", throttle_label);
    console_complexity_print(stream, results, first, same_table);
}

static bool starts_table(const Results *results, size_t index) {
    if (!has_time(&results->rows[index])) {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (has_time(&results->rows[i]) && same_table(&results->rows[i], &results->rows[index])) {
            return false;
        }
    }
    return true;
}

static void print_totals(FILE *stream, const RunRecord *record, const Results *results) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < results->count; i++) {
        counts[results->rows[i].status]++;
    }
    fprintf(stream, "\n%zu cells: %zu ok, %zu skipped, %zu failed", results->count, counts[CELL_OK],
            counts[CELL_SKIP], counts[CELL_FAIL]);
    if (!record->complete) {
        fprintf(stream, "; incomplete, %zu were planned", record->planned);
    }
    fputc('\n', stream);
}

void report_console(FILE *stream, const RunRecord *record, const Results *results) {
    TextRow *text = calloc(results->count + 1, sizeof *text);
    for (size_t i = 0; text != NULL && i < results->count; i++) {
        if (starts_table(results, i)) {
            print_table(stream, results, i, text);
        }
    }
    free(text);
    console_reasons_print(stream, results, CELL_FAIL, "Failed");
    console_reasons_print(stream, results, CELL_SKIP, "Skipped");
    print_totals(stream, record, results);
}
