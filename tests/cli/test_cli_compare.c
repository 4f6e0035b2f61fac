/* `bench compare` and `bench run --baseline` from outside: exit codes, what is printed, files. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define DATA COMPARE_DATA "/"
#define SIMD "lbp/simd/texture/1080p"

static void check_compare(const char *arguments, int code, const char *fragment) {
    Outcome outcome = bench("compare %s", arguments);
    check_code(&outcome, code);
    check_contains(outcome.out, fragment);
    if (code == 4) {
        check_contains(outcome.err, " cells failed in the new run; the first is ");
    } else {
        assert_string_equal(outcome.err, "");
    }
}

TEST(exit_codes_on_recorded_runs) {
    check_compare(DATA "base.json " DATA "base.json", 0, "0 slower, 0 faster, 3 same");
    check_compare(DATA "base.json " DATA "slower10.json", 1, "slower ");
    check_compare(DATA "base.json " DATA "faster10.json", 0, "0 slower, 1 faster, 2 same");
    check_compare(DATA "base.json " DATA "slower3.json", 0, "3 same");
    check_compare(DATA "base.json " DATA "slower10.json --threshold 20%", 0, "3 same");
    check_compare(DATA "base.json " DATA "noisy.json", 0, "1 undecided");
    check_compare("--strict " DATA "base.json " DATA "noisy.json", 7, "1 undecided");
    check_compare(DATA "base.json " DATA "noisy.json --alpha=0.3 --threshold=1%", 1, "1 slower");
    check_compare(DATA "base.json " DATA "slower10.json --strict", 1, SIMD);
    check_compare(DATA "one_old.json " DATA "one_new.json", 0, "one launch a side");
    check_compare(DATA "roof_old.json " DATA "roof_new.json --strict", 0, "1 roof, not judged");
    check_compare(DATA "base.json " DATA "missing.json", 0, "1 missing, 1 new");
    check_compare(DATA "base.json " DATA "other_machine.json --force", 0, "cpu_model differs");
    check_compare(DATA "google_old.json " DATA "google_new.json", 1, "BM_sort/1024");
    check_compare(DATA "google_old.json " DATA "google_nan.json", 1, "BM_sort/1024");
    check_compare(DATA "google_old.json " DATA "google_aggregates.json", 0, "aggregates alone");
    check_compare(DATA "google_old.json " DATA "google_aggregates.json --strict", 7, "2 undecided");
}

/* 4 takes precedence over 1, and 1 over 7. */
TEST(a_cell_that_failed_is_no_missing_one) {
    check_compare(DATA "base.json " DATA "failed.json", 4, SIMD ": its answer differs from seq");
    check_compare(DATA "base.json " DATA "failed_slower.json --strict", 4, "1 failed, 1 slower");
    check_compare(DATA "failed.json " DATA "failed.json", 4, "in the old run too: its answer");
    check_compare(DATA "failed.json " DATA "base.json --strict", 0, "failed in the old run: its");
    check_compare(DATA "base.json " DATA "skipped.json --strict", 0, "skipped in the new run: no");
    check_compare(DATA "google_old.json " DATA "google_failed.json", 4, "BM_copy/64: wrong answer");
    check_compare(DATA "base.json " DATA "failed.json --format junit", 4,
                  "<failure type=\"failed\" message=\"its answer differs from seq\"");
}

/* No verdict stands where nobody can read what it rests on; a reader that has gone has read enough.
 */
TEST(an_output_that_cannot_be_written_is_no_regression) {
    static const char line[] = "compare " DATA "base.json " DATA "slower10.json";
    const int unwritable = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(unwritable != -1);
    Outcome outcome = bench_into(unwritable, line);
    close(unwritable);
    check_refused(outcome, 5, "standard output could not be written");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    outcome = bench_into(ends[1], line);
    close(ends[1]);
    check_code(&outcome, 1);
    assert_string_equal(outcome.err, "");
}

