/* Charts within HTML pages: where points lie, what is left out, what is said about them. The area
 * of the points is 72…624 by 36…336 of a viewBox of 640 by 400; places are computed by hand. */
#include "document.h"
#include "layout.h"
#include "look.h"
#include "markup.h"
#include "random.h"
#include "svg.h"
#include "test.h"

typedef struct Fixture {
    Document document;
    DocChart *chart;
    ChartSeries *series;
} Fixture;

static Fixture open_chart(bool log_x, bool log_y) {
    Fixture fixture;
    document_open(&fixture.document, "charts");
    fixture.chart = document_chart(&fixture.document, "times", "Times & sizes");
    fixture.chart->x = (ChartAxis){.title = "pixels", .log = log_x};
    fixture.chart->y = (ChartAxis){.title = "kernel time (of all)", .unit = "ms", .log = log_y};
    fixture.series =
        chart_series(&fixture.document, fixture.chart, "cuda_fast", SERIES_MEASURED, 0);
    return fixture;
}

static void add(Fixture *fixture, double x, double y) {
    chart_point(&fixture->document, fixture->series,
                &(ChartPoint){.x = x, .y = y, .low = NAN, .high = NAN});
}

/* Draws, releases, and returns the markup. */
static char *drawn(Fixture *fixture) {
    FILE *stream = test_stream();
    assert_ok(svg_chart_write(stream, fixture->chart));
    document_release(&fixture->document);
    return test_text(stream);
}

/* The decades 0…3 with 4% more at both ends: 3.24 over 552 units. y is 0…10 and 6% of 8 more: 10.48
 * over 300. */
TEST(test_log_x_and_linear_y) {
    Fixture fixture = open_chart(true, false);
    add(&fixture, 1, 2);
    add(&fixture, 10, 5);
    add(&fixture, 1000, 10);
    char *text = drawn(&fixture);
    assert_has(text, "<path class=\"l\" d=\"M92.4 278.7L262.8 192.9L603.6 49.7\"/>");
    assert_has(text, "translate(92.4 278.7)");
    assert_has(text, "translate(262.8 192.9)");
    assert_has(text, "translate(603.6 49.7)");
    assert_has(text, "<text x=\"262.8\" y=\"336\" class=\"x\" dy=\"1.25em\">10</text>");
    assert_has(text, ">1000</text>");
    /* y begins at 0: 2 is less than 0.6 of 10. */
    assert_has(text, "<text x=\"64\" y=\"336\" class=\"y\" dy=\".34em\">0</text>");
    assert_has(text, "<text x=\"64\" y=\"278.7\" class=\"y\" dy=\".34em\">2</text>");
    assert_has(text, "<text x=\"64\" y=\"49.7\" class=\"y\" dy=\".34em\">10</text>");
    assert_lacks(text, ">12</text>");
}

/* -1…1 with 0.12 more at both ends: 2.24 over 300 units. x: 4…8 and 0.16 more, 4.32 over 552. */
TEST(test_linear_x_and_log_y) {
    Fixture fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 6, 1);
    add(&fixture, 8, 10);
    char *text = drawn(&fixture);
    assert_has(text, "d=\"M92.4 319.9L348 186L603.6 52.1\"");
    assert_has(text, "y=\"319.9\" class=\"y\" dy=\".34em\">0.1</text>");
    /* The minor line of 2: 336 - 300 * (1.12 + 0.30103) / 2.24 = 145.683 */
    assert_has(text, "<path class=\"grid minor\" d=\"");
    assert_has(text, "M72 145.7H624");
}

TEST(test_missing_points_leave_a_gap) {
    Fixture fixture = open_chart(true, true);
    add(&fixture, 1, 0.1);
    add(&fixture, 10, NAN);
    add(&fixture, 100, 0);
    add(&fixture, -1, 5);
    add(&fixture, 0, 5);
    add(&fixture, 1000, 10);
    char *text = drawn(&fixture);
    assert_int_equal(count_of(text, "class=\"p\""), 2);
    assert_has(text, "d=\"M92.4 319.9M603.6 52.1\"");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf");
}

