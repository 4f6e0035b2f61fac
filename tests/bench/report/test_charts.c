/* Charts of the sample files: which are drawn, what is written on them, and that nothing is left
 * behind when they cannot be written. */
#include "algorithm.h"
#include "drawn_charts.h"
#include "needs.h"
#include "search_path.h"
#include "status_checks.h"
#include "test.h"
#include "variant.h"

static const char both[] = TEST_DATA "/results/sample-cpu-cuda.csv";
static const char cpu_only[] = TEST_DATA "/results/sample-cpu-only.csv";

TEST(every_chart_is_drawn_and_labelled) {
    draw(both);
    expect_words("lbp-meadow.jpg-speedup",
                 (const char *const[]){"image size (pixels", "speedup, kernel",
                                       "speedup, with copies", "speedup over seq (1 thread)",
                                       "cuda_tiled", "omp", "fastest threads", "16K",
                                       "lbp on meadow.jpg", NULL});
    expect_words("lbp-meadow.jpg-speedup-best-cpu",
                 (const char *const[]){"speedup over the best CPU variant (omp)", NULL});
    expect_words("lbp-meadow.jpg-time", (const char *const[]){"kernel time (", "roof: copy, omp",
                                                              "roof: copy, cuda", "360p", NULL});
    expect_words("lbp-meadow.jpg-omp-threads",
                 (const char *const[]){"threads", "speedup of omp", "efficiency of omp (%)",
                                       "ideal", "4K", NULL});
    expect_words("lbp-meadow.jpg-cuda_tiled-tile",
                 (const char *const[]){"tile width (pixels)", "kernel time (", "8K", NULL});
    expect_words("lbp-meadow.jpg-roofline",
                 (const char *const[]){"lbp at 16K on meadow.jpg", "least operations per byte",
                                       "operations a second (Gop/s)", "GPU, 4.00 TB/s",
                                       "GPU, 15.0 Top/s", "16 threads, 92.0 GB/s",
                                       "16 threads, 1.60 Top/s", "1 thread, 26.0 GB/s",
                                       "1 thread, 100 Gop/s", "cuda_fast", NULL});
    assert_int_equal(scratch_count(test_folder), 12);
}

/* The medians of the file, and what it says about their speedups; both panels of a speedup are of
 * the tuning with the fastest kernel. */
TEST(points_are_those_of_the_file, NULL) {
    RELEASED_BY(close_charts) Charts charts = open_charts(both);
    const DocChart *time = built_chart(&charts, "lbp-meadow.jpg-time");
    const ChartSeries *seq = find_series(time, 0, "seq");
    assert_non_null(seq);
    assert_true(seq->points[0].x == 480 * 360);
    const double unit = strstr(time->y.title, "(ms)") != NULL ? 1 : 1e3;
    assert_true(is_about(seq->points[0].y, 1.38831189 * unit));
    assert_true(is_about(seq->points[0].low, 1.34040456 * unit));
    assert_true(is_about(seq->points[0].high, 1.432038 * unit));
    assert_true(time->x.log && time->y.log);
    const ChartSeries *omp = find_series(time, 0, "omp");
    assert_true(is_about(omp->points[0].y, 0.0252418646 * unit));
    const DocChart *best = built_chart(&charts, "lbp-meadow.jpg-speedup-best-cpu");
    assert_int_equal(best->panel_count, 2);
    assert_true(is_about(find_series(best, 0, "omp")->points[0].y, 1));
    assert_null(find_series(best, 0, "seq")); /* the best of the CPU alone */
    assert_null(find_series(best, 1, "simd"));
    assert_string_equal(best->above, "GPU faster");
    const DocChart *speedup = built_chart(&charts, "lbp-meadow.jpg-speedup");
    assert_null(find_series(speedup, 0, "seq")); /* over itself */
    assert_true(speedup->panels[0].reference == 1.0);
    const DocChart *threads = built_chart(&charts, "lbp-meadow.jpg-omp-threads");
    expect_points(threads, 0, "360p", 5,
                  (const double[][2]){{1, 1},
                                      {2, 0.0536017559 / 0.0299480018},
                                      {4, 0.0536017559 / 0.0252418646},
                                      {8, 0.0536017559 / 0.0306008175},
                                      {16, 0.0536017559 / 0.049930692}});
    const DocChart *tile = built_chart(&charts, "lbp-meadow.jpg-cuda_tiled-tile");
    assert_int_equal(find_series(tile, 0, "360p")->count, 4);
    assert_true(tile->ordered);
}

