/* Texts that come from outside, hostile ones, through every writer. What a writer makes of them is
 * judged by others' rules and held against what it makes of a harmless text. */
#include <ctype.h>

#include <cjson/cJSON.h>

#include "bench/compare_fixture.h"
#include "bench/sample_results.h"
#include "bench/strict_text.h"
#include "command_line.h"
#include "compare.h"
#include "confusion.h"
#include "descriptors_internal.h"
#include "document.h"
#include "files.h"
#include "layout.h"
#include "machine.h"
#include "needs.h"
#include "report.h"
#include "report_internal.h"
#include "results.h"
#include "results_internal.h"
#include "run_options.h"
#include "run_record.h"
#include "svg.h"
#include "table.h"
#include "test.h"
#include "text.h"
#include "utf8.h"

static const char harmless[] = "name";

static char very_long[5001];

static const char *const payloads[] = {
    "Größe 中文 😀.png",
    "\x01\x02\x07\x08\x0b\x0c\x0e\x1f\x7f",
    "\x1b[2J\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;cHduZWQ=\x07",
    "\x1bP+q544e\x1b\\",
    "\xc2\x9b"
    "2J\xc2\x9d"
    "0;x\xc2\x9c",
    "\xff\xfe.png",
    "\xc0\xafslash\xe0\x80\xaf",
    "\xf8\x88\x80\x80\x80",
    "\xed\xa0\x80half",
    "\xed\xbf\xbfhalf",
    "\xf4\x90\x80\x80"
    "beyond",
    "cut \xc3",
    "cut \xe2\x82",
    "cut \xf0\x9f\x98",
    "\xe2\x82<b>",
    "\xe2\x80\xae"
    "gnp\xe2\x80\xac\xe2\x81\xa6x\xe2\x81\xa9",
    "line\xe2\x80\xa8paragraph\xe2\x80\xa9",
    "\xef\xb7\x90\xef\xbf\xbe\xef\xbf\xbf",
    "]]>",
    "]]]]>>",
    "<![CDATA[",
    "<!--",
    "-->",
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</svg><svg onload=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "'><b onclick='x'>",
    "&lt;&#60;&amp;",
    "&",
    "'tis.png",
    "''",
    "'''.png",
    "\"",
    "\"\"\"",
    "`touch pwned`",
    "$(touch pwned)",
    "'; system 'touch pwned' #",
    "\"; system(\"touch pwned\"); print \"",
    "|touch pwned",
    "<touch pwned",
    "| a | b |\n|---|",
    "\n\n# heading\n",
    "a\r\n::error::x",
    "tab\there",
    "%s %d %n %",
    "50%",
    "100%g.png",
    "{/Symbol a}@^_~&{",
    "a_{b}^c",
    "back\\slash\\",
    "\\n\\\\",
    "\\input{/etc/passwd}",
    "\\immediate\\write18{touch pwned}",
    "$\\catcode`\\%=12$",
    "100% #1 & x_y^2 ~ {} $",
    "=cmd|/C calc!A0",
    "+1",
    "-1",
    "@SUM(1)",
    "#comment",
    "[x](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "```\n<script>alert(1)</script>\n```",
    "*a* _b_ ~~c~~ **d**",
    "1. item",
    "---",
    "a,b:c,d:2",
    "../../etc/passwd",
    "/absolute",
    "..",
    ".",
    "",
    " ",
    very_long,
};
enum { PAYLOADS = sizeof payloads / sizeof *payloads };

/* --- Writing ---------------------------------------------------------------------------------- */

typedef char *(*Writer)(const char *payload);

/* What was written to a file of the test's folder. */
static char *written(Status status, const char *name) {
    assert_ok(status);
    return scratch_read(test_scratch(), name);
}

static char *write_line(const char *payload) {
    FILE *stream = test_stream();
    visible_line(stream, "%s is left out: %s", payload, payload);
    return test_text(stream);
}

static char *write_error(const char *payload) {
    FILE *stream = test_stream();
    const Status status = status_make(STATUS_FILE, "%.40s: %s", payload, payload);
    visible_line(stream, "bench: %s", status.why);
    return test_text(stream);
}

