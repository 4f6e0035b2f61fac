/* All rows of a run: a table for each question, notes, cells without a time. */

#include "algorithm.h"
#include "machine.h"
#include "number.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "spread_files.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "variant.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Rows that belong together ================================================================ */

typedef bool (*Alike)(const Row *a, const Row *b);

static bool occurs_before(const RowList *list, size_t index, Alike alike) {
    for (size_t i = 0; i < index; i++) {
        if (alike(list->rows[i], list->rows[index])) {
            return true;
        }
    }
    return false;
}

static size_t count_alike(const RowList *list, const Row *row, Alike alike) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        count += alike(list->rows[i], row);
    }
    return count;
}

static bool same_reason_and_variant(const Row *a, const Row *b) {
    return row_same_reason(a, b) && a->algorithm == b->algorithm && a->variant == b->variant;
}

/* === Notes below a table ====================================================================== */

/* One line with the outliers where there are any. */
static void print_outliers(FILE *stream, const RowList *table) {
    size_t mild = 0, severe = 0, samples = 0;
    for (size_t i = 0; i < table->count; i++) {
        const Row *row = table->rows[i];
        mild += row->outliers_mild;
        severe += row->outliers_severe;
        samples += row->kernel.count;
    }
    if (mild + severe > 0) {
        fprintf(stream, "outliers: %zu mild, %zu severe of %zu samples; none is left out\n", mild,
                severe, samples);
    }
}

/* "time ~ pixels^1.02 [1.00, 1.04], 95% of 6 launches" for each variant of the table measured at
 * enough sizes. */
static void print_complexity(FILE *stream, const RowList *table) {
    for (size_t i = 0; i < table->count; i++) {
        const Row *row = table->rows[i];
        if (isfinite(row->exponent) && !occurs_before(table, i, row_same_growth)) {
            const char *item = row->algorithm->item != NULL ? row->algorithm->item : "item";
            const LaunchRange launches = {.least = row->exponent_launches,
                                          .most = row->exponent_launches};
            char words[96] = "95% of the fit";
            if (row->exponent_launches > 0) {
                interval_words(&launches, words, sizeof words);
            }
            fprintf(stream, "%s: time ~ %ss^%.2f [%.2f, %.2f], %s\n", row->variant->name, item,
                    row->exponent, row->exponent_low, row->exponent_high, words);
        }
    }
}

/* "base: seq (1 thread)": every different label of the table. `label` is its offset in a row. */
static void print_labels(FILE *stream, const RowList *table, const char *title, size_t label) {
    bool any = false;
    for (size_t i = 0; i < table->count; i++) {
        const char *text = (const char *)table->rows[i] + label;
        size_t first = 0;
        while (strcmp((const char *)table->rows[first] + label, text) != 0) {
            first++;
        }
        if (text[0] != '\0' && first == i) {
            fputs(any ? ", " : title, stream);
            text_visible_print(stream, text);
            any = true;
        }
    }
    if (any) {
        fputc('\n', stream);
    }
}

/* Writes "omp/threads:16 (tied with 8)" to a text of 2 * RESULT_LABEL_SIZE bytes. */
static void write_best_cpu(const Results *results, const Row *row, char *text) {
    const Winner winner = results_best_cpu(results, row);
    char ties[RESULT_LABEL_SIZE] = "";
    if (winner.row != NULL) {
        winner_ties_text(&winner, ties, sizeof ties);
    }
    snprintf(text, (size_t)2 * RESULT_LABEL_SIZE, "%s%s", row->best_cpu, ties);
}

/* "best CPU, by size: omp/threads:16 (tied with 8), omp/threads:2": in the order of the table, a
 * text that repeats the last one is not printed again. */
static void print_best_cpu(FILE *stream, const Results *results, const RowList *table) {
    char before[2 * RESULT_LABEL_SIZE] = "";
    for (size_t i = 0; i < table->count; i++) {
        char text[2 * RESULT_LABEL_SIZE];
        write_best_cpu(results, table->rows[i], text);
        if (table->rows[i]->best_cpu[0] != '\0' && strcmp(text, before) != 0) {
            fputs(before[0] != '\0' ? ", " : "best CPU, by size: ", stream);
            text_visible_print(stream, text);
            memcpy(before, text, sizeof before);
        }
    }
    if (before[0] != '\0') {
        fputc('\n', stream);
    }
}

/* === Cells without a time ===================================================================== */

