/* Figures: the CSV, by hand, and the pictures that gnuplot makes of it, where there is a gnuplot.
 */
#include "document.h"
#include "document_fixture.h"
#include "files.h"
#include "layout.h"
#include "look.h"
#include "markup.h"
#include "needs.h"
#include "search_path.h"
#include "status_checks.h"
#include "test.h"

EACH_TEST(make_document, release_document);

static void add_point(Document *document, ChartSeries *series, double x, double y, double low,
                      double high) {
    chart_point(document, series, &(ChartPoint){.x = x, .y = y, .low = low, .high = high});
}

/* Every style, named places, and texts that gnuplot could take for something else. */
static DocChart *nasty_chart(Document *document) {
    DocChart *chart = document_chart(document, "lbp-time", "It's `id` \"$x\" {a}^b_c, 50 %");
    chart->description = "Two lines,\none file.";
    chart->x.title = "Image size (pixels)";
    chart->x.log = true;
    chart->y.title = "Kernel time (ms)";
    chart->y.log = true;
    chart->reference = 1;
    chart_tick(document, &chart->x, 262144, "512x512");
    chart_tick(document, &chart->x, 1048576, "1K, 'square'");
    ChartSeries *series = chart_series(document, chart, "seq, 1 thread", SERIES_MEASURED, 1);
    chart_point(document, series,
                &(ChartPoint){.x = 262144, .y = 1.5, .low = 1.4, .high = 1.75, .label = "512x512"});
    add_point(document, series, 1048576, 6, 5.5, 6.25);
    series = chart_series(document, chart, "cuda_tiled, end-to-end", SERIES_SECONDARY, 0);
    add_point(document, series, 262144, 0.25, NAN, NAN);
    add_point(document, series, 1048576, 0.5, NAN, NAN);
    series = chart_series(document, chart, "@x C:\\new\\", SERIES_PUBLISHED, 1);
    add_point(document, series, 262144, 3, NAN, NAN);
    add_point(document, series, 1048576, NAN, NAN, NAN);
    chart_series(document, chart, "empty", SERIES_MEASURED, 2);
    series = chart_series(document, chart, "DRAM <copy> & L2", SERIES_CEILING, 3);
    add_point(document, series, 262144, 0.125, NAN, NAN);
    add_point(document, series, 1048576, 0.375, NAN, NAN);
    return chart;
}

static const char nasty_csv[] = "# title: It's `id` \"$x\" {a}^b_c, 50 %\n"
                                "# description: Two lines, one file.\n"
                                "# x: Image size (pixels)\n"
                                "# x is logarithmic\n"
                                "# x = 262144: 512x512\n"
                                "# x = 1048576: 1K, 'square'\n"
                                "# y: Kernel time (ms)\n"
                                "# y is logarithmic\n"
                                "# reference: 1\n"
                                "x,y,low,high,colour,style,series,label\n"
                                "262144,1.5,1.4,1.75,1,measured,\"seq, 1 thread\",512x512\n"
                                "1048576,6,5.5,6.25,1,measured,\"seq, 1 thread\",\n"
                                "262144,0.25,,,0,secondary,\"cuda_tiled, end-to-end\",\n"
                                "1048576,0.5,,,0,secondary,\"cuda_tiled, end-to-end\",\n"
                                "262144,3,,,1,published,@x C:\\new\\,\n"
                                "1048576,,,,1,published,@x C:\\new\\,\n"
                                "262144,0.125,,,3,ceiling,DRAM <copy> & L2,\n"
                                "1048576,0.375,,,3,ceiling,DRAM <copy> & L2,\n";

/* Skips the test without gnuplot. */
static void draw(const DocChart *chart) {
    const Status status = chart_write(chart, test_folder);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
}

static void expect_beginning(const char *name, const char *beginning) {
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path(name), "a text", SIZE_MAX, &text, &length));
    assert_true(length > 2000);
    assert_memory_equal(text, beginning, strlen(beginning));
    free(text);
}

static char *text_of(const char *name) {
    char *text;
    size_t length;
    assert_ok(file_text_read(test_path(name), "a text", SIZE_MAX, &text, &length));
    return test_keep(text);
}

