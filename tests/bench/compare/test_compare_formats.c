/* What a comparison is written as, held against the rules of each format. */
#include <cjson/cJSON.h>

#include "bench/compare_fixture.h"
#include "bench/scratch_folder.h"
#include "compare_internal.h"
#include "test.h"

static char *print(CompareFormat format, const RecordedPair *pair, bool strict) {
    FILE *stream = test_stream();
    assert_ok(compare_print(stream, format, &pair->comparison, strict));
    return test_text(stream);
}

/* What a format has to say. */
typedef struct Fragment {
    CompareFormat format;
    const char *text;
} Fragment;

TEST(the_table_has_every_cell) {
    RecordedPair *pair = compare_recorded("base", "missing", false);
    char *text = print(COMPARE_TABLE, pair, false);
    assert_says(text, SEQ "\n");
    assert_says(text, SIMD "\n");
    assert_says(text, "in the old run alone\n  " OMP "\n");
    assert_says(text, "in the new run alone\n  lbp/omp/texture/1080p/threads:4\n");
    assert_says(text, "\n2 cells: 0 slower, 0 faster, 2 same, 0 undecided; 1 missing, 1 new\n");
    assert_says(text, "Σ new / Σ old = ");
    pair_release(pair);
}

TEST(every_format_names_launches_and_why_a_cell_is_undecided) {
    static const char why[] = "8 old and 3 new launches cannot give a p below 0.012, below 0.0033 "
                              "is needed; 6 launches a side can";
    RecordedPair *pair = compare_recorded("base", "few", false);
    for (CompareFormat format = COMPARE_TABLE; format <= COMPARE_JSON; format++) {
        char *text = print(format, pair, false);
        assert_says(text, why);
        assert_says(text, "launches");
    }
    char *text = print(COMPARE_TABLE, pair, false);
    assert_says(text, "     8 / 3  " SIMD "\n");
    /* The table has each cell, and the reason that they share stands once. */
    assert_int_equal(count_of(text, "there is no interval"), 1);
    assert_says(text, "\n  " SEQ " and 1 more: there is no interval; ");
    pair_release(pair);
}

static void disturb(MeasuredCell *cell, Disturber by) {
    cell->disturber = by;
    cell->disturbed = cell->launch_count;
}

/* A time that a busy machine made is no regression, and a person is told of it. */
TEST(disturbed_times_are_counted_and_decide_nothing) {
    static const char words[] = "1 old and 2 new times were disturbed, as by other programs: they "
                                "may be too long, and ";
    RecordedPair *pair = compare_recorded("base", "slower10", false);
    assert_null(strstr(print(COMPARE_TABLE, pair, false), "disturbed"));
    assert_int_equal(comparison_exit_code(&pair->comparison, false), EXIT_REGRESSION);
    disturb(&pair->before.cells[0], DISTURBER_PROGRAMS);
    disturb(&pair->now.cells[0], DISTURBER_PROGRAMS);
    disturb(&pair->now.cells[1], DISTURBER_GUESTS);
    comparison_release(&pair->comparison);
    assert_ok(
        comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison));
    assert_says(print(COMPARE_TABLE, pair, false), words);
    assert_says(print(COMPARE_MARKDOWN, pair, false), words);
    for (size_t i = 0; i < pair->comparison.count; i++) {
        const ComparedCell *cell = &pair->comparison.cells[i];
        assert_int_equal(cell->judgement.change == CHANGE_UNDECIDED,
                         cell->now == &pair->now.cells[0] || cell->now == &pair->now.cells[1]);
    }
    pair_release(pair);
}

TEST(roofs_are_shown_apart) {
    RecordedPair *pair = compare_recorded("roof_old", "roof_new", false);
    char *text = print(COMPARE_TABLE, pair, true);
    assert_says(text, "roof  ");
    assert_says(text, COPY "\n");
    assert_says(text, "3 cells: 0 slower, 0 faster, 3 same, 0 undecided; 0 missing, 0 new; 1 roof, "
                      "not judged\n");
    text = print(COMPARE_MARKDOWN, pair, true);
    assert_says(text, "### No performance regression\n");
    assert_says(text, "<summary>4 others</summary>");
    text = print(COMPARE_JUNIT, pair, true);
    assert_says(text, "<testsuites tests=\"3\" failures=\"0\"");
    assert_null(strstr(text, COPY));
    text = print(COMPARE_GITHUB, pair, true);
    assert_null(strstr(text, COPY));
    text = print(COMPARE_JSON, pair, true);
    assert_says(text, "\"roof\":\t1");
    pair_release(pair);
}