/* One line for each reason, however many cells share it. */

/* "lbp/cuda_naive (7), lbp/cuda_tiled (28)" */
static void print_variants(FILE *stream, const RowList *all, const Row *reason) {
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        const Row *row = all->rows[i];
        if (row_same_reason(row, reason) && !occurs_before(all, i, same_reason_and_variant)) {
            fprintf(stream, "%s%s/%s (%zu)", any ? ", " : "      ", row->algorithm->name,
                    row->variant->name, count_alike(all, row, same_reason_and_variant));
            any = true;
        }
    }
    fputc('\n', stream);
}

/* Which cells failed, at what size and point: a line each, up to so many. */
static void print_cells(FILE *stream, const RowList *all, const Row *reason) {
    enum { SHOWN = 6 };
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        char name[CELL_NAME_SIZE];
        if (row_same_reason(all->rows[i], reason) && count++ < SHOWN) {
            row_name(all->rows[i], name, sizeof name);
            visible_line(stream, "      %s", name);
        }
    }
    if (count > SHOWN) {
        fprintf(stream, "      and %zu more\n", count - SHOWN);
    }
}

static void print_reason(FILE *stream, const RowList *all, const Row *row) {
    const char *why = row->why[0] != '\0' ? row->why : "no reason was given";
    const size_t count = count_alike(all, row, row_same_reason);
    if (count == 1) {
        char name[512];
        row_name(row, name, sizeof name);
        visible_line(stream, "  %s: %s", name, why);
    } else {
        visible_line(stream, "  %zu cells: %s", count, why);
        (row->status == CELL_FAIL ? print_cells : print_variants)(stream, all, row);
    }
}

void cells_print_reasons(FILE *stream, const RowList *all, CellStatus status, const char *title) {
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        if (all->rows[i]->status == status && !occurs_before(all, i, row_same_reason)) {
            if (!any) {
                fprintf(stream, "\n%s:\n", title);
            }
            any = true;
            print_reason(stream, all, all->rows[i]);
        }
    }
}

/* === Tables =================================================================================== */

/* Four significant digits; empty for what was not measured. */
static void put_number(TextTable *table, double number) {
    char text[SIGNIFICANT_SIZE] = "";
    if (isfinite(number)) {
        measured_text(number, 4, text);
    }
    text_table_put_kind(table, CELL_PLAIN, text);
}

static void put_times(TextTable *table, double ratio) {
    char text[SIGNIFICANT_SIZE];
    times_text(ratio, text);
    text_table_put_kind(table, CELL_PLAIN, text);
}

/* "2.31 T" items a second. Empty for pixels, whose rate the column GB/s gives: a column that is
 * empty in every row is not printed. */
static void put_rate(TextTable *table, const Row *row) {
    char text[NUMBER_WORDS_SIZE] = "";
    if (row->algorithm->item != NULL && !row_counts_pixels(row) &&
        isfinite(row->items_per_second)) {
        amount_text(row->items_per_second, "", text, sizeof text);
    }
    text_table_put(table, "%s", text);
}

/* "0.210 to 0.311": the interval of the median, or with a few launches the least and the greatest
 * of their medians. The title of the column says which. */
static void put_range(TextTable *table, const Row *row) {
    double low, high;
    char marks[CONSOLE_MARKS_SIZE], from[SIGNIFICANT_SIZE] = "", to[SIGNIFICANT_SIZE] = "";
    row_marks(row, marks);
    summary_range(&row->kernel_summary, &low, &high);
    if (isfinite(low) && isfinite(high)) {
        measured_text(low * 1e3, 4, from);
        measured_text(high * 1e3, 4, to);
    }
    text_table_put(table, "%s%s%s%s", from, from[0] != '\0' ? " to " : "", to,
                   marks + (from[0] == '\0' && marks[0] == ' '));
}

static void put_percent(TextTable *table, double share, int digits) {
    char text[SIGNIFICANT_SIZE];
    percent_text(share, digits, text);
    text_table_put(table, "%s", text);
}

/* How far launches are from each other: those of the run, or with one launch those that the
 * self-test has measured on this machine of cells like this one; NULL where that is not known. */
static const Spread *spread_of_machine(const LaunchSpread *spread, const Row *row) {
    const Summary *summary = &row->kernel_summary;
    return summary->launches > 1 || spread == NULL
               ? NULL
               : launch_spread_find(spread, row->threads, summary->median);
}