/* On a linear axis 0 and less are numbers as any other: -4…4 and 0.48 more. */
TEST(test_negative_values_on_linear_axes) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, -4);
    add(&fixture, 1, 4);
    char *text = drawn(&fixture);
    assert_int_equal(count_of(text, "class=\"p\""), 2);
    assert_has(text, "y=\"319.9\" class=\"y\" dy=\".34em\">-4</text>");
    assert_has(text, "y=\"186\" class=\"y\" dy=\".34em\">0</text>");
}

TEST(test_points_say_value_and_interval) {
    Fixture fixture = open_chart(false, false);
    chart_point(
        &fixture.document, fixture.series,
        &(ChartPoint){.x = 1, .y = 0.0071, .low = 0.007, .high = 0.0073, .label = "4K \"UHD\""});
    char *text = drawn(&fixture);
    assert_has(text, "tabindex=\"0\" role=\"img\" aria-label=\"cuda_fast, 4K &quot;UHD&quot;: "
                     "0.00710 ms (0.00700 to 0.00730)\"");
    assert_has(text, "<title>cuda_fast, 4K &quot;UHD&quot;: 0.00710 ms (0.00700 to 0.00730)"
                     "</title>");
    assert_has(text, "data-y=\"0.00710 ms\" data-interval=\"0.00700 to 0.00730\"");
}

/* Three digits do not tell these ends apart; four do. */
TEST(test_narrow_intervals_have_more_digits) {
    Fixture fixture = open_chart(false, false);
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 1, .y = 15.23, .low = 15.22, .high = 15.24});
    char *text = drawn(&fixture);
    assert_has(text, "15.23 ms (15.22 to 15.24)");
}

TEST(test_a_place_is_named_by_the_axis) {
    Fixture fixture = open_chart(true, false);
    chart_tick(&fixture.document, &fixture.chart->x, 1000, "kilo");
    add(&fixture, 1000, 3);
    add(&fixture, 4096, 3.5);
    char *text = drawn(&fixture);
    assert_has(text, "aria-label=\"cuda_fast, kilo: 3.00 ms\"");
    assert_has(text, "aria-label=\"cuda_fast, 4096: 3.50 ms\"");
    assert_lacks(text, "data-interval");
}

/* 0…10.36 over 300 units: 4 is 29 below 5, 7 is 57.9 above. */
TEST(test_intervals_are_whiskers) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, 10);
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 1, .y = 5, .low = 4, .high = 7});
    /* Narrower than the point itself. */
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 2, .y = 5, .low = 4.98, .high = 5.02});
    char *text = drawn(&fixture);
    assert_int_equal(count_of(text, "class=\"w\""), 1);
    assert_has(text, "<path class=\"w\" d=\"M-3 -57.9h6M0 -57.9V29M-3 29h6\"/>");
    assert_int_equal(count_of(text, "data-interval"), 2);
}

/* The axis reaches to the ends of intervals, and one that it cannot show ends with an arrow on the
 * frame. */
TEST(test_intervals_that_reach_below_a_log_axis) {
    Fixture fixture = open_chart(false, true);
    add(&fixture, 0, 0.1);
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 1, .y = 1, .low = -2, .high = 10});
    char *text = drawn(&fixture);
    /* 1 lies at 186, 10 at 52.1 and the frame at 336. */
    assert_has(text, "M-3 -133.9h6M0 -133.9V150M-3 144l3 6l3-6");
}

/* On a page a panel is a drawing of its own, with the range of all. */
TEST(test_panels_are_drawn_one_by_one) {
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    DocChart *chart = document_chart(&document, "panels", "Panels");
    for (int i = 0; i < 2; i++) {
        chart_panel(&document, chart, i == 0 ? "small" : "large");
        ChartSeries *series = chart_series(&document, chart, "here", SERIES_MEASURED, 0);
        for (int x = 1; x <= 2; x++) {
            chart_point(&document, series,
                        &(ChartPoint){.x = x, .y = i == 0 ? x : 100 * x, .low = NAN, .high = NAN});
        }
    }
    for (size_t i = 0; i < 2; i++) {
        FILE *stream = test_stream();
        assert_ok(svg_panel_write(stream, chart, i));
        char *text = test_text(stream);
        assert_has(text, i == 0 ? "Panels: small" : "Panels: large");
        assert_int_equal(count_of(text, "class=\"p\""), 2);
        assert_has(text, ">200<"); /* the same axis in both */
    }
}

