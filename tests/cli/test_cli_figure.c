/* `bench figure`: files made and refusals. */
#include "needs.h"
#include "program.h"
#include "search_path.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

static void need_gnuplot(void) {
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
}

static void store_run(void) {
    bench_ok("--algo lbp --sizes 64x48,128x96 --reps 6 --variants seq,simd --no-plot "
             "--no-roof --quiet --out stored");
}

TEST(refusals) {
    check_refused(bench("figure"), 5, "no run has ended in this folder yet");
    check_refused(bench("figure nowhere"), 5, "nowhere");
    check_refused(bench("figure x --kind speedups"), 2, "did you mean 'speedup'?");
    check_refused(bench("figure x --width 85"), 2,
                  "write 85mm, 3.5in, ieee, acm, nature or beamer");
    check_refused(bench("figure x --width 5mm"), 2, "no width from 40 to 300 mm");
    check_refused(bench("figure x --width nan"), 2, "is no width");
    check_refused(bench("figure x --font Times,99"), 2, "no size from 4 to 24 points");
    check_refused(bench("figure x --range 5"), 2, "write 1:100 (of y)");
    check_refused(bench("figure x --range y=9:3"), 2, "the lower end first");
    check_refused(bench("figure x --rename Ours"), 2, "write cuda_fast=\"Ours\"");
    check_refused(bench("figure x --format docx"), 2, "'docx' is no format");
    store_run();
    check_refused(bench("figure stored --kind threads --measure both"), 2, "is of kernel times");
    check_refused(bench("figure stored --kind crossover"), 2, "rows of a CPU and of a GPU");
    check_refused(bench("figure stored --over best-cpu"), 2, "--over seq does without");
    check_refused(bench("figure stored --kind sweep"), 2, "--box 4,8,16");
    check_refused(bench("figure stored --variants sind"), 2, "did you mean 'simd'?");
    check_refused(bench("figure stored --out stored/results.csv"), 5, "is a file; name a folder");
    check_refused(bench("figure stored --range 1e6:1e7 --out x.svg"), 2, "nothing of that is in");
    check_refused(bench("figure stored --range y=0:9 --out x.svg"), 2, "begin above 0");
    assert_int_equal(count_files(".gp"), 0);
}

TEST(a_file_has_its_script_and_its_points_beside_it) {
    need_gnuplot();
    store_run();
    Outcome drawn = bench_ok("figure stored --out made/one.svg --format png");
    assert_string_equal(drawn.out, "made/one.csv\nmade/one.gp\nmade/one.py\nmade/one.tex\n"
                                   "made/one.svg\nmade/one.png\n");
    check_file_has("made/one.svg", ">simd<");
    check_file_has("made/one.svg", ">speedup over seq<");
    drawn = bench("figure stored --kind time --title Times --out made/one.svg"); /* again */
    check_code(&drawn, 0);
    check_file_has("made/one.svg", ">Times<");
    drawn = bench_ok("figure stored --out made");
    assert_true(file_exists("made/figure-lbp-texture-speedup.pdf"));
    assert_int_equal(count_files(".part"), 0);
}

/* In SVG, where it would end the attribute that it stands in. */
TEST(the_name_of_a_font_is_a_text) {
    need_gnuplot();
    store_run();
    bench_ok("figure stored --out one.svg --format svg,png --font=A&\"<B>");
    char *svg = read_text("one.svg");
    check_contains(svg, "font-family=\"A&amp;&quot;&lt;B&gt;\"");
    assert_null(strstr(svg, "A&\""));
}

TEST(captions_are_alone_on_standard_output) {
    need_gnuplot();
    store_run();
    Outcome drawn = bench_ok("figure stored --out one.svg --caption=latex");
    check_contains(drawn.out, "lbp: speedup over seq (1 thread) against image size");
    check_contains(drawn.out, "64$\\times$48");
    assert_null(strstr(drawn.out, "one.svg"));
    check_contains(drawn.err, "one.svg");
}

