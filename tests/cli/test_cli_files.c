/* Inputs that cannot be read and outputs that cannot be written: exit code 5, one line, and no half
 * of a file left. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bench/strict_text.h"
#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

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

TEST(bad_inputs) {
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
TEST(only_ordinary_files_are_read) {
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

TEST(a_folder_without_images_is_a_bad_input) {
    assert_int_equal(mkdir("texts", 0700), 0);
    write_file("texts/a.txt", "text\n", 5);
    Outcome outcome = bench(TINY "--out folder --input texts");
    check_code(&outcome, 5);
    check_contains(outcome.err, "texts");
    assert_false(file_exists("folder/results.csv"));
}

TEST(an_unreadable_input) {
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    write_file("secret.pgm", "P2\n1 1\n255\n0\n", 13);
    assert_int_equal(chmod("secret.pgm", 0), 0);
    check_bad_input("secret.pgm", "secret.pgm");
}

TEST(out_in_the_way) {
    write_file("file", "kept", 4);
    check_refused(bench(TINY "--out file"), 5, "file");
    check_refused(bench(TINY "--out file/below"), 5, "file");
    assert_string_equal(read_text("file"), "kept");
}

TEST(out_in_a_read_only_folder) {
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    assert_int_equal(mkdir("locked", 0500), 0);
    check_refused(bench(TINY "--out locked/run"), 5, "locked");
    assert_int_equal(chmod("locked", 0700), 0);
}

TEST(extra_copies_are_refused_before_measuring) {
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

TEST(a_copy_on_a_full_device) {
    if (!file_exists("/dev/full")) {
        skip_needing("/dev/full", NULL);
    }
    Outcome outcome = bench(TINY "--out folder --csv /dev/full");
    check_code(&outcome, 5);
    check_contains(outcome.err, "/dev/full");
    assert_false(file_exists("/dev/full.part"));
    struct stat facts;
    assert_int_equal(stat("/dev/full", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

TEST(a_pipe_without_a_reader_is_not_waited_for) {
    static const char *const options[] = {"--csv", "--json"};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line, TINY "--out folder --force %s pipe", options[i]);
        Outcome outcome = bench_wait_at_most(bench_start(line), 20);
        check_code(&outcome, 5);
        check_contains(outcome.err, "cannot write pipe: ");
        assert_true(file_exists("folder/results.csv"));
    }
}

TEST(results_replace_ordinary_files_alone) {
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

TEST(answers_that_cannot_be_saved) {
    write_file("file", "kept", 4);
    check_says(bench(TINY "--out folder --save file"), 5, "file");
}

TEST(resume_without_a_run) {
    check_refused(bench("--resume missing"), 5, "missing");
    check_refused(bench(TINY "--resume missing"), 5, "missing");
    assert_int_equal(mkdir("run", 0700), 0);
    write_file("run/results.json", "{\"context\":", 11);
    check_refused(bench("--resume run"), 5, "run/results.json");
}

/* --- Outputs that are there ------------------------------------------------------------------- */

TEST(a_run_is_not_replaced_unasked) {
    bench_ok(TINY "--out o");
    char *before = read_text("o/results.json");
    check_refused(bench(TINY "--synthetic noise --out o"), 2, "o holds a run already");
    check_refused(bench(TINY "--baseline o --out ./o/"), 2, "o/");
    check_refused(bench("merge o --out o"), 2, "o/results.");
    char *after = read_text("o/results.json");
    assert_string_equal(before, after);
    bench_ok(TINY "--out o --dry-run");
    bench_ok("--resume o");
    bench_ok(TINY "--synthetic noise --out o --force");
    after = read_text("o/results.json");
    check_contains(after, "noise");
    bench_ok("merge o --out whole");
    check_refused(bench("merge o --out whole"), 2, "whole holds a run already");
    bench_ok("merge o --out whole --force");
}

