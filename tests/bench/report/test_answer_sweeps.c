/* Charts of time against an answer axis of numbers: when there are any, what they are called, what
 * stands on them, and that many answer points do not fill the folder with charts of their own. */
#include "drawn_charts.h"
#include "test.h"

static FILE *open_results(char path[600]) {
    snprintf(path, 600, "%s/results.csv", test_folder);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    fputs("algorithm,variant,backend,input,size,width,height,answer,tuning,status,best_tuning,base,"
          "best_cpu,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,with_alloc_ms,speedup,"
          "speedup_ci_low,speedup_ci_high,speedup_end_to_end,speedup_end_to_end_ci_low,"
          "speedup_end_to_end_ci_high,speedup_vs_best_cpu,speedup_vs_best_cpu_ci_low,"
          "speedup_vs_best_cpu_ci_high,speedup_end_to_end_vs_best_cpu,"
          "speedup_end_to_end_vs_best_cpu_ci_low,speedup_end_to_end_vs_best_cpu_ci_high,roof,"
          "roof_ms\n",
          csv);
    return csv;
}

static void put_row(FILE *csv, const char *variant, int side, const char *answer, double ms) {
    const bool cpu = strncmp(variant, "cuda", 4) != 0;
    fprintf(
        csv,
        "lacunarity,%s,%s,x,%d,%d,%d,\"%s\",,ok,1,seq (1 thread),seq,%g,,,%g,1,,,1,,,1,,,1,,,,\n",
        variant, cpu ? "cpu" : "cuda", side, side, side, answer, ms, ms);
}

/* Boxes 1, 2, 4 … at one threshold; seq takes as many ms as the box has pixels a side. */
static void put_boxes(FILE *csv, int side, int count, int threshold) {
    for (int i = 0; i < count; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "box:%d,threshold:%d", 1 << i, threshold);
        put_row(csv, "seq", side, answer, 1 << i);
        put_row(csv, "cuda_fast", side, answer, 0.1);
    }
}

static size_t count_sweeps(const char *path, const char *axis) {
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    size_t count = 0;
    for (size_t i = 0; i < charts.list.count; i++) {
        const RunChart *chart = &charts.list.charts[i];
        count += chart->subject == SUBJECT_SWEEP && strcmp(chart->axis->name, axis) == 0;
    }
    return count;
}

TEST(three_numbers_make_a_chart_for_each_size) {
    char path[600];
    for (int boxes = 1; boxes <= 4; boxes++) {
        FILE *csv = open_results(path);
        put_boxes(csv, 64, boxes, 128);
        put_boxes(csv, 128, boxes, 128);
        fclose(csv);
        assert_int_equal(count_sweeps(path, "box"), boxes < 3 ? 0 : 2);
        assert_int_equal(count_sweeps(path, "threshold"), 0);
    }
}

TEST(sets_and_words_are_no_numbers) {
    static const char *const answers[] = {"box:log,threshold:1", "box:4+8,threshold:2",
                                          "box:1..9,threshold:otsu", "box:7,threshold:3"};
    char path[600];
    FILE *csv = open_results(path);
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        put_row(csv, "seq", 64, answers[i], 1);
    }
    fclose(csv);
    /* Three thresholds, but each with a box of its own. */
    assert_int_equal(count_sweeps(path, "box"), 0);
    assert_int_equal(count_sweeps(path, "threshold"), 0);
}

