/* Charts within HTML pages: where points lie, what is left out, what is said about them. The area
 * of the points is 72…624 by 36…336 of a viewBox of 640 by 400; places are computed by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"
#include "markup.h"
#include "report_internal.h"
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
    fixture.chart->y = (ChartAxis){.title = "kernel time (ms)", .log = log_y};
    fixture.series =
        chart_series(&fixture.document, fixture.chart, "cuda_fast", SERIES_MEASURED, 0);
    return fixture;
}

static void add(Fixture *fixture, double x, double y) {
    chart_point(&fixture->document, fixture->series,
                &(ChartPoint){.x = x, .y = y, .low = NAN, .high = NAN});
}

/* Draws, releases, and returns the markup; free it. Not inlined: gcc 12 would take the text for the
 * place of its pointer, and warn of that. */
__attribute__((noinline)) static char *drawn(Fixture *fixture) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    svg_chart_write(stream, fixture->chart);
    fclose(stream);
    document_release(&fixture->document);
    return text;
}

/* The decades 0…3 with a twentieth more at both ends: 3.3 over 552 units. */
TEST(test_log_x_and_linear_y) {
    Fixture fixture = open_chart(true, false);
    add(&fixture, 1, 2);
    add(&fixture, 10, 5);
    add(&fixture, 1000, 10);
    char *text = drawn(&fixture);
    assert_has(text, "<path class=\"l\" d=\"M97.1 276L264.4 186L598.9 36\"/>");
    assert_has(text, "translate(97.1 276)");
    assert_has(text, "translate(264.4 186)");
    assert_has(text, "translate(598.9 36)");
    assert_has(text, "<text x=\"264.4\" y=\"336\" class=\"x\" dy=\"1.25em\">10</text>");
    assert_has(text, ">1000</text>");
    /* y begins at 0: 2 is less than half of 10. */
    assert_has(text, "<text x=\"64\" y=\"336\" class=\"y\" dy=\".34em\">0</text>");
    assert_has(text, "<text x=\"64\" y=\"276\" class=\"y\" dy=\".34em\">2</text>");
    assert_has(text, "<text x=\"64\" y=\"36\" class=\"y\" dy=\".34em\">10</text>");
    assert_lacks(text, ">12</text>");
    free(text);
}

/* -1…1 with 0.1 more at both ends: 2.2 over 300 units. x: 4…8 and 0.2 more, 4.4 over 552. */
TEST(test_linear_x_and_log_y) {
    Fixture fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 6, 1);
    add(&fixture, 8, 10);
    char *text = drawn(&fixture);
    assert_has(text, "d=\"M97.1 322.4L348 186L598.9 49.6\"");
    assert_has(text, "y=\"322.4\" class=\"y\" dy=\".34em\">0.1</text>");
    /* The minor line of 2: 336 - 300 * (1.1 + 0.30103) / 2.2 = 144.951 */
    assert_has(text, "<path class=\"grid minor\" d=\"");
    assert_has(text, "M72 145H624");
    free(text);
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
    assert_has(text, "d=\"M97.1 322.4M598.9 49.6\"");
    assert_lacks(text, "nan");
    assert_lacks(text, "inf");
    free(text);
}

/* On a linear axis 0 and less are numbers as any other: -4…4 in steps of 2. */
TEST(test_negative_values_on_linear_axes) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, -4);
    add(&fixture, 1, 4);
    char *text = drawn(&fixture);
    assert_int_equal(count_of(text, "class=\"p\""), 2);
    assert_has(text, "y=\"336\" class=\"y\" dy=\".34em\">−4</text>");
    assert_has(text, "y=\"186\" class=\"y\" dy=\".34em\">0</text>");
    free(text);
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
    free(text);
}

/* Three digits do not tell these ends apart; four do. */
TEST(test_narrow_intervals_have_more_digits) {
    Fixture fixture = open_chart(false, false);
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 1, .y = 15.23, .low = 15.22, .high = 15.24});
    char *text = drawn(&fixture);
    assert_has(text, "15.23 ms (15.22 to 15.24)");
    free(text);
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
    free(text);
}

/* 0…10 over 300 units: 4 is 30 below 5, 7 is 60 above. */
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
    assert_has(text, "<path class=\"w\" d=\"M-3 -60h6M0 -60V30M-3 30h6\"/>");
    assert_int_equal(count_of(text, "data-interval"), 2);
    free(text);
}