TEST(what_cannot_be_compared_is_one_line) {
    check_refused(bench("compare " DATA "base.json " DATA "other_machine.json"), 2, "cpu_model");
    check_refused(bench("compare " DATA "base.json " DATA "other_flags.json"), 2, "c_flags");
    check_refused(bench("compare " DATA "base.json " DATA "other_input.json"), 2, "another input");
    check_refused(bench("compare " DATA "base.json " DATA "other_cells.json"), 3, "no cell");
    check_refused(bench("compare " DATA "base.json missing.json"), 5, "missing.json");
    write_file("cut.json", "{\"benchmarks\": [", 16);
    check_refused(bench("compare cut.json " DATA "base.json"), 5, "cut.json");
}

TEST(wrong_arguments_say_what_is_right) {
    check_refused(bench("compare"), 2, "compare: name the old run");
    check_refused(bench("compare a.json"), 5, "no run has ended in this folder yet");
    check_refused(bench("compare a b c"), 2, "unexpected argument 'c'");
    check_refused(bench("compare a b --treshold 5%%"), 2, "did you mean '--threshold'?");
    check_refused(bench("compare a b -strict"), 2, "write --strict");
    check_refused(bench("compare a b --alpha 2"), 2, "--alpha: '2' is not a ratio");
    check_refused(bench("compare a b --alpha"), 2, "--alpha needs a value");
    check_refused(bench("compare a b --out="), 2, "--out: the value is empty");
    check_refused(bench("compare a b --strict=yes"), 2, "--strict takes no value");
    check_refused(bench("compare a b --format markdwn"), 2, "did you mean 'markdown'");
}

TEST(formats_go_to_a_file_or_to_standard_output) {
    static const char *const formats[][2] = {{"table", "new/old"},
                                             {"markdown", "### Performance regression"},
                                             {"github", "::error title=slower::" SIMD},
                                             {"junit", "<failure type=\"slower\""},
                                             {"json", "\"slower\":"}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        Outcome outcome =
            bench("compare " DATA "base.json " DATA "slower10.json --format %s", formats[i][0]);
        check_code(&outcome, 1);
        check_contains(outcome.out, formats[i][1]);
        Outcome filed =
            bench("compare " DATA "base.json " DATA "slower10.json --format %s --out report",
                  formats[i][0]);
        check_code(&filed, 1);
        check_contains(filed.out, "new/old");
        assert_string_equal(read_text("report"), outcome.out);
    }
    assert_int_equal(count_files(".part"), 0);
    check_refused(bench("compare " DATA "base.json " DATA "base.json --out nowhere/report"), 5,
                  "nowhere/report");
}

TEST(help_explains_the_options) {
    Outcome asked = bench("compare --help");
    Outcome helped = bench("help compare");
    check_code(&asked, 0);
    assert_string_equal(asked.out, helped.out);
    check_contains(asked.out, "--threshold RATIO");
}

/* --- A run and its baseline ------------------------------------------------------------------- */

#define RUN "--algo lbp --sizes 64x64 --variants seq --reps 15 --no-plot --no-roof --quiet "

/* Copies a results file with the samples of a cell multiplied: 1e-3 makes a baseline that no run
 * can reach, 1e3 one that every run is faster than. What the samples said before gets other keys.
 */
static void scale_samples(const char *from, const char *to, const char *cell, const char *factor) {
    char *text = read_text(from);
    char *entry = strstr(text, cell);
    assert_non_null(entry);
    char *list = strstr(entry, "\"kernel_samples_s\"");
    assert_non_null(list);
    char *end = strchr(list, ']');
    assert_non_null(end);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    for (char *key = strstr(entry, "\"kernel_"); key < list; key = strstr(key + 1, "\"kernel_")) {
        memcpy(key, "\"former_", strlen("\"former_"));
    }
    char *at = strchr(list, '[') + 1;
    fwrite(text, 1, (size_t)(at - text), file);
    for (const char *comma = ""; at < end; comma = ",") {
        fprintf(file, "%s%.17g", comma, strtod(at, &at) * strtod(factor, NULL));
        at += strspn(at, ", \t\n");
    }
    fputs(end, file);
    assert_int_equal(fclose(file), 0);
}

/* Of five launches: with eight more they reach p = 2 / C(13, 5). */
static void make_first_run(void) {
    bench_ok(RUN "--launches 5 --out first");
}