/* A start-up file that breaks every script, and variables that gnuplot reads. */
TEST(what_a_user_has_set_changes_no_chart) {
    static const char *const variables[][2] = {
        {"GNUTERM", "no such terminal"}, {"GNUPLOT_LIB", "/nowhere"}, {"GDFONTPATH", "/nowhere"}};
    Document *document = test_state;
    draw(nasty_chart(document));
    char *plain = text_of("lbp-time.svg");
    test_write(".gnuplot", "set xdata time\nexit status 3\n");
    char *home = strdup(getenv("HOME") != NULL ? getenv("HOME") : "");
    setenv("HOME", test_folder, 1);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        setenv(variables[i][0], variables[i][1], 1);
    }
    draw(nasty_chart(document));
    setenv("HOME", home, 1);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        unsetenv(variables[i][0]);
    }
    char *other = text_of("lbp-time.svg");
    assert_string_equal(other, plain);
    free(home);
}

TEST(charts_are_drawn_from_their_csv) {
    Document *document = test_state;
    draw(nasty_chart(document));
    expect_file("lbp-time.csv", nasty_csv);
    expect_beginning("lbp-time.pdf", "%PDF-");
    expect_beginning("lbp-time.png", "\x89PNG");
    static const char *const words[] = {"It's `id` \"$x\" {a}^b_c, 50 %",
                                        "Kernel time (ms)",
                                        "Image size (pixels)",
                                        "512x512",
                                        "1K, 'square'",
                                        "seq, 1 thread",
                                        "cuda_tiled, end-to-end",
                                        "@x C:\\new\\",
                                        "DRAM &lt;copy> &amp; L2",
                                        "</svg>"};
    char *svg = test_read("lbp-time.svg");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(svg, words[i]) == NULL) {
            fail_msg("the figure does not say %s", words[i]);
        }
    }
    assert_null(strstr(svg, "empty"));
    assert_int_equal(scratch_count(test_folder), 4);
}

/* Behind a quote gnuplot takes a name after @ for a variable of the script, whose text it would
 * run.
 */
TEST(texts_are_no_macros) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "macro", "'.system(\"echo run\").'");
    ChartSeries *series = chart_series(document, chart, "it's @figure_title", SERIES_MEASURED, 0);
    add_point(document, series, 1, 2, NAN, NAN);
    add_point(document, series, 2, 3, NAN, NAN);
    draw(chart);
    assert_says(test_read("macro.svg"), ">it's @figure_title<");
}

/* gnuplot draws shape 7 as an element of its own: two points and the one in the key. */
TEST(every_point_is_in_the_picture) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "two", "Two points");
    ChartSeries *series = chart_series(document, chart, "a, b", SERIES_MEASURED, 0);
    add_point(document, series, 1, 2, NAN, NAN);
    add_point(document, series, 2, 3, NAN, NAN);
    draw(chart);
    char *svg = test_read("two.svg");
    assert_int_equal(count_of(svg, "xlink:href='#gpPt6'"), 3);
}

typedef struct Place {
    double x, y; /* px from the upper left corner */
} Place;

/* Where the n-th element that begins with `start` is drawn. */
static Place place_of(const char *svg, const char *start, size_t n) {
    const char *at = svg;
    for (size_t i = 0; i <= n; i++) {
        at = strstr(at, start);
        assert_non_null(at);
        at += strlen(start);
    }
    char *end;
    const double x = strtod(at, &end);
    assert_int_equal(*end, ',');
    return (Place){x, strtod(end + 1, NULL)};
}

/* Panels without axes of their own have that of the chart, over the range of all. */
TEST(panels_have_the_axis_of_the_chart) {
    Document *document = test_state;
    static const char mark[] = "xlink:href='#gpPt6' transform='translate(";
    DocChart *chart = document_chart(document, "panels", "Panels");
    chart->y = (ChartAxis){.title = "time (ms)", .log = true};
    for (int i = 0; i < 2; i++) {
        chart_panel(document, chart, i == 0 ? "first" : "second");
        ChartSeries *series = chart_series(document, chart, "a", SERIES_MEASURED, 0);
        add_point(document, series, 1, i == 0 ? 1 : 4, NAN, NAN);
        add_point(document, series, 2, i == 0 ? 4 : 16, NAN, NAN);
    }
    draw(chart);
    char *svg = test_read("panels.svg");
    assert_int_equal(count_of(svg, "xlink:href='#gpPt6'"), 5); /* one in the key */
    const Place first[] = {place_of(svg, mark, 0), place_of(svg, mark, 1)};
    const Place second[] = {place_of(svg, mark, 2), place_of(svg, mark, 3)};
    assert_float_equal(first[1].y, second[0].y, 0.1);
    assert_float_equal(first[0].y - first[1].y, second[0].y - second[1].y, 0.1);
    assert_float_equal(first[1].x - first[0].x, second[1].x - second[0].x, 0.1);
    assert_true(second[0].x > first[1].x);
    assert_says(svg, ">first<");
    assert_says(svg, ">second<");
    assert_int_equal(count_of(svg, ">time (ms)<"), 1);
}

