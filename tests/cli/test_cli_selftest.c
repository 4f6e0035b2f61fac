/* bench selftest from outside. What is checked is what comes out, never how much noise there is. */
#include <glob.h>
#include <signal.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define TINY "selftest --sizes 64x48 --reps 6 --warmup 1 --pairs 3 "

static void set_cache(const char *folder) {
    char here[PROGRAM_PATH_SIZE];
    char path[2 * PROGRAM_PATH_SIZE];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/%s", here, folder);
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
}

TEST(rates_are_printed_and_the_floor_is_stored) {
    set_cache("cache");
    Outcome outcome = bench_ok(TINY "--algo lbp --variants simd,seq");
    check_contains(outcome.out, "lbp/simd/texture/64x48");
    check_contains(outcome.out, "lbp/seq/texture/64x48");
    check_contains(outcome.out, "noise floor of this machine: ");
    check_contains(outcome.out, "/cache/bench/noise-");
    check_contains(outcome.err, "[0/2] lbp/");
    check_contains(outcome.err, "[2/2] done (0:");
    assert_int_equal(count_files(".json"), 1);
    assert_int_equal(count_files(".part"), 0);
}

TEST(later_runs_record_the_floor) {
    set_cache("cache");
    Outcome outcome = bench_ok(TINY "--variants simd --quiet");
    assert_string_equal(outcome.err, "");
    bench_ok("--algo lbp --sizes 64x48 --reps 3 --variants seq --no-plot --no-roof "
             "--out folder --quiet");
    char *text = read_text("folder/results.csv");
    check_contains(text, "\n# noise_floor: 0");
    text = read_text("folder/results.json");
    check_contains(text, "\"noise_floor\":");
}

#define LAUNCHES "selftest --sizes 64x48 --warmup 1 --variants seq "

/* The cell of a later run is in the class of the self-test's, or in the next one. */
TEST(launches_are_measured_and_stored) {
    set_cache("cache");
    Outcome outcome = bench_ok(LAUNCHES "--launches 2 --max-time 500ms");
    check_contains(outcome.err, "[2/2] done (0:");
    check_contains(outcome.out, "lbp on texture, hot caches");
    check_contains(outcome.out, "least to greatest of 2 launches");
    check_contains(outcome.out, "run to run  found in 80%  found in 90%");
    check_contains(outcome.out, "\nCPU, one thread");
    check_contains(outcome.out, "A regression of 5% can");
    check_contains(outcome.out, "/cache/bench/spread-");
    check_contains(outcome.out, "-selftest\n");
    check_prints(bench("--algo lbp --sizes 64x48 --reps 3 --variants seq --no-plot --no-roof "
                       "--out folder --quiet --all"),
                 0, "run to run");
    char *text = read_text("folder/results.json");
    check_contains(text, "\"launch_spread\":");
    check_contains(text, "\"degrees_of_freedom\":\t1,");
}

/* Six of them; --launches is no option of the run that measures them. */
TEST(launches_are_six_unless_their_number_is_given) {
    set_cache("cache");
    check_prints(bench("selftest --launches --spread 0 --sizes 64x48 --variants seq "
                       "--warmup 1 --reps 6"),
                 0, "95% of 6 launches");
}

#define CLOSE                                                                                      \
    "--algo lbp --sizes 64x48 --variants seq,simd --reps 5 --warmup 1 --launches 3 --spread 0 "    \
    "--max-time 50ms --no-plot --no-roof --quiet "

/* Three runs of some cell that lie 2% apart, of every class that the cells below may be in. */
static void write_known_runs(const char *path) {
    static const char *const starts[] = {"0", "1e-05", "0.0001", "0.001", "0.01"};
    static const char *const kinds[] = {"one thread", "ratio of threads"};
    char text[4096] = "{\"version\": 1, \"cells\": [";
    for (int i = 0; i < 10; i++) {
        char cell[256];
        snprintf(cell, sizeof cell,
                 "%s{\"id\": \"00000000000000%02d\", \"processor\": \"%s\", \"from_s\": %s, "
                 "\"when\": [1000, 2000, 3000], \"values\": [1, 2, 4]}",
                 i > 0 ? ", " : "", i, kinds[i / 5], starts[i % 5]);
        strcat(text, cell);
    }
    strcat(text, "]}");
    write_file(path, text, strlen(text));
}

/* The interval of a first run is of its time; then it is as wide as the machine's runs demand. */
TEST(launches_that_follow_each_other_are_held_against_earlier_runs) {
    set_cache("cache");
    check_prints(bench(CLOSE "--out first"), 0, "least to greatest of 3 launches in these ");
    glob_t found;
    assert_int_equal(glob("cache/bench/spread-*.json", 0, NULL, &found), 0);
    write_known_runs(found.gl_pathv[0]);
    check_prints(bench(CLOSE "--out second"), 0,
                 "least to greatest of 3 launches and earlier runs");
    char *text = read_text("second/results.json");
    check_contains(text, "\"kernel_least_width\":");
    text = read_text(found.gl_pathv[0]); /* those of the second are added */
    check_contains(text, "\"processor\":\t\"ratio of threads\"");
    globfree(&found);
}

TEST(a_cache_that_cannot_be_written_is_reported) {
    write_file("cache", "", 0);
    set_cache("cache");
    Outcome outcome = bench(TINY "--variants simd --quiet");
    check_code(&outcome, 5);
    check_contains(outcome.err, "/cache");
    check_contains(outcome.out, "noise floor of this machine: ");
}

TEST(an_interrupt_stores_nothing) {
    set_cache("cache");
    const pid_t process =
        bench_start("selftest --sizes 64x48,32x32 --variants simd --pairs 1000000");
    const bool running = wait_for_text(process, "stderr.txt", "[0/2] ", 120);
    if (running) {
        assert_int_equal(kill(process, SIGINT), 0);
    }
    Outcome outcome = bench_wait(process);
    assert_true(running);
    check_code(&outcome, 130);
    check_contains(outcome.err, "interrupted");
    assert_string_equal(outcome.out, "");
    assert_int_equal(count_files(".json"), 0);
}

TEST(refusals) {
    set_cache("cache");
    check_refused(bench("selftest --variants simb"), 2, "did you mean 'simd'?");
    check_refused(bench("selftest --algo copy --variants cuda_tiled"), 3, "has no variant");
    check_refused(bench("selftest --pairs 0"), 2, "--pairs");
    check_refused(bench("selftest --launches 1"), 2,
                  "--launches: '1' is not a whole number from 2");
    check_refused(bench("selftest --launches --pairs 3"), 2, "cannot be combined");
    check_refused(bench("selftest --out folder"), 2, "unknown option '--out'");
    check_refused(bench("--algo lbp --pairs 3"), 2, "unknown option '--pairs'");
    assert_int_equal(count_files(".json"), 0);
}

TEST(help_says_where_it_is_kept) {
    check_prints(bench("help selftest"), 0, "--pairs", "XDG_CACHE_HOME");
}
