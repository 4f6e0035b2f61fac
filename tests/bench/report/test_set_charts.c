/* Charts of sets of images: axes that count images, and bars of the stages of a run. */
#include "algorithm.h"
#include "document.h"
#include "drawn_charts.h"
#include "sample_results.h"
#include "test.h"
#include "variant.h"

static const char sets[] = TEST_DATA "/results/sample-sets.csv";
static const char pictures[] = TEST_DATA "/results/sample-cpu-cuda.csv";

#define HAAR "haar-digits-min-side-5-threshold-18400-"
#define ADABOOST "adaboost-digits-min-side-5-threshold-18400-"

TEST(sizes_of_sets_are_numbers_of_images) {
    draw(sets);
    expect_words(HAAR "time",
                 (const char *const[]){"number of images, logarithmic", "1000", "60000", NULL});
    expect_words(HAAR "speedup", (const char *const[]){"number of images, logarithmic", NULL});
    char *svg = chart(HAAR "time");
    assert_null(strstr(svg, "pixels"));
}

/* 8.35 s and 12.8 ms, of which no bar of true length would be seen: shares. */
TEST(stages_are_bars_of_shares_where_times_are_far_apart) {
    draw(sets);
    expect_words(HAAR "stages",
                 (const char *const[]){"haar at 60000 images on digits", "min-side 5",
                                       "share of the time (%)", "integral", "features", "upload",
                                       "download", "whole kernel", "overlapped", "cuda_naive",
                                       "threads:16", "total", "8.35 s", "12.8 ms", "99%", NULL});
}

TEST(stages_are_bars_of_time_where_they_are_not) {
    draw(sets);
    expect_words(ADABOOST "stages",
                 (const char *const[]){"time (s)", "values", "sort", "boosting", "13.2 s", NULL});
    char *svg = chart(ADABOOST "stages");
    assert_null(strstr(svg, "share of the time"));
    assert_null(strstr(svg, "whole kernel"));
    assert_null(strstr(svg, "overlapped"));
}

static size_t count_stage_charts(const char *csv) {
    RELEASED_BY(close_charts) Charts charts = open_charts(csv);
    const size_t count = count_subject(&charts, SUBJECT_STAGES);
    return count;
}

TEST(only_runs_with_stages_have_the_chart) {
    assert_int_equal(count_stage_charts(sets), 2);
    assert_int_equal(count_stage_charts(pictures), 0);
    test_write("results.csv", "algorithm,variant,input,answer,tuning,status,stages_ms\n"
                              "haar,seq,x,,,ok,\nhaar,omp,x,,,fail,\n");
    assert_int_equal(count_stage_charts(test_path("results.csv")), 0);
}

/* Rows of pictures beside those of sets: an empty number of images is no number. */
TEST(pictures_keep_their_pixels_beside_sets) {
    test_write("results.csv",
               "algorithm,variant,backend,input,size,width,height,answer,tuning,threads,status,"
               "kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,base,best_cpu,best_tuning,"
               "upload_ms,download_ms,end_to_end_ms,roof_ms,roof,images,stages_ms\n"
               "haar,seq,cpu,d,10,28,28,,,1,ok,7,,,,,1,,,,,,10,\"integral:3,features:4\"\n"
               "lbp,seq,cpu,p,small,100,100,,,1,ok,1,,,,,1,,,,,,,\n"
               "lbp,seq,cpu,p,large,1000,1000,,,1,ok,100,,,,,1,,,,,,,\n");
    draw(test_path("results.csv"));
    expect_words("lbp-p-time",
                 (const char *const[]){"image size (pixels, logarithmic)", "small", NULL});
    expect_words("haar-d-stages",
                 (const char *const[]){"haar at 10 images on d", "7.00 ms", "43%", "57%", NULL});
}

/* The parts lie end to end, each with its share, the total behind them. */
TEST(parts_of_a_bar_are_stages_in_their_order, NULL) {
    static const Stage stages[] = {{"integral", NULL}, {"features", NULL}, {NULL, NULL}};
    Charts charts = {.results = {.rows = NULL}};
    Row row = measured_row("seq", 4e-3);
    Variant *staged = calloc(1, sizeof *staged);
    assert_non_null(staged);
    *staged = *row.variant;
    staged->stages = stages;
    row.images = 10;
    row.stage_seconds[0] = 1e-3;
    row.stage_seconds[1] = 3e-3;
    Algorithm algorithm = *row.algorithm;
    algorithm.cpu = (VariantTable){staged, 1};
    row.algorithm = &algorithm;
    row.variant = staged;
    assert_ok(results_add(&charts.results, &row));
    assert_ok(run_charts_list(&charts.results, &charts.list));
    document_open(&charts.document, "");
    const DocChart *built = built_chart(&charts, "lbp-texture-stages");
    assert_int_equal(built->kind, CHART_BARS);
    assert_string_equal(built->y.title, "time (ms)");
    assert_int_equal(built->count, 3);
    const ChartPoint *first = built->series[0].points, *second = built->series[1].points;
    assert_string_equal(built->series[0].name, "integral");
    assert_true(first->low == 0 && is_about(first->high, 1));
    assert_string_equal(first->label, "25%");
    assert_string_equal(built->series[1].name, "features");
    assert_true(second->low == first->high && is_about(second->high, 4));
    assert_string_equal(second->label, "75%");
    assert_int_equal(built->series[2].style, SERIES_WORDS);
    assert_string_equal(built->series[2].points->label, "4.00 ms");
    close_charts(&charts);
    free(staged);
}

/* An answer point that does not fit one line goes on in the next, whole. */
TEST(long_answer_points_have_two_lines) {
    test_write("results.csv",
               "algorithm,variant,backend,input,size,width,height,answer,tuning,threads,status,"
               "kernel_ms_median,base,best_cpu,best_tuning,upload_ms,download_ms,end_to_end_ms,"
               "images,stages_ms\n"
               "adaboost,seq,cpu,d,10,28,28,\"digit:0,rounds:100,candidates:1000,min-side:4,"
               "threshold:4000\",,1,ok,7,,,1,,,,10,\"integral:3,values:4\"\n");
    draw(test_path("results.csv"));
    expect_words(
        "adaboost-d-digit-0-rounds-100-candidates-1000-min-side-4-threshold-4000-stages",
        (const char *const[]){"digit 0, rounds 100, candidates 1000,", "threshold 4000<", NULL});
}
