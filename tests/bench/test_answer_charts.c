/* Charts of several answer points: when there are any, and that their panels have the same axes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_charts.h"
#include "results_internal.h"

/* Marks of the first CPU and the first CUDA variant, as gnuplot names them in SVG. */
static const char cpu_mark[] = "#gpPt3";
static const char cuda_mark[] = "#gpPt6";

static FILE *open_results(const ScratchFolder *folder, char path[600]) {
    snprintf(path, 600, "%s/results.csv", folder->path);
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
            "lbp,%s,%s,x,%d,%d,%d,\"p:%d,i:near\",,ok,1,seq (1 thread),%g,,%g,,,%g,%g,,,%g,,,,\n",
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

static void write_answers(const ScratchFolder *folder, int count, char path[600]) {
    FILE *csv = open_results(folder, path);
    for (int points = 1; points <= count; points++) {
        put_answer(csv, points, points, 0.1 * points);
    }
    fclose(csv);
}

/* seq takes 1, 4 and 16 ms at one answer point, 16 and 64 ms at the other; the GPU is twice as fast
 * at the first and 8 times at the second. */
static void write_unequal_answers(const ScratchFolder *folder, char path[600]) {
    FILE *csv = open_results(folder, path);
    put_answer(csv, 1, 1, 0.5);
    put_row(csv, "seq", 256, 1, 16, 16);
    put_row(csv, "cuda_fast", 256, 1, 8, 16);
    put_answer(csv, 2, 16, 2);
    fclose(csv);
}

static size_t count_answer_charts(const char *path) {
    ChartList list;
    assert_int_equal(chart_list_read(path, &list).code, STATUS_OK);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (strncmp(list.charts[i].word, "answers-", 8) == 0) {
            assert_string_equal(list.charts[i].answer, "");
            assert_string_equal(list.charts[i].variant, "");
            assert_memory_equal(list.charts[i].script, "answers_", 8);
            count++;
        }
    }
    chart_list_release(&list);
    return count;
}

