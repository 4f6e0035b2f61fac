/* Charts of the sample files: which are drawn, what is written on them, and that nothing is left
 * behind when they cannot be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_charts.h"
#include "needs.h"
#include "results_internal.h"
#include "sample_results.h"

static const char both[] = TEST_DATA "/results/sample-cpu-cuda.csv";
static const char cpu_only[] = TEST_DATA "/results/sample-cpu-only.csv";

static void every_chart_is_drawn_and_labelled(void **state) {
    const ScratchFolder *folder = *state;
    draw(both, folder->path);
    expect_words(folder, "lbp-meadow.jpg-speedup",
                 (const char *const[]){"Image size (pixels", "Speedup, kernel",
                                       "Speedup, end-to-end", "Speedup over seq (1 thread)",
                                       "cuda_tiled (best tile)", "omp (best threads)", "16K",
                                       "lbp on meadow.jpg", NULL});
    expect_words(folder, "lbp-meadow.jpg-speedup-best-cpu",
                 (const char *const[]){"Speedup over the best CPU variant (omp)", NULL});
    expect_words(folder, "lbp-meadow.jpg-time",
                 (const char *const[]){"Kernel time (ms)", "roof: copy, omp", "roof: copy, cuda",
                                       "360p", NULL});
    expect_words(
        folder, "lbp-meadow.jpg-omp-threads",
        (const char *const[]){"Threads", "Speedup over omp with 1 thread", "ideal", "4K", NULL});
    expect_words(folder, "lbp-meadow.jpg-cuda_tiled-tile",
                 (const char *const[]){"Tile width (pixels)", "Kernel time (ms)", "8K", NULL});
    expect_words(folder, "lbp-meadow.jpg-roofline",
                 (const char *const[]){"lbp at 16K on meadow.jpg", "Least operations per byte",
                                       "Operations per second (Gop/s)", "GPU, 4 TB/s",
                                       "GPU, 15 Top/s", "16 threads, 92 GB/s",
                                       "16 threads, 1.6 Top/s", "1 thread, 26 GB/s",
                                       "1 thread, 100 Gop/s", "cuda_fast", NULL});
    assert_int_equal(scratch_count(folder->path), 12);
}

static void charts_without_data_are_not_drawn(void **state) {
    const ScratchFolder *folder = *state;
    draw(cpu_only, folder->path);
    char *svg = chart(folder, "lbp-meadow.jpg-time");
    assert_null(strstr(svg, "cuda"));
    free(svg);
    svg = chart(folder, "lbp-meadow.jpg-roofline");
    assert_null(strstr(svg, "GPU"));
    free(svg);
    /* speedup, speedup-best-cpu, time, roofline, omp-threads; no tile chart */
    assert_int_equal(scratch_count(folder->path), 10);
}

/* seq is skipped where it would take too long: then it has no point in the roofline, which is drawn
 * at the largest size, and no place in its key. */