TEST(the_chart_has_every_variant_on_logarithmic_axes) {
    char path[600];
    FILE *csv = open_results(path);
    put_boxes(csv, 64, 4, 128);
    fclose(csv);
    draw(path);
    expect_words("lacunarity-x-64-box-time",
                 (const char *const[]){"lacunarity at 64×64 on x", "threshold 128", "kernel time (",
                                       "box side (pixels), logarithmic", "seq", "cuda_fast", ">8<",
                                       NULL});
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    const DocChart *built = built_chart(&charts, "lacunarity-x-64-box-time");
    assert_true(built->x.log && built->y.log);
    const double unit = strstr(built->y.title, "(ms)") != NULL ? 1 : 1e3;
    expect_points(built, 0, "seq", 4,
                  (const double[][2]){{1, unit}, {2, 2 * unit}, {4, 4 * unit}, {8, 8 * unit}});
    assert_int_equal(find_series(built, 0, "cuda_fast")->count, 4);
    /* And over the best CPU, by kernel time and end to end. */
    const DocChart *speedup = built_chart(&charts, "lacunarity-x-64-box-speedup-best-cpu");
    assert_int_equal(speedup->panel_count, 2);
    assert_string_equal(speedup->above, "GPU faster");
    assert_int_equal(find_series(speedup, 0, "cuda_fast")->count, 4);
    assert_int_equal(find_series(speedup, 1, "cuda_fast")->count, 4);
}

/* Every results file has rows of the roof, which have no answer, and a sweep may have a word. */
TEST(rows_without_the_number_are_passed_over) {
    char path[600];
    FILE *csv = open_results(path);
    put_boxes(csv, 64, 3, 128);
    put_row(csv, "seq", 64, "box:log,threshold:128", 9);
    fprintf(csv, "copy,seq,cpu,x,64,64,64,,,ok,1,seq (1 thread),seq,1,,,1,1,,,1,,,1,,,1,,,,\n");
    fclose(csv);
    draw(path);
    (void)chart("lacunarity-x-64-box-time");
}

TEST(other_axes_are_named_where_they_differ) {
    char path[600];
    FILE *csv = open_results(path);
    put_boxes(csv, 64, 3, 100);
    put_boxes(csv, 64, 3, 200);
    fclose(csv);
    draw(path);
    (void)chart("lacunarity-x-64-threshold-100-box-time");
    (void)chart("lacunarity-x-64-threshold-200-box-time");
    snprintf(path, sizeof path, "%s/lacunarity-x-64-box-time.svg", test_folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A sweep over hundreds of values at one size, and one whose first value is 0. */
TEST(many_values_are_drawn) {
    char path[600];
    FILE *csv = open_results(path);
    for (int i = 0; i < 300; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "threshold:%d", i);
        put_row(csv, "seq", 64, answer, 1 + i % 7);
    }
    fclose(csv);
    draw(path);
    expect_words("lacunarity-x-64-threshold-time",
                 (const char *const[]){">threshold<", ">250<", NULL});
}

/* Marks and ranges of one picture must not hide what the next one counts. */
TEST(values_far_from_one_are_drawn) {
    char path[600];
    FILE *csv = open_results(path);
    for (int i = 1; i <= 3; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "threshold:%d", 50 * i);
        put_row(csv, "seq", 64, answer, 1e-3 * i);
    }
    fclose(csv);
    draw(path);
    expect_words("lacunarity-x-64-threshold-time", (const char *const[]){">100<", NULL});
}

/* Of one answer point, or of any where that is NULL. */
static size_t count_own_charts(const char *path, const char *answer) {
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    size_t count = 0;
    for (size_t i = 0; i < charts.list.count; i++) {
        const RunChart *chart = &charts.list.charts[i];
        char text[128];
        point_format(&chart->row->answer, text, sizeof text);
        count += chart->subject <= SUBJECT_TUNING && (answer == NULL || strcmp(text, answer) == 0);
    }
    return count;
}

TEST(of_many_answers_three_have_charts_of_their_own) {
    char path[600];
    FILE *csv = open_results(path);
    put_boxes(csv, 64, 8, 128);
    fclose(csv);
    assert_int_equal(count_own_charts(path, NULL), 8 * 3); /* two speedups and time */
    csv = open_results(path);
    put_boxes(csv, 64, 9, 128);
    fclose(csv);
    assert_int_equal(count_own_charts(path, NULL), 3 * 3);
    static const char *const kept[] = {"box:1,threshold:128", "box:16,threshold:128",
                                       "box:256,threshold:128"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(count_own_charts(path, kept[i]), 3);
    }
}
