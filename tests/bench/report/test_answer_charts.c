/* Charts of several answer points: when there are any, and that their panels have the same axes. */
#include "drawn_charts.h"
#include "test.h"

static FILE *open_results(char path[600]) {
    snprintf(path, 600, "%s/results.csv", test_folder);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    fputs("algorithm,variant,backend,input,size,width,height,answer,tuning,status,best_tuning,base,"
          "base_ms,best_cpu,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,with_alloc_ms,"
          "speedup,speedup_ci_low,speedup_ci_high,speedup_end_to_end,speedup_end_to_end_ci_low,"
          "speedup_end_to_end_ci_high,roof,roof_ms\n",
          csv);
    return csv;
}

/* with_alloc_ms is twice the kernel time on the GPU; on the CPU, where no chart shows it, 11 times.
 */
static void put_row(FILE *csv, const char *variant, int side, int points, double ms,
                    double base_ms) {
    const bool cpu = strcmp(variant, "seq") == 0;
    const double speedup = base_ms / ms;
    fprintf(csv,
            "lacunarity,%s,%s,x,%d,%d,%d,\"box:%d,threshold:otsu\",,ok,1,seq (1 "
            "thread),%g,,%g,,,%g,%g,,,%g,,,,\n",
            variant, cpu ? "cpu" : "cuda", side, side, side, points, base_ms, ms,
            (cpu ? 11 : 2) * ms, speedup, speedup);
}

/* Two sizes with four times as many pixels and four times the time. */
static void put_answer(FILE *csv, int points, double seq_ms, double cuda_ms) {
    put_row(csv, "seq", 64, points, seq_ms, seq_ms);
    put_row(csv, "cuda_fast", 64, points, cuda_ms, seq_ms);
    put_row(csv, "seq", 128, points, 4 * seq_ms, 4 * seq_ms);
    put_row(csv, "cuda_fast", 128, points, 4 * cuda_ms, 4 * seq_ms);
}

static void write_answers(int count, char path[600]) {
    FILE *csv = open_results(path);
    for (int points = 1; points <= count; points++) {
        put_answer(csv, points, points, 0.1 * points);
    }
    fclose(csv);
}

/* seq takes 1, 4 and 16 ms at one answer point, 16 and 64 ms at the other; the GPU is twice as fast
 * at the first and 8 times at the second. */
static void write_unequal_answers(char path[600]) {
    FILE *csv = open_results(path);
    put_answer(csv, 1, 1, 0.5);
    put_row(csv, "seq", 256, 1, 16, 16);
    put_row(csv, "cuda_fast", 256, 1, 8, 16);
    put_answer(csv, 2, 16, 2);
    fclose(csv);
}

static size_t count_answer_charts(const char *path) {
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    size_t count = 0;
    for (ChartSubject subject = SUBJECT_ANSWERS_SPEEDUP; subject <= SUBJECT_ANSWERS_FASTEST;
         subject++) {
        count += count_subject(&charts, subject);
    }
    return count;
}

