#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console_notes.h"
#include "console_reasons.h"
#include "reporters.h"
#include "text_table.h"
#include "visible.h"

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
