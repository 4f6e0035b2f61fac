/* LaTeX: the text that is written, by hand, and what pdflatex says about it, where there is one. */
#include "document.h"
#include "document_fixture.h"
#include "markup.h"
#include "markup_text.h"
#include "needs.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"
#include "test.h"

EACH_TEST(make_document, release_document);

TEST(texts_are_written_for_pdflatex, NULL) {
    static const struct {
        const char *given, *expected;
    } cases[] = {
        {"plain 1.5, (x) = 3/4; it's", "plain 1.5, (x) = 3/4; it's"},
        {"\\ { } $ & # _ ^ ~ %", "\\textbackslash{} \\{ \\} \\$ \\& \\# \\_ \\textasciicircum{} "
                                 "\\textasciitilde{} \\%"},
        {"a<b|c>d", "a\\textless{}b\\textbar{}c\\textgreater{}d"},
        {"[1]*", "{[}1]{*}"},
        {"--quick a-b", "-{}-quick a-b"},
        {"512×512 – x — y", "512$\\times$512 --{} x ---{} y"},
        {"3 µs, 10⁻¹² m², x₁₂", "3 $\\mu$s, 10$^{-12}$ m$^{2}$, x$_{12}$"},
        {"≤ ≥ ± 5° ∞", "$\\leq$ $\\geq$ $\\pm$ 5$^{\\circ}$ $\\infty$"},
        {"é ü ń ł Ż", "é ü ń ł Ż"},
        {"ę", "{\\fontencoding{T1}\\selectfont ę}"},
        {"„a“ ‘b’ ”…", ",{},{}a{}``{} {}`{}b'{} ''{}\\ldots{}"},
        {"中 ħ 🙂", "{[}U+4E2D] {[}U+0127] {[}U+1F642]"},
        {"bad \xff\xc3 byte", "bad \\textbackslash{}xff\\textbackslash{}xc3 byte"},
        {"tab\tline\n", "tab line "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = test_stream();
        latex_text(stream, cases[i].given);
        char *text = test_text(stream);
        assert_string_equal(text, cases[i].expected);
    }
    assert_int_equal(latex_text_width("5 µs × 中"), 8);
}

TEST(tables_have_rules_groups_and_a_note) {
    Document *document = test_state;
    const DocTable *table = nasty_table(document);
    assert_ok(latex_table_write(table, test_path("t.tex")));
    expect_file(
        "t.tex",
        "% Needs \\usepackage{booktabs,graphicx,longtable}.\n"
        "\\begin{table}[htbp]\n"
        "\\centering\n"
        "\\caption{Times of 100 \\% \\& ''{}more''{} in "
        "$\\mu$s}\\label{tab:table-1}\\par\\smallskip\n"
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        "\\begin{tabular}{@{}lrrl@{}}\n"
        "\\toprule\n"
        " & \\multicolumn{2}{c}{Time (ms)} &  \\\\\n"
        "\\cmidrule(lr){2-3}\n"
        "size \\#1 & measured & published & machine \\\\\n"
        "\\midrule\n"
        "512$\\times$512\\textbar{}a & \\textbf{1.50} & 9.9 & "
        "{[}C:\\textbackslash{}x\\_y] \\textasciitilde{}\\{\\$5\\} \\textasciicircum{}2 "
        "\\textless{}i7\\textgreater{} {[}U+4E2D] Łódź é ü ń \\\\\n"
        "{*}wild{*} line & \\emph{not run} & \\textbf{\\emph{wrong}} & "
        ",{},{}so{}``{} ---{} it's -{}-quick\\ldots{} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}}\n"
        "\\par\\smallskip\\raggedright\\footnotesize Mean of 15 runs; a\\_b $\\pm$ 1, 10$^{-7}$ "
        "$\\leq$ x $\\leq$ 2$^{2}$\\par\n"
        "\\end{table}\n");
}

/* Rows of numbers under `columns` titles. */
static DocTable *number_table(Document *document, const char *name, int columns, int rows) {
    DocTable *table = document_table(document, name, "Numbers");
    table->note = "Below.";
    for (int i = 0; i < columns; i++) {
        table_column(document, table,
                     &(DocColumn){.title = document_text(document, "cuda_variant_%d", i),
                                  .group = i > 0 ? "Time (ms)" : NULL,
                                  .numeric = i > 0});
    }
    for (int i = 0; i < rows * columns; i++) {
        table_number(document, table, 100.0 + i, 5);
    }
    return table;
}

TEST(long_tables_go_on_overleaf) {
    Document *document = test_state;
    const DocTable *table = number_table(document, "long", 4, 46);
    assert_ok(latex_table_write(table, test_path("t.tex")));
    char *text = test_read("t.tex");
    assert_says(text, "\\begin{longtable}{@{}lrrr@{}}");
    assert_null(strstr(text, "\\begin{table}"));
    assert_int_equal(count_of(text, "\\midrule\n"), 2);
    assert_int_equal(count_of(text, "\\label{tab:long}"), 1);
    assert_int_equal(count_of(text, "\\endfoot\n"), 1);
}

TEST(long_tables_too_wide_are_in_parts) {
    Document *document = test_state;
    const DocTable *table = number_table(document, "both", 12, 100);
    assert_ok(latex_table_write(table, test_path("t.tex")));
    char *text = test_read("t.tex");
    assert_int_equal(count_of(text, "\\begin{table}"), 3);
    assert_int_equal(count_of(text, "\\caption{Numbers (continued)}"), 2);
    assert_int_equal(count_of(text, "\\addtocounter{table}{-1}"), 2);
    assert_int_equal(count_of(text, "\\label{tab:both}"), 1);
    assert_int_equal(count_of(text, "Below."), 1);
    assert_int_equal(count_of(text, "\\\\\n"), 100 + 3 * 2);
}

TEST(short_tables_stay_together) {
    Document *document = test_state;
    const DocTable *table = number_table(document, "short", 4, 45);
    assert_ok(latex_table_write(table, test_path("t.tex")));
    assert_says(test_read("t.tex"), "\\begin{table}");
}

TEST(wordy_columns_have_lines) {
    Document *document = test_state;
    DocTable *table = document_table(document, "why", "Reasons");
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "why"});
    table_words(document, table, "cuda");
    table_words(document, table, "there is no CUDA device here, and without one nothing can run");
    assert_ok(latex_table_write(table, test_path("t.tex")));
    assert_says(test_read("t.tex"), "\\begin{tabular}{@{}lp{6cm}@{}}");
}

