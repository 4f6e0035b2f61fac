/* The table of chart kinds, and charts of numbers that no row has. */
#include "builder.h"
#include "harness.h"
#include "report.h"
#include "report_internal.h"
#include "sample_results.h"
#include "test.h"

#include <math.h>
#include <string.h>

TEST(every_kind_has_a_builder) {
    for (size_t i = 0; i < CHART_SUBJECTS; i++) {
        assert_non_null(chart_types[i].build);
        assert_true(chart_types[i].rows == ROWS_NONE || chart_types[i].word != NULL);
    }
}

TEST(a_chart_with_nothing_to_show_is_not_added) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    Row row = sample_row("seq");
    RELEASED_BY(document_release) Document document;
    row.status = CELL_OK;
    row.kernel_summary.median = 1;
    assert_ok(results_add(&results, &row));
    document_open(&document, "");
    document_add(&document, BLOCK_PARAGRAPH, "before");
    const Row *rows[] = {&results.rows[0]};
    const RunGroup group = {.rows = rows, .count = 1};
    for (size_t i = 0; i < SUBJECT_COMMITS; i++) { /* of one cell no kind has a chart */
        Builder builder = page_builder(&document, (ChartSubject)i, &group, &along_size);
        assert_null(chart_build(&builder, "none", "", ""));
        assert_int_equal(document.count, 1);
    }
}

/* Milliseconds, of twelve commits every third is named, the change is marked at its commit. */
TEST(a_history_is_drawn_in_the_unit_of_its_last_time) {
    enum { COMMITS = 12 };
    RELEASED_BY(document_release) Document document;
    ChartTick ticks[COMMITS];
    ChartPoint points[COMMITS + 1];
    document_open(&document, "");
    for (size_t i = 0; i < COMMITS; i++) {
        ticks[i] = (ChartTick){.value = (double)i, .label = document_text(&document, "c%zu", i)};
        points[i] = (ChartPoint){(double)i, 0.002, 0.001, 0.003, "commit"};
    }
    points[COMMITS] = (ChartPoint){6, 0.002, NAN, NAN, "commit"};
    ChartSeries lines[] = {
        {.name = "median", .points = points, .count = COMMITS},
        {.name = "slower", .style = SERIES_PUBLISHED, .points = &points[COMMITS], .count = 1}};
    const Curves curves = {.x = {.ticks = ticks, .count = COMMITS}, .lines = lines, .count = 2};
    Builder builder = {.document = &document,
                       .type = &chart_types[SUBJECT_COMMITS],
                       .place = PLACE_PAGE,
                       .curves = &curves};
    const DocChart *chart = chart_build(&builder, "cell-1", "lbp/seq", "launches");
    assert_non_null(chart);
    assert_string_equal(chart->y.title, "kernel time (ms)");
    assert_string_equal(chart->y.unit, "ms");
    assert_int_equal(chart->x.count, 4);
    assert_string_equal(chart->x.ticks[1].label, "c3");
    assert_true(fabs(chart->series[0].points[3].high - 3) < 1e-12);
    assert_true(chart->series[1].points[0].x == 6);
    assert_int_not_equal(chart->series[0].colour, chart->series[1].colour);
    assert_string_equal(chart->note, "bars: launches");
    assert_string_equal(chart->description,
                        "Kernel time of lbp/seq over 12 commits, 1 of which change it");
}

/* The rows that a kind of figure is chosen by. */
TEST(a_kind_says_which_rows_it_needs) {
    Row row = sample_row("omp");
    row.roof_fraction = NAN;
    set_threads(&row, 1);
    assert_false(chart_types[SUBJECT_SCALING].needs(&row));
    assert_false(chart_types[SUBJECT_EFFICIENCY].needs(&row));
    row.roof_fraction = 0.5;
    set_threads(&row, 2);
    assert_true(chart_types[SUBJECT_SCALING].needs(&row));
    assert_true(chart_types[SUBJECT_EFFICIENCY].needs(&row));
}

/* Every word of --kind has a row, and every row with a word is of one of these. */
TEST(words_of_figures_are_those_of_the_table) {
    size_t named = 0, of_words = 0;
    for (size_t i = 0; i < CHART_SUBJECTS; i++) {
        named += chart_types[i].figure_word != NULL;
    }
    for (size_t kind = 0; figure_words[kind] != NULL; kind++) {
        assert_non_null(figure_type(figure_words[kind]));
        for (size_t i = 0; i < CHART_SUBJECTS; i++) {
            const char *word = chart_types[i].figure_word;
            of_words += word != NULL && strcmp(word, figure_words[kind]) == 0;
        }
    }
    assert_int_equal(named, of_words);
    assert_null(figure_type("ratio"));
}

TEST(a_measure_chooses_among_rows_of_one_word) {
    const ChartType *sweep = figure_type("sweep"), *time = figure_type("time");
    assert_ptr_equal(sweep, &chart_types[SUBJECT_SWEEP]);
    assert_ptr_equal(figure_type_with(sweep, CHART_OVER_SEQ), &chart_types[SUBJECT_SWEEP_OVER_SEQ]);
    assert_ptr_equal(figure_type_with(sweep, CHART_OVER_BEST_CPU),
                     &chart_types[SUBJECT_SWEEP_SPEEDUP]);
    assert_ptr_equal(figure_type_with(time, CHART_OVER_SEQ), time);
}

TEST(a_figure_of_threads_needs_several) {
    Row row = sample_row("omp");
    set_threads(&row, 1);
    assert_false(chart_types[SUBJECT_THREADS].needs(&row));
    set_threads(&row, 2);
    assert_true(chart_types[SUBJECT_THREADS].needs(&row));
    row.tuning.count = 0;
    assert_false(chart_types[SUBJECT_THREADS].needs(&row));
}