TEST(test_reference_is_a_line_within_the_range) {
    Fixture fixture = open_chart(false, false);
    fixture.chart->reference = 1;
    add(&fixture, 0, 4);
    add(&fixture, 1, 10);
    char *text = drawn(&fixture);
    assert_has(text, "<path class=\"reference\" d=\"M72 307.5H624\"/>");

    fixture = open_chart(false, true);
    fixture.chart->reference = 0;
    add(&fixture, 0, 4);
    text = drawn(&fixture);
    assert_lacks(text, "reference");
}

/* y is 0.1…10 and 13% more at both ends, room for the words: 1 is half-way up the 300 units. */
TEST(test_sides_of_the_reference) {
    Fixture fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 8, 10);
    fixture.chart->reference = 1;
    fixture.chart->above = "GPU faster";
    fixture.chart->below = "GPU <slower>";
    char *text = drawn(&fixture);
    assert_has(text, "<path class=\"side win\" d=\"M72 36H624V186H72z\"/>");
    assert_has(text, "<path class=\"side lose\" d=\"M72 186H624V336H72z\"/>");
    assert_has(text, "class=\"side-words\">GPU faster</text>");
    assert_has(text, "class=\"side-words\">GPU &lt;slower&gt;</text>");

    /* Without words there are no sides. */
    fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 8, 10);
    fixture.chart->reference = 1;
    text = drawn(&fixture);
    assert_lacks(text, "side");
}

TEST(test_styles) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, 10);
    fixture.series =
        chart_series(&fixture.document, fixture.chart, "the paper's", SERIES_PUBLISHED, 2);
    add(&fixture, 0, 4);
    fixture.series = chart_series(&fixture.document, fixture.chart, "again", SERIES_SECONDARY,
                                  (int)look_count() + 1);
    add(&fixture, 1, 5);
    fixture.series = chart_series(&fixture.document, fixture.chart, "roof", SERIES_CEILING, 9);
    add(&fixture, 0, 8);
    add(&fixture, 1, 8);
    char *text = drawn(&fixture);
    assert_has(text, "<g class=\"s c0 measured\" data-series=\"0\" data-name=\"cuda_fast\">");
    assert_has(text,
               "<g class=\"s c2 published\" data-series=\"1\" data-name=\"the paper&#39;s\">");
    assert_has(text, "<g class=\"s c1 secondary\" data-series=\"2\"");
    /* A ceiling is named at its right end, and has no points: x is 0…1 and 0.04 more. */
    assert_has(text, "<g class=\"s c9 ceiling\"><path class=\"l\" d=\"M72 104.3L602.8 104.3\"/>");
    assert_has(text, " dy=\".34em\" text-anchor=\"end\">roof</text></g>");
    assert_int_equal(count_of(text, "class=\"p\""), 3);
}

TEST(test_empty_chart) {
    Fixture fixture = open_chart(true, true);
    add(&fixture, 1, NAN);
    add(&fixture, 2, -3);
    char *text = drawn(&fixture);
    assert_has(text, ">nothing to draw</text>");
    assert_has(text, "aria-label=\"Times &amp; sizes\"");
    assert_int_equal(count_of(text, "class=\"p\""), 0);
}

TEST(test_single_point) {
    Fixture fixture = open_chart(true, true);
    add(&fixture, 512, 3);
    char *text = drawn(&fixture);
    assert_has(text, "translate(348 186)"); /* the middle */
}

