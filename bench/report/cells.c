/* The section of all cells. */

#include "document.h"
#include "report_internal.h"
#include "results.h"
#include "run_record.h"
#include "table.h"
#include "variant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "text.h"

enum { CELL_SIZE = 512 };

/* A cell about to be added; `text` empty: there is nothing. */
typedef struct CellDraft {
    const struct CellColumn *column;
    const Results *results;
    const TimeUnit *unit;
    char text[CELL_SIZE], note[CELL_SIZE];
    double number;
    CellKind kind;
} CellDraft;

typedef struct CellColumn {
    const char *group, *title; /* %s in the title is the unit of time */
    bool numeric;
    void (*fill)(const Row *row, CellDraft *draft);
    TimeKind kind; /* of a time or a ratio */
    SpeedupOver over;
} CellColumn;

/* --- What the columns show -------------------------------------------------------------------- */

static bool is_ok(const Row *row) {
    return row->status == CELL_OK;
}

/* On the CPU end-to-end times are kernel times again. */
static bool repeats_kernel(const Row *row, const CellDraft *draft) {
    return draft->column->kind == TIME_END_TO_END && row_is_on_cpu(row);
}

static void fill_variant(const Row *row, CellDraft *draft) {
    snprintf(draft->text, sizeof draft->text, "%s", row->variant->name);
    if (is_ok(row) && row->best_tuning && row->tuning.count > 0) {
        const Winner winner = results_best_tuning(draft->results, row);
        char ties[CELL_SIZE / 2];
        winner_ties_text(&winner, ties, sizeof ties);
        snprintf(draft->note, sizeof draft->note,
                 "the fastest tuning of its variant at this size%s", ties);
        draft->kind = CELL_STRONG;
    }
}

static void fill_size(const Row *row, CellDraft *draft) {
    size_short(row, draft->text);
    size_words(row, draft->note);
    draft->number = row_size(row);
}

static void fill_tuning(const Row *row, CellDraft *draft) {
    point_words(&row->tuning, ALL_AXES, draft->text, sizeof draft->text);
    if (row->tuning.count == 1 && row->tuning.axes[0]->kind == AXIS_INTEGER) {
        draft->number = (double)row->tuning.values[0].number;
    }
}

static void fill_threads(const Row *row, CellDraft *draft) {
    if (is_ok(row) && row->threads > 0) {
        snprintf(draft->text, sizeof draft->text, "%d", row->threads);
        draft->number = row->threads;
    }
}

/* Its column is left out where every cell is ok. */
static void fill_status(const Row *row, CellDraft *draft) {
    if (!is_ok(row)) {
        const bool failed = row->status == CELL_FAIL;
        snprintf(draft->text, sizeof draft->text, "%s", failed ? "failed" : "skipped");
        snprintf(draft->note, sizeof draft->note, "%s", row->why);
        draft->kind = failed ? CELL_BAD : CELL_MISSING;
    }
}

static void fill_seconds(double seconds, CellDraft *draft) {
    if (isfinite(seconds)) {
        significant_text(seconds / draft->unit->seconds, REPORT_DIGITS, draft->text);
        draft->number = seconds;
    }
}

static void fill_median(const Row *row, CellDraft *draft) {
    const Summary *summary = row_summary(row, draft->column->kind);
    char ends[REPORT_TEXT_SIZE];
    double low, high;
    if (repeats_kernel(row, draft)) {
        return;
    }
    fill_seconds(row_seconds(row, draft->column->kind), draft);
    summary_range(summary, &low, &high);
    interval_text(low / draft->unit->seconds, high / draft->unit->seconds, ends);
    if (ends[0] != '\0') {
        char words[NUMBER_WORDS_SIZE];
        row_interval_text(row, words);
        snprintf(draft->note, sizeof draft->note, "%s: %s %s, %zu samples", words, ends,
                 draft->unit->name, summary->count);
    }
}

static void fill_upload(const Row *row, CellDraft *draft) {
    fill_seconds(repeats_kernel(row, draft) ? (double)NAN : row->upload, draft);
}

static void fill_download(const Row *row, CellDraft *draft) {
    fill_seconds(repeats_kernel(row, draft) ? (double)NAN : row->download, draft);
}

static void fill_ratio(const Row *row, CellDraft *draft) {
    const Ratio ratio = row_ratio(row, draft->column->over, draft->column->kind);
    char ends[REPORT_TEXT_SIZE];
    if (!is_ok(row) || !isfinite(ratio.value) || repeats_kernel(row, draft)) {
        return;
    }
    significant_text(ratio.value, REPORT_DIGITS, draft->text);
    interval_text(ratio.low, ratio.high, ends);
    snprintf(draft->note, sizeof draft->note, "over %s",
             draft->column->over == OVER_SEQ        ? row->base
             : draft->column->over == OVER_BEST_CPU ? row->best_cpu
                                                    : row->best_peer);
    if (ends[0] != '\0') {
        char words[NUMBER_WORDS_SIZE];
        row_interval_text(row, words);
        text_append(draft->note, sizeof draft->note, ", %s: %s", words, ends);
    }
    draft->number = ratio.value;
}

static void fill_roof(const Row *row, CellDraft *draft) {
    if (is_ok(row) && isfinite(row->roof_fraction)) {
        significant_text(100.0 * row->roof_fraction, REPORT_DIGITS, draft->text);
        snprintf(draft->note, sizeof draft->note, "of %s, bound by %s", row->roof, row->bound);
        draft->number = row->roof_fraction;
    }
}

