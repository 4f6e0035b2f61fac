/* Charts of a study's figures. */
#include "bench/study_fixture.h"
#include "document.h"
#include "look.h"
#include "scratch_study.h"
#include "test.h"

#include "study_internal.h"

typedef struct Drawn {
    StudyFixture fixture;
    Document document;
    DocChart *chart;
} Drawn;

static void draw(Drawn *drawn, size_t figure) {
    study_fixture_make(&drawn->fixture, study_fixture_open(&drawn->fixture, "unused"));
    document_open(&drawn->document, "test");
    drawn->chart = study_figure_add(&drawn->fixture.result, &drawn->fixture.study.figures[figure],
                                    &drawn->document);
}

static void release_drawn(Drawn *drawn) {
    document_release(&drawn->document);
    study_fixture_release(&drawn->fixture);
}

TEST(test_lines_are_drawn_measured_and_published) {
    RELEASED_BY(release_drawn) Drawn drawn;
    draw(&drawn, 0);
    const DocChart *chart = drawn.chart;
    assert_string_equal(chart->name, "figure-1");
    assert_string_equal(chart->x.title, "threads");
    assert_int_equal(chart->count, 2);
    assert_string_equal(chart->series[0].name, "360p");
    assert_int_equal(chart->series[0].style, SERIES_MEASURED);
    assert_int_equal(chart->series[0].count, 2);
    assert_true(chart->series[0].points[0].x == 2);
    assert_true(fabs(chart->series[0].points[0].y - 1.875) < 1e-9);
    assert_true(fabs(chart->series[0].points[1].y - 3.75) < 1e-9);
    assert_true(chart->series[0].points[1].low < 3.75);
    assert_true(chart->series[0].points[1].high > 3.75);
    assert_string_equal(chart->series[1].name, "360p, published");
    assert_int_equal(chart->series[1].style, SERIES_PUBLISHED);
    assert_int_equal(chart->series[1].colour, chart->series[0].colour);
    assert_true(chart->series[1].points[1].y == 4.039);
    assert_true(isnan(chart->series[1].points[1].low));
}

/* 1 is where nothing is gained; times have no such place. */
TEST(test_reference_of_ratios) {
    Drawn drawn;
    draw(&drawn, 0);
    assert_true(drawn.chart->reference == 1);
    assert_null(drawn.chart->y.unit);
    release_drawn(&drawn);
    draw(&drawn, 1);
    assert_true(isnan(drawn.chart->reference));
    assert_string_equal(drawn.chart->y.unit, "ms");
    release_drawn(&drawn);
}

TEST(test_sizes_are_named_and_at_their_pixels) {
    RELEASED_BY(release_drawn) Drawn drawn;
    draw(&drawn, 1);
    const ChartAxis *x = &drawn.chart->x;
    assert_true(x->log);
    assert_int_equal(x->count, 3);
    assert_string_equal(x->ticks[0].label, "360p");
    assert_true(x->ticks[0].value == 480.0 * 360);
    assert_string_equal(x->ticks[2].label, "4K");
    assert_true(x->ticks[2].value == 3840.0 * 2160);
}

/* No CUDA device: its curve is the paper's alone, in a colour of its own. */
TEST(test_a_line_that_was_not_measured) {
    RELEASED_BY(release_drawn) Drawn drawn;
    draw(&drawn, 1);
    const DocChart *chart = drawn.chart;
    assert_int_equal(chart->count, 3);
    assert_string_equal(chart->series[0].name, "Sequential");
    assert_string_equal(chart->series[1].name, "Sequential, published");
    assert_int_equal(chart->series[1].count, 3);
    assert_string_equal(chart->series[2].name, "CUDA, published");
    assert_int_equal(chart->series[2].count, 2);
    /* 71.5 µs in a figure of milliseconds. */
    assert_true(fabs(chart->series[2].points[0].y - 0.0715) < 1e-12);
    assert_int_not_equal(chart->series[2].colour, chart->series[0].colour);
}

TEST(test_the_words_tell_least_and_greatest) {
    RELEASED_BY(release_drawn) Drawn drawn;
    draw(&drawn, 0);
    assert_string_equal(
        drawn.chart->description,
        "Vertical: speedup over sequential. Horizontal: threads. 2 curves. 360p: least 1.875 at 2, "
        "greatest 3.750 at 4. 360p, published: least 2.442 at 2, greatest 4.039 "
        "at 4.");
}

/* Names keep their colours; a new name gets the first that the figure has not yet, even where a
 * later line of it has had one since an earlier figure. */
TEST(test_colours_are_those_of_the_names) {
    StudyLine first[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    StudyLine second[] = {{.name = "d"}, {.name = "a"}, {.name = "c"}, {.name = "e"}};
    StudyFigure figures[] = {{.lines = first, .line_count = 3}, {.lines = second, .line_count = 4}};
    Study study = {.figures = figures, .figure_count = 2};
    static const int expected[] = {1, 0, 2, 3};
    study_colours_set(&study);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(first[i].colour, i);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(second[i].colour, expected[i]);
    }
}

/* Lines of one variant each look like these in every other chart, whatever they are called. */
TEST(test_lines_of_variants_have_their_looks) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t Times\n from main\n"
                       " row {size} size=4,8\ncolumn CPU ms kernel_ms_min variant=seq\n"
                       "column GPU ms kernel_ms_min variant=cuda_fast\n"
                       "column Gain x ratio CPU GPU\n"
                       "figure both Both\n x size pixels\n y ms\n"
                       " line \"one thread\" t CPU\n line \"the GPU\" t GPU\n"
                       "figure gain Gain\n x size pixels\n y times\n line gain t Gain\n"
                       "figure twice Twice\n x size pixels\n y ms\n"
                       " line first t GPU\n line second t GPU\n",
                       NULL, "variant,size,kernel_ms_min\nseq,4,1\n");
    const StudyFigure *figures = scratch.study.figures;
    assert_int_equal(figures[0].lines[0].colour, variant_look_known("seq"));
    assert_int_equal(figures[0].lines[1].colour, variant_look_known("cuda_fast"));
    assert_int_equal(figures[1].lines[0].colour, variant_look_known("cuda_fast"));
    /* Two lines of one variant could not be distinguished. */
    assert_int_not_equal(figures[2].lines[0].colour, figures[2].lines[1].colour);
    free(scratch.outcomes); /* no result was made that would own them */
}

/* Without a file nothing of figure-3 can be drawn, and it says so. */
TEST(test_a_figure_without_points) {
    RELEASED_BY(release_drawn) Drawn drawn;
    StepOutcome *outcome = study_fixture_open(&drawn.fixture, "unused");
    outcome->csv[0] = '\0';
    outcome->state = STEP_NOT_RUN;
    study_fixture_make(&drawn.fixture, outcome);
    document_open(&drawn.document, "test");
    assert_null(
        study_figure_add(&drawn.fixture.result, &drawn.fixture.study.figures[2], &drawn.document));
    assert_null(find_chart(&drawn.document, "figure-3"));
    assert_non_null(
        find_text(&drawn.document, BLOCK_PARAGRAPH, "Threads at 1080p: nothing was measured here"));
}