/* Panels with axes of their own stand below each other, and each has its range. */
TEST(panels_may_have_axes_of_their_own) {
    Document *document = test_state;
    static const char mark[] = "xlink:href='#gpPt6' transform='translate(";
    DocChart *chart = document_chart(document, "panels", "Panels");
    for (int i = 0; i < 2; i++) {
        ChartPanel *panel = chart_panel(document, chart, NULL);
        panel->y = (ChartAxis){.title = i == 0 ? "loss" : "share (%)"};
        ChartSeries *series = chart_series(document, chart, "a", SERIES_MEASURED, 0);
        add_point(document, series, 1, 0, NAN, NAN);
        add_point(document, series, 2, i == 0 ? 1 : 1000, NAN, NAN);
    }
    draw(chart);
    char *svg = test_read("panels.svg");
    const Place first[] = {place_of(svg, mark, 0), place_of(svg, mark, 1)};
    const Place second[] = {place_of(svg, mark, 2), place_of(svg, mark, 3)};
    assert_float_equal(first[0].y - first[1].y, second[0].y - second[1].y, 0.1);
    assert_float_equal(first[0].x, second[0].x, 0.1);
    assert_true(second[1].y > first[0].y);
    assert_says(svg, ">loss<");
    assert_says(svg, ">share (%)<");
}

/* Two full columns leave no room for a third. */
TEST(the_key_is_within_the_chart) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "key", "Key");
    for (int i = 0; i < 6; i++) {
        ChartSeries *series = chart_series(
            document, chart, document_text(document, "a longer name %d", i), SERIES_MEASURED, i);
        add_point(document, series, 1, i + 1, NAN, NAN);
        add_point(document, series, 2, i + 2, NAN, NAN);
    }
    draw(chart);
    char *svg = test_read("key.svg");
    for (int i = 0; i < 6; i++) {
        char name[64];
        snprintf(name, sizeof name, "<text>a longer name %d<", i);
        const char *found = strstr(svg, name);
        assert_non_null(found);
        while (strncmp(found, "translate(", 10) != 0) {
            assert_true(--found > svg);
        }
        const double x = strtod(found + 10, NULL);
        if (x <= 10 || x >= 250) {
            fail_msg("%s at %g", name, x);
        }
    }
}

TEST(bars_are_parts_with_their_shares) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "bars", "Bars\nof two parts");
    chart->kind = CHART_BARS;
    chart->y.title = "time (ms)";
    chart_tick_noted(document, &chart->x, 0, "cuda_fast", "tile:'8'");
    ChartSeries *series = chart_series(document, chart, "upload", SERIES_SECONDARY, 0);
    chart_point(document, series,
                &(ChartPoint){.x = 0, .y = 1, .low = 0, .high = 1, .label = "1%"});
    series = chart_series(document, chart, "features", SERIES_MEASURED, 0);
    chart_point(document, series,
                &(ChartPoint){.x = 0, .y = 99, .low = 1, .high = 100, .label = "99%"});
    series = chart_series(document, chart, "total", SERIES_WORDS, 0);
    chart_point(document, series,
                &(ChartPoint){.x = 0, .y = 100, .low = NAN, .high = NAN, .label = "7 ms"});
    draw(chart);
    static const char *const words[] = {">Bars<",   ">of two parts<", ">cuda_fast<", ">tile:'8'<",
                                        ">upload<", ">features<",     ">99%<",       ">7 ms<",
                                        ">total<",  ">time (ms)<"};
    char *svg = test_read("bars.svg");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(svg, words[i]) == NULL) {
            fail_msg("the figure does not say %s", words[i]);
        }
    }
    assert_null(strstr(svg, ">1%<")); /* no room */
}

