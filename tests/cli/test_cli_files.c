/* Inputs that cannot be read and outputs that cannot be written: exit code 5, one line, and no half
 * of a file left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "program.h"

#define TINY "--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof --quiet "

/* The signature and the header chunk of a PNG of 16 × 16, and nothing behind them. */
static const unsigned char truncated_png[] = {
    0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0,
    0,    0,   16,  0,   0,    0,    16,   8,    0, 0, 0, 0,  0x3a, 0x98, 0xa0, 0xbd};

static void check_bad_input(const char *input, const char *fragment) {
    check_refused(bench(TINY "--out folder --csv a.csv --input %s", input), 5, fragment);
    assert_int_equal(count_files(".csv"), 0);
    assert_int_equal(count_files(".json"), 0);
    assert_int_equal(count_files(".part"), 0);
}

static void bad_inputs(void **state) {
    (void)state;
    write_file("empty.png", "", 0);
    write_file("cut.png", truncated_png, sizeof truncated_png);
    write_file("text.png", "this is no image\n", 17);
    write_file("zero.pgm", "P5\n0 0\n255\n", 11);
    write_file("huge.pgm", "P5\n999999999 999999999\n255\n", 27);
    write_file("short.pgm", "P5\n4 4\n255\nabc", 14);
    assert_int_equal(mkdir("nothing", 0700), 0);
    assert_int_equal(mkdir("texts", 0700), 0);
    write_file("texts/a.txt", "text\n", 5);
    static const char *const inputs[] = {"missing.png", "empty.png", "cut.png",
                                         "text.png",    "zero.pgm",  "huge.pgm",
                                         "short.pgm",   "nothing",   "/dev/null"};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        check_bad_input(inputs[i], inputs[i]);
    }
}

/* A pipe could be waited for, and a device read, without end. */
static void only_ordinary_files_are_read(void **state) {
    (void)state;
    static const char *const lines[] = {
        "compare %s %s",
        "compare " COMPARE_DATA "/base.json %s",
        "report %s --out rep.html",
        TINY "--out folder --baseline %s",
        TINY "--out folder --input %s",
        "recognise %s --synthetic digits --images 5",
        "classify . --pr 8:1 --model %s",
        "match a.pgm a.pgm --methods bad --homography %s",
        "match a.pgm %s --methods bad",
        "curve %s",
        "train-hashsift class --out w --steps 1 --checkpoint %s --resume --quiet",
        "train-bad class --out w --verify class --against %s",
        "train %s --model m --quiet",
        "--algo bad --variants seq --sizes 64x64 --weights %s --out folder",
        "--algo bad --variants seq --input a.pgm --keypoints-file %s --out folder",
        "--algo haar --variants seq --input class --labels %s --out folder",
        "study folder-of-study --out o"};
    static const char *const files[] = {"pipe", "/dev/zero"};
    static const char picture[] = "P2\n32 32\n255\n";
    char text[4096 + sizeof picture];
    int length = snprintf(text, sizeof text, "%s", picture);
    for (int i = 0; i < 32 * 32; i++) {
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%s", i % 3 == 0 ? "0 " : "99 ");
    }
    assert_int_equal(mkdir("class", 0700), 0);
    write_file("class/a.pgm", text, (size_t)length);
    write_file("a.pgm", text, (size_t)length);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(mkdir("folder-of-study", 0700), 0);
    assert_int_equal(mkfifo("folder-of-study/study.txt", 0600), 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        for (size_t j = 0; j < 2; j++) {
            char line[512];
            snprintf(line, sizeof line, lines[i], files[j], files[j]);
            Outcome outcome = bench_wait_at_most(bench_start(line), 20);
            check_refused(outcome, 5, "; an ordinary file is needed");
        }
    }
}

static void a_folder_without_images_is_a_bad_input(void **state) {
    (void)state;
    assert_int_equal(mkdir("texts", 0700), 0);
    write_file("texts/a.txt", "text\n", 5);
    Outcome outcome = bench(TINY "--out folder --input texts");
    check_code(&outcome, 5);
    check_contains(outcome.err, "texts");
    assert_false(file_exists("folder/results.csv"));
    outcome_release(&outcome);
}