TEST(charts_without_data_are_not_drawn) {
    draw(cpu_only);
    char *svg = chart("lbp-meadow.jpg-time");
    assert_null(strstr(svg, "cuda"));
    svg = chart("lbp-meadow.jpg-roofline");
    assert_null(strstr(svg, "GPU"));
    svg = chart("lbp-meadow.jpg-speedup"); /* with copies it would be the same again */
    assert_says(svg, "speedup");
    assert_null(strstr(svg, "with copies"));
    /* speedup, speedup-best-cpu, time, roofline, omp-threads; no tile chart */
    assert_int_equal(scratch_count(test_folder), 10);
}

/* seq is skipped where it would take too long: then it has no point in the roofline, which is drawn
 * at the largest size, and no place in its key. */
TEST(the_key_of_a_roofline_has_what_has_a_point) {
    static const char slow[] = "lbp,seq,cpu,meadow.jpg,16K,";
    char *text, path[600];
    size_t length;
    assert_ok(file_text_read(both, "a text", SIZE_MAX, &text, &length));
    char *line = strstr(text, slow);
    assert_non_null(line);
    const char *next = strchr(line, '\n') + 1;
    memmove(line, next, strlen(next) + 1);
    test_write("results.csv", text);
    free(text);
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    draw(path);
    expect_words("lbp-meadow.jpg-roofline",
                 (const char *const[]){"lbp at 16K on meadow.jpg", "simd", "cuda_fast", NULL});
    char *svg = chart("lbp-meadow.jpg-roofline");
    assert_null(strstr(svg, "seq"));
    svg = chart("lbp-meadow.jpg-time");
    assert_says(svg, "seq");
}

static void copy_rows(FILE *out, const char *csv, const char *size) {
    char *text;
    size_t length;
    assert_ok(file_text_read(csv, "a text", SIZE_MAX, &text, &length));
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "lbp,", 4) != 0 || strstr(line, size) != NULL) {
            fprintf(out, "%s\n", line);
        }
    }
    free(text);
}

/* Of one size there are bars instead of lines: the fastest on top, end to end in grey. */
TEST(one_size_has_bars) {
    const char *path = test_path("results.csv");
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    copy_rows(csv, both, ",meadow.jpg,720p,");
    fclose(csv);
    draw(path);
    (void)chart("lbp-meadow.jpg-omp-threads");
    (void)chart("lbp-meadow.jpg-cuda_tiled-tile");
    (void)chart("lbp-meadow.jpg-roofline");
    (void)chart("lbp-meadow.jpg-speedup");
    (void)chart("lbp-meadow.jpg-speedup-best-cpu");
    assert_int_equal(scratch_count(test_folder), 11);
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    const DocChart *bars = built_chart(&charts, "lbp-meadow.jpg-speedup-best-cpu");
    assert_int_equal(bars->kind, CHART_BARS);
    assert_string_equal(bars->y.title, "speedup over the best CPU variant (omp)");
    const size_t count = bars->x.count;
    for (size_t i = 0; i < count; i++) {
        const ChartPoint *point = &bars->series[i].points[0];
        assert_true(point->x == (double)i && point->low == 0 && point->high == point->y);
        assert_true(i == 0 || point->y <= bars->series[i - 1].points[0].y);
        const bool grey = bars->series[i].style == SERIES_SECONDARY;
        const char *note = bars->x.ticks[i].note;
        assert_int_equal(note != NULL && strcmp(note, "with copies") == 0, grey);
    }
    /* 0.0436 ms of omp with 8 threads over the least of a GPU, both in the file. */
    const ChartSeries *words = &bars->series[count];
    assert_int_equal(words->style, SERIES_WORDS);
    assert_int_equal(words->count, count);
    assert_string_equal(bars->x.ticks[0].label, "cuda_fast");
}

/* A copy of a variant's rows under another name lies on it. */
TEST(lines_within_two_percent_are_equal) {
    char path[600], *text;
    size_t length;
    assert_ok(file_text_read(both, "a text", SIZE_MAX, &text, &length));
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        static const char fast[] = "lbp,cuda_fast,", texture[] = "lbp,cuda_texture,";
        if (strncmp(line, texture, sizeof texture - 1) != 0) {
            fprintf(csv, "%s\n", line);
        }
        if (strncmp(line, fast, sizeof fast - 1) == 0) {
            fprintf(csv, "%s%s\n", texture, line + sizeof fast - 1);
        }
    }
    fclose(csv);
    free(text);
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    const DocChart *time = built_chart(&charts, "lbp-meadow.jpg-time");
    for (size_t i = 0; i < time->count; i++) {
        const ChartSeries *series = &time->series[i];
        /* The later one of the two. */
        const bool later = strncmp(series->name, "cuda_fast", 9) == 0;
        assert_int_equal(series->same_as > 0, later);
        if (later) {
            assert_int_equal(strncmp(time->series[series->same_as - 1].name, "cuda_texture", 12),
                             0);
        }
    }
}