TEST(a_slower_run_is_a_regression) {
    make_first_run();
    scale_samples("first/results.json", "baseline.json", "lbp/seq", "1e-3");
    Outcome outcome = bench(RUN "--out second --baseline baseline.json");
    check_code(&outcome, 1);
    check_contains(outcome.out, "The old side was not measured again");
    check_contains(outcome.out, "1 cell: 1 slower");
    check_contains(outcome.out, "    5 / 8  lbp/seq/texture/64x64\n");
    assert_true(file_exists("second/launch-8/results.json"));
}

TEST(one_old_launch_proves_nothing) {
    bench_ok(RUN "--out first");
    scale_samples("first/results.json", "baseline.json", "lbp/seq", "1e-3");
    check_prints(bench(RUN "--out second --baseline baseline.json --launches 2 --strict"), 7,
                 "1 old and 2 new launches cannot give a p below");
    check_refused(bench(RUN "--out third --baseline baseline.json --pass 1/2"), 2,
                  "--pass and --baseline cannot be combined");
}

TEST(a_faster_run_is_none) {
    make_first_run();
    scale_samples("first/results.json", "baseline.json", "lbp/seq", "1e3");
    check_prints(bench(RUN "--out second --baseline baseline.json --strict"), 0,
                 "1 cell: 0 slower, 1 faster");
}

/* The module's variant gives a wrong answer, which the run says itself. */
TEST(a_run_with_a_wrong_answer_is_compared_all_the_same) {
    static const char line[] = "--plugin " FAULTY_MODULE " --algo faulty --sizes 33x17 --reps 5 "
                               "--no-plot --no-roof --quiet --launches 2 --variants ";
    bench_ok("%sseq --out first", line);
    Outcome outcome = bench("%sseq,last --out second --baseline first", line);
    check_code(&outcome, 4);
    check_contains(outcome.err, "1 of 2 cells failed; the first is faulty/last/");
    check_contains(outcome.out, "The old side was not measured again");
    check_contains(outcome.out, "Failed in the new run\n  faulty/last/texture/33x17/level:40: ");
    check_contains(outcome.out, "2 cells: 1 failed, ");
    outcome = bench("compare first second");
    check_code(&outcome, 4);
    check_contains(outcome.out, "2 cells: 1 failed, ");
    check_contains(outcome.err, "bench: 1 of 2 cells failed in the new run; the first is "
                                "faulty/last/texture/33x17/level:40: ");
}

/* --- Both programs measured ------------------------------------------------------------------- */

/* A program that is this one, notes the folder of each launch in "log", and then changes what it
 * stored by the sed command `change`. */
static void make_old_program(const char *change) {
    char script[PROGRAM_PATH_SIZE + 512];
    const int length = snprintf(script, sizeof script,
                                "#!/bin/sh\n"
                                "folder=; for word; do case $last in --out|--resume) "
                                "folder=$word;; esac; last=$word; done\n"
                                "echo \"$*\" >>log\n"
                                "%s \"$@\"\n"
                                "code=$?\n"
                                "sed -i -E '%s' $folder/results.json\n"
                                "exit $code\n",
                                BENCH_PROGRAM, change);
    write_file("old", script, (size_t)length);
    assert_int_equal(chmod("old", 0755), 0);
}

/* Much faster: samples are microseconds, written as 1.2e-06. */
#define FASTER "s/e-0([4567])\\b/e-1\\1/g"

#define TINY                                                                                       \
    "--algo lbp --sizes 8x8,16x16 --variants seq --reps 15 --no-plot --no-roof --launches 5 "

static void make_tiny_run(void) {
    bench_ok("--algo lbp --sizes 16x16 --variants seq --reps 5 --no-plot --no-roof "
             "--quiet --out first");
}

/* Where in the text it is; fails the test when it is not there. */
static size_t place_of(const char *text, const char *fragment) {
    check_contains(text, fragment);
    return (size_t)(strstr(text, fragment) - text);
}