/* The axis reaches to the ends of intervals, and an end it cannot show lies on the frame. */
TEST(test_intervals_that_reach_below_a_log_axis) {
    Fixture fixture = open_chart(false, true);
    add(&fixture, 0, 0.1);
    chart_point(&fixture.document, fixture.series,
                &(ChartPoint){.x = 1, .y = 1, .low = -2, .high = 10});
    char *text = drawn(&fixture);
    /* 1 lies at 186, 10 at 49.6 and the frame at 336. */
    assert_has(text, "M-3 -136.4h6M0 -136.4V150M-3 150h6");
    free(text);
}

TEST(test_reference_is_a_line_within_the_range) {
    Fixture fixture = open_chart(false, false);
    fixture.chart->reference = 1;
    add(&fixture, 0, 4);
    add(&fixture, 1, 10);
    char *text = drawn(&fixture);
    assert_has(text, "<path class=\"reference\" d=\"M72 306H624\"/>");
    free(text);

    fixture = open_chart(false, true);
    fixture.chart->reference = 0;
    add(&fixture, 0, 4);
    text = drawn(&fixture);
    assert_lacks(text, "reference");
    free(text);
}

/* y is 0.1…10 and a tenth more at both ends: 1 is half-way up the 300 units, 10 is near the top. */
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
    free(text);

    /* 13.6 units above it have no room for the word; without words there are no sides. */
    fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 8, 10);
    fixture.chart->reference = 10;
    fixture.chart->above = "GPU faster";
    fixture.chart->below = "GPU slower";
    text = drawn(&fixture);
    assert_has(text, "side win");
    assert_lacks(text, ">GPU faster<");
    assert_has(text, ">GPU slower<");
    free(text);

    fixture = open_chart(false, true);
    add(&fixture, 4, 0.1);
    add(&fixture, 8, 10);
    fixture.chart->reference = 1;
    text = drawn(&fixture);
    assert_lacks(text, "side");
    free(text);
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
    /* A ceiling is named where it ends, and has no points: x is 0…1 and 0.05 more at the right. */
    assert_has(text, "<g class=\"s c9 ceiling\"><path class=\"l\" d=\"M72 96L597.7 96\"/>");
    assert_has(text, "<text x=\"597.7\" y=\"90\" text-anchor=\"end\">roof</text>");
    assert_int_equal(count_of(text, "class=\"p\""), 3);
    free(text);
}

TEST(test_ceilings_close_to_each_other) {
    Fixture fixture = open_chart(false, false);
    static const double heights[] = {8, 8.2};
    add(&fixture, 0, 10);
    add(&fixture, 1, 2);
    for (int i = 0; i < 2; i++) {
        fixture.series = chart_series(&fixture.document, fixture.chart, i == 0 ? "low" : "high",
                                      SERIES_CEILING, 9);
        add(&fixture, 0, heights[i]);
        add(&fixture, 1, heights[i]);
    }
    char *text = drawn(&fixture);
    /* The lower one's name goes below its line at 96, the other's above its own at 90. */
    assert_has(text, "y=\"112\" text-anchor=\"end\">low<");
    assert_has(text, "y=\"84\" text-anchor=\"end\">high<");
    free(text);
}

/* 0…10 over 300 units, x from 72. The lines rise from 6 and from 6.4, 12 units above it. */
TEST(test_rising_ceilings_are_named_where_they_begin) {
    Fixture fixture = open_chart(false, false);
    add(&fixture, 0, 2);
    static const double starts[] = {6, 6.4};
    for (int i = 0; i < 2; i++) {
        fixture.series = chart_series(&fixture.document, fixture.chart, i == 0 ? "low" : "high",
                                      SERIES_CEILING, 9);
        add(&fixture, 0, starts[i]);
        add(&fixture, 1, starts[i] + 3);
    }
    char *text = drawn(&fixture);
    assert_has(text, "<text x=\"78\" y=\"172\" text-anchor=\"start\">low<");
    /* There is no room below its beginning. */
    assert_has(text, "<text x=\"597.7\" y=\"48\" text-anchor=\"end\">high<");
    free(text);
}

TEST(test_empty_chart) {
    Fixture fixture = open_chart(true, true);
    add(&fixture, 1, NAN);
    add(&fixture, 2, -3);
    char *text = drawn(&fixture);
    assert_has(text, ">nothing to draw</text>");
    assert_has(text, "aria-label=\"Times &amp; sizes\"");
    assert_int_equal(count_of(text, "class=\"p\""), 0);
    free(text);
}