TEST(test_title_and_description) {
    Fixture fixture = open_chart(false, false);
    fixture.chart->description = "a < b";
    add(&fixture, 1, 1);
    char *text = drawn(&fixture);
    assert_has(text, "<svg class=\"chart\" viewBox=\"0 0 640 400\" role=\"group\" "
                     "aria-label=\"Times &amp; sizes\"><title>Times &amp; sizes</title>"
                     "<desc>a &lt; b</desc>");
    assert_has(text, ">kernel time (of all)</text>");
    assert_has(text, ">pixels</text>");
}

/* The marks of a page's y axis, from below; names that are shown on wide pages alone in brackets.
 */
static void expect_marks(double low, double high, bool log, const char *names) {
    Fixture fixture = open_chart(false, log);
    FigureLayout *layout = calloc(1, sizeof *layout);
    char found[512] = "";
    add(&fixture, 0, low);
    add(&fixture, 1, high);
    assert_non_null(layout);
    assert_ok(figure_lay_out_page(fixture.chart, 0, layout));
    const FigureScale *y = &layout->panels[0].y;
    for (size_t i = 0; i < y->count; i++) {
        char power[FIGURE_MARK_SIZE];
        const FigureMark *mark = &y->marks[i];
        figure_power_text(mark->power, power);
        if (mark->name[0] != '\0') {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s%s%s",
                     found[0] != '\0' ? "; " : "", mark->roomy ? "(" : "",
                     mark->is_power ? power : mark->name, mark->roomy ? ")" : "");
        }
    }
    assert_string_equal(found, names);
    figure_layout_release(layout);
    free(layout);
    document_release(&fixture.document);
}

TEST(test_marks_of_y) {
    expect_marks(0.009, 1100, true, "0.01; 0.1; 1; 10; 100; 1000");
    expect_marks(0.9e-5, 1.1e-3, true, "10⁻⁵; 10⁻⁴; 10⁻³");
    expect_marks(0.9, 12, true, "1; 2; 5; 10");
    expect_marks(1.04, 1.31, true, "1.05; 1.10; 1.15; 1.20; 1.25; 1.30");
    expect_marks(0, 2, false, "0; 0.5; 1.0; 1.5; 2.0");
}

/* 0…1000 and 4% at the right: 1040 over 552 units. Letters are 12.5 or 19 units high. */
TEST(test_names_without_room_are_dropped) {
    Fixture fixture = open_chart(false, false);
    static const struct {
        double x;
        const char *name;
    } named[] = {{0, "aaaa"}, {20, "bbbb"}, {300, "cccc"}, {385, "dddd"}, {1000, "last"}};
    for (size_t i = 0; i < 5; i++) {
        chart_tick(&fixture.document, &fixture.chart->x, named[i].x, named[i].name);
        add(&fixture, named[i].x, 1);
    }
    char *text = drawn(&fixture);
    assert_has(text, "class=\"x\" dy=\"1.25em\">aaaa<");
    assert_lacks(text, ">bbbb<");
    assert_has(text, "class=\"x\" dy=\"1.25em\">last<");
    /* 45 units apart: enough for the small letters alone. */
    assert_int_equal(count_of(text, "class=\"x roomy\""), 1);
}

static void assert_value(double number, const char *expected) {
    char text[SVG_VALUE_SIZE];
    svg_value_text(number, 3, text);
    assert_string_equal(text, expected);
}

TEST(test_values_in_sentences) {
    assert_value(0, "0");
    assert_value(0.0071, "0.00710");
    assert_value(0.00002347, "0.0000235");
    assert_value(15.26, "15.3");
    assert_value(1234.4, "1234");
    assert_value(33177600, "3.32×10⁷");
    assert_value(65536, "65\u202F536");
    assert_value(-12.34, "-12.3");
    assert_value(2e-9, "2.00×10⁻⁹");
}

/* --- Names of ceilings ------------------------------------------------------------------------ */

/* A name as the drawing has it: from its left end, rising by an angle. */
typedef struct Word {
    double x, y, angle;
} Word;

/* What a letter takes at least on a narrow page, and how high it is there. */
static const double letter = 9, letter_high = 12;