static void put_spread(TextTable *table, const LaunchSpread *of_machine, const Row *row) {
    const Spread *stored = spread_of_machine(of_machine, row);
    const double spread = stored != NULL ? stored->value : row->kernel_summary.launch_spread;
    if (isfinite(spread)) {
        put_percent(table, spread, spread < 0.1 ? 1 : 0);
    } else {
        text_table_put(table, "%s", row->kernel.count > 0 ? "?" : "");
    }
}

static void put_verified(TextTable *table, const Row *row) {
    if (row->verified && row->agreement < 1.0) {
        put_percent(table, row->agreement, 2);
    } else {
        text_table_put(table, row->verified ? "yes" : "no");
    }
}

static void add_row(TextTable *table, const LaunchSpread *spread, const Row *row, bool peers) {
    char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->tuning, tuning, sizeof tuning);
    text_table_put(table, "%s", row->variant->name);
    text_table_put(table, "%s", row->size_name);
    text_table_put(table, "%.40s", tuning);
    put_number(table, row->kernel_summary.median * 1e3);
    put_range(table, row);
    put_spread(table, spread, row);
    put_rate(table, row);
    put_number(table, row->bytes_per_second * 1e-9);
    put_percent(table, row->roof_fraction, 1);
    put_times(table, row->speedup);
    put_times(table, row->speedup_vs_best_cpu);
    if (peers) {
        put_times(table, row->speedup_vs_best_peer);
    }
    put_number(table, row->end_to_end_summary.median * 1e3);
    put_times(table, row->speedup_end_to_end);
    put_times(table, row->speedup_end_to_end_vs_best_cpu);
    put_verified(table, row);
}

/* Without memory the table is left out; the totals below still count its rows. */
static void print_rows(FILE *stream, const LaunchSpread *spread, const RowList *rows) {
    const char *item = rows->rows[0]->algorithm->item;
    char rate_title[64], range_title[96];
    LaunchRange range = {.most = 0};
    bool peers = false;
    for (size_t i = 0; i < rows->count; i++) {
        launch_range_add_summary(&range, &rows->rows[i]->kernel_summary);
        peers |= rows->rows[i]->best_peer[0] != '\0';
    }
    interval_words(&range, range_title, sizeof range_title);
    snprintf(rate_title, sizeof rate_title, "%ss/s", item != NULL ? item : "");
    DocColumn columns[16];
    size_t count = 0;
    const DocColumn known[] = {{.title = "variant"},
                               {.title = "size"},
                               {.title = "tuning"},
                               {.title = "kernel ms", .numeric = true},
                               {.title = range_title},
                               {.title = "run to run", .numeric = true},
                               {.title = rate_title, .numeric = true},
                               {.title = "GB/s", .numeric = true},
                               {.title = "roof", .numeric = true},
                               {.title = "vs base", .numeric = true},
                               {.title = "vs CPU", .numeric = true},
                               {.title = peers ? "vs others" : NULL, .numeric = true},
                               {.title = "with copies ms", .numeric = true},
                               {.title = "vs base", .numeric = true},
                               {.title = "vs CPU", .numeric = true},
                               {.title = "verified"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        columns[count] = known[i];
        count += known[i].title != NULL;
    }
    TextTable table = text_table_start(columns, count);
    for (size_t i = 0; i < rows->count; i++) {
        add_row(&table, spread, rows->rows[i], peers);
    }
    text_table_show(&table, stream);
}

/* What the column "run to run" is. Spreads of the machine may be of several days: the first. */
static void print_spread(FILE *stream, const LaunchSpread *spread, const RowList *table) {
    bool of_run = false, unknown = false;
    const char *measured = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const Row *row = table->rows[i];
        const Spread *stored = spread_of_machine(spread, row);
        if (stored != NULL && (measured == NULL || strcmp(stored->measured, measured) < 0)) {
            measured = stored->measured;
        }
        of_run |= isfinite(row->kernel_summary.launch_spread);
        unknown |=
            stored == NULL && !isfinite(row->kernel_summary.launch_spread) && row->kernel.count > 0;
    }
    if (of_run) {
        fputs("run to run: standard deviation of the launches' logarithms\n", stream);
    }
    if (measured != NULL) {
        visible_line(
            stream,
            "run to run: of launches of cells like these on this machine ('bench machine selftest "
            "--launches', %.10s); not in the interval",
            measured);
    }
    if (unknown) {
        fputs("run to run ?: not known; 'bench machine selftest --launches' measures it\n", stream);
    }
}