TEST(test_single_point) {
    Fixture fixture = open_chart(true, true);
    add(&fixture, 512, 3);
    char *text = drawn(&fixture);
    assert_has(text, "translate(348 186)"); /* the middle */
    free(text);
}

TEST(test_title_and_description) {
    Fixture fixture = open_chart(false, false);
    fixture.chart->description = "a < b";
    add(&fixture, 1, 1);
    char *text = drawn(&fixture);
    assert_has(text, "<svg class=\"chart\" viewBox=\"0 0 640 400\" role=\"group\" "
                     "aria-label=\"Times &amp; sizes\"><title>Times &amp; sizes</title>"
                     "<desc>a &lt; b</desc>");
    assert_has(text, ">kernel time (ms)</text>");
    assert_has(text, ">pixels</text>");
    free(text);
}

static void assert_ticks(double low, double high, const char *names) {
    const SvgScale scale = {
        .log = true, .low = log10(low), .high = log10(high), .start = 336, .end = 36};
    SvgTick ticks[SVG_TICKS_MAX];
    const size_t count = svg_scale_ticks(&scale, &(ChartAxis){.log = true}, ticks);
    char found[512] = "";
    for (size_t i = 0; i < count; i++) {
        if (ticks[i].label[0] != '\0') {
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     found[0] != '\0' ? "; " : "", ticks[i].label);
        }
    }
    assert_string_equal(found, names);
}

TEST(test_ticks_of_log_axes) {
    assert_ticks(0.009, 1100, "0.01; 0.1; 1; 10; 100; 1000");
    assert_ticks(9000, 2e7, "10\u202F000; 100\u202F000; 10⁶; 10⁷");
    assert_ticks(0.9e-5, 1.1e-3, "10⁻⁵; 10⁻⁴; 0.001");
    assert_ticks(0.9, 12, "1; 2; 5; 10");
    assert_ticks(1.04, 1.31, "1.05; 1.10; 1.15; 1.20; 1.25; 1.30");
    assert_ticks(1e-6, 1e6, "10⁻⁶; 10⁻⁴; 0.01; 1; 100; 10\u202F000; 10⁶");
}

TEST(test_names_without_room_are_dropped) {
    const SvgScale scale = {.low = 0, .high = 552, .start = 72, .end = 624};
    ChartTick named[] = {{0, "a"}, {4, "b"}, {100, "c"}, {118, "d"}, {900, "outside"}};
    const ChartAxis axis = {.ticks = named, .count = 5};
    SvgTick ticks[SVG_TICKS_MAX];
    assert_int_equal(svg_scale_ticks(&scale, &axis, ticks), 4);
    assert_string_equal(ticks[0].label, "a");
    assert_string_equal(ticks[1].label, "");
    assert_string_equal(ticks[2].label, "c");
    assert_false(ticks[2].roomy);
    /* 18 units apart: enough for the small letters alone. */
    assert_string_equal(ticks[3].label, "d");
    assert_true(ticks[3].roomy);
}

static void assert_value(double number, const char *expected) {
    char text[SVG_TICK_SIZE];
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

typedef struct Word {
    double left, right, y;
} Word;

/* What a letter takes at most, on a narrow page, and a line of text. */
static const double letter = 10, line_high = 18;

/* The names of the ceilings of a chart, "c0", "c1" …, twelve letters each. */
static size_t ceiling_words(const char *text, Word *words, size_t most) {
    size_t count = 0;
    const char *at = text;
    while (count < most && (at = strstr(at, "ceiling\"><path")) != NULL) {
        double x = 0;
        char anchor[8];
        const char *word = strstr(at, "<text");
        assert_non_null(word);
        assert_int_equal(sscanf(word, "<text x=\"%lf\" y=\"%lf\" text-anchor=\"%7[a-z]", &x,
                                &words[count].y, anchor),
                         3);
        const double wide = 12 * letter;
        words[count].left = strcmp(anchor, "start") == 0 ? x : x - wide;
        words[count].right = words[count].left + wide;
        count++;
        at = word;
    }
    return count;
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
    free(text);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++) {
            if (words[i].left < words[j].right && words[j].left < words[i].right &&
                fabs(words[i].y - words[j].y) < line_high) {
                return true;
            }
        }
    }
    return false;
}

TEST(test_names_of_ceilings_never_overlap) {
    for (uint64_t seed = 0; seed < 500; seed++) {
        if (names_overlap(seed)) {
            fail_msg("the ceilings of seed %d", (int)seed);
        }
    }
}
