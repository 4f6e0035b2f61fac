/* Help, lists and refusals: nothing is measured here. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "needs.h"
#include "program.h"

/* Characters of the longest line; continuation bytes of UTF-8 are none. */
static size_t widest_line(const char *text) {
    size_t widest = 0;
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xC0) != 0x80);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void check_text(const char *line, const char *fragment) {
    Outcome outcome = bench("%s", line);
    check_code(&outcome, 0);
    check_contains(outcome.out, fragment);
    assert_string_equal(outcome.err, "");
    outcome_release(&outcome);
}

static void help_explains(void **state) {
    (void)state;
    static const char *const overview[] = {"--help", "-h", "help"};
    for (size_t i = 0; i < sizeof overview / sizeof overview[0]; i++) {
        check_text(overview[i], "bench --algo lbp --sizes all");
        check_text(overview[i], "Exit codes");
        check_text(overview[i], "130   interrupted");
    }
    check_text("help run", "--ci-width RATIO");
    check_text("help run", "--threads LIST");
    check_text("run --help", "--ci-width RATIO");
    check_text("--algo nonsense --help", "--ci-width RATIO");
    check_text("help list", "bench list --algo lbp");
    check_text("list --help", "bench list --algo lbp");
    check_text("help roof", "bench roof --fresh --format json");
    check_text("roof --help", "bench roof --fresh --format json");
    check_text("help help", "bench help [COMMAND|columns]");
    check_text("help columns", "speedup_vs_best_cpu");
}

static void help_fits_100_columns(void **state) {
    (void)state;
    static const char *const lines[] = {"help",      "help run",  "help list",
                                        "help roof", "help help", "list"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        Outcome outcome = bench("%s", lines[i]);
        check_code(&outcome, 0);
        if (widest_line(outcome.out) > 100) {
            fail_msg("bench %s: a line of %zu characters", lines[i], widest_line(outcome.out));
        }
        outcome_release(&outcome);
    }
}

static void version(void **state) {
    (void)state;
    Outcome outcome = bench("--version");
    check_code(&outcome, 0);
    assert_memory_equal(outcome.out, "bench ", 6);
    check_contains(outcome.out, "commit");
    outcome_release(&outcome);
}

static void list_shows_what_there_is(void **state) {
    (void)state;
    Outcome outcome = bench("list");
    check_code(&outcome, 0);
    static const char *const expected[] = {"lbp",     "copy",       "seq",    "simd",
                                           "omp",     "cuda_tiled", "--tile", "--threads",
                                           "360p",    "15360x8640", "native", "texture",
                                           "Devices", "cpu",        "cuda",   "improves on"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        check_contains(outcome.out, expected[i]);
    }
    assert_string_equal(outcome.err, "");
    Outcome same = bench("--list");
    check_code(&same, 0);
    assert_string_equal(same.out, outcome.out);
    outcome_release(&same);
    outcome_release(&outcome);
}

static void list_of_one_algorithm(void **state) {
    (void)state;
    Outcome outcome = bench("list --algo copy");
    check_code(&outcome, 0);
    check_contains(outcome.out, "\ncopy");
    assert_null(strstr(outcome.out, "\nlbp"));
    outcome_release(&outcome);
}

