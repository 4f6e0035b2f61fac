/* `bench plot`: charts of stored runs, without measuring. */
#include <sys/resource.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

static bool gnuplot_is_there(void) {
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

TEST(refusals) {
    check_refused(bench("plot"), 5, "no run has ended in this folder yet");
    check_refused(bench("plot --colour"), 2, "unknown option '--colour'");
    check_refused(bench("plot nowhere"), 5, "nowhere");
}

static void store_run(void) {
    bench_ok("--algo lbp --sizes 64x48,128x96 --reps 6 --variants seq,simd --no-plot "
             "--no-roof --quiet --out stored");
}

/* The table that is drawn fits, the pictures do not. */
TEST(a_chart_that_is_cut_off_is_no_chart) {
    if (!gnuplot_is_there()) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
    struct rlimit before;
    store_run();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {.rlim_cur = 12000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Outcome drawn = bench("plot stored");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    check_refused(drawn, 5, "cannot write stored/lbp-texture-");
    assert_int_equal(count_files(".svg"), 0);
    assert_int_equal(count_files(".png"), 0);
    assert_int_equal(count_files(".part"), 0);
}

TEST(a_stored_run_is_drawn_beside_its_results) {
    if (!gnuplot_is_there()) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
    store_run();
    assert_int_equal(count_files(".svg"), 0);
    static const char *const names[] = {"stored", "stored/results.csv"};
    for (size_t i = 0; i < 2; i++) {
        Outcome drawn = bench_ok("plot %s", names[i]);
        assert_int_equal(count_files(".svg"), count_files(".png"));
        char line[64];
        snprintf(line, sizeof line, "stored: %zu charts, each as .svg and .png\n",
                 count_files(".svg"));
        assert_string_equal(drawn.out, line);
        assert_true(file_exists("stored/lbp-texture-speedup.svg"));
        assert_true(file_exists("stored/lbp-texture-time.png"));
        assert_int_equal(count_files(".part"), 0);
    }
}

/* The CSV has no bars of two launches; the JSON beside it has. */
TEST(launches_have_their_bars) {
    if (!gnuplot_is_there()) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
    bench_ok("--algo lbp --sizes 16x16,32x32 --variants seq --reps 5 --no-plot "
             "--no-roof --launches 2 --out launched");
    bench_ok("plot launched");
    check_file_has("launched/lbp-texture-time.svg", "least to greatest of 2 launches");
}
