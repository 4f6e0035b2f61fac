/* `bench train-hashsift`, `bench train-bad` and `bench train-orb` from outside: what is written,
 * going on after an interruption, and each bad input's line and exit code. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

enum { WIDTH = 240, HEIGHT = 200 };

static void set_up(void) {
    folder_enter();
    mkdir("walls", 0777);
    write_wall("walls/a.pgm", WIDTH, HEIGHT, 0, 0);
    write_wall("walls/b.pgm", WIDTH, HEIGHT, 100 * STONE, 0);
}

EACH_TEST(set_up, folder_leave);

static void check_line(Outcome outcome, const char *fragment) {
    check_code(&outcome, 0);
    check_contains(outcome.out, fragment);
}

static void check_same_files(const char *left, const char *right) {
    char *a = read_text(left);
    char *b = read_text(right);
    assert_string_equal(strstr(a, "bench weights"), strstr(b, "bench weights"));
}

TEST(learnt_weights_are_used_and_verified) {
    check_line(bench("train-hashsift walls --bits 256 --steps 60 --batch 16 --out h.csv --curve "
                     "h-loss.csv --verify walls"),
               "\ntrained");
    check_line(bench("train-bad walls --bits 256 --candidates 1024 --out b.csv"), "b.csv");
    check_line(bench("train-bad walls --bits 256 --candidates 1024 --seed 2 --out c.csv --verify "
                     "walls --against b.csv"),
               "\nb.csv ");
    check_refused(bench("train-bad walls --out c.csv --verify walls --against h.csv"), 2,
                  "holds weights of hashsift");
    check_file_has("h-loss.csv", "step,loss,share\n50,");
    check_file_has("h-loss.csv", "\n60,");
    check_line(bench("match walls/a.pgm walls/b.pgm --weights h.csv,b.csv --bits 256 --methods "
                     "hashsift,bad"),
               "bad");
}

/* The same for the same seed, and used by `match`. */
TEST(pairs_are_chosen_verified_and_used) {
    check_line(bench("train-orb walls --out o.csv --verify walls"), "\ntrained");
    check_line(bench("train-orb walls --out again.csv --quiet"), "weights: again.csv");
    check_same_files("o.csv", "again.csv");
    check_line(bench("train-orb walls --out other.csv --seed 2 --quiet"), "weights: other.csv");
    check_file_has("o.csv", "kind,orb\nbits,256\ncolumns,4\n");
    check_line(bench("match walls/a.pgm walls/b.pgm --weights o.csv --methods orb"), "orb");
}

/* It is not drawn then: nobody can read it twice. */
TEST(a_curve_may_go_to_a_pipe) {
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    check_line(bench_wait_at_most(bench_start("train-bad walls --bits 256 --candidates 512 --quiet "
                                              "--out w --curve pipe"),
                                  60),
               "weights: w");
    char text[32] = "";
    assert_true(read(reader, text, sizeof text - 1) > 0);
    close(reader);
    check_contains(text, "step,loss,share\n1,");
    assert_int_equal(count_files(".svg"), 0);
}

/* Hours of training are not thrown away for it, and its error is told. */
TEST(a_curve_that_cannot_be_written_is_an_error) {
    static const char *const curves[] = {"/dev/full", "walls"};
    for (size_t i = 0; i < 2; i++) {
        check_says(bench("train-bad walls --bits 256 --candidates 512 --quiet --out w%zu "
                         "--curve %s",
                         i, curves[i]),
                   5, curves[i]);
    }
    assert_true(file_exists("w0"));
    assert_false(file_exists("w1")); /* that it is a folder is seen before */
}

/* A chart is an output as the table is: it finds a folder where its picture goes. */
TEST(a_chart_that_cannot_be_written_is_an_error) {
    mkdir("c.svg", 0777);
    Outcome outcome =
        bench("train-bad walls --bits 256 --candidates 512 --quiet --out w --curve c.csv");
    if (strstr(outcome.err, "gnuplot is not installed") == NULL) {
        check_code(&outcome, 5);
        check_contains(outcome.err, "c.svg");
    }
    assert_true(file_exists("w"));
}

