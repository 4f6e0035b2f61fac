/* Inputs that cannot be read and outputs that cannot be written: exit code 5, one line, and no half
 * of a file left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../bench/strict_text.h"
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

static void check_text(const char *text, const char *kept) {
    const char *fault = fault_of_text(text, kept);
    if (fault != NULL) {
        fail_msg("%s: %s", fault, text);
    }
}

/* A name that is no UTF-8 and has an escape sequence in it is measured, shown and found again. */
static void a_picture_of_any_name(void **state) {
    (void)state;
    char picture[15 + 256] = "P5\n16 16\n255\n";
    for (int i = 0; i < 256; i++) {
        picture[14 + i] = (char)(i * 7);
    }
    write_file("\xff\x1b[2J.pgm", picture, 14 + 256);
    Outcome outcome = bench(TINY "--out folder --dry-run --input=./\xff\x1b[2J.pgm");
    check_code(&outcome, 0);
    check_text(outcome.out, "\n");
    check_contains(outcome.out, "\\xff\\x1b[2J.pgm");
    outcome_release(&outcome);
    outcome = bench("--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof "
                    "--out folder --input=./\xff\x1b[2J.pgm");
    check_code(&outcome, 0);
    check_text(outcome.out, "\n");
    check_text(outcome.err, "\n");
    outcome_release(&outcome);
    static const char *const files[] = {"folder/results.csv", "folder/results.json"};
    for (size_t i = 0; i < 2; i++) {
        char *text = read_text(files[i]);
        check_text(text, "\n\t");
        check_contains(text, "[2J.pgm");
        free(text);
    }
    outcome = bench("--resume folder");
    check_code(&outcome, 0);
    outcome_release(&outcome);
    check_refused(bench(TINY "--out folder --input missing\x1b]0;x\x07\xff.png"), 5,
                  "missing\\x1b]0;x\\x07\\xff.png");
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, folder_enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(bad_inputs),
        FILE_TEST(a_folder_without_images_is_a_bad_input),
        FILE_TEST(an_unreadable_input),
        FILE_TEST(out_in_the_way),
        FILE_TEST(out_in_a_read_only_folder),
        FILE_TEST(extra_copies_are_refused_before_measuring),
        FILE_TEST(a_copy_on_a_full_device),
        FILE_TEST(answers_that_cannot_be_saved),
        FILE_TEST(resume_without_a_run),
        FILE_TEST(a_picture_of_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