TEST(only_several_answers_have_charts_together) {
    static const struct {
        int answers;
        size_t charts;
    } cases[] = {{1, 0}, {2, 5}, {3, 5}, {7, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[600];
        write_answers(cases[i].answers, path);
        assert_int_equal(count_answer_charts(path), cases[i].charts);
    }
}

TEST(answers_that_failed_do_not_count) {
    const char *path = test_path("results.csv");
    const char *const header = "algorithm,variant,input,answer,tuning,status\n";
    char text[400];
    snprintf(text, sizeof text, "%slacunarity,seq,x,box:1,,ok\nlacunarity,seq,x,box:2,,fail\n",
             header);
    test_write("results.csv", text);
    assert_int_equal(count_answer_charts(path), 0);
    /* Neither do those of another input or another algorithm. */
    snprintf(text, sizeof text,
             "%slacunarity,seq,x,box:1,,ok\nlacunarity,seq,y,box:2,,ok\ncopy,seq,x,,,ok\n", header);
    test_write("results.csv", text);
    assert_int_equal(count_answer_charts(path), 0);
    snprintf(text, sizeof text,
             "%slacunarity,seq,x,box:1,,ok\nlacunarity,seq,y,box:2,,ok\n"
             "lacunarity,omp,y,box:3,,ok\n",
             header);
    test_write("results.csv", text);
    assert_int_equal(count_answer_charts(path), 5);
}

TEST(one_answer_is_named_in_its_charts) {
    char path[600];
    write_answers(1, path);
    draw(path);
    expect_words("lacunarity-x-box-1-threshold-otsu-time",
                 (const char *const[]){"lacunarity on x<", ">box 1, threshold otsu<", NULL});
    (void)chart("lacunarity-x-box-1-threshold-otsu-speedup");
    assert_int_equal(scratch_count(test_folder), 1 + 2 * 2);
}

TEST(answers_share_a_chart) {
    char path[600];
    write_answers(2, path);
    draw(path);
    expect_words("lacunarity-x-answers-speedup",
                 (const char *const[]){">lacunarity on x<", ">threshold otsu<", ">box 1<",
                                       ">box 2<", "speedup, kernel", "speedup over seq (1 thread)",
                                       ">cuda_fast<", "image size (pixels, logarithmic)", NULL});
    expect_words("lacunarity-x-answers-speedup-with-alloc",
                 (const char *const[]){"speedup, with allocation",
                                       "CUDA: allocation, upload, kernel, download", NULL});
    expect_words("lacunarity-x-answers-time",
                 (const char *const[]){">lacunarity on x<", ">threshold otsu<", ">box 1<",
                                       ">box 2<", "kernel time (", ">seq<", ">cuda_fast<", NULL});
    expect_words("lacunarity-x-answers-time-with-alloc",
                 (const char *const[]){"time with allocation (", ">box 2<", NULL});
    expect_words("lacunarity-x-answers-fastest",
                 (const char *const[]){">seq<", ">cuda_fast<", ">box 1<", ">box 2<", NULL});
    /* The results, two charts of each answer point, five of both. */
    assert_int_equal(scratch_count(test_folder), 1 + 2 * (2 * 2 + 5));
}

TEST(the_key_says_how_many_answers_are_left_out) {
    char path[600];
    write_answers(7, path);
    Charts charts = open_charts(path);
    const DocChart *speedup = built_chart(&charts, "lacunarity-x-answers-speedup");
    assert_string_equal(speedup->note,
                        "speedup over seq (1 thread); 1 more answer point not shown");
    assert_int_equal(speedup->panel_count, 6);
    assert_string_equal(speedup->panels[5].title, "box 6");
    const DocChart *time = built_chart(&charts, "lacunarity-x-answers-time");
    assert_string_equal(time->note, "1 more answer point not shown");
    const DocChart *fastest = built_chart(&charts, "lacunarity-x-answers-fastest");
    assert_string_equal(fastest->note, "1 more answer point not shown");
    assert_int_equal(fastest->panel_count, 2);
    assert_non_null(find_series(fastest, 1, "box 6"));
    assert_null(find_series(fastest, 1, "box 7"));
    close_charts(&charts);
    write_answers(9, path);
    charts = open_charts(path);
    assert_string_equal(built_chart(&charts, "lacunarity-x-answers-time")->note,
                        "3 more answer points not shown");
    close_charts(&charts);
}

TEST(charts_without_data_are_not_drawn) {
    char path[600];
    FILE *csv = open_results(path);
    for (int points = 1; points <= 2; points++) {
        put_row(csv, "seq", 64, points, 1, 1);
        put_row(csv, "cuda_fast", 64, points, 1, 1);
    }
    fclose(csv);
    draw(path);
    assert_int_equal(scratch_count(test_folder), 1); /* nothing against one size */
    csv = open_results(path);
    for (int points = 1; points <= 2; points++) {
        put_row(csv, "seq", 64, points, 1, 1);
        put_row(csv, "seq", 128, points, 4, 4);
    }
    fclose(csv);
    draw(path);
    /* No speedup of seq over itself, and nothing to allocate on a GPU. */
    (void)chart("lacunarity-x-answers-time");
    (void)chart("lacunarity-x-answers-fastest");
    assert_int_equal(scratch_count(test_folder), 1 + 2 * (2 * 1 + 2));
}

TEST(panels_have_the_same_axes) {
    static const char *const names[] = {
        "lacunarity-x-answers-time", "lacunarity-x-answers-time-with-alloc",
        "lacunarity-x-answers-speedup", "lacunarity-x-answers-fastest"};
    char path[600];
    write_unequal_answers(path);
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const DocChart *built = built_chart(&charts, names[i]);
        assert_int_equal(built->panel_count, 2);
        assert_null(built->panels[0].y.title);
        assert_non_null(built->y.title);
        assert_true(built->x.log && built->y.log);
    }
}

TEST(allocation_and_transfers_count_for_cuda_alone) {
    char path[600];
    enum { SMALL = 64 * 64, MIDDLE = 128 * 128, LARGE = 256 * 256 };
    write_unequal_answers(path);
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    const DocChart *time = built_chart(&charts, "lacunarity-x-answers-time");
    expect_points(time, 0, "seq", 3, (const double[][2]){{SMALL, 1}, {MIDDLE, 4}, {LARGE, 16}});
    expect_points(time, 0, "cuda_fast", 3,
                  (const double[][2]){{SMALL, 0.5}, {MIDDLE, 2}, {LARGE, 8}});
    expect_points(time, 1, "seq", 2, (const double[][2]){{SMALL, 16}, {MIDDLE, 64}});
    /* Twice the kernel's time. */
    time = built_chart(&charts, "lacunarity-x-answers-time-with-alloc");
    expect_points(time, 0, "seq", 3, (const double[][2]){{SMALL, 1}, {MIDDLE, 4}, {LARGE, 16}});
    expect_points(time, 0, "cuda_fast", 3,
                  (const double[][2]){{SMALL, 1}, {MIDDLE, 4}, {LARGE, 16}});
    expect_points(time, 1, "cuda_fast", 2, (const double[][2]){{SMALL, 4}, {MIDDLE, 16}});
    const DocChart *speedup = built_chart(&charts, "lacunarity-x-answers-speedup");
    assert_null(find_series(speedup, 0, "seq"));
    expect_points(speedup, 0, "cuda_fast", 3,
                  (const double[][2]){{SMALL, 2}, {MIDDLE, 2}, {LARGE, 2}});
    expect_points(speedup, 1, "cuda_fast", 2, (const double[][2]){{SMALL, 8}, {MIDDLE, 8}});
    speedup = built_chart(&charts, "lacunarity-x-answers-speedup-with-alloc");
    expect_points(speedup, 0, "cuda_fast", 3,
                  (const double[][2]){{SMALL, 1}, {MIDDLE, 1}, {LARGE, 1}});
    expect_points(speedup, 1, "cuda_fast", 2, (const double[][2]){{SMALL, 4}, {MIDDLE, 4}});
}

TEST(long_numbers_are_powers_of_ten) {
    char path[600];
    FILE *csv = open_results(path);
    put_answer(csv, 1, 1e3, 5e-3);
    put_answer(csv, 2, 1e3, 5e-5);
    fclose(csv);
    draw(path);
    char *svg = chart("lacunarity-x-answers-speedup");
    assert_says(svg, ">10⁴<");
    assert_says(svg, ">10⁶<");
    assert_null(strstr(svg, ">1000000<"));
}