/* Where, when; and how far the sequential variant was run. */
TEST(charts_say_where_and_when) {
    char path[600], *text;
    size_t length;
    assert_ok(file_text_read(both, "a text", SIZE_MAX, &text, &length));
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    fputs("# started: 2026-11-20T10:11:12Z\n# gpu_model: GPU G\n# cpu_model: CPU C\n"
          "# cpu_count: 16\n",
          csv);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const bool fact = strncmp(line, "# started", 9) == 0 ||
                          strncmp(line, "# gpu_model", 11) == 0 || strncmp(line, "# cpu_", 6) == 0;
        const bool large = strncmp(line, "lbp,seq,", 8) == 0 &&
                           (strstr(line, ",8K,") != NULL || strstr(line, ",16K,") != NULL);
        if (!fact && !large) {
            fprintf(csv, "%s\n", line);
        }
    }
    fclose(csv);
    free(text);
    RELEASED_BY(close_charts) Charts charts = open_charts(path);
    const DocChart *speedup = built_chart(&charts, "lbp-meadow.jpg-speedup");
    assert_string_equal(speedup->made, "GPU G; CPU C, 16 threads; 2026-11-20");
    assert_says(speedup->note, "seq was not run beyond 4K");
    const DocChart *best = built_chart(&charts, "lbp-meadow.jpg-speedup-best-cpu");
    assert_null(strstr(best->note, "was not run"));
}

/* The rows of one size, and those of omp with `count` numbers of threads. */
static void write_many_threads(FILE *out, int count) {
    static const char before[] = "lbp,omp,cpu,meadow.jpg,360p,480,360,,threads:",
                      first[] = "1,1,ok";
    char *text;
    size_t length;
    copy_rows(out, cpu_only, ",meadow.jpg,720p,");
    assert_ok(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length));
    const char *row = strstr(text, before);
    assert_non_null(row);
    const char *rest = row + strlen(before) + strlen(first);
    assert_memory_equal(rest - strlen(first), first, strlen(first));
    for (int threads = 1; threads <= count; threads++) {
        fprintf(out, "%s%d,%d,ok%.*s\n", before, threads, threads, (int)strcspn(rest, "\n"), rest);
    }
    free(text);
}

/* More than gnuplot lets a function call itself. */
TEST(hundreds_of_thread_counts_are_drawn) {
    const char *path = test_path("results.csv");
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    write_many_threads(csv, 300);
    fclose(csv);
    draw(path);
    expect_words("lbp-meadow.jpg-omp-threads", (const char *const[]){"200", "360p", NULL});
    expect_words("lbp-meadow.jpg-time", (const char *const[]){"threads of omp", NULL});
}

/* A name that needs quotes in the CSV, in gnuplot's arguments and in a file name. */
TEST(odd_input_names_are_drawn) {
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    assert_ok(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length));
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    const char *from = text;
    for (const char *found; (found = strstr(from, ",meadow.jpg,")) != NULL; from = found + 12) {
        fwrite(from, 1, (size_t)(found - from), csv);
        fputs(",\"it's $(odd), \"\"1\"\".jpg\",", csv);
    }
    fputs(from, csv);
    fclose(csv);
    free(text);
    draw(path);
    (void)chart("lbp-it-s-odd-1-.jpg-time");
    (void)chart("lbp-it-s-odd-1-.jpg-omp-threads");
}

/* Names that differ only in what file names do not have. */
TEST(like_names_have_charts_of_their_own) {
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    assert_ok(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length));
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    fputs(text, csv);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *input = strstr(line, ",meadow.jpg,");
        if (strncmp(line, "lbp,", 4) == 0 && input != NULL) {
            fprintf(csv, "%.*s,a b,%s\n", (int)(input - line), line, input + 12);
            fprintf(csv, "%.*s,a-b,%s\n", (int)(input - line), line, input + 12);
        }
    }
    fclose(csv);
    free(text);
    draw(path);
    (void)chart("lbp-meadow.jpg-time"); /* stays as it is */
    (void)chart("lbp-meadow.jpg-omp-threads");
    /* SVG and PNG of five charts, for three inputs; and the table. */
    assert_int_equal(scratch_count(test_folder), 31);
}