TEST(a_checkpoint_is_kept_by_every_training) {
    static const char *const trainings[] = {"train-hashsift walls --bits 256 --steps 60 --batch 16",
                                            "train-bad walls --bits 256 --candidates 512",
                                            "train-orb walls"};
    for (size_t i = 0; i < 3; i++) {
        check_refused(bench("%s --out w --quiet --resume", trainings[i]), 2, "--resume: name the");
        check_refused(bench("%s --out w --quiet --resume --checkpoint none", trainings[i]), 5,
                      "none: cannot open");
        write_file("old", "bench learning1", 16);
        check_refused(bench("%s --out w --quiet --resume --checkpoint old", trainings[i]), 5,
                      "old is a checkpoint of an earlier version");
        assert_false(file_exists("w"));
    }
}

TEST(the_name_of_a_curve_is_no_command) {
    check_line(bench("train-bad walls --bits 256 --candidates 512 --quiet --out w --curve <ls>ran"),
               "weights: w");
    assert_true(file_exists("<ls>ran"));
    assert_false(file_exists("ran"));
}

/* Ctrl-C leaves a checkpoint, which only the same training takes. */
TEST(a_training_that_is_stopped_leaves_a_checkpoint) {
    const pid_t process = bench_start("train-hashsift walls --bits 256 --steps 30000 --batch 64 "
                                      "--out never.csv --checkpoint c");
    assert_true(wait_for_text(process, "stderr.txt", "/30000] loss ", 60));
    kill(process, SIGINT);
    check_ends(bench_wait(process), 130);
    assert_true(file_exists("c"));
    assert_false(file_exists("never.csv"));
    check_refused(bench("train-hashsift walls --bits 512 --steps 30000 --batch 64 --out n.csv "
                        "--checkpoint c --resume --quiet"),
                  2, "is of a training with other options or images");
}

TEST(resuming_gives_the_same_weights) {
    static const char *const same = "train-bad walls --bits 256 --candidates 1024 --seed 3 --quiet";
    check_line(bench("%s --out whole.csv --checkpoint c", same), "whole.csv");
    check_line(bench("%s --out again.csv --checkpoint c --resume", same), "again.csv");
    check_same_files("whole.csv", "again.csv");
}

TEST(bad_requests_are_refused) {
    write_file("text", "no image", strlen("no image"));
    mkdir("none", 0777);
    check_refused(bench("train-hashsift"), 2, "name the folder of images to learn from");
    check_refused(bench("train-bad walls"), 2, "name the file that the weights go to");
    check_refused(bench("train-bad walls --out w --bits 128"), 2, "--bits: '128'");
    check_refused(bench("train-hashsift walls --out w --without luck"), 2,
                  "'luck' is no part (known: negatives, swap, augmentation)");
    check_refused(bench("train-bad walls --out w --without swap"), 2, "--without");
    check_refused(bench("train-hashsift text --out w"), 5, "text is no folder");
    check_refused(bench("train-hashsift none --out w"), 5, "holds no image");
    check_refused(bench("train-hashsift walls --out nowhere/w"), 5, "nowhere/w");
    check_refused(bench("train-hashsift walls --out w --checkpoint c --resume --quiet"), 5, "c");
    check_refused(bench("train-hashsift walls --out w --verify walls --against text"), 5, "text");
    assert_false(file_exists("w"));
}

/* Both commands have a text, and the help of the program names them. */
TEST(help_tells_of_them) {
    check_line(bench("help commands"), "app train-hashsift");
    check_line(bench("help train-bad"), "--candidates N");
    check_line(bench("train-hashsift --help"), "--checkpoint FILE");
}
