/* What is warned of goes by the cells that were measured, in the report of a run and in that of
 * two.
 */
#include "document.h"
#include "report.h"
#include "report_fixture.h"
#include "report_internal.h"
#include "stored_run.h"
#include "test.h"
#include "warnings.h"

/* Four cores that two threads each share; `threads` ran on them, or were to run. */
static StoredRun run_of(const char *variant, int threads, CellStatus status) {
    StoredRun stored = {
        .elapsed = NAN,
        .complete = true,
        .machine = {.count = 2,
                    .facts = {{.key = "cpu_smt", .kind = FACT_TEXT, .text = "on"},
                              {.key = "cpu_cores", .kind = FACT_NUMBER, .number = 4}}}};
    Row row = measured_row(variant, 0.001);
    row.threads = threads;
    row.status = status;
    assert_ok(results_add(&stored.results, &row));
    return stored;
}

static bool warns_of_threads(const StoredRun *stored) {
    Warnings warnings;
    run_warnings(stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        if (strstr(warnings.text[i], "8 threads run on 4 cores") != NULL) {
            return true;
        }
    }
    return false;
}

TEST(only_measured_cells_are_warned_of) {
    RELEASED_BY(stored_run_release) StoredRun busy = run_of("omp", 8, CELL_OK);
    RELEASED_BY(stored_run_release) StoredRun skipped = run_of("omp", 8, CELL_SKIP);
    RELEASED_BY(stored_run_release) StoredRun modest = run_of("omp", 4, CELL_OK);
    assert_true(warns_of_threads(&busy));
    assert_false(warns_of_threads(&skipped));
    assert_false(warns_of_threads(&modest));
}

TEST(both_reports_have_the_warnings) {
    RELEASED_BY(release) Report report = {.stored = run_of("omp", 8, CELL_OK)};
    strcpy(report.stored.input_note, "a.png: 8x4 scaled to 4x4");
    build(&report);
    assert_true(says(&report, "Up to 8 threads run on 4 cores"));
    assert_true(says(&report, "Input a.png: 8x4 scaled to 4x4."));
    document_release(&report.document);
    RELEASED_BY(stored_run_release) StoredRun skipped = run_of("omp", 8, CELL_SKIP);
    const ReportRun runs[] = {{.stored = &report.stored, .name = "a"},
                              {.stored = &skipped, .name = "b"}};
    document_open(&report.document, "two runs");
    report_build(runs, 2, &report.document);
    assert_true(says(&report, "A: up to 8 threads run on 4 cores"));
    assert_false(says(&report, "B: up to 8 threads run on 4 cores"));
    assert_true(says(&report, "A: input a.png: 8x4 scaled to 4x4"));
}