static void only_several_answers_have_charts_together(void **state) {
    const ScratchFolder *folder = *state;
    static const struct {
        int answers;
        size_t charts;
    } cases[] = {{1, 0}, {2, 5}, {3, 5}, {7, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[600];
        write_answers(folder, cases[i].answers, path);
        assert_int_equal(count_answer_charts(path), cases[i].charts);
    }
}

/* From 10⁶ to 10⁷ ms: marks at 2 and 5 times a power of ten, as powers. */
static void large_values_in_a_short_range_are_marked(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    FILE *csv = open_results(folder, path);
    put_answer(csv, 1, 1e6, 5e5);
    fclose(csv);
    draw(path, folder->path);
    static const char *const words[] = {"5·10⁵", "10⁶", "2·10⁶", NULL};
    expect_words(folder, "lbp-x-p-1-i-near-time", words);
}

static void answers_that_failed_do_not_count(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    snprintf(path, sizeof path, "%s/results.csv", folder->path);
    const char *const header = "algorithm,variant,input,answer,tuning,status\n";
    char text[400];
    snprintf(text, sizeof text, "%slbp,seq,x,p:1,,ok\nlbp,seq,x,p:2,,fail\n", header);
    scratch_write(folder, "results.csv", text);
    assert_int_equal(count_answer_charts(path), 0);
    /* Neither do those of another input or another algorithm. */
    snprintf(text, sizeof text, "%slbp,seq,x,p:1,,ok\nlbp,seq,y,p:2,,ok\ncopy,seq,x,,,ok\n",
             header);
    scratch_write(folder, "results.csv", text);
    assert_int_equal(count_answer_charts(path), 0);
    snprintf(text, sizeof text, "%slbp,seq,x,p:1,,ok\nlbp,seq,y,p:2,,ok\nlbp,omp,y,p:3,,ok\n",
             header);
    scratch_write(folder, "results.csv", text);
    assert_int_equal(count_answer_charts(path), 5);
}

static void one_answer_is_named_in_its_charts(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    write_answers(folder, 1, path);
    draw(path, folder->path);
    expect_words(folder, "lbp-x-p-1-i-near-time",
                 (const char *const[]){"lbp on x<", ">p 1, i near<", NULL});
    free(chart(folder, "lbp-x-p-1-i-near-speedup"));
    assert_int_equal(scratch_count(folder->path), 1 + 2 * 2);
}

static void answers_share_a_chart(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    write_answers(folder, 2, path);
    draw(path, folder->path);
    expect_words(folder, "lbp-x-answers-speedup",
                 (const char *const[]){">lbp on x, i near<", ">p 1<", ">p 2<", "Speedup, kernel",
                                       "Speedup over seq (1 thread)", ">cuda_fast<",
                                       "Image size (pixels, logarithmic)", NULL});
    expect_words(folder, "lbp-x-answers-speedup-with-alloc",
                 (const char *const[]){"Speedup, with allocation",
                                       "CUDA: allocation, upload, kernel, download", NULL});
    expect_words(folder, "lbp-x-answers-time",
                 (const char *const[]){">lbp on x, i near<", ">p 1<", ">p 2<", "Kernel time (ms)",
                                       ">seq<", ">cuda_fast<", NULL});
    expect_words(folder, "lbp-x-answers-time-with-alloc",
                 (const char *const[]){"Time with allocation (ms)", ">p 2<", NULL});
    expect_words(folder, "lbp-x-answers-fastest",
                 (const char *const[]){">seq<", ">cuda_fast<", ">p 1<", ">p 2<", NULL});
    /* The results, two charts of each answer point, five of both. */
    assert_int_equal(scratch_count(folder->path), 1 + 2 * (2 * 2 + 5));
}

static void the_key_says_how_many_answers_are_left_out(void **state) {
    const ScratchFolder *folder = *state;
    static const char *const names[] = {"lbp-x-answers-speedup", "lbp-x-answers-time",
                                        "lbp-x-answers-fastest"};
    char path[600];
    write_answers(folder, 7, path);
    draw(path, folder->path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *svg = chart(folder, names[i]);
        assert_non_null(strstr(svg, "1 more answer point not shown"));
        assert_non_null(strstr(svg, ">p 1<"));
        assert_non_null(strstr(svg, ">p 6<"));
        assert_null(strstr(svg, ">p 7<"));
        free(svg);
    }
}

static void charts_without_data_are_not_drawn(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    FILE *csv = open_results(folder, path);
    for (int points = 1; points <= 2; points++) {
        put_row(csv, "seq", 64, points, 1, 1);
        put_row(csv, "cuda_fast", 64, points, 1, 1);
    }
    fclose(csv);
    draw(path, folder->path);
    assert_int_equal(scratch_count(folder->path), 1); /* nothing against one size */
    csv = open_results(folder, path);
    for (int points = 1; points <= 2; points++) {
        put_row(csv, "seq", 64, points, 1, 1);
        put_row(csv, "seq", 128, points, 4, 4);
    }
    fclose(csv);
    draw(path, folder->path);
    /* No speedup of seq over itself, and nothing to allocate on a GPU. */
    free(chart(folder, "lbp-x-answers-time"));
    free(chart(folder, "lbp-x-answers-fastest"));
    assert_int_equal(scratch_count(folder->path), 1 + 2 * (2 * 1 + 2));
}

static void long_numbers_are_powers_of_ten(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    FILE *csv = open_results(folder, path);
    put_answer(csv, 1, 1e3, 5e-3);
    put_answer(csv, 2, 1e3, 5e-5);
    fclose(csv);
    draw(path, folder->path);
    char *svg = chart(folder, "lbp-x-answers-speedup");
    assert_non_null(strstr(svg, ">10000<"));
    assert_non_null(strstr(svg, ">10⁵<"));
    assert_null(strstr(svg, ">100000<"));
    free(svg);
    svg = chart(folder, "lbp-x-answers-time");
    assert_non_null(strstr(svg, ">0.001<"));
    assert_non_null(strstr(svg, ">10⁻⁴<"));
    assert_null(strstr(svg, ">0.0001<"));
    free(svg);
}

typedef struct Mark {
    double x, y; /* px from the upper left corner */
} Mark;

/* The marks of one shape, in the order of drawing; the last is that of the key. */
static size_t read_marks(const char *svg, const char *shape, Mark *marks, size_t capacity) {
    char start[64];
    size_t count = 0;
    snprintf(start, sizeof start, "'%s' transform='translate(", shape);
    for (const char *at = svg; (at = strstr(at, start)) != NULL; count++) {
        at += strlen(start);
        assert_true(count < capacity);
        char *end;
        marks[count].x = strtod(at, &end);
        assert_int_equal(*end, ',');
        marks[count].y = strtod(end + 1, NULL);
    }
    return count;
}

#define assert_near(a, b) assert_true((a) - (b) < 0.1 && (b) - (a) < 0.1)

/* Of the unequal answer points: three marks in the first panel, two in the second. */
static void read_panels(const ScratchFolder *folder, const char *name, const char *shape,
                        Mark marks[6]) {
    char *svg = chart(folder, name);
    assert_int_equal(read_marks(svg, shape, marks, 6), 6);
    free(svg);
}

static void panels_have_the_same_axes(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    Mark marks[6];
    write_unequal_answers(folder, path);
    draw(path, folder->path);
    static const char *const shapes[] = {cpu_mark, cuda_mark};
    for (size_t i = 0; i < 2; i++) {
        read_panels(folder, "lbp-x-answers-time", shapes[i], marks);
        /* The same size stands at the same place in its panel. */
        assert_true(marks[3].x > marks[2].x + 20);
        assert_near(marks[3].x - marks[0].x, marks[4].x - marks[1].x);
        assert_true(marks[1].x > marks[0].x + 20);
    }
    /* 2 and 8 ms are the second and third of the first panel, the first and second of the other. */
    assert_near(marks[1].y, marks[3].y);
    assert_near(marks[2].y, marks[4].y);
    assert_true(marks[1].y > marks[2].y + 20);
    /* Speedups are 2, 2, 2 and 8, 8. */
    read_panels(folder, "lbp-x-answers-speedup", cuda_mark, marks);
    assert_near(marks[0].y, marks[2].y);
    assert_near(marks[3].y, marks[4].y);
    assert_true(marks[0].y > marks[3].y + 20);
}

static void allocation_and_transfers_count_for_cuda_alone(void **state) {
    const ScratchFolder *folder = *state;
    char path[600];
    Mark seq[6], cuda[6], kernel[6];
    write_unequal_answers(folder, path);
    draw(path, folder->path);
    read_panels(folder, "lbp-x-answers-time", cpu_mark, seq);
    read_panels(folder, "lbp-x-answers-time", cuda_mark, cuda);
    assert_true(cuda[0].y > seq[0].y + 5);
    /* Twice the kernel's 0.5, 2, 8 and 2, 8 ms: 1, 4, 16 and 4, 16. */
    read_panels(folder, "lbp-x-answers-time-with-alloc", cpu_mark, seq);
    read_panels(folder, "lbp-x-answers-time-with-alloc", cuda_mark, cuda);
    for (size_t i = 0; i < 3; i++) {
        assert_near(cuda[i].y, seq[i].y);
    }
    assert_near(cuda[3].y, seq[1].y);
    assert_near(cuda[4].y, seq[3].y);
    /* Speedups 1 and 4 fill an axis that begins at 1; 2 and 8 leave a third of it. */
    read_panels(folder, "lbp-x-answers-speedup", cuda_mark, kernel);
    read_panels(folder, "lbp-x-answers-speedup-with-alloc", cuda_mark, cuda);
    assert_near(cuda[0].y, cuda[2].y);
    assert_true(cuda[0].y - cuda[3].y > kernel[0].y - kernel[3].y + 20);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_several_answers_have_charts_together),
        IN_FOLDER(answers_that_failed_do_not_count),
        IN_FOLDER(one_answer_is_named_in_its_charts),
        IN_FOLDER(answers_share_a_chart),
        IN_FOLDER(the_key_says_how_many_answers_are_left_out),
        IN_FOLDER(charts_without_data_are_not_drawn),
        IN_FOLDER(long_numbers_are_powers_of_ten),
        IN_FOLDER(large_values_in_a_short_range_are_marked),
        IN_FOLDER(panels_have_the_same_axes),
        IN_FOLDER(allocation_and_transfers_count_for_cuda_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