/* The stored run has one launch, and one of the two sizes. */
TEST(both_programs_are_measured_in_turns) {
    make_tiny_run();
    make_old_program(FASTER);
    Outcome outcome =
        bench_on_terminal(100, TINY "--out second --baseline first --baseline-program "
                                    "./old --baseline-threshold 9%%");
    check_code(&outcome, 1);
    check_contains(outcome.out, "Both sides were measured now, in turns.");
    check_contains(outcome.out, "old  second/baseline/results.json");
    check_contains(outcome.out,
                   "1 cell: 1 slower, 0 faster, 0 same, 0 undecided; 0 missing, 1 new");
    check_contains(outcome.out, "       5  lbp/seq/texture/16x16\n");
    static const char *const order[] = {"] baseline launch 1 of 5", "] launch 1 of 5",
                                        "] launch 2 of 5",          "] baseline launch 2 of 5",
                                        "] baseline launch 3 of 5", "] launch 3 of 5",
                                        "] launch 4 of 5",          "] baseline launch 4 of 5",
                                        "] baseline launch 5 of 5", "] launch 5 of 5"};
    for (size_t i = 1; i < sizeof order / sizeof order[0]; i++) {
        assert_true(place_of(outcome.out, order[i - 1]) < place_of(outcome.out, order[i]));
    }
    char *log = read_text("log");
    assert_null(strstr(log, "--baseline"));
    check_contains(log, "--pass 1/5 --out second/baseline/launch-1\n");
    check_contains(log, "--pass 5/5 --out second/baseline/launch-5 --first "
                        "second/baseline/launch-1\n");
    /* The stored sides are runs: another look at them comes to the same. */
    check_prints(bench("compare second/baseline second --alpha 5%%"), 1, "2 cells: 2 slower");
}

TEST(a_baseline_program_is_resumed_by_name) {
    make_tiny_run();
    make_old_program("");
    (void)bench_interrupted(
        "--algo lbp --sizes 16x16 --variants seq --ci-width 0.000000001 --max-time 1s "
        "--no-plot --no-roof --launches 3 --out run --baseline first "
        "--baseline-program ./old --baseline-threshold 99%",
        "run/baseline/launch-2/results.json", ",");
    check_refused(bench("--resume run"), 2, "write --baseline-program FILE again");
    char *before = read_text("run/baseline/launch-1/results.json");
    check_prints(bench("--resume run --baseline-program old"), 0, "Both sides were measured now");
    char *after = read_text("run/baseline/launch-1/results.json");
    assert_string_equal(before, after);
    assert_true(file_exists("run/baseline/launch-3/results.json"));
}

TEST(a_baseline_program_of_another_build_ends_the_run) {
    make_tiny_run();
    make_old_program("s/\"c_flags\":\t\"/&-Oother /");
    Outcome outcome = bench(TINY "--quiet --out second --baseline first --baseline-program ./old");
    check_code(&outcome, 2);
    check_contains(outcome.err, "--baseline-program is of another build: c_flags differs");
    assert_false(file_exists("second/launch-1/results.json"));
}

TEST(what_the_baseline_program_lacks_ends_the_run) {
    static const char fails[] = "#!/bin/sh\necho \"error: unknown option '--pass'\" >&2\nexit 2\n";
    make_tiny_run();
    write_file("old", fails, sizeof fails - 1);
    check_refused(bench(TINY "--quiet --baseline first --baseline-program ./old"), 2,
                  "is no program: Permission denied");
    assert_int_equal(chmod("old", 0755), 0);
    check_says(bench(TINY "--quiet --out second --baseline first --baseline-program ./old"), 4,
               "baseline launch 1 of 5 ended with exit code 2: error: unknown "
               "option '--pass'");
    check_refused(bench(TINY "--baseline-program ./old"), 2, "write --baseline RUN as well");
}

TEST(a_baseline_that_cannot_be_compared_stops_the_run) {
    check_refused(bench(RUN "--out second --baseline nothing.json"), 5, "nothing.json");
    check_refused(bench(RUN "--out second --baseline " DATA "base.json"), 2,
                  "of another machine or build");
    assert_false(file_exists("second"));
}

TEST(other_cells_have_no_baseline) {
    make_first_run();
    check_says(bench("--algo lbp --sizes 32x32 --variants seq --reps 6 --no-plot --no-roof "
                     "--launches 2 --quiet --out second --baseline first"),
               3, "no cell in common");
}