/* What cannot be drawn on a logarithmic axis is left out, the rest is drawn. */
TEST(zeros_are_no_error_on_logarithmic_axes) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "zeros", "Zeros");
    chart->y.log = true;
    ChartSeries *series = chart_series(document, chart, "a", SERIES_MEASURED, 0);
    add_point(document, series, 1, 0, NAN, NAN);
    add_point(document, series, 2, 3, -1, 4);
    add_point(document, series, 3, 30, 20, INFINITY);
    draw(chart);
    chart->name = "nothing";
    chart->series->count = 1;
    assert_status(chart_write(chart, test_folder), STATUS_SKIP, "nothing");
    assert_says(test_read("nothing.csv"), "1,0,,,0,measured,a,\n");
}

TEST(shapes_that_are_hard_to_lay_out_are_drawn) {
    Document *document = test_state;
    static const struct {
        double x, y, factor;
        int series, points;
        bool log;
    } cases[] = {
        {5, 0.97, 1, 1, 1, false}, {0, 0, 1, 1, 1, false},         {-3, -7, 2, 2, 3, false},
        {5, 7, 1, 1, 1, true},     {1e-9, 1e-12, 10, 3, 25, true}, {1e6, 1e15, 1.5, 30, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        DocChart *chart =
            document_chart(document, document_text(document, "chart-%zu", i),
                           "A title of so many words that it takes more than the three lines that "
                           "there are for titles above the figures of a paper with two columns, "
                           "of which this is one");
        chart->x.log = chart->y.log = cases[i].log;
        for (int j = 0; j < cases[i].series; j++) {
            ChartSeries *series = chart_series(
                document, chart, document_text(document, "a series with a long name, number %d", j),
                SERIES_MEASURED, j);
            double x = cases[i].x, y = cases[i].y * (j + 1);
            for (int k = 0; k < cases[i].points; k++) {
                add_point(document, series, x, y, NAN, NAN);
                x *= cases[i].factor;
                y *= cases[i].factor;
            }
        }
        draw(chart);
    }
}

TEST(without_gnuplot_there_is_the_csv) {
    Document *document = test_state;
    const DocChart *chart = nasty_chart(document);
    char *path = search_path_set(test_folder, true);
    const Status status = chart_write(chart, test_folder);
    search_path_restore(path);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "gnuplot");
    expect_file("lbp-time.csv", nasty_csv);
    assert_int_equal(scratch_count(test_folder), 1);
}

TEST(a_folder_that_is_not_there_is_said) {
    Document *document = test_state;
    const DocChart *chart = nasty_chart(document);
    assert_status(chart_write(chart, test_path("missing")), STATUS_FILE, "missing");
}

/* The script of a chart, as `style` draws it. */
static char *script_of(const DocChart *chart) {
    const FigureStyle style = {.legend = FIGURE_LEGEND_USUAL,
                               .width = 90,
                               .font_size = 8,
                               .formats = FIGURE_SVG,
                               .x_range = {NAN, NAN},
                               .y_range = {NAN, NAN}};
    RELEASED_BY(figure_layout_release) FigureLayout layout;
    assert_ok(figure_lay_out(&style, chart, &layout));
    assert_ok(figure_script_write(&layout, test_path("script.gp"), "points"));
    return test_read("script.gp");
}

/* Two variants over the best of the CPU, at two sizes. */
static DocChart *two_variants(Document *document, const char *first, const char *second) {
    DocChart *chart = document_chart(document, "looks", "Looks");
    const char *const names[] = {first, second};
    chart->reference = 1;
    for (size_t i = 0; i < 2; i++) {
        ChartSeries *series =
            chart_series(document, chart, names[i], SERIES_MEASURED, variant_look_known(names[i]));
        add_point(document, series, 1, 2, NAN, NAN);
        add_point(document, series, 2, 0.5, NAN, NAN);
    }
    return chart;
}

TEST(looks_and_sides_are_in_the_script) {
    Document *document = test_state;
    DocChart *chart = two_variants(document, "cuda_pipeline", "omp");
    chart->above = "GPU faster";
    chart->below = "GPU slower";
    char *text = script_of(chart);
    assert_says(text, "linecolor rgb '#804976' linewidth 1.5 dashtype (10, 3) "
                      "pointtype 11 pointsize mark_size notitle");
    assert_says(text, "linecolor rgb '#DF73FF' linewidth 1.5 dashtype solid "
                      "pointtype 8 pointsize mark_size pointinterval -1 "
                      "notitle");
    assert_says(text, "set label 'GPU faster' at screen");
    assert_says(text, "set label 'GPU slower' at screen");
    /* The sides meet at 1, in the middle of a logarithmic axis from 1/2 to 2. */
    chart->y.log = true;
    text = script_of(chart);
    assert_says(text, "from graph 0, graph 0.0000 to graph 1, graph 0.5000 behind");
    assert_says(text, "from graph 0, graph 0.5000 to graph 1, graph 1.0000 behind");
}

