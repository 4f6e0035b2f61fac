/* HTML pages: what text becomes, tables, the frame of a page, and files that cannot be written. */
#include "document.h"
#include "markup.h"
#include "markup_text.h"
#include "report.h"
#include "report_internal.h"
#include "scratch_folder.h"
#include "table.h"
#include "test.h"

static void assert_escaped(const char *plain, const char *expected) {
    FILE *stream = test_stream();
    html_escape(stream, plain);
    assert_string_equal(test_text(stream), expected);
}

TEST(test_escape) {
    assert_escaped("<a href=\"x\">Tom & 'Jerry'</a>",
                   "&lt;a href=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/a&gt;");
    assert_escaped("two\nlines\tand a tab", "two\nlines\tand a tab");
    assert_escaped("Größe × 10⁻³ 😀", "Größe × 10⁻³ 😀");
    assert_escaped("", "");
    assert_escaped(NULL, "");
}

/* What a page may not hold stands there as what it is. */
TEST(test_escape_makes_bytes_harmless) {
    assert_escaped("a\x01z\x1bz\x7fz\r", "a\\x01z\\x1bz\\x7fz\\x0d");
    assert_escaped("\xC2\x85", "\\u0085");                      /* a control of the second kind */
    assert_escaped("\xE2\x80\xAE", "\\u202e");                  /* turns the direction */
    assert_escaped("\xEF\xBF\xBE", "\\ufffe");                  /* U+FFFE */
    assert_escaped("\xC0\xBC", "\\xc0\\xbc");                   /* an overlong '<' */
    assert_escaped("\xED\xA0\x80", "\\xed\\xa0\\x80");          /* half of a pair */
    assert_escaped("\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
    assert_escaped("\xFF\xFE", "\\xff\\xfe");                   /* not UTF-8 */
    assert_escaped("cut \xE2\x82", "cut \\xe2\\x82");           /* ends within a character */
    assert_escaped("\xE2<b>", "\\xe2&lt;b&gt;");                /* and does not eat what follows */
}

/* Releases the document. */
static char *table_markup(Document *document, const DocTable *table) {
    FILE *stream = test_stream();
    assert_ok(document_status(document));
    html_table_write(stream, table);
    document_release(document);
    return test_text(stream);
}

TEST(test_table) {
    Document document;
    document_open(&document, "tables");
    DocTable *table = document_table(&document, "table-1", "Times & more");
    table->note = "Medians of <30>.";
    table_column(&document, table, &(DocColumn){.title = "size"});
    table_column(&document, table, &(DocColumn){.title = "ms", .numeric = true});
    table_column(&document, table, &(DocColumn){.title = "why"});
    table_words(&document, table, "4K");
    table_cell(&document, table,
               &(DocCell){.text = "0.25", .number = 0.25, .note = "0.24 to \"0.26\""});
    table_words(&document, table, "");
    table_words(&document, table, "8K");
    table_cell(&document, table,
               &(DocCell){.text = "not run", .number = NAN, .kind = CELL_MISSING});
    table_words(&document, table, "a sentence needs some room");
    char *text = table_markup(&document, table);
    assert_string_equal(
        text,
        "<figure class=\"table\">\n"
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Times &amp; more\">\n"
        "<table class=\"fixed\">\n"
        "<caption><span>Times &amp; more</span></caption>\n"
        "<thead>\n"
        "<tr><th scope=\"col\">size</th><th scope=\"col\" class=\"n\">ms</th>"
        "<th scope=\"col\">why</th></tr>\n"
        "</thead>\n"
        "<tbody>\n"
        "<tr><th scope=\"row\">4K</th><td class=\"n\" data-value=\"0.25\" tabindex=\"0\" "
        "title=\"0.24 to &quot;0.26&quot;\">0.25</td><td></td></tr>\n"
        "<tr><th scope=\"row\">8K</th><td class=\"n missing\">not run</td>"
        "<td class=\"long\">a sentence needs some room</td></tr>\n"
        "</tbody>\n"
        "</table>\n"
        "</div>\n"
        "<p class=\"note\">Medians of &lt;30&gt;.</p>\n"
        "</figure>\n");
}

/* A number breaks before its interval, and before no other brackets. */
TEST(test_intervals_break) {
    Document document;
    document_open(&document, "A document");
    DocTable *table = document_table(&document, "t", "");
    table_column(&document, table, &(DocColumn){.title = "of", .numeric = true});
    const char *text = "2.00× faster (1.50 to 2.50)";
    table_cell(&document, table,
               &(DocCell){.text = text, .first = strlen("2.00× faster"), .number = 2});
    table_words(&document, table, "3 (of 4)");
    char *markup = table_markup(&document, table);
    assert_says(markup, "<span class=\"nb\">2.00× faster</span> "
                        "<span class=\"nb\">(1.50 to 2.50)</span>");
    assert_says(markup, ">3 (of 4)<");
}

TEST(test_groups_of_columns) {
    Document document;
    document_open(&document, "tables");
    DocTable *table = document_table(&document, "table-1", "Groups");
    table->sortable = true;
    table_column(&document, table, &(DocColumn){.title = "size"});
    table_column(&document, table, &(DocColumn){.title = "seq", .group = "ms", .numeric = true});
    table_column(&document, table, &(DocColumn){.title = "omp", .group = "ms", .numeric = true});
    table_column(&document, table, &(DocColumn){.title = "omp", .group = "speedup"});
    char *text = table_markup(&document, table);
    assert_has(text, "<table class=\"sortable\">");
    assert_has(text, "<colgroup span=\"1\"></colgroup><colgroup span=\"2\"></colgroup>"
                     "<colgroup span=\"1\"></colgroup><thead>\n"
                     "<tr><th scope=\"col\" rowspan=\"2\">size</th>"
                     "<th scope=\"colgroup\" colspan=\"2\">ms</th>"
                     "<th scope=\"colgroup\" colspan=\"1\">speedup</th></tr>\n"
                     "<tr><th scope=\"col\" class=\"n\">seq</th>"
                     "<th scope=\"col\" class=\"n\">omp</th><th scope=\"col\">omp</th></tr>\n");
    assert_has(text, "<td colspan=\"4\" class=\"missing\">nothing to show</td>");
}

/* 1 of 4 and 3 of 4; what is no number has no share. */
TEST(test_kinds_and_shares) {
    Document document;
    document_open(&document, "tables");
    DocTable *table = document_table(&document, "table-1", "Shares");
    table->shaded = true;
    table->collapsed = true;
    for (int i = 0; i < 4; i++) {
        table_column(&document, table, &(DocColumn){.title = "n", .numeric = true});
    }
    table_cell(&document, table, &(DocCell){.text = "1", .number = 1, .kind = CELL_STRONG});
    table_cell(&document, table, &(DocCell){.text = "3", .number = 3, .kind = CELL_BAD});
    table_cell(&document, table, &(DocCell){.text = "0", .number = 0, .kind = CELL_FAINT});
    table_cell(&document, table, &(DocCell){.text = "-", .number = NAN});
    char *text = table_markup(&document, table);
    assert_has(text, "<details><summary>Shares (1 row)</summary>");
    assert_has(text, "</details>\n</figure>");
    assert_has(text, "<table class=\"fixed shaded\">");
    assert_has(text, "<tr><td class=\"n strong\" data-value=\"1\" style=\"--share:0.250\">"
                     "<strong>1</strong></td>"
                     "<td class=\"n bad\" data-value=\"3\" style=\"--share:0.750\">3</td>"
                     "<td class=\"n faint\" data-value=\"0\">0</td>"
                     "<td class=\"n\">-</td></tr>");
}

TEST(test_chart_has_legend_and_data) {
    Document document;
    document_open(&document, "charts");
    DocChart *chart = document_chart(&document, "times", "Times");
    chart->description = "Rising & falling";
    ChartSeries *series = chart_series(&document, chart, "<seq>", SERIES_MEASURED, 1);
    chart_point(&document, series, &(ChartPoint){.x = 1, .y = 2.5, .low = 2, .high = 3});
    series = chart_series(&document, chart, "twin", SERIES_MEASURED, 3);
    chart_point(&document, series, &(ChartPoint){.x = 1, .y = 2.5, .low = 2, .high = 3});
    series->same_as = 1;
    series = chart_series(&document, chart, "roof", SERIES_CEILING, 2);
    chart_point(&document, series, &(ChartPoint){.x = 1, .y = 9, .low = NAN, .high = NAN});
    const size_t blocks = document.count;
    FILE *stream = test_stream();
    const Status status = html_chart_write(stream, chart);
    const char *text = test_text(stream);
    assert_ok(status);
    assert_int_equal(document.count, blocks);
    document_release(&document);
    assert_has(text, "<figcaption>Times</figcaption>");
    assert_int_equal(count_of(text, "<li data-series="), 2);
    assert_has(text, "<li data-series=\"1\"><svg class=\"swatch c3 measured same\"");
    assert_has(text, "</svg>twin = &lt;seq&gt;</li>");
    assert_has(text, "<li data-series=\"0\"><svg class=\"swatch c1 measured\"");
    assert_has(text, "</svg>&lt;seq&gt;</li>");
    assert_has(text, "<details class=\"data\"><summary>Data</summary>\n"
                     "<p>Rising &amp; falling</p>\n<figure class=\"table\">");
    assert_has(text, "<th scope=\"row\">&lt;seq&gt;</th>");
}

static void build_page(Document *document) {
    document_open(document, "A & B");
    document_add(document, BLOCK_PARAGRAPH, "First, 1 < 2.");
    document_heading(document, 2, "Results");
    document_heading(document, 3, "Inner");
    document_add(document, BLOCK_ITEM, "one");
    document_add(document, BLOCK_ITEM, "two");
    document_add(document, BLOCK_WARNING, "Look!");
    document_heading(document, 2, "Results");
    document_add(document, BLOCK_CODE, "a <b\n  c");
    for (int i = 0; i < 2; i++) {
        document_chart(document, i == 0 ? "one" : "two", "Empty");
    }
}

TEST(test_page) {
    Document document;
    build_page(&document);
    const Status status = html_write(&document, test_path("page.html"));
    assert_string_equal(status.why, "");
    document_release(&document);
    char *text = test_read("page.html");
    assert_int_equal(strncmp(text, "<!doctype html>\n<html lang=\"en\">\n", 33), 0);
    assert_has(text, "<meta charset=\"utf-8\">");
    assert_has(text, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    assert_has(text, "<title>A &amp; B</title>");
    assert_int_equal(count_of(text, "<h1>"), 1);
    assert_has(text, "<a class=\"skip\" href=\"#Main\">");
    /* The contents name sections alone, and the second of a name has an id of its own. */
    assert_has(text, "<ol>\n<li><a href=\"#results\">Results</a></li>\n"
                     "<li><a href=\"#results-2\">Results</a></li>\n</ol>\n</nav>");
    assert_has(text, "<main id=\"Main\">\n<p>First, 1 &lt; 2.</p>\n"
                     "<section aria-labelledby=\"results\">\n<h2 id=\"results\">Results<a ");
    assert_has(text, "<h3 id=\"inner\">Inner<a ");
    assert_has(text, "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
                     "<p class=\"warning\" role=\"note\"><strong>Note:</strong> Look!</p>\n"
                     "</section>\n<section aria-labelledby=\"results-2\">");
    assert_has(text, "<pre tabindex=\"0\"><code>a &lt;b\n  c</code></pre>\n"
                     "<div class=\"charts\">\n<figure class=\"chart\">");
    assert_int_equal(count_of(text, "<div class=\"charts\">"), 1);
    assert_has(text, page_style);
    assert_has(text, page_script);
}

/* Nothing that a browser would load: the policy forbids it, and nothing asks for it. */
TEST(test_page_loads_nothing) {
    Document document;
    build_page(&document);
    html_write(&document, test_path("page.html"));
    document_release(&document);
    char *text = test_read("page.html");
    assert_has(text, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    static const char *const ways[] = {"http:", "https:", "//cdn", " src=",  "@import",
                                       "url(",  "fetch(", "<img",  "<iframe"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        assert_lacks(text, ways[i]);
    }
}

/* The end of the element would end the script or the style for the browser. */
TEST(test_script_and_style_end_where_they_should) {
    assert_lacks(page_script, "</script");
    assert_lacks(page_script, "<!--");
    assert_lacks(page_style, "</style");
}

TEST(test_a_page_that_cannot_be_written) {
    RELEASED_BY(document_release) Document document;
    build_page(&document);
    char path[512];
    scratch_path(test_scratch(), "nowhere/page.html", path);
    Status status = html_write(&document, path);
    assert_int_equal(status.code, STATUS_FILE);
    assert_has(status.why, "nowhere/page.html");

    scratch_path(test_scratch(), "page.html", path);
    document.failed = true;
    status = html_write(&document, path);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_int_equal(scratch_count(test_folder), 0);
}
