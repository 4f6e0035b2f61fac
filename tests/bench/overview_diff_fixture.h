/* Two runs made by hand, with times whose ratios are plain, and the document of their difference.
 */
#ifndef TESTS_BENCH_OVERVIEW_DIFF_FIXTURE_H
#define TESTS_BENCH_OVERVIEW_DIFF_FIXTURE_H

#include "base.h"
#include "machine.h"
#include "report_internal.h"
#include "results.h"
#include "sample_results.h"

enum { SAMPLES = 9 };

/* --- Runs made by hand ------------------------------------------------------------------------ */

/* Verified at side × side pixels; the samples lie 0.1% apart around `milliseconds`, their median.
 */
static inline Row timed_row(const char *variant, int side, double milliseconds) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = row.best_tuning = true;
    row.width = row.height = side;
    snprintf(row.size_name, sizeof row.size_name, "%dx%d", side, side);
    for (int i = 0; i < SAMPLES; i++) {
        const double seconds = milliseconds * 1e-3 * (1 + 0.001 * (i - SAMPLES / 2));
        assert_int_equal(samples_add(&row.kernel, seconds).code, STATUS_OK);
        assert_int_equal(samples_add(&row.end_to_end, 2 * seconds).code, STATUS_OK);
    }
    assert_int_equal(summarize(&row.kernel, &row.kernel_summary).code, STATUS_OK);
    assert_int_equal(summarize(&row.end_to_end, &row.end_to_end_summary).code, STATUS_OK);
    return row;
}

static inline void add(StoredRun *run, Row row) {
    assert_int_equal(results_add(&run->results, &row).code, STATUS_OK);
}

static inline void add_fact(Machine *machine, const char *key, const char *text) {
    Fact *fact = &machine->facts[machine->count++];
    *fact = (Fact){.kind = FACT_TEXT, .identity = true};
    snprintf(fact->key, sizeof fact->key, "%s", key);
    snprintf(fact->text, sizeof fact->text, "%s", text);
}

/* One millisecond at 100 pixels and 100 at 10000 for seq; `device` milliseconds at both for a
 * device. */
static inline StoredRun plain_run(const char *gpu, double device) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add_fact(&run.machine, "cpu_model", "Test CPU");
    add_fact(&run.machine, "gpu_model", gpu);
    add(&run, timed_row("seq", 10, 1));
    add(&run, timed_row("seq", 100, 100));
    add(&run, timed_row("cuda_fast", 10, device));
    add(&run, timed_row("cuda_fast", 100, device));
    results_derive(&run.results, 1);
    return run;
}

typedef struct Built {
    StoredRun a, b;
    Document document;
} Built;

/* Takes both runs. */
static inline Built build(StoredRun a, StoredRun b) {
    Built built = {.a = a, .b = b};
    document_open(&built.document, "Old and new");
    const OverviewRun left = {.stored = &built.a, .name = "old"};
    const OverviewRun right = {.stored = &built.b, .name = "new"};
    overview_diff_build(&left, &right, &built.document);
    assert_int_equal(document_status(&built.document).code, STATUS_OK);
    return built;
}

static inline void release(Built *built) {
    document_release(&built->document);
    stored_run_release(&built->a);
    stored_run_release(&built->b);
}

static inline bool says(const Built *built, const char *fragment) {
    for (size_t i = 0; i < built->document.count; i++) {
        const char *text = built->document.blocks[i].text;
        if (text != NULL && strstr(text, fragment) != NULL) {
            return true;
        }
    }
    return false;
}

/* Fails with all that is said. */
static inline void check_says(const Built *built, const char *fragment) {
    if (!says(built, fragment)) {
        for (size_t i = 0; i < built->document.count; i++) {
            const char *text = built->document.blocks[i].text;
            print_message("%s\n", text != NULL ? text : "");
        }
        fail_msg("'%s' is not said", fragment);
    }
}

static inline const DocTable *find_table(const Built *built, const char *name) {
    for (size_t i = 0; i < built->document.count; i++) {
        const Block *block = &built->document.blocks[i];
        if (block->kind == BLOCK_TABLE && strcmp(block->table->name, name) == 0) {
            return block->table;
        }
    }
    return NULL;
}

static inline const DocChart *find_chart(const Built *built, const char *name) {
    for (size_t i = 0; i < built->document.count; i++) {
        const Block *block = &built->document.blocks[i];
        if (block->kind == BLOCK_CHART && strcmp(block->chart->name, name) == 0) {
            return block->chart;
        }
    }
    return NULL;
}

static inline void check_cell(const DocTable *table, size_t row, size_t column, const char *text) {
    const DocCell *cell = table_at(table, row, column);
    assert_non_null(cell);
    assert_string_equal(cell->text, text);
}

#endif