/* "other people's code: opencv: OpenCV 5.0.0; skimage: scikit-image 0.26.0, another definition (…)"
 */
static void print_peers(FILE *stream, const RowList *table) {
    char text[1024] = "";
    for (size_t i = 0; i < table->count; i++) {
        const Row *row = table->rows[i];
        bool first = row->peer;
        for (size_t j = 0; j < i && first; j++) {
            first = table->rows[j]->variant != row->variant;
        }
        if (first) {
            text_append(text, sizeof text, "%s%s: %s", text[0] != '\0' ? "; " : "",
                        row->variant->name, row->library);
            if (row->another_definition[0] != '\0') {
                text_append(text, sizeof text, ", another definition (%s)",
                            row->another_definition);
            }
        }
    }
    if (text[0] != '\0') {
        flow_line(stream, 2, "other people's code: %s", text);
    }
}

static void print_table(FILE *stream, const Results *results, const LaunchSpread *spread,
                        const RowList *table) {
    const Row *head = table->rows[0];
    char answer[RESULT_LABEL_SIZE];
    point_format(&head->answer, answer, sizeof answer);
    fputc('\n', stream);
    flow_line(stream, 2, "%s on %s%s%s, %s caches", head->algorithm->name, head->input,
              answer[0] != '\0' ? ", " : "", answer, head->cold ? "cold" : "hot");
    print_rows(stream, spread, table);
    print_spread(stream, spread, table);
    print_labels(stream, table, "base: ", offsetof(Row, base));
    print_best_cpu(stream, results, table);
    print_peers(stream, table);
    row_marks_explain(stream, table);
    print_outliers(stream, table);
    print_labels(stream, table, "held back by: ", offsetof(Row, throttle));
    print_complexity(stream, table);
}

/* `table` has room for the measured rows. */
static void print_tables(FILE *stream, const Results *results, const LaunchSpread *spread,
                         const RowList *measured, RowList *table) {
    for (size_t i = 0; i < measured->count; i++) {
        if (occurs_before(measured, i, row_same_answer)) {
            continue;
        }
        table->count = 0;
        for (size_t j = i; j < measured->count; j++) {
            if (row_same_answer(measured->rows[j], measured->rows[i])) {
                table->rows[table->count++] = measured->rows[j];
            }
        }
        print_table(stream, results, spread, table);
    }
}

void cells_print_totals(FILE *stream, const RunRecord *record, const Results *results) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < results->count; i++) {
        counts[results->rows[i].status]++;
    }
    fprintf(stream, "%zu %s: %zu ok, %zu skipped, %zu failed", results->count,
            plural(results->count, "cell", "cells"), counts[CELL_OK], counts[CELL_SKIP],
            counts[CELL_FAIL]);
    if (!record->complete && results->count < record->planned) {
        fprintf(stream, "; incomplete, %zu were planned", record->planned);
    } else if (!record->complete) {
        fputs("; incomplete, launches are missing", stream);
    }
    fputc('\n', stream);
}

void report_rows(FILE *stream, const RunRecord *record, const Results *results,
                 const RowList *rows) {
    const Row **places = calloc(2 * rows->count + 1, sizeof *places);
    if (places != NULL) {
        RowList measured = {.rows = places};
        for (size_t i = 0; i < rows->count; i++) {
            if (rows->rows[i]->status == CELL_OK) {
                measured.rows[measured.count++] = rows->rows[i];
            }
        }
        print_tables(stream, results, record->machine != NULL ? &record->machine->spread : NULL,
                     &measured, &(RowList){.rows = places + rows->count});
        cells_print_reasons(stream, rows, CELL_FAIL, "Failed");
        cells_print_reasons(stream, rows, CELL_SKIP, "Skipped");
    }
    free(places);
    fputc('\n', stream);
    cells_print_totals(stream, record, results);
}

RowList results_all(const Results *results) {
    RowList all = {.rows = calloc(results->count + 1, sizeof *all.rows)};
    for (size_t i = 0; all.rows != NULL && i < results->count; i++) {
        all.rows[all.count++] = &results->rows[i];
    }
    return all;
}

void report_console(FILE *stream, const RunRecord *record, const Results *results) {
    const RowList all = results_all(results);
    report_rows(stream, record, results, &all);
    free(all.rows);
}