static void the_key_of_a_roofline_has_what_has_a_point(void **state) {
    static const char slow[] = "lbp,seq,cpu,meadow.jpg,16K,";
    const ScratchFolder *folder = *state;
    char *text, path[600];
    size_t length;
    assert_int_equal(file_text_read(both, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
    char *line = strstr(text, slow);
    assert_non_null(line);
    const char *next = strchr(line, '\n') + 1;
    memmove(line, next, strlen(next) + 1);
    scratch_write(folder, "results.csv", text);
    free(text);
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    draw(path, folder->path);
    expect_words(folder, "lbp-meadow.jpg-roofline",
                 (const char *const[]){"lbp at 16K on meadow.jpg", "simd", "cuda_fast", NULL});
    char *svg = chart(folder, "lbp-meadow.jpg-roofline");
    assert_null(strstr(svg, "seq"));
    free(svg);
    svg = chart(folder, "lbp-meadow.jpg-time");
    assert_non_null(strstr(svg, "seq"));
    free(svg);
}

static void copy_rows(FILE *out, const char *csv, const char *size) {
    char *text;
    size_t length;
    assert_int_equal(file_text_read(csv, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "lbp,", 4) != 0 || strstr(line, size) != NULL) {
            fprintf(out, "%s\n", line);
        }
    }
    free(text);
}

static void one_size_has_no_charts_against_size(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    copy_rows(csv, both, ",meadow.jpg,720p,");
    fclose(csv);
    draw(path, folder->path);
    free(chart(folder, "lbp-meadow.jpg-omp-threads"));
    free(chart(folder, "lbp-meadow.jpg-cuda_tiled-tile"));
    free(chart(folder, "lbp-meadow.jpg-roofline"));
    assert_int_equal(scratch_count(folder->path), 7);
}

/* The rows of one size, and those of omp with `count` numbers of threads. */
static void write_many_threads(FILE *out, int count) {
    static const char before[] = "lbp,omp,cpu,meadow.jpg,360p,480,360,,threads:",
                      first[] = "1,1,ok";
    char *text;
    size_t length;
    copy_rows(out, cpu_only, ",meadow.jpg,720p,");
    assert_int_equal(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
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
static void hundreds_of_thread_counts_are_drawn(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    FILE *csv = fopen(path, "w");
    assert_non_null(csv);
    write_many_threads(csv, 300);
    fclose(csv);
    draw(path, folder->path);
    expect_words(folder, "lbp-meadow.jpg-omp-threads", (const char *const[]){"300", "360p", NULL});
    expect_words(folder, "lbp-meadow.jpg-time", (const char *const[]){"omp (best threads)", NULL});
}

/* A name that needs quotes in the CSV, in gnuplot's arguments and in a file name. */
static void odd_input_names_are_drawn(void **state) {
    const ScratchFolder *folder = *state;
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    assert_int_equal(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
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
    draw(path, folder->path);
    free(chart(folder, "lbp-it-s-odd-1-.jpg-time"));
    free(chart(folder, "lbp-it-s-odd-1-.jpg-omp-threads"));
}

/* Names that differ only in what file names do not have. */
static void like_names_have_charts_of_their_own(void **state) {
    const ScratchFolder *folder = *state;
    char path[600], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    assert_int_equal(file_text_read(cpu_only, "a text", SIZE_MAX, &text, &length).code, STATUS_OK);
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
    draw(path, folder->path);
    free(chart(folder, "lbp-meadow.jpg-time")); /* stays as it is */
    free(chart(folder, "lbp-meadow.jpg-omp-threads"));
    /* SVG and PNG of five charts, for three inputs; and the table. */
    assert_int_equal(scratch_count(folder->path), 31);
}

static void missing_folder_is_a_file_error(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/missing", folder->path);
    assert_int_equal(report_charts(both, path).code, STATUS_FILE);
    assert_int_equal(scratch_count(folder->path), 0);
}

static void read_only_folder_stays_empty(void **state) {
    const ScratchFolder *folder = *state;
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    assert_int_equal(chmod(folder->path, 0555), 0);
    const Status status = report_charts(both, folder->path);
    assert_int_equal(chmod(folder->path, 0755), 0);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(scratch_count(folder->path), 0);
}

static void failing_script_leaves_nothing(void **state) {
    const ScratchFolder *folder = *state;
    char scripts[600], path[700];
    snprintf(scripts, sizeof scripts, "%s/scripts", folder->path);
    assert_int_equal(mkdir(scripts, 0755), 0);
    static const char *const names[] = {"style.gp", "speedup.gp"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", scripts, names[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs("set terminal svg\nset output ARG5\nplot x\nnonsense\n", file);
        fclose(file);
    }
    assert_int_equal(setenv("BENCH_PLOT_DIR", scripts, 1), 0);
    const Status status = report_charts(both, folder->path);
    assert_int_equal(unsetenv("BENCH_PLOT_DIR"), 0);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "speedup.gp"));
    assert_int_equal(scratch_count(folder->path), 1);
}

static void missing_gnuplot_is_a_skip(void **state) {
    const ScratchFolder *folder = *state;
    char before[4096];
    const char *path = getenv("PATH");
    snprintf(before, sizeof before, "%s", path != NULL ? path : "");
    assert_int_equal(setenv("PATH", folder->path, 1), 0);
    const Status status = report_charts(both, folder->path);
    assert_int_equal(setenv("PATH", before, 1), 0);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_non_null(strstr(status.why, "gnuplot is not installed"));
    assert_int_equal(scratch_count(folder->path), 0);
}

static void columns_that_are_needed_are_named(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    scratch_write(folder, "results.csv", "# comment\nalgorithm,variant,input\nlbp,seq,x\n");
    const Status status = report_charts(path, folder->path);
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "no column \"answer\""));
}

static void roof_rows_have_charts_only_by_themselves(void **state) {
    const ScratchFolder *folder = *state;
    const char *const header = "algorithm,variant,input,answer,tuning,status\n";
    char path[600], text[400];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    snprintf(text, sizeof text,
             "%scopy,seq,x,,,ok\nlbp,omp,x,\"p:1,r:2\",\"threads:2,word:up\",ok\n", header);
    scratch_write(folder, "results.csv", text);
    ChartList list;
    assert_int_equal(chart_list_read(path, &list).code, STATUS_OK);
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.charts[i].algorithm, "lbp");
        assert_string_equal(list.charts[i].answer, "p:1,r:2");
    }
    assert_string_equal(list.charts[3].axis, "threads");
    assert_string_equal(list.charts[3].script, "threads.gp");
    chart_list_release(&list);
    snprintf(text, sizeof text, "%scopy,seq,x,,,ok\nlbp,seq,x,,,fail\n", header);
    scratch_write(folder, "results.csv", text);
    assert_int_equal(chart_list_read(path, &list).code, STATUS_OK);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.charts[0].algorithm, "copy");
    chart_list_release(&list);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_chart_is_drawn_and_labelled),
        IN_FOLDER(charts_without_data_are_not_drawn),
        IN_FOLDER(the_key_of_a_roofline_has_what_has_a_point),
        IN_FOLDER(one_size_has_no_charts_against_size),
        IN_FOLDER(hundreds_of_thread_counts_are_drawn),
        IN_FOLDER(odd_input_names_are_drawn),
        IN_FOLDER(like_names_have_charts_of_their_own),
        IN_FOLDER(missing_folder_is_a_file_error),
        IN_FOLDER(read_only_folder_stays_empty),
        IN_FOLDER(failing_script_leaves_nothing),
        IN_FOLDER(missing_gnuplot_is_a_skip),
        IN_FOLDER(columns_that_are_needed_are_named),
        IN_FOLDER(roof_rows_have_charts_only_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
