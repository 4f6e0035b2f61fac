/* Documents: blocks, identifiers, tables and charts are kept as they were given, and numbers are
 * written with the digits that count. */
#include "document.h"
#include "number.h"
#include "table.h"
#include "test.h"

static void open_document(void) {
    static Document document;
    document_open(&document, "Times");
    test_state = &document;
}

static void release_document(void) {
    document_release(test_state);
}

EACH_TEST(open_document, release_document);

TEST(texts_are_copied) {
    Document *document = test_state;
    char words[] = "as given";
    document_add(document, BLOCK_PARAGRAPH, "%s, %d%%", words, 5);
    document_heading(document, 2, words);
    memset(words, 'x', sizeof words - 1);
    assert_string_equal(document->title, "Times");
    assert_int_equal(document->count, 2);
    assert_int_equal(document->blocks[0].kind, BLOCK_PARAGRAPH);
    assert_string_equal(document->blocks[0].text, "as given, 5%");
    assert_int_equal(document->blocks[1].kind, BLOCK_HEADING);
    assert_string_equal(document->blocks[1].text, "as given");
    assert_string_equal(document_text(document, "%s-%c", "long", 'x'), "long-x");
}

TEST(headings_have_ids_of_their_own) {
    Document *document = test_state;
    static const char *const texts[] = {"Table 1: times", "Table 1 times", "TABLE 1 (times)", "—"};
    static const char *const ids[] = {"table-1-times", "table-1-times-2", "table-1-times-3",
                                      "section"};
    for (size_t i = 0; i < 4; i++) {
        document_heading(document, 3, texts[i]);
        assert_string_equal(document->blocks[i].id, ids[i]);
    }
}

/* Their files have the same names. */
TEST(tables_and_charts_have_names_of_their_own) {
    Document *document = test_state;
    assert_string_equal(document_table(document, "times", "")->name, "times");
    assert_string_equal(document_chart(document, "times", "")->name, "times");
    assert_string_equal(document_table(document, "times", "")->name, "times-2");
    assert_string_equal(document_table(document, "times-2", "")->name, "times-2-2");
    assert_string_equal(document_chart(document, "times", "")->name, "times-2");
    assert_string_equal(document_table(document, "times", "")->name, "times-3");
}

TEST(levels_are_two_to_four) {
    Document *document = test_state;
    document_heading(document, 1, "first");
    document_heading(document, 3, "second");
    document_heading(document, 9, "third");
    assert_int_equal(document->blocks[0].level, 2);
    assert_int_equal(document->blocks[1].level, 3);
    assert_int_equal(document->blocks[2].level, 4);
}

