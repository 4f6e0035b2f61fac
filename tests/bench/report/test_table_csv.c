/* Tables as CSV: read back field by field, and numbers in full. */
#include "csv.h"
#include "document.h"
#include "document_fixture.h"
#include "report_internal.h"
#include "status_checks.h"
#include "table.h"
#include "test.h"

EACH_TEST(make_document, release_document);

TEST(fields_are_quoted_where_they_must_be) {
    Document *document = test_state;
    DocTable *table = document_table(document, "t", "caption");
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table, &(DocColumn){.title = "ms, \"min\"", .group = "Time"});
    table_words(document, table, "a,b");
    table_words(document, table, "two\nlines");
    table_cell(document, table, &(DocCell){.text = NULL, .number = NAN});
    table_words(document, table, "plain");
    assert_ok(table_csv_write(table, test_path("t.csv")));
    expect_file("t.csv", "size,\"Time: ms, \"\"min\"\"\"\n\"a,b\",\"two\nlines\"\n,plain\n");
}

TEST(numbers_are_in_full) {
    Document *document = test_state;
    DocTable *table = document_table(document, "t", "caption");
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table, &(DocColumn){.title = "ms", .numeric = true});
    table_cell(document, table, &(DocCell){.text = "4K", .number = 8294400});
    table_number(document, table, 12.3456789, 3);
    table_words(document, table, "8K");
    table_cell(document, table, &(DocCell){.text = "not run", .number = NAN, .kind = CELL_MISSING});
    assert_ok(table_csv_write(table, test_path("t.csv")));
    expect_file("t.csv", "size,ms\n4K,12.3456789\n8K,not run\n");
}

TEST(nasty_texts_are_read_back) {
    Document *document = test_state;
    DocTable *table = nasty_table(document);
    assert_ok(table_csv_write(table, test_path("t.csv")));
    char *text = test_read("t.csv"), *cursor = text;
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
}

TEST(a_folder_that_is_not_there_is_said) {
    Document *document = test_state;
    assert_status(table_csv_write(nasty_table(document), test_path("missing/t.csv")), STATUS_FILE,
                  "missing/t.csv");
}