/* The second of two equal lines is dashed, so that both are seen, and named below the first. */
TEST(equal_lines_are_shown_as_equal) {
    Document *document = test_state;
    DocChart *chart = two_variants(document, "cuda_fast", "cuda_tiled");
    chart->series[1].same_as = 1;
    char *text = script_of(chart);
    assert_says(text, "linecolor rgb '#6A003C' linewidth 1.5 dashtype (6, 6)");
    const char *first = strstr(text, "set label 'cuda_fast' at screen ");
    const char *second = strstr(text, "set label '= cuda_tiled' at screen ");
    assert_non_null(first);
    assert_non_null(second);
    double above, below;
    assert_int_equal(sscanf(strchr(first, ','), ", %lf", &above), 1);
    assert_int_equal(sscanf(strchr(second, ','), ", %lf", &below), 1);
    assert_true(below < above && above - below < 0.1);
}

/* Machine, date and baseline; and what was not measured has neither points nor a name. */
TEST(the_foot_and_what_was_extrapolated) {
    Document *document = test_state;
    DocChart *chart = two_variants(document, "seq", "cuda_fast");
    chart->made = "NVIDIA H200; 2026-11-23; over omp";
    ChartSeries *series =
        chart_series(document, chart, "seq", SERIES_EXTRAPOLATED, variant_look_known("seq"));
    add_point(document, series, 2, 0.5, NAN, NAN);
    add_point(document, series, 4, 0.25, NAN, NAN);
    char *text = script_of(chart);
    assert_says(text, "set label 'NVIDIA H200; 2026-11-23; over omp' at screen 0.5000");
    assert_says(text, "::5::6 using 1:2 with lines linecolor rgb '#8C959D' linewidth "
                      "1.5 dashtype (1, 4) notitle");
}

/* A name has room to its right: the plot ends where the longest begins, and what leaves too little
 * goes below. */
TEST(names_are_at_the_ends_where_there_is_room) {
    Document *document = test_state;
    char *text = script_of(two_variants(document, "seq", "omp"));
    assert_says(text, "set label 'seq' at screen");
    assert_null(strstr(text, "set arrow from"));
    text =
        script_of(two_variants(document, "seq", "a variant of such a name that it needs a line"));
    assert_says(text, "set label 'seq' at screen");
    assert_says(text, "set arrow from screen"); /* the samples of a key */
}

/* One interval of five points reaches to a thousand: the axis does not, and an arrow says so. */
TEST(an_interval_far_beyond_the_values_is_cut) {
    Document *document = test_state;
    DocChart *chart = document_chart(document, "cut", "Cut");
    ChartSeries *series = chart_series(document, chart, "seq", SERIES_MEASURED, 0);
    for (int i = 1; i <= 5; i++) {
        add_point(document, series, i, 10 + i, 9 + i, i == 3 ? 1000 : 11 + i);
    }
    char *text = script_of(chart);
    const char *range = strstr(text, "set yrange [");
    double least, most;
    assert_non_null(range);
    assert_int_equal(sscanf(range, "set yrange [%lf:%lf]", &least, &most), 2);
    assert_true(most > 16 && most < 30);
    assert_says(text, "set arrow from first 3.0, graph");
    assert_int_equal(count_of(text, "head filled"), 1);
    /* Where that is usual it is what the data are, and nothing is cut. */
    for (size_t i = 0; i < 5; i++) {
        chart->series[0].points[i].high = 1000;
    }
    text = script_of(chart);
    assert_null(strstr(text, "head filled"));
}

/* A title is broken at blanks, its details at commas, and what is beyond the last line is cut. */
TEST(long_titles_are_broken) {
    Document *document = test_state;
    DocChart *chart = two_variants(document, "seq", "omp");
    chart->title = "fast on a picture\nmax-keypoints 10000, levels 8, corner-threshold 20, score "
                   "fast, radius 1";
    char *text = script_of(chart);
    assert_says(text, "set label 'fast on a picture' at screen 0.5000");
    assert_says(text, "set label 'max-keypoints 10000, levels 8,'");
    assert_says(text, "set label 'corner-threshold 20, score fast, radius 1'");
}