/* OMP failed, SIMD is slower; SEQ is the same. */
TEST(every_format_says_what_failed) {
    static const Fragment wanted[] = {
        {COMPARE_TABLE, "Failed in the new run\n  " OMP ": its answer differs from seq\n"},
        {COMPARE_TABLE, "\nfailed  "},
        {COMPARE_TABLE,
         "\n3 cells: 1 failed, 1 slower, 0 faster, 1 same, 0 undecided; 0 missing, 0 new\n"},
        {COMPARE_MARKDOWN, "### Failed cells, and a performance regression\n"},
        {COMPARE_MARKDOWN, "|  |  |  |  |  | **failed: its answer differs from seq** |"},
        {COMPARE_GITHUB, "::error title=failed::" OMP ": its answer differs from seq\n"},
        {COMPARE_GITHUB, "::error title=slower::" SIMD},
        {COMPARE_JUNIT, "<testsuites tests=\"3\" failures=\"2\" errors=\"0\""},
        {COMPARE_JUNIT, " skipped=\"0\" "},
        {COMPARE_JUNIT, "<failure type=\"failed\" message=\"its answer differs from seq\"/>"},
        {COMPARE_JSON, "\"failed\":\t1"},
        {COMPARE_JSON, "\"why\":\t\"its answer differs from seq\""},
    };
    RecordedPair *pair = compare_recorded("base", "failed_slower", false);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char *text = print(wanted[i].format, pair, false);
        assert_says(text, wanted[i].text);
        assert_null(strstr(text, "nan"));
    }
    pair_release(pair);
}

/* There is no sum, and no rule that was applied. */
TEST(failures_alone_are_written_in_every_format) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    assert_ok(measured_run_add_untimed(&pair->now, SEQ, true, "wrong"));
    assert_ok(
        comparison_make(&pair->before, &pair->now, &usual_criteria, false, &pair->comparison));
    for (CompareFormat format = COMPARE_TABLE; format <= COMPARE_JSON; format++) {
        char *text = print(format, pair, false);
        assert_says(text, "wrong");
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "Mann"));
    }
    pair_release(pair);
}

TEST(what_was_skipped_is_missing_with_its_reason) {
    static const Fragment wanted[] = {
        {COMPARE_TABLE, "\n  " SIMD ": skipped in the new run: no memory left\n"},
        {COMPARE_MARKDOWN, "\n- " SIMD ": skipped in the new run: no memory left\n"},
        {COMPARE_GITHUB,
         "::warning title=missing::" SIMD ": skipped in the new run: no memory left\n"},
        {COMPARE_JUNIT, "<skipped message=\"skipped in the new run: no memory left\"/>"},
        {COMPARE_JSON, "\"missing_cells\":\t[\"" SIMD "\"]"},
    };
    RecordedPair *pair = compare_recorded("base", "skipped", false);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char *text = print(wanted[i].format, pair, false);
        assert_says(text, wanted[i].text);
    }
    pair_release(pair);
}

TEST(the_table_tells_changed_trees_from_clean_ones) {
    RecordedPair *pair = compare_recorded("base", "again", false);
    char *text = print(COMPARE_TABLE, pair, false);
    assert_says(text, "  (commit 0123456789ab)\n");
    assert_says(text, "  (commit ba9876543210 with changes)\n");
    pair_release(pair);
}

TEST(a_name_cannot_break_the_table) {
    RecordedPair *pair = compare_recorded("marked_old", "marked_new", false);
    char *text = print(COMPARE_TABLE, pair, false);
    assert_says(text, "it's\\x0aé/1080p\n");
    pair_release(pair);
}

TEST(markdown_escapes_its_own_signs) {
    RecordedPair *pair = compare_recorded("marked_old", "marked_new", false);
    char *text = print(COMPARE_MARKDOWN, pair, false);
    assert_says(text, "### Performance regression\n");
    assert_says(text, "| lbp/seq/&lt;a & \"b\">\\|\\*c\\*: 100%, it's<br>é/1080p | ");
    assert_says(text, " | **slower** |\n");
    assert_says(text, "\n- " OMP "\n");
    assert_says(text, "<details><summary>2 others</summary>\n\n| cell |");
    pair_release(pair);
}

/* The runner of GitHub Actions takes %25, %0D and %0A back, in titles also %3A and %2C. */
TEST(annotations_are_escaped) {
    RecordedPair *pair = compare_recorded("marked_old", "marked_new", false);
    char *text = print(COMPARE_GITHUB, pair, false);
    assert_says(text,
                "::error title=slower::lbp/seq/<a & \"b\">|*c*: 100%25, it's\\x0aé/1080p: 1.");
    assert_says(text, "::warning title=missing::" OMP ": in the old run alone\n");
    assert_int_equal(count_of(text, "\n"), 3);
    pair_release(pair);
}

TEST(undecided_cells_are_warnings_or_errors) {
    RecordedPair *pair = compare_recorded("base", "noisy", false);
    char *text = print(COMPARE_GITHUB, pair, false);
    assert_says(text, "::warning title=undecided::" SIMD ": ");
    text = print(COMPARE_GITHUB, pair, true);
    assert_says(text, "::error title=undecided::" SIMD ": ");
    text = print(COMPARE_JUNIT, pair, false);
    assert_says(text, "<testsuites tests=\"3\" failures=\"0\" errors=\"0\"");
    assert_says(text, " skipped=\"1\" ");
    assert_says(text, "<skipped message=\"");
    text = print(COMPARE_JUNIT, pair, true);
    assert_says(text, "<testsuites tests=\"3\" failures=\"1\" errors=\"0\"");
    assert_says(text, " skipped=\"0\" ");
    assert_says(text, "<failure type=\"undecided\" message=\"");
    pair_release(pair);
}