static char *write_cells(const char *payload) {
    static const DocColumn columns[] = {{.title = "left"}, {.title = "right", .numeric = true}};
    TextTable table = text_table_start(columns, 2);
    text_table_put(&table, "%s", payload);
    text_table_put(&table, "x%s", payload);
    FILE *stream = test_stream();
    assert_string_equal(text_table_end(&table, stream, table_print).why, "");
    return test_text(stream);
}

static char *write_progress(const char *payload) {
    Progress progress;
    FILE *stream = fopen(test_path("progress"), "w");
    assert_non_null(stream);
    progress_start(&progress, stream, 2, 2, false);
    progress_show(&progress, payload, &(ProgressKnown){payload, payload});
    progress_warning(&progress, payload, payload);
    progress_note(&progress, payload);
    progress_end(&progress);
    fclose(stream);
    return scratch_read(test_scratch(), "progress");
}

/* A measured and a skipped cell: every text of a row that a stored run may bring. */
static Results results_of(const char *payload) {
    Results results = {.rows = NULL};
    Row row = measured_row("seq", 0.001);
    utf8_copy(row.input, sizeof row.input, payload);
    utf8_copy(row.size_name, sizeof row.size_name, payload);
    utf8_copy(row.base, sizeof row.base, payload);
    utf8_copy(row.best_cpu, sizeof row.best_cpu, payload);
    utf8_copy(row.roof, sizeof row.roof, payload);
    utf8_copy(row.bound, sizeof row.bound, payload);
    utf8_copy(row.device, sizeof row.device, payload);
    utf8_copy(row.throttle, sizeof row.throttle, payload);
    utf8_copy(row.verified_by, sizeof row.verified_by, payload);
    Row skipped = sample_row("cuda_naive");
    utf8_copy(skipped.input, sizeof skipped.input, payload);
    utf8_copy(skipped.why, sizeof skipped.why, payload);
    assert_ok(results_add(&results, &row));
    assert_ok(results_add(&results, &skipped));
    return results;
}

static const RunRecord *record_of(const char *payload) {
    static RunRecord record;
    static RunOptions options;
    static Machine machine;
    static char *argv[] = {"--input", NULL, NULL};
    record = *sample_record();
    machine = *record.machine;
    options = *record.options;
    argv[1] = (char *)payload;
    options.arguments = (ArgumentList){.argc = 2, .argv = argv};
    machine.count = 1;
    utf8_copy(machine.facts[0].text, sizeof machine.facts[0].text, payload);
    record.machine = &machine;
    record.options = &options;
    record.warnings.count = 1;
    utf8_copy(record.warnings.text[0], sizeof record.warnings.text[0], payload);
    return &record;
}

static char *write_console(const char *payload) {
    RELEASED_BY(results_release) Results results = results_of(payload);
    FILE *stream = test_stream();
    report_console(stream, record_of(payload), &results);
    return test_text(stream);
}

static char *write_results_csv(const char *payload) {
    Results results = results_of(payload);
    const Status status = report_csv(test_path("results.csv"), record_of(payload), &results);
    results_release(&results);
    return written(status, "results.csv");
}

static char *write_results_json(const char *payload) {
    Results results = results_of(payload);
    const Status status = report_json(test_path("results.json"), record_of(payload), &results);
    results_release(&results);
    return written(status, "results.json");
}

static DocChart *chart_of(Document *document, const char *payload) {
    DocChart *chart = document_chart(document, "chart", payload);
    chart->description = document_text(document, "%s", payload);
    chart->x.title = chart->y.title = chart->description;
    chart_tick(document, &chart->x, 1, payload);
    chart_tick(document, &chart->y, 2, payload);
    ChartSeries *series = chart_series(document, chart, payload, SERIES_MEASURED, 0);
    const ChartPoint point = {.x = 1, .y = 2, .low = 1, .high = 3, .label = chart->description};
    const ChartPoint other = {.x = 2, .y = 3, .low = NAN, .high = NAN};
    chart_point(document, series, &point);
    chart_point(document, series, &other);
    return chart;
}