TEST(missing_folder_is_a_file_error) {
    assert_int_equal(draw_csv(both, test_path("missing")).code, STATUS_FILE);
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(read_only_folder_stays_empty) {
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    assert_int_equal(chmod(test_folder, 0555), 0);
    const Status status = draw_csv(both, test_folder);
    assert_int_equal(chmod(test_folder, 0755), 0);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(failing_script_leaves_nothing) {
    char scripts[600], path[700];
    snprintf(scripts, sizeof scripts, "%s/scripts", test_folder);
    assert_int_equal(mkdir(scripts, 0755), 0);
    snprintf(path, sizeof path, "%s/in_folder.gp", scripts);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("cd ARG1\nset terminal svg\nset output 'chart.svg'\nplot x\nnonsense\n", file);
    fclose(file);
    assert_int_equal(setenv("BENCH_PLOT_DIR", scripts, 1), 0);
    const Status status = draw_csv(both, test_folder);
    assert_int_equal(unsetenv("BENCH_PLOT_DIR"), 0);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, "in_folder.gp");
    assert_int_equal(scratch_count(test_folder), 1);
}

TEST(missing_gnuplot_is_a_skip) {
    char *before = search_path_set(test_folder, true);
    const Status status = draw_csv(both, test_folder);
    search_path_restore(before);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "gnuplot is not installed");
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(columns_that_are_needed_are_named) {
    test_write("results.csv", "# comment\nalgorithm,variant,input\nlbp,seq,x\n");
    assert_status(draw_csv(test_path("results.csv"), test_folder), STATUS_FILE,
                  "no column \"answer\"");
}

TEST(roof_rows_have_charts_only_by_themselves) {
    const char *const header = "algorithm,variant,input,answer,tuning,status\n";
    char path[600], text[400];
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    snprintf(text, sizeof text,
             "%scopy,seq,x,,,ok\nlacunarity,omp,x,\"box:each,threshold:2\",threads:2,ok\n", header);
    test_write("results.csv", text);
    Charts charts = open_charts(path);
    assert_int_equal(charts.list.count, 4);
    for (size_t i = 0; i < charts.list.count; i++) {
        assert_string_equal(charts.list.charts[i].row->algorithm->name, "lacunarity");
    }
    assert_int_equal(charts.list.charts[3].subject, SUBJECT_TUNING);
    assert_string_equal(charts.list.charts[3].name,
                        "lacunarity-x-box-each-threshold-2-omp-threads");
    close_charts(&charts);
    snprintf(text, sizeof text, "%scopy,seq,x,,,ok\nlbp,seq,x,,,fail\n", header);
    test_write("results.csv", text);
    charts = open_charts(path);
    assert_int_equal(charts.list.count, 3);
    assert_string_equal(charts.list.charts[0].name, "copy-x-speedup");
    close_charts(&charts);
}

/* The times and tuning points of a file of this program come back as they were. */
TEST(rows_are_read_back) {
    test_write("results.csv",
               "# comment\n"
               "algorithm,variant,input,answer,tuning,status,why,kernel_ms_median,images,size,"
               "best_tuning,verified,ceiling_gb_s,stages_ms,width\n"
               "haar,seq,x,\"min-side:5,threshold:7\",,ok,,2.5,10,10,1,yes,3,"
               "\"integral:0.5,old:9,features:1.5\",28\n"
               "haar,omp,x,\"min-side:5,threshold:7\",threads:4,fail,bad luck,,10,10,0,no,,,-28\n"
               "haar,gone,x,\"min-side:5,threshold:7\",,ok,,1,10,10,0,yes,,,28\n"
               "gone,seq,x,,,ok,,1,10,10,0,yes,,,28\n"
               "haar,seq,x,\"min-side:5,gone:7\",,ok,,1,10,10,0,yes,,,28\n"
               "haar,seq,x,\"min-side:5,threshold:7,min-side:6\",,ok,,1,10,10,0,yes,,,28\n"
               "haar,seq,x,\"min-side:none,threshold:7\",,ok,,1,10,10,0,yes,,,28\n");
    RELEASED_BY(results_release) Results results;
    size_t ignored;
    assert_ok(results_csv_read(test_path("results.csv"), &results, &ignored));
    assert_int_equal(ignored, 5);
    assert_int_equal(results.count, 2);
    const Row *row = &results.rows[0];
    assert_string_equal(row->variant->name, "seq");
    assert_true(is_about(row->kernel_summary.median, 2.5e-3));
    assert_true(is_about(row->ceiling_bandwidth, 3e9));
    assert_true(isnan(row->speedup));
    assert_int_equal(row->images, 10);
    assert_int_equal(row->width, 28);
    assert_true(row->best_tuning && row->verified);
    assert_int_equal(row->answer.count, 2);
    assert_string_equal(row->answer.axes[1]->name, "threshold");
    assert_int_equal(row->answer.values[1].number, 7);
    assert_true(is_about(row->stage_seconds[0], 0.5e-3));
    assert_true(is_about(row->stage_seconds[1], 1.5e-3));
    row = &results.rows[1];
    assert_int_equal(row->status, CELL_FAIL);
    assert_string_equal(row->why, "bad luck");
    assert_int_equal(row->tuning.values[0].number, 4);
    assert_true(isnan(row->kernel_summary.median));
    assert_int_equal(row->width, 0); /* no width */
}

TEST(numbers_that_no_column_holds_are_refused_by_line) {
    static const char *const wrong[] = {"-1", "0", "1e308", "1e999", "NaN", "5 ms"};
    char path[600], text[256];
    snprintf(path, sizeof path, "%s/results.csv", test_folder);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Results results;
        size_t ignored;
        snprintf(text, sizeof text,
                 "# cpu_model: C\nalgorithm,variant,input,answer,tuning,status,kernel_ms_median\n"
                 "lbp,seq,x,,,ok,1\nlbp,simd,x,,,ok,%s\n",
                 wrong[i]);
        test_write("results.csv", text);
        const Status status = results_csv_read(path, &results, &ignored);
        assert_int_equal(status.code, STATUS_FILE);
        assert_says(status.why, "results.csv:4: \"kernel_ms_median\" is '");
        assert_says(status.why, wrong[i]);
        assert_int_equal(results.count, 0);
    }
}

