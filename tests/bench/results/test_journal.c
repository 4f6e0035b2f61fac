/* The journal beside results.json: what is read back, and when it is not looked at. */
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bench/scratch_folder.h"
#include "compare.h"
#include "journal.h"
#include "machine.h"
#include "registry.h"
#include "run_options.h"
#include "run_record.h"
#include "stored_run.h"
#include "test.h"

typedef struct Fixture {
    char json[512], path[512]; /* of the results, and of their journal */
    RunOptions options;
    Machine machine;
    RunRecord record;
    Journal journal;
} Fixture;

static Fixture fixture;

static Row make_row(const char *size, CellStatus status) {
    Row row = row_empty();
    row.algorithm = registry_find_algorithm("lbp");
    row.variant = registry_find_variant(row.algorithm, "seq");
    strcpy(row.input, "texture");
    snprintf(row.size_name, sizeof row.size_name, "%s", size);
    row.width = row.height = 16;
    row.status = status;
    if (status == CELL_OK) {
        row.verified = true;
        samples_add(&row.kernel, 0.5);
        assert_ok(summarize(&row.kernel, &row.kernel_summary));
    }
    return row;
}

/* results.json with one row, "a". */
static void enter(void) {
    fixture = (Fixture){.path = ""};
    scratch_path(test_scratch(), "results.json", fixture.json);
    scratch_path(test_scratch(), "results.json.journal", fixture.path);
    fixture.record = (RunRecord){.options = &fixture.options,
                                 .machine = &fixture.machine,
                                 .started = "2026-01-01T00:00:00Z",
                                 .elapsed = 1.0 / 3};
    fixture.journal = (Journal){.date = fixture.record.started, .elapsed = fixture.record.elapsed};
    Results results = {.rows = NULL};
    Row row = make_row("a", CELL_OK);
    results_add(&results, &row);
    const Status status = report_json(fixture.json, &fixture.record, &results);
    results_release(&results);
    assert_ok(status);
}

static void leave(void) {
    journal_close(&fixture.journal);
}

EACH_TEST(enter, leave);

static void add(const char *size, CellStatus status) {
    RELEASED_BY(row_release) Row row = make_row(size, status);
    assert_ok(journal_add(&fixture.journal, fixture.json, &row));
}

/* Sizes and statuses of the rows, "a+ b-": + is CELL_OK. */
static void expect_rows(const char *want) {
    StoredRun *stored = calloc(1, sizeof *stored);
    char text[128] = "";
    assert_ok(stored_run_read(fixture.json, stored));
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%c", i > 0 ? " " : "",
                 row->size_name, row->status == CELL_OK ? '+' : '-');
    }
    assert_string_equal(text, want);
    stored_run_release(stored);
    free(stored);
}

TEST(rows_of_both_are_read) {
    expect_rows("a+");
    add("b", CELL_OK);
    add("c", CELL_FAIL);
    expect_rows("a+ b+ c-");
    MeasuredRun *run = calloc(1, sizeof *run);
    assert_ok(measured_run_read(fixture.json, run));
    assert_int_equal(run->count, 2);
    measured_run_release(run);
    free(run);
}

TEST(a_later_row_takes_the_place_of_an_earlier_one) {
    add("b", CELL_OK);
    add("a", CELL_FAIL);
    expect_rows("b+ a-");
    add("b", CELL_FAIL);
    expect_rows("a- b-");
}

TEST(a_line_that_was_cut_off_is_no_line) {
    add("b", CELL_OK);
    struct stat whole;
    assert_int_equal(stat(fixture.path, &whole), 0);
    add("c", CELL_OK);
    assert_int_equal(truncate(fixture.path, whole.st_size + 40), 0);
    expect_rows("a+ b+");
    assert_int_equal(truncate(fixture.path, 10), 0);
    expect_rows("a+");
}

TEST(the_journal_of_another_file_is_not_looked_at) {
    fixture.journal.elapsed = 0.5;
    add("b", CELL_OK);
    expect_rows("a+");
    journal_remove(&fixture.journal, fixture.json);
    assert_int_not_equal(access(fixture.path, F_OK), 0);
    fixture.journal = (Journal){.date = "2026-01-01T00:00:01Z", .elapsed = fixture.record.elapsed};
    add("b", CELL_OK);
    expect_rows("a+");
}

/* As by `gzip results.json` after the run was killed. */
TEST(the_journal_of_a_packed_file_is_read) {
    add("b", CELL_OK);
    char *text = test_read("results.json");
    strcat(fixture.json, ".gz");
    gzFile file = gzopen(fixture.json, "wb");
    assert_true(gzwrite(file, text, (unsigned)strlen(text)) > 0);
    assert_int_equal(gzclose(file), Z_OK);
    expect_rows("a+ b+");
}

TEST(a_link_in_its_place_is_not_followed) {
    test_write("victim", "precious");
    assert_int_equal(symlink("victim", fixture.path), 0);
    add("b", CELL_OK);
    char *text = test_read("victim");
    assert_string_equal(text, "precious");
    expect_rows("a+ b+");
}