static DocTable *table_of(Document *document, const char *payload) {
    DocTable *table = document_table(document, "table", payload);
    const char *copy = document_text(document, "%s", payload);
    const DocColumn left = {.title = copy}, right = {.title = copy, .group = copy, .numeric = true};
    const DocCell cell = {.text = copy, .number = NAN, .note = copy, .kind = CELL_STRONG};
    table_column(document, table, &left);
    table_column(document, table, &right);
    table_words(document, table, payload);
    table_cell(document, table, &cell);
    table->note = copy;
    return table;
}

static Document document_of(const char *payload) {
    Document document;
    document_open(&document, payload);
    document_heading(&document, 2, payload);
    document_add(&document, BLOCK_PARAGRAPH, "%s", payload);
    document_add(&document, BLOCK_ITEM, "%s", payload);
    document_add(&document, BLOCK_WARNING, "%s", payload);
    document_add(&document, BLOCK_CODE, "bench --input %s", payload);
    (void)table_of(&document, payload);
    (void)chart_of(&document, payload);
    return document;
}

static char *write_html(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const Status status = html_write(&document, test_path("page.html"));
    return written(status, "page.html");
}

static char *write_markdown(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const Status status = markdown_write(&document, test_path("page.md"), NULL);
    return written(status, "page.md");
}

static char *write_latex(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const Status status = latex_tables_write(&document, test_path("tables.tex"));
    return written(status, "tables.tex");
}

static char *write_latex_table(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const DocTable *table = table_of(&document, payload);
    const Status status = latex_table_write(table, test_path("table.tex"));
    return written(status, "table.tex");
}

static char *write_document_table(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    FILE *stream = test_stream();
    table_print(stream, table_of(&document, payload));
    return test_text(stream);
}

static char *write_table_csv(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const DocTable *table = table_of(&document, payload);
    const Status status = table_csv_write(table, test_path("table.csv"));
    return written(status, "table.csv");
}

static char *write_figure_csv(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const DocChart *chart = chart_of(&document, payload);
    const Status status = chart_csv_write(chart, test_path("figure.csv"));
    return written(status, "figure.csv");
}

static const FigureStyle figure_style = {.legend = FIGURE_LEGEND_USUAL,
                                         .width = 85,
                                         .font_size = 8,
                                         .formats = FIGURE_SVG | FIGURE_PGF,
                                         .x_range = {NAN, NAN},
                                         .y_range = {NAN, NAN}};

static char *write_figure_script(const char *payload) {
    FigureLayout layout;
    Document document = document_of(payload);
    const DocChart *chart = chart_of(&document, payload);
    Status status = figure_lay_out(&figure_style, chart, &layout);
    status = status_is_ok(&status) ? figure_script_write(&layout, test_path("figure.gp"), "figure")
                                   : status;
    figure_layout_release(&layout);
    document_release(&document);
    return written(status, "figure.gp");
}

static char *write_svg(const char *payload) {
    RELEASED_BY(document_release) Document document = document_of(payload);
    const DocChart *chart = chart_of(&document, payload);
    FILE *stream = test_stream();
    svg_chart_write(stream, chart);
    return test_text(stream);
}

/* Judged once: only its texts change. One cell failed. */
static RecordedPair *pair;

static RecordedPair *compare_marked(void) {
    RecordedPair *marked = compare_recorded("marked_old", "marked_new", false);
    CellJudgement *judgement = &marked->comparison.cells[0].judgement;
    marked->comparison.changes[judgement->change]--;
    marked->comparison.changes[CHANGE_FAILED]++;
    *judgement = judgement_of_failure();
    return marked;
}

static char *write_comparison(CompareFormat format, const char *payload) {
    pair = pair != NULL ? pair : compare_marked();
    for (size_t i = 0; i < pair->comparison.count; i++) {
        pair->comparison.cells[i].name = payload;
    }
    CellJudgement *failed = &pair->comparison.cells[0].judgement;
    utf8_copy(failed->why, sizeof failed->why, payload);
    pair->comparison.missing[0].name = pair->comparison.missing[0].why = payload;
    utf8_copy(pair->comparison.difference, sizeof pair->comparison.difference, payload);
    utf8_copy(pair->before.path, sizeof pair->before.path, payload);
    FILE *stream = test_stream();
    assert_ok(compare_print(stream, format, &pair->comparison, false));
    return test_text(stream);
}

static char *write_compare_table(const char *payload) {
    return write_comparison(COMPARE_TABLE, payload);
}