TEST(slugs_are_file_names, NULL) {
    static const struct {
        const char *text, *slug;
    } cases[] = {
        {"LBP 2020", "lbp-2020"},
        {"../etc/passwd", "..-etc-passwd"},
        {"  a  b  ", "a-b"},
        {"cuda_naive", "cuda-naive"},
        {"Größe µm", "gr-e-m"},
        {"", ""},
        {"—", ""},
        {"v1.2", "v1.2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char slug[32];
        document_slug(cases[i].text, slug, sizeof slug);
        assert_string_equal(slug, cases[i].slug);
    }
    char cut[4];
    document_slug("ab cde", cut, sizeof cut);
    assert_string_equal(cut, "ab");
}

/* Rounded by hand. */
TEST(numbers_have_the_digits_that_count, NULL) {
    static const struct {
        double number;
        int digits;
        const char *text;
    } cases[] = {
        {12800, 3, "12800"},
        {12849, 3, "12800"},
        {1234567, 3, "1230000"},
        {0.0925, 3, "0.0925"},
        {0.00001234, 2, "0.000012"},
        {1.2e-7, 2, "1.2e-7"},
        {9.96e-6, 2, "0.000010"},
        {2.5, 3, "2.50"},
        {0, 3, "0"},
        {-3.14159, 4, "-3.142"},
        {999.6, 3, "1000"},
        {58.6, 3, "58.6"},
        {1, 1, "1"},
        {7, 3, "7.00"},
        {0.5, 1, "0.5"},
        {3e20, 2, "3.0e20"},
        {NAN, 3, "—"},
        {INFINITY, 3, "∞"},
        {-INFINITY, 3, "-∞"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIGNIFICANT_SIZE];
        significant_text(cases[i].number, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
    }
}

static DocTable *small_table(Document *document) {
    DocTable *table = document_table(document, "table-1", "Times");
    table_column(document, table, &(DocColumn){.title = "size"});
    table_column(document, table,
                 &(DocColumn){.title = "measured", .group = "Time", .numeric = true});
    table_column(document, table,
                 &(DocColumn){.title = "published", .group = "Time", .numeric = true});
    return table;
}

TEST(tables_keep_their_rows) {
    Document *document = test_state;
    DocTable *table = small_table(document);
    for (int row = 0; row < 100; row++) {
        table_words(document, table, document_text(document, "row %d", row));
        table_number(document, table, row + 0.5, 4);
        table_number(document, table, row == 3 ? NAN : 2.0 * row, 2);
    }
    assert_int_equal(document->blocks[0].kind, BLOCK_TABLE);
    assert_ptr_equal(document->blocks[0].table, table);
    assert_int_equal(table->row_count, 100);
    assert_string_equal(table_at(table, 99, 0)->text, "row 99");
    assert_true(isnan(table_at(table, 99, 0)->number));
    assert_string_equal(table_at(table, 42, 1)->text, "42.50");
    assert_true(table_at(table, 42, 1)->number == 42.5);
    assert_string_equal(table_at(table, 3, 2)->text, "—");
    assert_int_equal(table_at(table, 3, 2)->kind, CELL_MISSING);
    assert_null(table_at(table, 100, 0));
    assert_null(table_at(table, 0, 3));
    assert_null(table_at(NULL, 0, 0));
}

TEST(half_a_row_is_a_row_with_gaps) {
    Document *document = test_state;
    DocTable *table = small_table(document);
    table_words(document, table, "alone");
    assert_int_equal(table->row_count, 1);
    assert_null(table_at(table, 0, 1));
    assert_string_equal(table_text_at(table, 0, 1), "");
}

TEST(groups_span_their_columns) {
    Document *document = test_state;
    DocTable *table = small_table(document);
    assert_true(table_has_groups(table));
    assert_int_equal(table_group_span(table, 0), 1);
    assert_int_equal(table_group_span(table, 1), 2);
    assert_int_equal(table_group_span(table, 2), 1);
    char title[TABLE_TITLE_SIZE];
    table_full_title(&table->columns[1], title);
    assert_string_equal(title, "Time: measured");
    table_full_title(&table->columns[0], title);
    assert_string_equal(title, "size");
}

TEST(charts_have_a_table_behind) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "lbp-time", "Times");
    assert_true(isnan(chart->reference));
    chart->x.title = "size";
    chart->y.title = "time (ms)";
    chart_tick(document, &chart->x, 4e6, "2K");
    ChartSeries *series = chart_series(document, chart, "seq", SERIES_MEASURED, 1);
    chart_point(document, series,
                &(ChartPoint){.x = 1e6, .y = 1.23456, .low = 1, .high = 2, .label = "1K"});
    chart_point(document, series, &(ChartPoint){.x = 4e6, .y = 5, .low = NAN, .high = NAN});
    chart_point(document, series, &(ChartPoint){.x = 16777216, .y = 20, .low = NAN, .high = NAN});
    DocTable *table = chart_table(document, chart);
    assert_int_equal(document->count, 1);
    assert_int_equal(table->column_count, 5);
    assert_int_equal(table->row_count, 3);
    assert_string_equal(table->columns[1].title, "size");
    assert_string_equal(table->columns[2].title, "time (ms)");
    assert_string_equal(table->columns[3].title, "from");
    assert_string_equal(table->columns[4].title, "to");
    assert_string_equal(table_at(table, 0, 0)->text, "seq");
    assert_string_equal(table_at(table, 0, 1)->text, "1K");
    assert_true(table_at(table, 0, 1)->number == 1e6);
    assert_string_equal(table_at(table, 0, 2)->text, "1.235");
    assert_string_equal(table_at(table, 0, 3)->text, "1.000");
    assert_string_equal(table_at(table, 1, 1)->text, "2K");
    assert_int_equal(table_at(table, 1, 4)->kind, CELL_MISSING);
    assert_string_equal(table_at(table, 2, 1)->text, "16777216");
}

TEST(tables_of_charts_without_intervals_have_no_ends) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "c", "c");
    ChartSeries *series = chart_series(document, chart, "s", SERIES_PUBLISHED, -3);
    assert_int_equal(series->colour, 0);
    chart_point(document, series, &(ChartPoint){.x = 1, .y = 2, .low = NAN, .high = NAN});
    assert_int_equal(chart_table(document, chart)->column_count, 3);
}

/* What a document does after memory ran out: nothing, to the end. */
TEST(failure_stays) {
    Document *document = test_state;
    assert_ok(document_status(document));
    DocTable *table = small_table(document);
    document->failed = true;
    assert_int_equal(document_status(document).code, STATUS_FAIL);
    assert_string_equal(document_text(document, "text"), "");
    DocTable *lost = document_table(document, "name", "caption");
    lost->note = "a note";
    table_column(document, lost, &(DocColumn){.title = "t"});
    table_number(document, lost, 1, 1);
    assert_int_equal(lost->column_count + lost->cell_count, 0);
    assert_null(document_chart(document, "name", "title"));
    table_words(document, table, "word");
    assert_int_equal(table->cell_count, 0);
    chart_point(document, chart_series(document, NULL, "s", SERIES_MEASURED, 0),
                &(ChartPoint){.x = 1});
    chart_tick(document, NULL, 1, "one");
    assert_null(chart_table(document, NULL));
    document_heading(document, 2, "heading");
    document_add(document, BLOCK_ITEM, "item");
    assert_int_equal(document->count, 1);
}