/* Every character that latex_text lets through or has a command for, and some more. */
static DocTable *character_table(Document *document) {
    DocTable *table = document_table(document, "characters", "Characters");
    table_column(document, table, &(DocColumn){.title = "code"});
    table_column(document, table, &(DocColumn){.title = "character"});
    static const struct {
        unsigned from, to;
    } blocks[] = {{0x21, 0x7E},     {0xA0, 0x17F},    {0x391, 0x3C9},   {0x2009, 0x2044},
                  {0x2070, 0x2089}, {0x20AC, 0x20AC}, {0x2122, 0x2122}, {0x2190, 0x2194},
                  {0x2200, 0x226B}, {0x2713, 0x2718}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        for (unsigned code = blocks[i].from; code <= blocks[i].to; code++) {
            const char utf8[] = {
                (char)(code < 0x80    ? code
                       : code < 0x800 ? 0xC0 | code >> 6
                                      : 0xE0 | code >> 12),
                (char)(code < 0x80 ? 0 : 0x80 | (code < 0x800 ? code & 0x3F : code >> 6 & 0x3F)),
                (char)(code < 0x800 ? 0 : 0x80 | (code & 0x3F)), '\0'};
            table_words(document, table, utf8);
            table_words(document, table, document_text(document, "x%s%sy", utf8, utf8));
        }
    }
    return table;
}

static void write_tables(Document *document) {
    nasty_table(document);
    number_table(document, "long", 6, 120);
    number_table(document, "wide", 14, 4);
    number_table(document, "long-and-wide", 12, 60);
    character_table(document);
    for (size_t i = 0; i < document->count; i++) {
        const DocTable *table = document->blocks[i].table;
        char name[64];
        snprintf(name, sizeof name, "%.50s.tex", table->name);
        assert_ok(latex_table_write(table, test_path(name)));
    }
    assert_ok(latex_tables_write(document, test_path("tables.tex")));
}

TEST(documents_input_their_tables) {
    Document *document = test_state;
    write_tables(document);
    char *text = test_read("tables.tex");
    assert_says(text, "\\section*{A {*}study{*} of \\# \\& \\textless{}times");
    static const char *const inputs[] = {"\\input{table-1.tex}", "\\input{long.tex}",
                                         "\\input{wide.tex}", "\\input{characters.tex}"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(count_of(text, inputs[i]), 1);
    }
}

static DocTable *paper_table(Document *document, const char *name, size_t columns) {
    DocTable *table = document_table(document, name, "For a paper");
    for (size_t i = 0; i < columns; i++) {
        table_column(document, table,
                     &(DocColumn){.title = i == 0 ? "size" : "kernel only", .numeric = i > 0});
    }
    table_words(document, table, "16K");
    for (size_t i = 1; i < columns; i++) {
        static const char ratio[] = "37.9× faster (35.8 to 39.6)";
        table_cell(document, table,
                   &(DocCell){.text = ratio, .first = strlen("37.9× faster"), .number = 37.9});
    }
    return table;
}

/* What is in all.tex is no wider than the page, where there is a LaTeX. */
static void check_column_document(void) {
    if (system("pdflatex --version >/dev/null 2>&1") == 0) {
        char command[512];
        snprintf(command, sizeof command,
                 "cd '%.300s' && TEXMFVAR=$PWD/texmf pdflatex -interaction=nonstopmode "
                 "-halt-on-error all.tex >out.txt 2>&1",
                 test_folder);
        assert_int_equal(system(command), 0);
        char *said = test_read("out.txt");
        assert_null(strstr(said, "Overfull"));
    }
}