static char *write_compare_markdown(const char *payload) {
    return write_comparison(COMPARE_MARKDOWN, payload);
}

static char *write_compare_github(const char *payload) {
    return write_comparison(COMPARE_GITHUB, payload);
}

static char *write_compare_junit(const char *payload) {
    return write_comparison(COMPARE_JUNIT, payload);
}

static char *write_compare_json(const char *payload) {
    return write_comparison(COMPARE_JSON, payload);
}

static char *write_chart_name(const char *payload) {
    char name[CHART_NAME_SIZE] = "";
    chart_name_append(name, "lbp");
    chart_name_append(name, payload);
    return test_keep(strdup(name));
}

static char *write_slug(const char *payload) {
    char slug[64];
    document_slug(payload, slug, sizeof slug);
    return test_keep(strdup(slug));
}

static char *write_command_line(const char *payload) {
    char text[COMMAND_LINE_SIZE];
    command_line_text(&record_of(payload)->options->arguments, text, sizeof text);
    return test_keep(strdup(text));
}

/* --- Judging ---------------------------------------------------------------------------------- */

static size_t count_of_sign(const char *text, char sign) {
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == sign;
    }
    return count;
}

/* Lines stay lines. */
static const char *judge_lines(const char *text, const char *plain) {
    return count_of_sign(text, '\n') == count_of_sign(plain, '\n') ? NULL : "has other lines";
}

static const char *judge_json(const char *text, const char *plain) {
    (void)plain;
    cJSON *root = cJSON_ParseWithOpts(text, NULL, true);
    cJSON_Delete(root);
    return root != NULL ? NULL : "is no JSON";
}

/* Fields and records after RFC 4180, comments left out: 1000 × records + fields. */
static size_t csv_shape(const char *text) {
    size_t shape = 0;
    bool quoted = false, comment = false, begins = true;
    for (; *text != '\0'; text++) {
        comment = (comment || (begins && *text == '#')) && (quoted || *text != '\n');
        quoted ^= !comment && *text == '"';
        const bool ends = !quoted && *text == '\n';
        shape += !comment && !quoted && *text == ',' ? 1 : 0;
        shape += ends ? 1000 : 0;
        begins = ends;
    }
    return quoted ? 0 : shape;
}

static const char *judge_csv(const char *text, const char *plain) {
    return csv_shape(text) == csv_shape(plain) ? NULL : "has other records or fields";
}

/* Takes out every part; the text is changed. */
static void drop(char *text, const char *part) {
    for (char *at = text; (at = strstr(at, part)) != NULL;) {
        memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
    }
}

/* Tags and their attributes without values: what a browser makes of the page. Those of the script
 * and the style are text. Free it. */
static char *html_skeleton(const char *text) {
    char *skeleton = calloc(strlen(text) + 1, 1);
    size_t used = 0;
    char quote = '\0';
    bool inside = false;
    for (; *text != '\0'; text++) {
        if (!inside && (strncmp(text, "<script", 7) == 0 || strncmp(text, "<style", 6) == 0)) {
            skeleton[used++] = text[2];
            text = strstr(text, text[2] == 'c' ? "</script>" : "</style>");
            assert_non_null(text);
        }
        inside = inside || *text == '<';
        if (inside && quote == '\0') {
            skeleton[used++] = *text;
        }
        if (inside && (*text == '"' || *text == '\'')) {
            quote = (char)(quote == '\0' ? *text : quote == *text ? '\0' : quote);
        }
        inside = inside && (quote != '\0' || *text != '>');
    }
    return skeleton;
}

static const char *judge_html(const char *text, const char *plain) {
    char *here = html_skeleton(text);
    char *there = html_skeleton(plain);
    drop(here, " class=\""); /* long words have one */
    drop(there, " class=\"");
    const bool same = strcmp(here, there) == 0;
    free(here);
    free(there);
    return same ? NULL : "has other tags";
}

static const char *judge_xml(const char *text, const char *plain) {
    const char *fault = fault_of_xml(text);
    return fault != NULL ? fault : judge_html(text, plain);
}

