/* Small real runs. What is checked is which files and words come out, never how fast. */
#include <fcntl.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define TINY "--algo lbp --sizes 64x48 --reps 3 --variants seq,simd --no-plot --no-roof "

static size_t count_text(const char *text, const char *fragment) {
    size_t count = 0;
    while ((text = strstr(text, fragment)) != NULL) {
        count++;
        text += strlen(fragment);
    }
    return count;
}

TEST(a_tiny_run_writes_its_files) {
    Outcome outcome = bench_ok(TINY "--out folder");
    check_file_has("folder/results.csv", "lbp,seq,");
    check_file_has("folder/results.csv", "lbp,simd,");
    check_file_has("folder/results.json", "\"benchmarks\"");
    check_contains(outcome.out, "simd");
    check_contains(outcome.out, "folder");
    assert_int_equal(count_files(".part"), 0);
    assert_int_equal(count_files(".png"), 0);
}

TEST(roof_prints_ceilings) {
    check_prints(bench("roof"), 0, "copy_dram", "int32", "GB/s");
    Outcome json = bench_ok("roof --format json --quiet");
    check_contains(json.out, "\"ceilings\"");
    check_contains(json.out, "\"copy_dram\"");
    assert_string_equal(json.err, "");
    check_refused(bench("roof --format jason"), 2, "did you mean 'json'");
}

TEST(a_plan_has_the_algorithms_that_are_named) {
    Outcome outcome = bench_ok("--algo lbp --sizes 360p --variants seq --dry-run");
    check_contains(outcome.out, "lbp/seq/texture/360p");
    assert_null(strstr(outcome.out, "copy"));
    check_prints(bench("--algo lbp,copy --sizes 360p --variants seq --dry-run"), 0,
                 "copy/seq/texture/360p");
}

TEST(a_run_carries_its_ceilings) {
    bench_ok("--algo lbp --sizes 64x48 --reps 3 --variants seq --no-plot "
             "--out folder --quiet");
    check_file_has("folder/results.csv", "\n# ceiling copy_dram/threads:1: ");
    check_file_has("folder/results.json", "\"ceilings\"");
    check_file_has("folder/results.json", "\"ceiling_bytes_per_second\"");
}

TEST(progress_is_not_among_the_results) {
    Outcome outcome = bench_ok(TINY "--out folder");
    check_contains(outcome.err, "[0/2] ");
    check_contains(outcome.err, "[2/2] done (0:");
    assert_null(strstr(outcome.out, "[0/2] "));
    assert_null(strstr(outcome.out, "[2/2] "));
}

TEST(quiet_is_silent) {
    Outcome outcome = bench_ok(TINY "--out folder --quiet");
    assert_string_equal(outcome.err, "");
    check_contains(outcome.out, "simd");
}

TEST(the_word_run_may_be_written) {
    bench_ok("run " TINY "--out folder --quiet");
}

TEST(the_default_folder_is_named_after_the_algorithm) {
    Outcome outcome = bench_ok(TINY "--quiet");
    check_contains(outcome.out, "reports/runs/");
    assert_int_equal(count_files("/results.csv"), 1);
    assert_int_equal(count_files("/results.json"), 1);
}

TEST(extra_copies_are_equal) {
    bench_ok(TINY "--out folder --quiet --csv a.csv --json=a.json");
    char *first = read_text("folder/results.csv");
    char *copy = read_text("a.csv");
    assert_string_equal(first, copy);
    check_file_has("a.json", "\"benchmarks\"");
}

TEST(answers_are_saved) {
    bench_ok(TINY "--out folder --quiet --save answers");
    assert_true(file_exists("answers/lbp-texture-64x48-codes.png"));
    check_file_has("answers/lbp-texture-64x48-histogram.csv", "bin,count\n");
    const bool drawn = system("command -v gnuplot >/dev/null 2>&1") == 0;
    assert_int_equal(file_exists("answers/lbp-texture-64x48-histogram.svg"), drawn);
}

TEST(axes_and_sizes_are_swept) {
    bench_ok("--algo lbp --sizes 64x48,5x7 --reps 3 --variants seq,omp "
             "--threads=1,2 --no-plot --no-roof --out folder --quiet");
    char *text = read_text("folder/results.csv");
    assert_int_equal(count_text(text, "\nlbp,omp,"), 4);
    assert_int_equal(count_text(text, "\nlbp,seq,"), 2);
}

TEST(an_image_file_is_an_input) {
    static const char image[] = "P2\n4 3\n255\n0 1 2 3 4 5 6 7 8 9 10 11\n";
    write_file("ramp.pgm", image, sizeof image - 1);
    bench_ok("--algo lbp --input ramp.pgm --reps 3 --variants seq,simd --no-plot "
             "--no-roof --out folder --quiet");
    check_file_has("folder/results.csv", "ramp.pgm");
    check_file_has("folder/results.csv", ",native,4,3,");
}

/* Needs a variant that cannot run: on a machine with a device there may be none. */
TEST(nothing_that_can_run_is_no_sample) {
    Outcome list = bench_ok("list --algo lbp");
    const bool no_device = strstr(list.out, "not available here") != NULL;
    if (!no_device) {
        skip_needing("a machine without a CUDA device", NULL);
    }
    check_ends(bench("--algo lbp --variants cuda_naive --sizes 64x48 --reps 3 --no-plot "
                     "--no-roof --out folder"),
               6);
    check_file_has("folder/results.csv", "lbp,cuda_naive,");
}

TEST(results_survive_a_closed_pipe) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    Outcome outcome = bench_into(ends[1], TINY "--out folder --quiet");
    close(ends[1]);
    check_code(&outcome, 0);
    check_file_has("folder/results.csv", "lbp,simd,");
}

TEST(a_closed_standard_output_catches_no_file) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(nothing != -1);
    Outcome outcome = bench_into(nothing, TINY "--out folder --quiet");
    close(nothing);
    check_code(&outcome, 5);
    check_contains(outcome.err, "standard output could not be written");
    check_file_has("folder/results.csv", "lbp,simd,");
}

TEST(threads_are_pinned_unless_placed_by_the_person) {
    unsetenv("BENCH_THREADS_PINNED");
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
    setenv("OMP_DISPLAY_ENV", "true", 1);
    Outcome outcome = bench(TINY "--dry-run");
    assert_non_null(strcasestr(outcome.err, "close"));
    setenv("OMP_PROC_BIND", "spread", 1);
    outcome = bench(TINY "--dry-run");
    assert_non_null(strcasestr(outcome.err, "spread"));
    assert_null(strcasestr(outcome.err, "close"));
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_DISPLAY_ENV");
}

/* A run without work tells nothing about how long one with work takes. */
TEST(no_keypoints_leave_the_limit_of_a_cell_alone) {
    check_prints(bench("--algo matching --variants seq --keypoints 0,8000 --max-cell 20ms "
                       "--reps 1 --warmup 1 --no-roof --no-plot --quiet --out run"),
                 0, "more than --max-cell", "2 cells: 1 ok, 1 skipped, 0 failed");
}
