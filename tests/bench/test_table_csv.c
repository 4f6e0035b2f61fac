/* Tables as CSV: read back field by field, and numbers in full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"
#include "document_fixture.h"
#include "report_internal.h"

static void fields_are_quoted_where_they_must_be(void **state) {
    DocumentFixture *fixture = *state;
    Document *document = &fixture->document;
    DocTable *table = document_table(document, "t", "caption");
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table, &(DocColumn){.title = "ms, \"min\"", .group = "Time"});
    table_words(document, table, "a,b");
    table_words(document, table, "two\nlines");
    table_cell(document, table, &(DocCell){.text = NULL, .number = NAN});
    table_words(document, table, "plain");
    assert_int_equal(table_csv_write(table, fixture_path(fixture, "t.csv")).code, STATUS_OK);
    expect_file(fixture, "t.csv",
                "size,\"Time: ms, \"\"min\"\"\"\n\"a,b\",\"two\nlines\"\n,plain\n");
}

static void numbers_are_in_full(void **state) {
    DocumentFixture *fixture = *state;
    Document *document = &fixture->document;
    DocTable *table = document_table(document, "t", "caption");
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table, &(DocColumn){.title = "ms", .numeric = true});
    table_cell(document, table, &(DocCell){.text = "4K", .number = 8294400});
    table_number(document, table, 12.3456789, 3);
    table_words(document, table, "8K");
    table_cell(document, table, &(DocCell){.text = "not run", .number = NAN, .kind = CELL_MISSING});
    assert_int_equal(table_csv_write(table, fixture_path(fixture, "t.csv")).code, STATUS_OK);
    expect_file(fixture, "t.csv", "size,ms\n4K,12.3456789\n8K,not run\n");
}

static void nasty_texts_are_read_back(void **state) {
    DocumentFixture *fixture = *state;
    DocTable *table = nasty_table(&fixture->document);
    assert_int_equal(table_csv_write(table, fixture_path(fixture, "t.csv")).code, STATUS_OK);
    char *text = scratch_read(&fixture->folder, "t.csv"), *cursor = text;
    CsvRecord record;
    assert_true(csv_next_record(&cursor, &record));
    assert_int_equal(record.count, 4);
    assert_string_equal(record.fields[1], "Time (ms): measured");
    assert_true(csv_next_record(&cursor, &record));
    assert_string_equal(record.fields[0], "512×512|a");
    assert_string_equal(record.fields[1], "1.5");
    assert_true(csv_next_record(&cursor, &record));
    assert_string_equal(record.fields[0], "*wild*\nline");
    assert_string_equal(record.fields[2], "wrong");
    assert_false(csv_next_record(&cursor, &record));
    free(text);
}

static void a_folder_that_is_not_there_is_said(void **state) {
    DocumentFixture *fixture = *state;
    const Status status =
        table_csv_write(nasty_table(&fixture->document), fixture_path(fixture, "missing/t.csv"));
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "missing/t.csv"));
}

int main(void) {
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_fixture, remove_fixture)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(fields_are_quoted_where_they_must_be),
        WITH_FIXTURE(numbers_are_in_full),
        WITH_FIXTURE(nasty_texts_are_read_back),
        WITH_FIXTURE(a_folder_that_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