static void drop_between(char *text, const char *start, const char *end) {
    for (char *at = text; (at = strstr(at, start)) != NULL;) {
        const char *rest = strstr(at + strlen(start), end);
        assert_non_null(rest);
        memmove(at, rest + strlen(end), strlen(rest + strlen(end)) + 1);
    }
}

/* Without lines of code, which stand for themselves. Free it. */
static char *without_code(const char *text) {
    char *copy = strdup(text);
    drop_between(copy, "```\n", "\n```\n");
    drop_between(copy, "<pre><code>", "</code></pre>\n");
    return copy;
}

/* Headings, quotes, rules and items. */
static bool begins_block(const char *line) {
    const size_t digits = strspn(line, "0123456789");
    const bool numbered =
        digits > 0 && strchr(".)", line[digits]) != NULL && line[digits + 1] == ' ';
    const bool bullet = strchr("-+", *line) != NULL && strchr(" -", line[1]) != NULL;
    return numbered || bullet || strchr("#>=", *line) != NULL;
}

/* Signs of markup, and lines that begin a block. */
static size_t markdown_shape(const char *text) {
    char *copy = without_code(text);
    drop(copy, "<br>");
    drop(copy, "\\\\");
    size_t shape = 0;
    for (const char *at = copy; *at != '\0'; at++) {
        const bool begins = at == copy || at[-1] == '\n';
        const bool escaped = at > copy && at[-1] == '\\';
        /* Not all readers take \\< for a sign. */
        shape += *at == '<' || (!escaped && strchr("`[]*~$", *at) != NULL);
        shape += begins && *at != '\n' && begins_block(at) ? 1000 : 0;
        shape += *at == '\n' ? 1000000 : 0;
    }
    free(copy);
    return shape;
}

/* Of its lines that begin with one: the signs that part the cells. */
static size_t markdown_bars(const char *text) {
    size_t bars = 0;
    char *copy = without_code(text);
    for (const char *line = copy; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t length = *line == '|' ? strcspn(line, "\n") : 0;
        for (size_t i = 0; i < length; i++) {
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\' || line[i - 2] == '\\');
        }
    }
    free(copy);
    return bars;
}

static const char *judge_markdown(const char *text, const char *plain) {
    if (markdown_bars(text) != markdown_bars(plain)) {
        return "has other cells";
    }
    return markdown_shape(text) == markdown_shape(plain) ? NULL : "has other markup";
}

static size_t count_of_part(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++) {
        count++;
    }
    return count;
}

/* Groups close, and there are no commands that read, write or redefine. */
static const char *judge_latex(const char *text, const char *plain) {
    static const char *const refused[] = {"\\input", "\\immediate", "\\write", "\\catcode"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (count_of_part(text, refused[i]) != count_of_part(plain, refused[i])) {
            return "runs commands";
        }
    }
    long depth = 0;
    size_t comments = 0, dollars = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
            continue;
        }
        depth += (*at == '{') - (*at == '}');
        comments += *at == '%' || *at == '#';
        dollars += *at == '$';
        if (depth < 0) {
            return "closes what is not open";
        }
    }
    return depth != 0 || dollars % 2 != 0 ? "leaves a group open"
           : comments != count_of_sign(plain, '%') + count_of_sign(plain, '#') ? "has comments"
                                                                               : NULL;
}

static const char *judge_github(const char *text, const char *plain) {
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "::", 2) != 0) {
            return "has a line that is no command";
        }
    }
    return judge_lines(text, plain);
}

/* A setting a line, its text in single quotes, with nothing but quotes between two of them. */
static const char *judge_script(const char *text, const char *plain) {
    bool quoted = false;
    for (const char *at = text; *at != '\0'; at++) {
        if (!quoted && strncmp(at, ".\"\\047\".", 8) == 0) {
            at += 7;
        } else if (*at == '\'') {
            quoted = !quoted;
        } else if (!quoted && strchr("\"`|;", *at) != NULL) {
            return "has code";
        }
    }
    /* A long text, or one of two lines, is several labels. */
    return quoted ? "leaves a quote open"
           : count_of_sign(text, '\n') - count_of_part(text, "\nset label '") !=
                   count_of_sign(plain, '\n') - count_of_part(plain, "\nset label '")
               ? "has other lines"
               : NULL;
}