/* Without gnuplot there are the files that it can draw elsewhere. */
TEST(without_gnuplot_there_is_the_script) {
    store_run();
    char *path = search_path_set("/nowhere", true);
    Outcome drawn = bench("figure stored --out one.svg");
    search_path_restore(path);
    check_code(&drawn, 0);
    assert_string_equal(drawn.out, "one.csv\none.gp\none.py\none.tex\n");
    check_contains(drawn.err, "gnuplot is not installed");
    assert_false(file_exists("one.svg"));
    assert_int_equal(system("rmdir .figure-* 2>/dev/null") == 0, 0);
}

/* As a gnuplot that was built without some libraries. */
TEST(a_missing_terminal_is_said) {
    static const char gnuplot[] = "#!/bin/sh\n"
                                  "echo 'this gnuplot has no terminal tikz; choose other "
                                  "formats' >&2\nexit 3\n";
    store_run();
    write_file("gnuplot", gnuplot, strlen(gnuplot));
    assert_int_equal(system("chmod +x gnuplot"), 0);
    char *path = search_path_set(".", false);
    Outcome drawn = bench("figure stored --out one.pgf");
    search_path_restore(path);
    check_code(&drawn, 5);
    assert_string_equal(drawn.err,
                        "bench: this gnuplot has no terminal tikz; choose other formats\n");
    assert_true(file_exists("one.gp"));
}

TEST(texts_of_the_command_line_do_nothing) {
    need_gnuplot();
    store_run();
    bench_ok("figure stored --out one.svg --title `touch\tran`$(touch\tran)'\"@x "
             "--rename simd=';system('touch\tran');'\n\"`touch\tran`");
    assert_false(file_exists("ran"));
    char *svg = read_text("one.svg");
    check_contains(svg, "`touch ran`$(touch ran)'\"@x");
    check_contains(svg, "';system('touch ran');'");
}

/* === Several machines ========================================================================= */

#define H200 COMPARE_DATA "/../h200/"
#define STUDIED COMPARE_DATA "/../../../reports/results/h100/studies/"

/* A line for each machine, at its largest size, which the axis has: not one for each size. Of one
 * variant the names are those of the machines. */
TEST(each_machine_has_one_line) {
    static const struct {
        const char *runs, *kind, *axis, *name, *other;
    } cases[] = {{H200 "lbp " H200 "lbp", "threads", "threads, at 16K", "\"H200, run 2\"", "8K"},
                 {STUDIED "lbp-2020/runs/all " STUDIED "lbp-2020/runs/all", "threads",
                  "threads, at 16K", "\"omp_seq, H100, run 2\"", "8K"},
                 {STUDIED "lbp-2020/runs/all " STUDIED "lbp-2020/runs/all", "tuning",
                  "tile width (pixels), at 16K", "\"H100, run 2\"", "8K"}};
    need_gnuplot();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_ok("figure %s --kind %s --out f.svg", cases[i].runs, cases[i].kind);
        check_file_has("f.csv", cases[i].axis);
        check_file_has("f.csv", cases[i].name);
        char *csv = read_text("f.csv");
        assert_null(strstr(csv, cases[i].other));
    }
}

/* Variants without a look of their own may have the same colour, and have marks of their own then.
 */
TEST(no_two_lines_look_the_same) {
    need_gnuplot();
    bench_ok("figure " STUDIED "lacunarity-2012/runs/times --kind sweep --out f.svg");
    char *drawn = read_text("f.py");
    char looks[32][200];
    size_t count = 0;
    for (const char *at = drawn; (at = strstr(at, "color=\"#")) != NULL && count < 32; at++) {
        const char *marker = strstr(at, "marker=");
        const char *end = strchr(at, '\n');
        if (marker == NULL || end == NULL || marker > end) {
            continue;
        }
        snprintf(looks[count], sizeof looks[0], "%.15s %.12s", at, marker);
        count++;
    }
    assert_true(count > 8);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(looks[i], looks[j]);
        }
    }
}