/* Enough of XML for what is written: elements open and close in order, attribute values are in
 * quotes, and no sign of markup stands where text is meant. */
static void check_well_formed(const char *text) {
    const char *open[8];
    size_t depth = 0;
    assert_says(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (const char *at = strchr(text, '\n'); (at = strchr(at, '<')) != NULL;) {
        const bool closing = at[1] == '/';
        const char *name = at + 1 + closing;
        const size_t length = strcspn(name, " />");
        const char *end = at;
        for (bool quoted = false; *end != '>' || quoted; end++) {
            quoted ^= *end == '"';
            if (*end == '\0' || (quoted && *end == '<')) {
                fail_msg("an open tag: %.80s", at);
            }
        }
        if (closing) {
            assert_true(depth > 0);
            assert_int_equal(strncmp(open[--depth], name, length), 0);
        } else if (end[-1] != '/') {
            assert_true(depth < sizeof open / sizeof *open);
            open[depth++] = name;
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    for (const char *at = text; (at = strchr(at, '&')) != NULL; at++) {
        assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                    strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
                    strncmp(at, "&#39;", 5) == 0);
    }
}

TEST(junit_is_well_formed) {
    RecordedPair *pair = compare_recorded("marked_old", "marked_new", false);
    char *text = print(COMPARE_JUNIT, pair, false);
    check_well_formed(text);
    assert_says(text, "<testsuite name=\"bench compare\" tests=\"4\" failures=\"1\" errors=\"0\" "
                      "skipped=\"1\" time=\"");
    assert_says(
        text,
        "name=\"lbp/seq/&lt;a &amp; &quot;b&quot;&gt;|*c*: 100%, it&#39;s\né/1080p\" time=\"");
    assert_says(text, "<failure type=\"slower\" message=\"1.");
    pair_release(pair);
}

TEST(junit_holds_no_byte_that_xml_forbids) {
    RecordedPair *pair = compare_recorded("base", "slower10", false);
    char *name = pair->before.cells[1].name;
    /* A lone continuation byte, an overlong slash, a surrogate, a control character. */
    static const char wrong[] = "\x80|\xC0\xAF|\xED\xA0\x80|\x01";
    assert_true(strlen(name) >= sizeof wrong);
    memcpy(name, wrong, sizeof wrong);
    char *text = print(COMPARE_JUNIT, pair, false);
    check_well_formed(text);
    assert_says(text, "name=\"\\x80|\\xc0\\xaf|\\xed\\xa0\\x80|\\x01\"");
    pair_release(pair);
}

static double number_at(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

TEST(json_has_every_number) {
    RecordedPair *pair = compare_recorded("base", "slower10", false);
    char *text = print(COMPARE_JSON, pair, false);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_true(number_at(root, "slower") == 1);
    assert_true(number_at(root, "same") == 2);
    assert_true(number_at(root, "alpha") == 0.01);
    const cJSON *cells = cJSON_GetObjectItemCaseSensitive(root, "cells");
    assert_int_equal(cJSON_GetArraySize(cells), 3);
    const cJSON *cell = cJSON_GetArrayItem(cells, 1);
    const CellJudgement *judgement = judgement_of(pair, SIMD);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(cell, "name")), SIMD);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(cell, "change")), "slower");
    assert_true(number_at(cell, "ratio") == judgement->difference.ratio.value);
    assert_true(number_at(cell, "ratio_ci_low") == judgement->difference.ratio.low);
    assert_true(number_at(cell, "p") == judgement->difference.p);
    assert_true(fabs(number_at(cell, "ratio_ci_level") - judgement->difference.level) < 1e-12);
    assert_true(number_at(cell, "old_samples") == 24);
    assert_true(number_at(cell, "old_launches") == 8);
    assert_false(cJSON_HasObjectItem(root, "noise_floor"));
    cJSON_Delete(root);
    pair_release(pair);
}

TEST(json_leaves_out_what_is_not_known) {
    RecordedPair *pair = compare_recorded("one_old", "one_new", false);
    char *text = print(COMPARE_JSON, pair, false);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_true(number_at(root, "noise_floor") == 0.15);
    const cJSON *cell = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "cells"), 1);
    assert_false(cJSON_HasObjectItem(cell, "ratio_ci_low"));
    assert_false(cJSON_HasObjectItem(cell, "ratio_ci_level"));
    assert_true(cJSON_HasObjectItem(cell, "why"));
    cJSON_Delete(root);
    pair_release(pair);
}

TEST(a_file_is_written_whole) {
    RecordedPair *pair = compare_recorded("base", "base", false);
    Status status = compare_write(test_path("report.xml"), COMPARE_JUNIT, &pair->comparison, false);
    assert_ok(status);
    char *written = test_read("report.xml");
    char *printed = print(COMPARE_JUNIT, pair, false);
    assert_string_equal(written, printed);
    assert_int_equal(scratch_count(test_folder), 1);
    status = compare_write("/nonexistent/a", COMPARE_JUNIT, &pair->comparison, false);
    assert_int_equal(status.code, STATUS_FILE);
    pair_release(pair);
}