/* Nothing that a shell or a file system gives a meaning to, and no other folder: part of a name. */
static const char *judge_file_name(const char *text, const char *plain) {
    (void)plain;
    static const char plain_signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-._";
    return strspn(text, plain_signs) == strlen(text) ? NULL : "is no plain name";
}

static const struct {
    const char *name;
    Writer write;
    const char *kept; /* controls that the format has a place for */
    const char *(*judge)(const char *text, const char *plain);
} writers[] = {
    {"a line on a terminal", write_line, "\n", judge_lines},
    {"an error", write_error, "\n", judge_lines},
    {"a table on a terminal", write_cells, "\n", judge_lines},
    {"a document's table on a terminal", write_document_table, "\n", judge_lines},
    {"progress", write_progress, "\n", judge_lines},
    {"the table of a run", write_console, "\n", NULL},
    {"results.csv", write_results_csv, "\n\r\t", judge_csv},
    {"results.json", write_results_json, "\n\t", judge_json},
    {"HTML", write_html, "\n\t", judge_html},
    {"Markdown", write_markdown, "\n\t", judge_markdown},
    {"LaTeX", write_latex, "\n", judge_latex},
    {"a table's LaTeX", write_latex_table, "\n", judge_latex},
    {"a table's CSV", write_table_csv, "\n\r\t", judge_csv},
    {"a figure's CSV", write_figure_csv, "\n\r\t", judge_csv},
    {"a figure's script", write_figure_script, "\n", judge_script},
    {"a page's SVG", write_svg, "\n\t", judge_xml},
    {"compare: table", write_compare_table, "\n", judge_lines},
    {"compare: markdown", write_compare_markdown, "\n", judge_markdown},
    {"compare: github", write_compare_github, "\n", judge_github},
    {"compare: junit", write_compare_junit, "\n\t", judge_xml},
    {"compare: json", write_compare_json, "\n\t", judge_json},
    {"the name of a chart", write_chart_name, "", judge_file_name},
    {"an id", write_slug, "", judge_file_name},
    {"a stored command line", write_command_line, "", NULL},
};

TEST(no_writer_lets_a_text_act) {
    memset(very_long, 'x', sizeof very_long - 1);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        char *plain = writers[i].write(harmless);
        for (size_t j = 0; j < PAYLOADS; j++) {
            char *text = writers[i].write(payloads[j]);
            const char *fault = fault_of_text(text, writers[i].kept);
            /* Without a caption a table is another one: blanks are held against no name. */
            const bool blank = strspn(payloads[j], " ") == strlen(payloads[j]);
            if (fault == NULL && writers[i].judge != NULL && !blank) {
                fault = writers[i].judge(text, plain);
            }
            if (fault != NULL) {
                char shown[400];
                text_visible(payloads[j], shown, sizeof shown);
                fail_msg("%s of \"%s\" %.300s:\n%s", writers[i].name, shown, fault, text);
            }
        }
    }
}

static void leave(void) {
    if (pair != NULL) {
        pair_release(pair);
    }
}

ALL_TESTS(NULL, leave);

/* --- What is kept ----------------------------------------------------------------------------- */

TEST(usual_names_stay_as_they_are) {
    static const char name[] = "Größe 中文 😀.png";
    static const Writer as_written[] = {write_line,        write_cells,        write_console,
                                        write_results_csv, write_results_json, write_html,
                                        write_markdown,    write_compare_junit};
    for (size_t i = 0; i < sizeof as_written / sizeof *as_written; i++) {
        char *text = as_written[i](name);
        assert_says(text, name);
    }
}

static void same_arguments(const ArgumentList *got, const ArgumentList *want) {
    assert_int_equal(got->argc, want->argc);
    for (int i = 0; i < got->argc; i++) {
        assert_string_equal(got->argv[i], want->argv[i]);
    }
}