/* On two GPUs the roof is of two, and the roofline has both numbers of them. */
TEST(roofs_are_of_as_many_gpus) {
    test_write("results.csv",
               "# gpu_model: GPU G\n"
               "algorithm,variant,input,answer,tuning,status,kernel_ms_median,size,width,height,"
               "threads,best_tuning,verified,roof,roof_ms,ceiling_gb_s,ceiling_gop_s,bytes,"
               "operations,device\n"
               "lbp,seq,x,,,ok,90,a,100,100,1,yes,yes,int32/threads:1,40,20,50,20000,160000,C\n"
               "lbp,seq,x,,,ok,360,b,200,200,1,yes,yes,int32/threads:1,160,20,50,80000,640000,C\n"
               "lbp,cuda_fast,x,,,ok,8,a,100,100,0,yes,yes,copy_dram,4,4000,16000,20000,160000,"
               "GPU G\n"
               "lbp,cuda_fast,x,,,ok,32,b,200,200,0,yes,yes,copy_dram,16,4000,16000,80000,640000,"
               "GPU G\n"
               "lbp,cuda_multi,x,,gpus:2,ok,5,a,100,100,0,yes,yes,copy_dram/gpus:2,2.5,7000,30000,"
               "20000,160000,2 × GPU G\n"
               "lbp,cuda_multi,x,,gpus:2,ok,20,b,200,200,0,yes,yes,copy_dram/gpus:2,10,7000,30000,"
               "80000,640000,2 × GPU G\n");
    RELEASED_BY(close_charts) Charts charts = open_charts(test_path("results.csv"));
    assert_string_equal(charts.results.measured, "2 × GPU G");
    const DocChart *time = built_chart(&charts, "lbp-x-time");
    const ChartSeries *roof = find_series(time, 0, "roof: copy_dram, 2 GPUs");
    assert_non_null(roof);
    assert_int_equal(roof->count, 2);
    assert_true(is_about(roof->points[1].y, 10));
    const DocChart *roofline = built_chart(&charts, "lbp-x-roofline");
    static const char *const names[] = {"1 thread, 20.0 GB/s", "1 thread, 50.0 Gop/s",
                                        "GPU, 4.00 TB/s",      "GPU, 16.0 Top/s",
                                        "2 GPUs, 7.00 TB/s",   "2 GPUs, 30.0 Top/s"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (find_series(roofline, 0, names[i]) == NULL) {
            fail_msg("the roofline has no %s", names[i]);
        }
    }
}