/* Texts of `letters` in so many columns of numbers, or of words. */
static const DocTable *wide_table(Document *document, const char *name, size_t columns,
                                  const char *letters, bool numeric) {
    DocTable *table = document_table(document, name, "Wide letters");
    for (size_t i = 0; i < columns; i++) {
        table_column(document, table, &(DocColumn){.title = "x", .numeric = numeric || i > 0});
        table_words(document, table, letters);
    }
    return table;
}

/* Not every letter is as wide as an average one, and a word is not broken but at an underscore. */
TEST(the_width_of_letters_counts) {
    enum { ACM = 241 };
    Document document;
    document_open(&document, "Tables");
    assert_false(latex_table_fits(wide_table(&document, "m", 3, "mmmmmmmmmmmmmmmmmm", true), ACM));
    assert_true(
        latex_table_fits(wide_table(&document, "i", 3, "iiiiiiiiiiiiiiiiiiiiiiiii", true), ACM));
    assert_true(
        latex_table_fits(wide_table(&document, "digits", 3, "12345678901234567", true), ACM));
    assert_false(latex_table_fits(
        wide_table(&document, "word", 2, "pciedownpageablepinnedpageableand", false), ACM));
    assert_true(latex_table_fits(
        wide_table(&document, "words", 2, "pcie_down_pageable_pinned_pageable", false), ACM));
    size_t left_out;
    assert_ok(document_column_tables_write(&document, test_folder, 84.7, &left_out));
    assert_int_equal(left_out, 2);
    document_release(&document);
    check_column_document();
}

/* Five columns in letters of 8 points, nothing scaled, the interval below its number; tables that
 * do not fit are left out. */
TEST(tables_of_a_paper_fit_its_column) {
    enum { IEEE = 252, ACM = 241 };
    Document document;
    document_open(&document, "Tables");
    const DocTable *three = paper_table(&document, "three", 3);
    const DocTable *five = paper_table(&document, "five", 5);
    const DocTable *six = paper_table(&document, "six", 6);
    assert_true(latex_table_fits(three, ACM) && latex_table_fits(three, IEEE));
    assert_true(latex_table_fits(five, IEEE)); /* digits and dots are narrow */
    assert_false(latex_table_fits(six, 1000));
    size_t left_out;
    assert_ok(document_column_tables_write(&document, test_folder, 84.7, &left_out));
    assert_int_equal(left_out, 2);
    char *text = test_read("three.tex");
    assert_null(strstr(text, "resizebox"));
    assert_says(text, "\\fontsize{8}{9.6}\\selectfont");
    assert_says(text, "16K & 37.9$\\times$ faster & 37.9$\\times$ faster "
                      "\\tabularnewline\n & (35.8 to 39.6) & (35.8 to 39.6)");
    char *all = test_read("all.tex");
    assert_int_equal(count_of(all, "\\input{"), 1);
    document_release(&document);
    check_column_document();
}

/* Brackets that are no interval stay beside what is before them. */
TEST(brackets_in_words_stay_on_their_line) {
    Document *document = test_state;
    DocTable *table = document_table(document, "t", "Facts");
    table_column(document, table, &(DocColumn){.title = "fact"});
    table_words(document, table, "launches (processes) of a cell");
    assert_ok(latex_column_table_write(table, test_path("t.tex"), 240));
    assert_says(test_read("t.tex"), "launches (processes) of a cell");
}

/* Every table is in the PDF, and none is wider than the page allows. */
TEST(pdflatex_takes_everything) {
    Document *document = test_state;
    if (system("pdflatex --version >/dev/null 2>&1") != 0) {
        skip_needing("pdflatex", NULL);
    }
    write_tables(document);
    char command[512];
    snprintf(command, sizeof command,
             "cd '%.300s' && TEXMFVAR=$PWD/texmf pdflatex -interaction=nonstopmode "
             "-halt-on-error tables.tex >out.txt 2>&1",
             test_folder);
    const int first = system(command);
    /* longtable needs a second run for the widths of its columns. */
    const int second = first == 0 ? system(command) : first;
    char *said = test_read("out.txt");
    if (second != 0) {
        fail_msg("%s", strstr(said, "\n!") != NULL ? strstr(said, "\n!") : said);
    }
    assert_null(strstr(said, "Overfull"));
    assert_null(strstr(said, "Missing character"));
    assert_null(strstr(said, "multiply defined"));
}

TEST(failures_are_said) {
    Document *document = test_state;
    const DocTable *table = nasty_table(document);
    assert_int_equal(latex_table_write(table, test_path("missing/t.tex")).code, STATUS_FILE);
    document->failed = true;
    assert_int_equal(latex_tables_write(document, test_path("t.tex")).code, STATUS_FAIL);
    assert_int_equal(scratch_count(test_folder), 0);
}