/* In the list, and in the line where that is not cut. */
TEST(stored_arguments_keep_every_byte) {
    for (size_t i = 0; i < PAYLOADS; i++) {
        char with_name[256], with_quote[256];
        snprintf(with_name, sizeof with_name, "--input=%s", payloads[i]);
        snprintf(with_quote, sizeof with_quote, "--i'n=$'%s'", payloads[i]);
        char *argv[] = {"--input", (char *)payloads[i], with_name, with_quote, "$'\\x41'", NULL};
        const ArgumentList want = {.argc = 5, .argv = argv};
        ArgumentList got;
        cJSON *object = cJSON_CreateObject();
        assert_true(arguments_json_add(object, &want));
        const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, "argv");
        assert_ok(arguments_json_read(array, &got));
        same_arguments(&got, &want);
        argument_list_release(&got);
        cJSON_Delete(object);
        char line[COMMAND_LINE_SIZE];
        bool open;
        command_line_text(&want, line, sizeof line);
        if (strlen(line) + 1 == sizeof line) {
            continue;
        }
        assert_ok(command_line_split(line, &got, &open));
        same_arguments(&got, &want);
        argument_list_release(&got);
    }
}

/* JSON has an escape for every control: the text comes back as it was. */
TEST(json_keeps_controls) {
    static const char name[] = "a\x1b\x7f\n\xc2\x9b\xe2\x80\xae";
    char *text = write_results_json(name);
    cJSON *root = cJSON_Parse(text);
    const cJSON *rows = cJSON_GetObjectItem(root, "benchmarks");
    const cJSON *input = cJSON_GetObjectItem(cJSON_GetArrayItem(rows, 0), "input");
    assert_string_equal(cJSON_GetStringValue(input), name);
    cJSON_Delete(root);
    assert_says(write_results_json("\xff"), "\"input\":\t\"\\\\xff\"");
}

/* Data that a spreadsheet would take for a formula is data all the same. */
TEST(csv_does_not_alter_data) {
    char *text = write_results_csv("=cmd|'x'!A0");
    assert_says(text, ",\"=cmd|'x'!A0\",");
}

/* --- Cutting ---------------------------------------------------------------------------------- */

static void expect_whole(const char *text) {
    uint32_t *codes = strict_decode(text);
    if (codes == NULL) {
        fail_msg("cut within a character: %s", text);
    }
    free(codes);
}

TEST(texts_are_cut_between_characters) {
    static const char text[] = "aß中😀aß中😀aß中😀";
    for (size_t size = 1; size <= sizeof text; size++) {
        char copy[sizeof text + 8];
        utf8_copy(copy, size, text);
        expect_whole(copy);
        assert_true(strlen(copy) < size && strlen(copy) + 4 >= size);
        assert_int_equal(utf8_cut(text, size), strlen(copy));
        text_visible(text, copy, size);
        expect_whole(copy);
        chart_text(text, copy, size);
        expect_whole(copy);
        copy[0] = '\0';
        text_append(copy, size, "%s", text);
        expect_whole(copy);
    }
    char why[STATUS_WHY_SIZE + 64];
    for (size_t first = 0; first < 5; first++) {
        memset(why, 'x', first);
        for (size_t used = first; used + 4 < sizeof why; used += 4) {
            memcpy(why + used, "😀", sizeof "😀");
        }
        const Status status = status_fail("%s", why);
        expect_whole(status.why);
        char *table = write_cells(why);
        assert_null(strstr(table, "\\x"));
    }
}