/* Packed, or the CSV alone: what a run has left of itself. */
TEST(parts_of_a_run_are_not_replaced_unasked) {
    static const char *const names[] = {"o/results.csv", "o/results.csv.gz", "o/results.json.gz"};
    assert_int_equal(mkdir("o", 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_file(names[i], "kept", 4);
        check_refused(bench(TINY "--out o"), 2, "o holds a run already");
        assert_int_equal(unlink(names[i]), 0);
    }
    write_file("o/notes.txt", "kept", 4);
    write_file("o/results.csv", "", 0);
    bench_ok(TINY "--out o");
}

TEST(two_runs_do_not_write_to_one_folder) {
    static const char line[] = "--algo lbp --variants seq --sizes 1080p --reps 1000000 --max-time "
                               "600 --no-plot --no-roof --launches 2 --spread 0 --out o";
    const pid_t first = bench_start(line);
    assert_true(wait_for_text(first, "o/results.json", "benchmarks", 60));
    check_refused(bench(TINY "--out o --force"), 5, "o: another run is being written");
    check_refused(bench("--resume o"), 5, "o: another run is being written");
    assert_int_equal(kill(first, SIGKILL), 0);
    Outcome outcome = bench_wait_at_most(first, 20);
    assert_int_equal(outcome.code, 128 + SIGKILL);
    bench_ok(TINY "--out o --force");
}

/* Begun in one second, they have names of their own. */
TEST(runs_without_a_name_do_not_meet) {
    enum { RUNS = 4 };
    pid_t runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        runs[i] = bench_start("--algo lbp --sizes 16x16 --reps 1 --variants seq --no-plot "
                              "--no-roof --quiet");
    }
    for (int i = 0; i < RUNS; i++) {
        Outcome outcome = bench_wait_at_most(runs[i], 60);
        assert_int_equal(outcome.code, 0);
    }
    assert_int_equal(count_files("results.json"), RUNS);
}

