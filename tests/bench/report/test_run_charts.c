/* Which charts a run's folder has, and which of them the summary names. */
#include "needs.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "run_record.h"
#include "test.h"
#include "variant.h"

static void touch(const char *name) {
    FILE *file = fopen(test_path(name), "w");
    assert_non_null(file);
    fclose(file);
}

static void add_other(StoredRun *run, const char *variant, int side, double milliseconds) {
    Row row = timed_row(variant, side, milliseconds);
    row.algorithm = registry_find_algorithm("lacunarity");
    row.variant = registry_find_variant(row.algorithm, variant);
    add(run, row);
}

/* lbp, then lacunarity; each at two sizes on both sides. */
static StoredRun two_algorithms(void) {
    StoredRun run = plain_run("NVIDIA H200", 10);
    for (int side = 10; side <= 100; side *= 10) {
        add_other(&run, "seq", side, 100);
        add_other(&run, "cuda_fast", side, 1);
    }
    results_derive(&run.results, 1);
    return run;
}

static void expect_found(const StoredRun *run, const char *only, size_t count, const char *best) {
    RunCharts charts;
    run_charts_find(&run->results, test_folder, only, &charts);
    assert_int_equal(charts.count, count);
    assert_string_equal(charts.best, best);
}

/* Neither other people's pictures nor charts of another run count, however they are called. */
TEST(the_best_is_over_the_best_cpu_of_the_first_algorithm) {
    RELEASED_BY(stored_run_release) StoredRun run = two_algorithms();
    expect_found(&run, NULL, 0, "");
    touch("lbp-other-speedup-best-cpu.svg");
    touch("lacunarity-texture-speedup-best-cpu.svg");
    touch("lacunarity-texture-time.svg");
    expect_found(&run, NULL, 2, "lacunarity-texture-speedup-best-cpu");
    touch("lbp-texture-speedup.svg");
    touch("lbp-texture-time.svg");
    expect_found(&run, NULL, 4, "lbp-texture-speedup"); /* alike: the first by name */
    touch("lbp-texture-speedup-best-cpu.svg");
    expect_found(&run, NULL, 5, "lbp-texture-speedup-best-cpu");
    expect_found(&run, "lacunarity", 5, "lacunarity-texture-speedup-best-cpu");
    expect_found(&run, "haar", 5, "lacunarity-texture-speedup-best-cpu");
}

TEST(without_a_gpu_the_best_is_over_seq) {
    RELEASED_BY(stored_run_release) StoredRun run = {.complete = true};
    for (int side = 10; side <= 100; side *= 10) {
        add(&run, timed_row("seq", side, 100));
        add(&run, timed_row("simd", side, 10));
    }
    results_derive(&run.results, 1);
    touch("lbp-texture-speedup-best-cpu.svg");
    touch("lbp-texture-speedup.svg");
    touch("lbp-texture-time.svg");
    expect_found(&run, NULL, 3, "lbp-texture-speedup");
}

/* Whoever draws says what was drawn, and what is found later is the same. */
TEST(what_is_drawn_is_found) {
    RELEASED_BY(stored_run_release) StoredRun run = two_algorithms();
    RunCharts drawn;
    touch("lbp-other-speedup.svg");
    const Status status = run_charts_draw(&run.results, test_folder, &drawn);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
    assert_string_equal(drawn.best, "lbp-texture-speedup-best-cpu");
    expect_found(&run, NULL, drawn.count, drawn.best);
}