static void an_unreadable_input(void **state) {
    (void)state;
    if (geteuid() == 0) {
        skip();
    }
    write_file("secret.pgm", "P2\n1 1\n255\n0\n", 13);
    assert_int_equal(chmod("secret.pgm", 0), 0);
    check_bad_input("secret.pgm", "secret.pgm");
}

static void out_in_the_way(void **state) {
    (void)state;
    write_file("file", "kept", 4);
    check_refused(bench(TINY "--out file"), 5, "file");
    check_refused(bench(TINY "--out file/below"), 5, "file");
    char *kept = read_text("file");
    assert_string_equal(kept, "kept");
    free(kept);
}

static void out_in_a_read_only_folder(void **state) {
    (void)state;
    if (geteuid() == 0) {
        skip();
    }
    assert_int_equal(mkdir("locked", 0500), 0);
    check_refused(bench(TINY "--out locked/run"), 5, "locked");
    assert_int_equal(chmod("locked", 0700), 0);
}

static void extra_copies_are_refused_before_measuring(void **state) {
    (void)state;
    assert_int_equal(mkdir("taken", 0700), 0);
    write_file("file", "kept", 4);
    static const char *const names[] = {"nowhere/a", "taken", "taken/", "file/a"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check_refused(bench(TINY "--out folder --csv %s", names[i]), 5, names[i]);
        check_refused(bench(TINY "--out folder --json %s", names[i]), 5, names[i]);
        assert_false(file_exists("folder"));
        assert_int_equal(count_files(".part"), 0);
    }
}

static void a_copy_on_a_full_device(void **state) {
    (void)state;
    if (!file_exists("/dev/full")) {
        skip();
    }
    Outcome outcome = bench(TINY "--out folder --csv /dev/full");
    check_code(&outcome, 5);
    check_contains(outcome.err, "/dev/full");
    assert_false(file_exists("/dev/full.part"));
    struct stat facts;
    assert_int_equal(stat("/dev/full", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
    outcome_release(&outcome);
}

static void a_pipe_without_a_reader_is_not_waited_for(void **state) {
    (void)state;
    static const char *const options[] = {"--csv", "--json"};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line, TINY "--out folder %s pipe", options[i]);
        Outcome outcome = bench_wait_at_most(bench_start(line), 20);
        check_code(&outcome, 5);
        check_contains(outcome.err, "cannot write pipe: ");
        assert_true(file_exists("folder/results.csv"));
        outcome_release(&outcome);
    }
}

static void results_replace_ordinary_files_alone(void **state) {
    (void)state;
    static const char *const names[] = {"folder/results.csv", "folder/results.json"};
    assert_int_equal(mkdir("folder", 0700), 0);
    for (size_t i = 0; i < 2; i++) {
        struct stat facts;
        assert_int_equal(mkfifo(names[i], 0600), 0);
        check_refused(bench_wait_at_most(bench_start(TINY "--out folder"), 20), 5, names[i]);
        assert_int_equal(stat(names[i], &facts), 0);
        assert_true(S_ISFIFO(facts.st_mode));
        assert_int_equal(unlink(names[i]), 0);
    }
}

static void answers_that_cannot_be_saved(void **state) {
    (void)state;
    write_file("file", "kept", 4);
    Outcome outcome = bench(TINY "--out folder --save file");
    check_code(&outcome, 5);
    check_contains(outcome.err, "file");
    outcome_release(&outcome);
}

static void resume_without_a_run(void **state) {
    (void)state;
    check_refused(bench("--resume missing"), 5, "missing");
    check_refused(bench(TINY "--resume missing"), 5, "missing");
    assert_int_equal(mkdir("run", 0700), 0);
    write_file("run/results.json", "{\"context\":", 11);
    check_refused(bench("--resume run"), 5, "run/results.json");
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(bad_inputs),
        FILE_TEST(only_ordinary_files_are_read),
        FILE_TEST(a_folder_without_images_is_a_bad_input),
        FILE_TEST(an_unreadable_input),
        FILE_TEST(out_in_the_way),
        FILE_TEST(out_in_a_read_only_folder),
        FILE_TEST(extra_copies_are_refused_before_measuring),
        FILE_TEST(a_copy_on_a_full_device),
        FILE_TEST(a_pipe_without_a_reader_is_not_waited_for),
        FILE_TEST(results_replace_ordinary_files_alone),
        FILE_TEST(answers_that_cannot_be_saved),
        FILE_TEST(resume_without_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