static void fill_samples(const Row *row, CellDraft *draft) {
    if (is_ok(row)) {
        const size_t count = row->kernel_summary.count;
        snprintf(draft->text, sizeof draft->text, "%zu", count);
        snprintf(draft->note, sizeof draft->note,
                 "%zu run%s a sample; outliers: %zu mild, %zu severe, none left out", row->batch,
                 row->batch == 1 ? "" : "s", row->outliers_mild, row->outliers_severe);
        draft->number = (double)count;
    }
}

static void fill_remarks(const Row *row, CellDraft *draft) {
    for (size_t i = 0; is_ok(row) && i < NOISE_MARKS; i++) {
        if (noise_mark_applies(&noise_marks[i], row)) {
            name_list_add(draft->text, sizeof draft->text, noise_marks[i].name);
        }
    }
    if (is_ok(row) && row->agreement < 1.0) {
        name_list_add(draft->text, sizeof draft->text, "agrees in part");
    }
    if (is_ok(row) && !row->verified) {
        name_list_add(draft->text, sizeof draft->text, "not verified");
    }
}

static const CellColumn columns[] = {
    {NULL, "variant", false, .fill = fill_variant},
    {NULL, "size", false, .fill = fill_size},
    {NULL, "tuning", false, .fill = fill_tuning},
    {NULL, "threads", true, .fill = fill_threads},
    {NULL, "status", false, .fill = fill_status},
    {"kernel", "time (%s)", true, .fill = fill_median, .kind = TIME_KERNEL},
    {"kernel", "over seq", true, .fill = fill_ratio, .kind = TIME_KERNEL, .over = OVER_SEQ},
    {"kernel", "over best CPU", true, .fill = fill_ratio, .kind = TIME_KERNEL,
     .over = OVER_BEST_CPU},
    {"kernel", "over best other code", true, .fill = fill_ratio, .kind = TIME_KERNEL,
     .over = OVER_PEER},
    {"kernel", "roof (%%)", true, .fill = fill_roof},
    {"with copies", "time (%s)", true, .fill = fill_median, .kind = TIME_END_TO_END},
    {"with copies", "over seq", true, .fill = fill_ratio, .kind = TIME_END_TO_END,
     .over = OVER_SEQ},
    {"with copies", "over best CPU", true, .fill = fill_ratio, .kind = TIME_END_TO_END,
     .over = OVER_BEST_CPU},
    {"with copies", "upload (%s)", true, .fill = fill_upload, .kind = TIME_END_TO_END},
    {"with copies", "download (%s)", true, .fill = fill_download, .kind = TIME_END_TO_END},
    {NULL, "samples", true, .fill = fill_samples},
    {NULL, "remarks", false, .fill = fill_remarks},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/* --- The table -------------------------------------------------------------------------------- */

static CellDraft draft_of(const Results *results, const Row *row, size_t column,
                          const TimeUnit *unit) {
    CellDraft draft = {.column = &columns[column], .results = results, .unit = unit, .number = NAN};
    columns[column].fill(row, &draft);
    return draft;
}

static bool is_used(const Results *results, size_t column, const TimeUnit *unit) {
    for (size_t i = 0; i < results->count; i++) {
        if (draft_of(results, &results->rows[i], column, unit).text[0] != '\0') {
            return true;
        }
    }
    return false;
}

static void open_columns(const RunPage *page, DocTable *table, const TimeUnit *unit,
                         bool used[COLUMN_COUNT]) {
    group_columns(page, table);
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        used[i] = is_used(page->results, i, unit);
        if (used[i]) {
            char title[64];
            snprintf(title, sizeof title, columns[i].title, unit->name);
            table_column(page->document, table,
                         &(DocColumn){.title = title,
                                      .group = columns[i].group,
                                      .numeric = columns[i].numeric});
        }
    }
}

static void add_row(const RunPage *page, DocTable *table, const Row *row, const TimeUnit *unit,
                    const bool used[COLUMN_COUNT]) {
    group_cells(page, table, row);
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (used[i]) {
            const CellDraft draft = draft_of(page->results, row, i, unit);
            table_cell(page->document, table,
                       &(DocCell){.text = draft.text,
                                  .number = draft.number,
                                  .note = draft.note[0] != '\0' ? draft.note : NULL,
                                  .kind = draft.kind});
        }
    }
}

static void add_cells(const RunPage *page) {
    enum { OPEN_ROWS_MAX = 100 };
    const Results *results = page->results;
    TimeRange range = {.count = 0};
    bool used[COLUMN_COUNT];
    document_heading(page->document, 2, "All cells");
    for (size_t i = 0; i < results->count; i++) {
        time_range_add(&range, row_seconds(&results->rows[i], TIME_KERNEL));
    }
    const TimeUnit unit = time_unit(&range);
    DocTable *table = document_table(page->document, "cells", "Every cell of the run");
    open_columns(page, table, &unit, used);
    for (size_t i = 0; i < results->count; i++) {
        add_row(page, table, &results->rows[i], &unit, used);
    }
    table->sortable = true;
    table->collapsed = table->row_count > OPEN_ROWS_MAX;
    table->note = document_text(
        page->document,
        "Medians; the interval in a cell's note is %s. Strong: the fastest tuning of a variant "
        "at its size. Columns in which no cell has anything are left out.",
        run_interval_words(page));
}

void page_cells(const RunPage *page) {
    const RunPage all = page_of_rows(page);
    add_cells(&all);
}