TEST(what_is_cut_elsewhere_is_mended) {
    static const struct {
        const char *text, *mended;
    } cases[] = {{"ab\xc3", "ab"},
                 {"ab\xe4\xb8", "ab"},
                 {"a\xf0\x9f\x98", "a"},
                 {"abc", "abc"},
                 {"a\xc3\x9f", "a\xc3\x9f"},
                 {"\xe4\xb8\xad", "\xe4\xb8\xad"},
                 {"\x80\x80\x80", "\x80\x80\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s", cases[i].text);
        utf8_trim(text, strlen(text) + 1);
        assert_string_equal(text, cases[i].mended);
        /* There was room for more: nothing was cut. */
        snprintf(text, sizeof text, "%s", cases[i].text);
        utf8_trim(text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* --- gnuplot ---------------------------------------------------------------------------------- */

static void need(const Status *status) {
    if (status->code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status->why);
    }
    assert_ok(*status);
}

static void expect_svg(const char *name) {
    char *svg;
    size_t length;
    assert_ok(file_text_read(test_path(name), "a text", SIZE_MAX, &svg, &length));
    const char *fault = fault_of_xml(svg);
    if (length == 0 || fault != NULL) {
        fail_msg("%s is no XML at: %.200s", name, length == 0 ? "(empty)" : fault);
    }
    assert_null(strstr(svg, "<script"));
    free(svg);
}

TEST(gnuplot_draws_classes_of_any_name) {
    enum { CLASSES = 60 };
    const char *names[CLASSES];
    static uint64_t counts[CLASSES * CLASSES];
    size_t column_of_row[CLASSES];
    for (size_t first = 0; first < PAYLOADS; first += CLASSES) {
        const size_t count = PAYLOADS - first < CLASSES ? PAYLOADS - first : CLASSES;
        for (size_t i = 0; i < count; i++) {
            names[i] = payloads[first + i];
            column_of_row[i] = i;
            counts[i * count + i] = i + 1;
        }
        const ConfusionMatrix matrix = {.rows = count,
                                        .columns = count,
                                        .row_names = names,
                                        .column_names = names,
                                        .column_of_row = column_of_row,
                                        .counts = counts};
        const Status status = confusion_matrix_draw(&matrix, "50% right", test_folder, "classes");
        need(&status);
        expect_svg("classes.svg");
    }
}

TEST(gnuplot_draws_figures_of_any_words) {
    Document document;
    document_open(&document, harmless);
    DocChart *chart = document_chart(&document, "figure", "'''%]]>\x1b\"`touch pwned`");
    chart->x.title = "\xe2\x80\xae]]>%s''";
    chart->y.title = "{/Symbol a}@^_~&";
    for (size_t i = 0; i < PAYLOADS; i++) {
        chart_tick(&document, &chart->x, (double)(i * 50), payloads[i]);
        if (i % 8 == 0 || payloads[i][0] == '\'') {
            ChartSeries *series =
                chart_series(&document, chart, payloads[i], SERIES_MEASURED, (int)i);
            const ChartPoint point = {.x = (double)(i * 50), .y = 2, .low = NAN, .high = NAN};
            chart_point(&document, series, &point);
        }
    }
    chart_tick(&document, &chart->y, 2, "50%");
    FILE *listing = fopen(test_path("listing"), "w");
    assert_non_null(listing);
    const Status status = chart_write(chart, test_folder);
    const Status paper = chart_publish(&figure_style, chart, test_folder, "paper", listing);
    fclose(listing);
    document_release(&document);
    need(&status);
    need(&paper);
    expect_svg("figure.svg");
    expect_svg("paper.svg");
    assert_int_not_equal(access(test_path("pwned"), F_OK), 0);
}

TEST(gnuplot_draws_runs_of_any_input) {
    static const char name[] = "\x1b]]>'\"%s`touch pwned`{@^_\xff\xef\xbf\xbe";
    Results results = {.rows = NULL};
    for (int i = 0; i < 4; i++) {
        Row row = measured_row(i % 2 == 0 ? "seq" : "simd", 0.001);
        utf8_copy(row.input, sizeof row.input, name);
        snprintf(row.size_name, sizeof row.size_name, "%d%%g", i / 2);
        row.width *= 1 + i / 2;
        assert_ok(results_add(&results, &row));
    }
    results_derive(&results, 1);
    RunCharts charts;
    const Status status = run_charts_draw(&results, test_folder, &charts);
    results_release(&results);
    need(&status);
    expect_svg("lbp-x1b-s-touch-pwned-_-xff-ufffe-time.svg");
}

/* gnuplot opens "<command" as what the command prints. */
TEST(a_curve_is_a_file_and_no_command) {
    char before[1024];
    LearnCurve curve;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder), 0);
    assert_ok(learn_curve_create(2, &curve));
    learn_curve_add(&curve, (LearnCurvePoint){.step = 1, .loss = 2, .share = 1});
    learn_curve_add(&curve, (LearnCurvePoint){.step = 2, .loss = 1, .share = 0.5});
    assert_ok(learn_curve_write("<touch pwned", "title", &curve));
    learn_curve_release(&curve);
    assert_int_equal(chdir(before), 0);
    assert_int_not_equal(access(test_path("pwned"), F_OK), 0);
    assert_int_equal(access(test_path("<touch pwned"), F_OK), 0);
}