TEST(images_of_sets_are_alike_or_not) {
    Row small = sample_row("seq"), large = sample_row("seq");
    const Row *rows[] = {&small, &large};
    const RunGroup group = {.rows = rows, .count = 2};
    small.width = small.height = 28;
    large.width = large.height = 32;
    assert_false(group_has_other_images(&group)); /* they are no sets */
    small.images = large.images = 60000;
    assert_true(group_has_other_images(&group));
    large.width = large.height = 28;
    assert_false(group_has_other_images(&group));
}

static DocChart *built_of(Document *document, ChartSubject subject, const Curves *curves,
                          const CountChart *counts) {
    Builder builder = {.document = document,
                       .type = &chart_types[subject],
                       .place = PLACE_FILE,
                       .curves = curves,
                       .counts = counts};
    return chart_build(&builder, "chart", "", "");
}

/* From 1 to 64 seven powers, every one named; each line is in its panel. */
TEST(an_application_has_panels_and_doublings) {
    RELEASED_BY(document_release) Document document;
    ChartPoint points[] = {{1, 5, NAN, NAN, NULL}, {64, NAN, NAN, NAN, NULL}};
    ChartAxis panels[] = {{.title = "upper", .log = true}, {.title = "lower"}};
    ChartSeries lines[] = {{.name = "a", .points = points, .count = 2, .panel = 1, .colour = 3}};
    Curves curves = {.x = {.title = "side", .log = true},
                     .panels = panels,
                     .panel_count = 2,
                     .lines = lines,
                     .count = 1};
    document_open(&document, "");
    const DocChart *chart = built_of(&document, SUBJECT_CURVES, &curves, NULL);
    assert_int_equal(chart->panel_count, 2);
    assert_true(chart->panels[0].y.log && !chart->panels[1].y.log);
    assert_string_equal(chart->panels[1].y.title, "lower");
    assert_int_equal(chart->series[0].panel, 1);
    assert_int_equal(chart->series[0].colour, 3);
    assert_true(isnan(chart->series[0].points[1].y)); /* a gap */
    assert_int_equal(chart->x.count, 7);
    assert_string_equal(chart->x.ticks[6].label, "64");
    curves.x.log = false;
    assert_int_equal(built_of(&document, SUBJECT_CURVES, &curves, NULL)->x.count, 0);
}

/* Up to eight lines are in one plot, the published ones in the colours of those of here. */
TEST(a_study_of_many_lines_has_panels) {
    enum { PAIRS = 5 };
    static const char *const names[PAIRS] = {"a", "b", "c", "d", "e"};
    RELEASED_BY(document_release) Document document;
    ChartPoint points[] = {{1, 2, NAN, NAN, "1K"}, {4, 3, NAN, NAN, "4K"}};
    ChartSeries lines[2 * PAIRS];
    for (size_t i = 0; i < 2 * PAIRS; i++) {
        lines[i] = (ChartSeries){.name = names[i / 2],
                                 .style = i % 2 == 0 ? SERIES_MEASURED : SERIES_PUBLISHED,
                                 .colour = (int)(i / 2),
                                 .panel = i / 2,
                                 .points = points,
                                 .count = 2};
    }
    Curves curves = {.lines = lines, .count = 8, .ratios = true};
    document_open(&document, "");
    const DocChart *chart = built_of(&document, SUBJECT_STUDY, &curves, NULL);
    assert_int_equal(chart->panel_count, 0);
    assert_string_equal(chart->series[3].name, "b, published");
    assert_int_equal(chart->series[3].colour, 1);
    assert_true(chart->reference == 1);
    assert_string_equal(chart->x.ticks[1].label, "4K");
    curves.count = 2 * PAIRS;
    curves.ratios = false;
    chart = built_of(&document, SUBJECT_STUDY, &curves, NULL);
    assert_int_equal(chart->panel_count, PAIRS);
    assert_string_equal(chart->panels[4].title, "e");
    assert_int_equal(chart->series[9].panel, 4);
    assert_string_equal(chart->series[8].name, "here");
    assert_string_equal(chart->series[9].name, "published");
    assert_true(isnan(chart->reference));
}

TEST(counts_are_fields_or_bars) {
    static const uint64_t values[] = {1, 2, 3, 4, 5, 6};
    static const char *const rows[] = {"cat", "dog"}, *const columns[] = {"x", "y", "z"};
    const CountChart counts = {.x_title = "predicted",
                               .y_title = "actual",
                               .rows = 2,
                               .columns = 3,
                               .row_names = rows,
                               .column_names = columns,
                               .counts = values};
    RELEASED_BY(document_release) Document document;
    document_open(&document, "");
    const DocChart *chart = built_of(&document, SUBJECT_COUNTS, NULL, &counts);
    assert_int_equal(chart->kind, CHART_HEAT);
    assert_string_equal(chart->series[1].name, "dog");
    assert_true(chart->series[1].points[2].y == 6 && chart->series[1].points[2].x == 2);
    assert_string_equal(chart->x.ticks[2].label, "z");
    chart = built_of(&document, SUBJECT_HISTOGRAM, NULL, &counts);
    assert_int_equal(chart->count, 1);
    assert_int_equal(chart->series[0].count, 12);
    assert_true(chart->series[0].points[5].x == 0.5 && chart->series[0].points[5].y == 2);
    assert_true(chart->series[0].points[4].y == 0 && chart->y.from_zero);
}
