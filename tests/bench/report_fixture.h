/* Reports of recorded runs, and looking into them. */
#ifndef TESTS_BENCH_REPORT_FIXTURE_H
#define TESTS_BENCH_REPORT_FIXTURE_H

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "sample_results.h"
#include "stored_run.h"
#include "test.h"

typedef struct Report {
    StoredRun stored, other; /* `other`: the second of two runs */
    Document document;
} Report;

static inline void build(Report *report) {
    const ReportRun run = {.stored = &report->stored, .name = "run"};
    document_open(&report->document, "a run");
    report_build(&run, 1, &report->document);
    assert_ok(document_status(&report->document));
}

static inline void release(Report *report) {
    document_release(&report->document);
    stored_run_release(&report->stored);
    stored_run_release(&report->other);
}

static inline Report recorded(const char *name) {
    Report report = {.stored = {.elapsed = NAN}};
    char folder[512], path[512];
    snprintf(folder, sizeof folder, "%s/tests/data/h200/%s", BENCH_SOURCE_DIR, name);
    assert_ok(stored_run_path(folder, path, sizeof path));
    assert_ok(stored_run_read(path, &report.stored));
    results_derive(&report.stored.results, 1);
    build(&report);
    return report;
}

static inline const DocTable *find_table(const Report *report, const char *name) {
    for (size_t i = 0; i < report->document.count; i++) {
        const Block *block = &report->document.blocks[i];
        if (block->kind == BLOCK_TABLE && strcmp(block->table->name, name) == 0) {
            return block->table;
        }
    }
    return NULL;
}

/* It is there, with so many rows. */
static inline const DocTable *table_of(const Report *report, const char *name, size_t rows) {
    const DocTable *table = find_table(report, name);
    assert_non_null(table);
    assert_int_equal(table->row_count, rows);
    return table;
}

static inline const DocChart *find_chart(const Report *report, const char *name) {
    for (size_t i = 0; i < report->document.count; i++) {
        const Block *block = &report->document.blocks[i];
        if (block->kind == BLOCK_CHART && strcmp(block->chart->name, name) == 0) {
            return block->chart;
        }
    }
    return NULL;
}

static inline size_t count_blocks(const Report *report, BlockKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < report->document.count; i++) {
        count += report->document.blocks[i].kind == kind;
    }
    return count;
}

/* Whether a block of text has these words. */
static inline bool says(const Report *report, const char *words) {
    for (size_t i = 0; i < report->document.count; i++) {
        const char *text = report->document.blocks[i].text;
        if (text != NULL && strstr(text, words) != NULL) {
            return true;
        }
    }
    return false;
}

static inline size_t find_column(const DocTable *table, const char *group, const char *title) {
    for (size_t i = 0; i < table->column_count; i++) {
        const DocColumn *column = &table->columns[i];
        const bool same_group = group == NULL
                                    ? column->group == NULL
                                    : column->group != NULL && strcmp(column->group, group) == 0;
        if (same_group && strcmp(column->title, title) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static inline const DocCell *cell(const DocTable *table, size_t row, const char *group,
                                  const char *title) {
    assert_non_null(table);
    const size_t column = find_column(table, group, title);
    assert_true(column != SIZE_MAX);
    const DocCell *found = table_at(table, row, column);
    assert_non_null(found);
    return found;
}

/* The row whose cell of that column has the text; SIZE_MAX when there is none. */
static inline size_t find_row(const DocTable *table, const char *title, const char *text) {
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(cell(table, i, NULL, title)->text, text) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static inline const ChartSeries *find_series(const DocChart *chart, const char *name) {
    for (size_t i = 0; i < chart->count; i++) {
        if (strcmp(chart->series[i].name, name) == 0) {
            return &chart->series[i];
        }
    }
    return NULL;
}

#endif