TEST(links_that_are_named_are_followed) {
    static const char *const links[] = {"x.csv", "x.json"};
    assert_int_equal(mkdir("real", 0700), 0);
    assert_int_equal(symlink("real/x.csv", "x.csv"), 0);
    assert_int_equal(symlink("real/x.json", "x.json"), 0);
    bench_ok(TINY "--out o --csv x.csv --json x.json");
    for (size_t i = 0; i < 2; i++) {
        struct stat facts;
        assert_int_equal(lstat(links[i], &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
    }
    check_file_has("real/x.csv", "\nlbp,seq,");
    check_file_has("real/x.json", "\"benchmarks\"");
    /* Links among a run's own files may have come with it from anybody. */
    write_file("victim", "kept", 4);
    assert_int_equal(unlink("o/results.csv"), 0);
    assert_int_equal(symlink("../victim", "o/results.csv"), 0);
    bench_ok("--resume o");
    assert_string_equal(read_text("victim"), "kept");
}

/* --- Images ----------------------------------------------------------------------------------- */

TEST(images_are_turned_unless_they_are_to_be_as_stored) {
    static const char *const rows[] = {"exif.png,native,5,7,", "exif.png,native,7,5,"};
    static const char *const options[] = {"", "--no-orient"};
    for (size_t i = 0; i < 2; i++) {
        Outcome outcome = bench("--algo copy --variants seq --reps 1 --no-plot --no-roof --quiet "
                                "--input " COMPARE_DATA "/../images/exif.png --out o%zu %s",
                                i, options[i]);
        char path[32];
        check_code(&outcome, 0);
        assert_true((strstr(outcome.err, "turned by 90 degrees to the right") != NULL) == (i == 0));
        snprintf(path, sizeof path, "o%zu/results.csv", i);
        check_file_has(path, rows[i]);
    }
}

/* --- Outputs that are inputs ------------------------------------------------------------------ */

static const char picture[] = "P2 4 4 255 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";

static void write_word(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

static void make_inputs(void) {
    static const char *const folders[] = {"set", "set/0", "set/1", "run", "saved"};
    static const char *const pictures[] = {"p.pgm",       "q.pgm",
                                           "set/0/a.pgm", "set/1/b.pgm",
                                           "saved/q.pgm", "saved/lbp-q-16x16-codes.png"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        assert_int_equal(mkdir(folders[i], 0700), 0);
    }
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        write_word(pictures[i], picture);
    }
    write_word("k.csv", "x,y,size,angle\n1,2,3,4\n");
    write_word("w.csv", "weights\n");
    write_word("h.txt", "1 0 0 0 1 0 0 0 1\n");
    write_word("run/results.json", "{}\n");
    write_word("run/results.csv", "algorithm\n");
    assert_int_equal(symlink("p.pgm", "soft.pgm"), 0);
    assert_int_equal(link("p.pgm", "hard.pgm"), 0);
}

TEST(outputs_that_are_inputs_are_refused) {
    static const char *const lines[][2] = {
        {TINY "--out o --input p.pgm --csv p.pgm", "p.pgm"},
        {TINY "--out o --input p.pgm --json ./set/../p.pgm", "p.pgm"},
        {TINY "--out o --input p.pgm --csv soft.pgm", "soft.pgm"},
        {TINY "--out o --input soft.pgm --csv p.pgm", "p.pgm"},
        {TINY "--out o --input p.pgm --json hard.pgm", "hard.pgm"},
        {TINY "--out o --input set/0 --csv set/0/a.pgm", "set/0/a.pgm"},
        {TINY "--out o --baseline run --json run/results.json", "run/results.json"},
        {TINY "--out run --baseline run", "run/results."},
        {TINY "--out o --input saved --save ./saved", "saved/lbp-q-16x16-codes.png"},
        {"--algo bad --out o --keypoints-file k.csv --csv k.csv", "k.csv"},
        {"--algo bad --out o --weights x.csv,w.csv --csv w.csv", "w.csv"},
        {"classify set --csv set/1/b.pgm", "set/1/b.pgm"},
        {"classify set --model h.txt --csv h.txt", "h.txt"},
        {"classify set --save-model set/0/a.pgm", "set/0/a.pgm"},
        {"train set --model set/0/a.pgm", "set/0/a.pgm"},
        {"train-hashsift set/0 --out set/0/a.pgm", "set/0/a.pgm"},
        {"train-hashsift set/0 --out n.csv --curve set/0/a.pgm", "set/0/a.pgm"},
        {"train-bad set/0 --out n.csv --verify set/1 --checkpoint set/1/b.pgm", "set/1/b.pgm"},
        {"train-bad set/0 --out w.csv --verify set/1 --against w.csv", "w.csv"},
        {"compare run q.pgm --out run/results.json", "run/results.json"},
        {"compare run/results.json run --out run/results.json", "run/results.json"},
    };
    make_inputs();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_refused(bench("%s", lines[i][0]), 2, lines[i][1]);
        assert_false(file_exists("o"));
        assert_int_equal(count_files(".part"), 0);
    }
    assert_string_equal(read_text("p.pgm"), picture);
}

TEST(charts_and_tables_replace_no_input) {
    make_inputs();
    write_word("c.csv", "box,lacunarity\n");
    assert_int_equal(link("c.csv", "chart.svg"), 0);
    check_refused(bench("curve c.csv --out chart"), 2, "chart.svg");
    assert_int_equal(link("h.txt", "set/matches-sift.png"), 0);
    check_refused(bench("match p.pgm q.pgm --homography h.txt --out set"), 2, "matches-sift.png");
    write_word("old.html", "{}");
    check_refused(bench("report old.html --out old.html"), 5, "old.html");
    bench_ok("train --synthetic digits --images 100 --rounds 1 --candidates 50 "
             "--digits 0 --quiet --model m.json");
    check_refused(bench("recognise m.json --synthetic digits --images 50 --csv m.json"), 2,
                  "m.json");
    check_refused(bench("recognise m.json --synthetic digits --images 50 --matrix m.json"), 2,
                  "m.json");
}

/* A second call may well write what the first one wrote. */
TEST(earlier_outputs_among_the_inputs_are_replaced) {
    make_inputs();
    for (int i = 0; i < 2; i++) {
        bench_ok(TINY "--out set/0 --force --input set/0 --csv set/0/table.csv");
    }
}

static void check_text(const char *text, const char *kept) {
    const char *fault = fault_of_text(text, kept);
    if (fault != NULL) {
        fail_msg("%s: %s", fault, text);
    }
}

/* A name that is no UTF-8 and has an escape sequence in it is measured, shown and found again. */
TEST(a_picture_of_any_name) {
    char pixels[15 + 256] = "P5\n16 16\n255\n";
    for (int i = 0; i < 256; i++) {
        pixels[14 + i] = (char)(i * 7);
    }
    write_file("\xff\x1b[2J.pgm", pixels, 14 + 256);
    Outcome outcome = bench_ok(TINY "--out folder --dry-run --input=./\xff\x1b[2J.pgm");
    check_text(outcome.out, "\n");
    check_contains(outcome.out, "\\xff\\x1b[2J.pgm");
    outcome = bench_ok("--algo lbp --sizes 16x16 --reps 3 --variants seq --no-plot --no-roof "
                       "--out folder --input=./\xff\x1b[2J.pgm");
    check_text(outcome.out, "\n");
    check_text(outcome.err, "\n");
    static const char *const files[] = {"folder/results.csv", "folder/results.json"};
    for (size_t i = 0; i < 2; i++) {
        char *text = read_text(files[i]);
        check_text(text, "\n\t");
        check_contains(text, "[2J.pgm");
    }
    bench_ok("--resume folder");
    check_refused(bench(TINY "--out other --input missing\x1b]0;x\x07\xff.png"), 5,
                  "missing\\x1b]0;x\\x07\\xff.png");
}