/* Help is given whatever else is on the line, and measures nothing. */
static void help_comes_first(void **state) {
    (void)state;
    check_text("--sizes nonsense --help", "bench [run] --algo NAME");
    check_text("-h", "bench COMMAND [options]");
    check_text("study nowhere --render -h", "bench study NAME");
    check_text("plot --help", "bench plot RUN...");
    check_text("--algo lbp --list", "Algorithms and their variants");
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int code;
        const char *fragment;
    } cases[] = {
        {"", 2, "--algo is needed"},
        {"run", 2, "'bench list'"},
        {"lits", 2, "'lits' is no command; did you mean 'list'? (known: run, list"},
        {"frobnicate", 2,
         "(known: run, list, roof, show, plot, merge, report, study, compare, reproduce, classify, "
         "curve, train, "
         "train-hashsift, "
         "train-bad, recognise, match, selftest, help)"},
        {"help lits", 2, "did you mean 'list'?"},
        {"help run list", 2, "unexpected argument 'list'"},
        {"--algo lpb", 2, "did you mean 'lbp'?"},
        {"list --algo lpb", 2, "did you mean 'lbp'?"},
        {"list --sizes 4K", 2, "unknown option '--sizes'"},
        {"--algo lbp --variants opm", 2, "did you mean 'omp'?"},
        {"--algo copy --variants cuda_tiled", 3, "copy has no variant 'cuda_tiled'"},
        {"--algo lbp --szies 4K", 2, "did you mean '--sizes'?"},
        {"--algo lbp --sizes 0x0", 2, "--sizes: '0x0' has no pixels"},
        {"--algo lbp --sizes -3x5", 2, "--sizes: '-3x5' is no size"},
        {"--algo lbp --sizes 1e9x1e9", 2, "--sizes: '1e9x1e9' is no size"},
        {"--algo lbp --synthetic nosie", 2, "did you mean 'noise'?"},
        {"--algo lbp --threads 0 --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads x --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads 4..1 --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads , --sizes 8x8", 2, "threads"},
        {"--algo lbp --variants seq --tile 8", 2, "it is an axis of"},
        {"--algo lbp --input a.png --synthetic noise", 2, "cannot be combined"},
        {"roof --algo lbp", 2, "unknown option '--algo'"},
        {"--agol lbp", 2, "unknown option '--agol'; did you mean '--algo'?"},
        {"list --agol lbp", 2, "did you mean '--algo'?"},
        {"compare --apha=1 a b", 2, "did you mean '--alpha'?"},
        {"--algo hashsift --scale x", 2, "--scale: 'x' is no scale"},
        {"--algo lbp_riu --pr x", 2, "--pr: 'x' is not points:radius"},
        {"--algo matching --keypoints 100001 --dry-run", 2, "from 0 to 100000, not '100001'"},
        {"--algo matching --keypoints 100001", 2, "from 0 to 100000, not '100001'"},
        {"--algo lbp \x1b[31m", 2, "unexpected argument '\\x1b[31m'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("%s", cases[i].line), cases[i].code, cases[i].fragment);
        assert_false(file_exists("reports"));
    }
}

static void dry_run_plans_and_writes_nothing(void **state) {
    (void)state;
    Outcome outcome = bench("--algo lbp --sizes 64x48,32x32 --variants seq,omp --threads 1,2 "
                            "--dry-run --csv a.csv --out folder");
    check_code(&outcome, 0);
    check_contains(outcome.out, "lbp/seq/texture/64x48");
    check_contains(outcome.out, "lbp/omp/texture/32x32/threads:2");
    assert_false(file_exists("reports"));
    assert_false(file_exists("folder"));
    assert_false(file_exists("a.csv"));
    outcome_release(&outcome);
}

static void a_full_device_is_reported(void **state) {
    (void)state;
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full == -1) {
        skip_needing("/dev/full", NULL);
    }
    Outcome outcome = bench_into(full, "list");
    close(full);
    check_code(&outcome, 5);
    check_contains(outcome.err, "standard output could not be written");
    outcome_release(&outcome);
}

static void a_closed_pipe_does_no_harm(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    Outcome outcome = bench_into(ends[1], "help run");
    close(ends[1]);
    check_code(&outcome, 0);
    assert_string_equal(outcome.err, "");
    outcome_release(&outcome);
}

#define TEXT_TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEXT_TEST(help_explains),
        TEXT_TEST(help_fits_100_columns),
        TEXT_TEST(version),
        TEXT_TEST(list_shows_what_there_is),
        TEXT_TEST(list_of_one_algorithm),
        TEXT_TEST(help_comes_first),
        TEXT_TEST(refusals),
        TEXT_TEST(dry_run_plans_and_writes_nothing),
        TEXT_TEST(a_full_device_is_reported),
        TEXT_TEST(a_closed_pipe_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
