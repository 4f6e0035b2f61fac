/* Charts of sets of images: axes that count images, and bars of the stages of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_charts.h"
#include "results_internal.h"
#include "sample_results.h"

static const char sets[] = TEST_DATA "/results/sample-sets.csv";
static const char pictures[] = TEST_DATA "/results/sample-cpu-cuda.csv";

#define HAAR "haar-digits-min-side-5-threshold-18400-"
#define ADABOOST "adaboost-digits-min-side-5-threshold-18400-"

static void sizes_of_sets_are_numbers_of_images(void **state) {
    const ScratchFolder *folder = *state;
    draw(sets, folder->path);
    expect_words(folder, HAAR "time",
                 (const char *const[]){"Number of images (logarithmic)", "1000", "60000", NULL});
    expect_words(folder, HAAR "speedup",
                 (const char *const[]){"Number of images (logarithmic)", NULL});
    char *svg = chart(folder, HAAR "time");
    assert_null(strstr(svg, "pixels"));
    free(svg);
}

/* 8.35 s and 12.8 ms, of which no bar of true length would be seen: shares. */
static void stages_are_bars_of_shares_where_times_are_far_apart(void **state) {
    const ScratchFolder *folder = *state;
    draw(sets, folder->path);
    expect_words(folder, HAAR "stages",
                 (const char *const[]){"haar at 60000 images on digits", "min-side 5",
                                       "Share of the time (%)", "integral", "features", "upload",
                                       "download", "whole kernel", "overlapped", "cuda_naive",
                                       "threads:16", "total", "8.35 s", "12.8 ms", "99%", NULL});
}

static void stages_are_bars_of_time_where_they_are_not(void **state) {
    const ScratchFolder *folder = *state;
    draw(sets, folder->path);
    expect_words(folder, ADABOOST "stages",
                 (const char *const[]){"Time (s)", "values", "sort", "rounds", "13.2 s", NULL});
    char *svg = chart(folder, ADABOOST "stages");
    assert_null(strstr(svg, "Share of the time"));
    assert_null(strstr(svg, "whole kernel"));
    assert_null(strstr(svg, "overlapped"));
    free(svg);
}

static size_t count_stage_charts(const char *csv) {
    ChartList list;
    size_t count = 0;
    assert_int_equal(chart_list_read(csv, &list).code, STATUS_OK);
    for (size_t i = 0; i < list.count; i++) {
        count += strcmp(list.charts[i].script, "stages.gp") == 0;
    }
    chart_list_release(&list);
    return count;
}

static void only_runs_with_stages_have_the_chart(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    assert_int_equal(count_stage_charts(sets), 2);
    assert_int_equal(count_stage_charts(pictures), 0);
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    scratch_write(folder, "results.csv",
                  "algorithm,variant,input,answer,tuning,status,stages_ms\n"
                  "haar,seq,x,,,ok,\nhaar,omp,x,,,fail,\n");
    assert_int_equal(count_stage_charts(path), 0);
}

/* Rows of pictures beside those of sets: an empty number of images is no number. */
static void pictures_keep_their_pixels_beside_sets(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    scratch_write(folder, "results.csv",
                  "algorithm,variant,backend,input,size,width,height,answer,tuning,threads,status,"
                  "kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,base,best_cpu,best_tuning,"
                  "upload_ms,download_ms,end_to_end_ms,roof_ms,roof,images,stages_ms\n"
                  "haar,seq,cpu,d,10,28,28,,,1,ok,7,,,,,1,,,,,,10,\"a:3,b:4\"\n"
                  "lbp,seq,cpu,p,small,100,100,,,1,ok,1,,,,,1,,,,,,,\n"
                  "lbp,seq,cpu,p,large,1000,1000,,,1,ok,100,,,,,1,,,,,,,\n");
    draw(path, folder->path);
    expect_words(folder, "lbp-p-time",
                 (const char *const[]){"Image size (pixels, logarithmic)", "small", NULL});
    expect_words(folder, "haar-d-stages",
                 (const char *const[]){"haar at 10 images on d", "7.00 ms", "43%", "57%", NULL});
}

/* With all columns a heading is longer than any word that gnuplot reads whole. */
static void a_file_with_every_column_is_drawn(void **state) {
    const ScratchFolder *folder = *state;
    static const Stage stages[] = {{"integral", NULL}, {"features", NULL}, {NULL, NULL}};
    Results results = {.rows = NULL};
    Row row = measured_row("seq", 1e-3);
    Variant staged = *row.variant;
    char path[600];
    staged.stages = stages;
    row.variant = &staged;
    row.images = 10;
    row.stage_seconds[0] = 1e-3;
    row.stage_seconds[1] = 3e-3;
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    assert_int_equal(results_add(&results, &row).code, STATUS_OK);
    assert_int_equal(report_csv(path, sample_record(), &results).code, STATUS_OK);
    results_release(&results);
    draw(path, folder->path);
    expect_words(folder, "lbp-texture-stages",
                 (const char *const[]){"integral", "25%", "75%", "4.00 ms", NULL});
}

/* An answer point that does not fit one line goes on in the next, whole. */
static void long_answer_points_have_two_lines(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    scratch_write(folder, "results.csv",
                  "algorithm,variant,backend,input,size,width,height,answer,tuning,threads,status,"
                  "kernel_ms_median,base,best_cpu,best_tuning,upload_ms,download_ms,end_to_end_ms,"
                  "images,stages_ms\n"
                  "boost,seq,cpu,d,10,28,28,\"digit:0,rounds:100,candidates:1000,min-side:4,"
                  "threshold:4000\",,1,ok,7,,,1,,,,10,\"a:3,b:4\"\n");
    draw(path, folder->path);
    expect_words(folder,
                 "boost-d-digit-0-rounds-100-candidates-1000-min-side-4-threshold-4000-stages",
                 (const char *const[]){"digit 0, rounds 100, candidates 1000,",
                                       "min-side 4, threshold 4000", NULL});
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(sizes_of_sets_are_numbers_of_images),
        IN_FOLDER(stages_are_bars_of_shares_where_times_are_far_apart),
        IN_FOLDER(stages_are_bars_of_time_where_they_are_not),
        IN_FOLDER(only_runs_with_stages_have_the_chart),
        IN_FOLDER(pictures_keep_their_pixels_beside_sets),
        IN_FOLDER(a_file_with_every_column_is_drawn),
        IN_FOLDER(long_answer_points_have_two_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
