/* Markdown as GitHub reads it: written out by hand, text by text. */
#include "document.h"
#include "document_fixture.h"
#include "markup_text.h"
#include "report.h"
#include "report_internal.h"
#include "test.h"

EACH_TEST(make_document, release_document);

static void expect_text(const char *given, const char *expected, bool cell) {
    FILE *stream = test_stream();
    (cell ? markdown_cell_text : markdown_text)(stream, given);
    char *text = test_text(stream);
    assert_string_equal(text, expected);
}

TEST(nothing_in_a_text_is_markup, NULL) {
    static const struct {
        const char *given, *expected;
    } cases[] = {
        {"plain, 5 x 3 - 2 = 13.", "plain, 5 x 3 - 2 = 13."},
        {"cuda_naive and _this_", "cuda_naive and \\_this\\_"},
        {"a*b `code` [x](y) <b> ~~z~~ \\ $x$",
         "a\\*b \\`code\\` \\[x\\](y) &lt;b> \\~\\~z\\~\\~ \\\\ \\$x\\$"},
        {"R&D, a & b, &amp;", "R&amp;D, a & b, &amp;amp;"},
        {"# not a heading", "\\# not a heading"},
        {"> not a quote", "\\> not a quote"},
        {"- not an item", "\\- not an item"},
        {"+ nor this", "\\+ nor this"},
        {"-5 degrees", "-5 degrees"},
        {"--- no rule", "\\--- no rule"},
        {"12. not a list", "12\\. not a list"},
        {"1) nor this", "1\\) nor this"},
        {"12.5 ms", "12.5 ms"},
        {"two\n# lines", "two # lines"},
        {"  around  ", "around"},
        {"a | b", "a | b"},
        {"", ""},
        {"Łódź × 2", "Łódź × 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_text(cases[i].given, cases[i].expected, false);
    }
    expect_text("a | b\n\nc", "a \\| b<br>c", true);
}

TEST(tables_have_one_heading) {
    Document *document = test_state;
    const DocTable *table = nasty_table(document);
    assert_ok(markdown_table_write(table, test_path("t.md")));
    expect_file("t.md", "**Times of 100 % & \"more\" in µs**\n"
                        "\n"
                        "| size #1 | Time (ms): measured | Time (ms): published | machine |\n"
                        "| --- | --: | --: | --- |\n"
                        "| 512×512\\|a | **1.50** | 9.9 | "
                        "\\[C:\\\\x_y\\] \\~{\\$5} ^2 &lt;i7> 中 Łódź é ü ń |\n"
                        "| \\*wild\\*<br>line | *not run* | ***wrong*** | „so“ — it's --quick… |\n"
                        "\n"
                        "Mean of 15 runs; a_b ± 1, 10⁻⁷ ≤ x ≤ 2²\n");
}

TEST(blocks_stand_apart) {
    Document *document = test_state;
    document_heading(document, 2, "First");
    document_add(document, BLOCK_PARAGRAPH, "Some\nwords.");
    document_add(document, BLOCK_ITEM, "one");
    document_add(document, BLOCK_ITEM, "two");
    document_add(document, BLOCK_WARNING, "hot");
    document_heading(document, 4, "Deep");
    document_add(document, BLOCK_CODE, "a ``` b\n  c");
    document_add(document, BLOCK_CODE, "bench run\n");
    assert_ok(markdown_write(document, test_path("r.md"), NULL));
    expect_file("r.md", "# A \\*study\\* of # & &lt;times>\n"
                        "\n## First\n"
                        "\nSome words.\n"
                        "\n- one\n- two\n"
                        "\n> **Warning:** hot\n"
                        "\n#### Deep\n"
                        "\n<pre><code>a &#96;&#96;&#96; b\n  c\n</code></pre>\n"
                        "\n```\nbench run\n```\n");
}

static void add_chart(Document *document) {
    DocChart *chart = document_chart(document, "lbp-time", "Times [ms]");
    chart->description = document_text(document, "Time falls.");
    ChartSeries *series = chart_series(document, chart, "seq", SERIES_MEASURED, 0);
    chart_point(document, series, &(ChartPoint){.x = 2, .y = 3, .low = NAN, .high = NAN});
}

TEST(charts_are_pictures_where_there_are_some) {
    Document *document = test_state;
    add_chart(document);
    assert_int_equal(mkdir(test_path("my figures"), 0700), 0);
    test_write("my figures/lbp-time.svg", "<svg/>");
    assert_ok(markdown_write(document, test_path("r.md"), "my figures"));
    expect_file("r.md", "# A \\*study\\* of # & &lt;times>\n"
                        "\n![Times \\[ms\\]](my%20figures/lbp-time.svg)\n"
                        "\nTime falls.\n");
}

TEST(charts_are_tables_elsewhere) {
    Document *document = test_state;
    static const char expected[] =
        "# A \\*study\\* of # & &lt;times>\n"
        "\n**Times \\[ms\\]**\n"
        "\n| series | x | y |\n| --- | --: | --: |\n| seq | 2 | 3.000 |\n"
        "\nTime falls.\n";
    add_chart(document);
    assert_ok(markdown_write(document, test_path("r.md"), "figures"));
    expect_file("r.md", expected);
    assert_ok(markdown_write(document, test_path("r.md"), NULL));
    expect_file("r.md", expected);
}

TEST(failures_leave_no_file) {
    Document *document = test_state;
    assert_int_equal(markdown_write(document, test_path("missing/r.md"), NULL).code, STATUS_FILE);
    document->failed = true;
    assert_int_equal(markdown_write(document, test_path("r.md"), NULL).code, STATUS_FAIL);
    assert_int_equal(scratch_count(test_folder), 0);
}