enum { WORD_LETTERS = 12 };

/* The names of the ceilings of a chart, "c0", "c1" …, twelve letters each. */
static size_t ceiling_words(const char *text, Word *words, size_t most) {
    size_t count = 0;
    const char *at = text;
    while (count < most && (at = strstr(at, "ceiling\"><path")) != NULL) {
        Word *word = &words[count++];
        char anchor[8];
        const char *name = strstr(at, "<text"), *end = strchr(name, '>');
        assert_int_equal(sscanf(name,
                                "<text x=\"%lf\" y=\"%lf\" dy=\".34em\" text-anchor=\"%7[a-z]",
                                &word->x, &word->y, anchor),
                         3);
        const char *turned = strstr(name, "rotate(");
        word->angle =
            turned != NULL && turned < end ? -strtod(turned + 7, NULL) * acos(-1) / 180 : 0;
        word->x -= strcmp(anchor, "end") == 0 ? WORD_LETTERS * letter : 0;
        at = name;
    }
    return count;
}

/* Where a letter of a name is. */
static void letter_place(const Word *word, int index, double *x, double *y) {
    *x = word->x + (index + 0.5) * letter * cos(word->angle);
    *y = word->y - (index + 0.5) * letter * sin(word->angle);
}

static bool words_overlap(const Word *a, const Word *b) {
    for (int i = 0; i < WORD_LETTERS; i++) {
        for (int j = 0; j < WORD_LETTERS; j++) {
            double x, y, other_x, other_y;
            letter_place(a, i, &x, &y);
            letter_place(b, j, &other_x, &other_y);
            if (hypot(x - other_x, y - other_y) < letter_high) {
                return true;
            }
        }
    }
    return false;
}

/* Three slopes within a factor of 4 and, in the last third alone, two levels within a factor of 2:
 * as near to each other as on machines. */
static bool names_overlap(uint64_t seed) {
    Draw draw = {.seed = seed};
    Fixture fixture = open_chart(true, true);
    add(&fixture, 0.1, 1);
    add(&fixture, 100, 1000);
    char name[16];
    for (int i = 0; i < 5; i++) {
        const double height =
            (i < 3 ? 20 : 200) * pow(i < 3 ? 4 : 2, draw_share(draw_number(&draw)));
        snprintf(name, sizeof name, "ceiling no %d", i);
        fixture.series = chart_series(&fixture.document, fixture.chart, name, SERIES_CEILING, i);
        const double ridge = i < 3 ? 500 / height : 10;
        if (i < 3) {
            add(&fixture, 0.1, 0.1 * height);
        }
        add(&fixture, ridge, i < 3 ? 500 : height);
        if (i >= 3) {
            add(&fixture, 100, height);
        }
    }
    char *text = drawn(&fixture);
    Word words[5];
    assert_int_equal(ceiling_words(text, words, 5), 5);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++) {
            if (words_overlap(&words[i], &words[j])) {
                return true;
            }
        }
    }
    return false;
}

TEST(test_names_of_ceilings_never_overlap) {
    size_t overlaps = 0;
    for (uint64_t seed = 0; seed < 500; seed += SWEEP_STEP) {
        if (names_overlap(seed)) {
            print_message("the ceilings of seed %d\n", (int)seed);
            overlaps++;
        }
    }
    assert_int_equal(overlaps, 0);
}

/* A slope is named along itself, where it enters the plot; a point on it is not covered. */
TEST(test_names_of_slopes_rise_with_them) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, 0);
    add(&fixture, 1, 10);
    fixture.series =
        chart_series(&fixture.document, fixture.chart, "ceiling no 0", SERIES_CEILING, 9);
    add(&fixture, 0, 2);
    add(&fixture, 1, 8);
    char *text = drawn(&fixture);
    Word word;
    assert_int_equal(ceiling_words(text, &word, 1), 1);
    /* 6 of 10.6 over 300 units, 1 of 1.04 over 552. */
    assert_true(fabs(tan(word.angle) - (6 / 10.6 * 300) / (552 / 1.04)) < 0.01);
}
