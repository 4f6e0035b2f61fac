/* Two runs made by hand, with times whose ratios are plain, and the document of their difference.
 */
#ifndef TESTS_BENCH_REPORT_DIFF_FIXTURE_H
#define TESTS_BENCH_REPORT_DIFF_FIXTURE_H

#include "command_line.h"
#include "document.h"
#include "machine.h"
#include "report.h"
#include "report_fixture.h"
#include "results.h"
#include "table.h"
#include "test.h"
#include "text.h"

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
        const int place = 4 * i % SAMPLES - SAMPLES / 2; /* neighbours are not alike */
        const double seconds = milliseconds * 1e-3 * (1 + 0.001 * place);
        assert_ok(samples_add(&row.kernel, seconds));
        assert_ok(samples_add(&row.end_to_end, 2 * seconds));
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    return row;
}

static inline void add(StoredRun *run, Row row) {
    assert_ok(results_add(&run->results, &row));
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

/* Each sample of a row of one launch becomes one of a launch of its own. */
static inline void use_launches(StoredRun *run) {
    for (size_t i = 0; i < run->results.count; i++) {
        Row *row = &run->results.rows[i];
        Samples *const kinds[] = {&row->kernel, &row->end_to_end};
        Summary *const summaries[] = {&row->kernel_summary, &row->end_to_end_summary};
        for (size_t kind = 0; kind < 2 && samples_launches(kinds[kind]) == 1; kind++) {
            for (size_t j = 0; j < kinds[kind]->count; j++) {
                kinds[kind]->origins[j].launch = (uint32_t)j;
            }
            assert_ok(summarize(kinds[kind], summaries[kind]));
        }
    }
    results_derive(&run->results, 1);
}

/* Takes both runs. */
static inline Report build_two(StoredRun a, StoredRun b) {
    Report report = {.stored = a, .other = b};
    const ReportRun runs[] = {{.stored = &report.stored, .name = "old"},
                              {.stored = &report.other, .name = "new"}};
    use_launches(&report.stored);
    use_launches(&report.other);
    document_open(&report.document, "Old and new");
    report_build(runs, 2, &report.document);
    assert_ok(document_status(&report.document));
    return report;
}

/* Fails with all that is said. */
static inline void check_says(const Report *report, const char *fragment) {
    if (!says(report, fragment)) {
        for (size_t i = 0; i < report->document.count; i++) {
            const char *text = report->document.blocks[i].text;
            print_message("%s\n", text != NULL ? text : "");
        }
        fail_msg("'%s' is not said", fragment);
    }
}

static inline void check_cell(const DocTable *table, size_t row, size_t column, const char *text) {
    const DocCell *cell = table_at(table, row, column);
    assert_non_null(cell);
    assert_string_equal(cell->text, text);
}

/* The counts of a row of the summary: cells, B faster, B slower, as fast, undecided. */
static inline const DocTable *check_tally(const Report *report, size_t row, const char *kind,
                                          const char *counts) {
    const DocTable *table = find_table(report, "diff-summary");
    char text[64] = "";
    assert_non_null(table);
    check_cell(table, row, 0, kind);
    for (size_t column = 1; column <= 5; column++) {
        text_append(text, sizeof text, "%s%s", column > 1 ? " " : "",
                    table_at(table, row, column)->text);
    }
    assert_string_equal(text, counts);
    return table;
}

#endif
