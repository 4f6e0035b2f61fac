/* `bench train` and `bench recognise` from outside: a recogniser is trained, killed, trained on,
 * used; and each bad input's line and exit code. */
#include <signal.h>
#include <sys/stat.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define SMALL "--synthetic digits --images 300 --rounds 5 --candidates 50 --digits 0,1"

static void check_same_text(const char *one, const char *other) {
    char *left = read_text(one);
    char *right = read_text(other);
    assert_string_equal(left, right);
}

static void train_small(const char *arguments) {
    Outcome outcome = bench_ok("train " SMALL " --quiet --model m.json%s", arguments);
    assert_string_equal(outcome.err, "");
}

TEST(a_recogniser_is_trained_and_used) {
    Outcome outcome = bench_ok("train " SMALL " --model m.json --pictures new/images");
    check_contains(outcome.out, "adaboost, omp: 300 images of 28×28 pixels, digits; 50 "
                                "candidates\n\ndigit  stumps  training error");
    check_contains(outcome.out, "model: m.json\n");
    check_contains(outcome.err, "[10/10] digit 1, round 5 of 5, training error ");
    check_contains(outcome.err, "10 rounds in ");
    assert_true(file_exists("new/images/digit-0.png"));
    assert_true(file_exists("new/images/digit-1.png"));
    assert_true(file_exists("new/images/digits.png"));
    assert_false(file_exists("m.json.checkpoint"));
    assert_int_equal(count_files(".part"), 0);
    outcome = bench_ok("recognise m.json --synthetic digits --seed 2 --images 400 --csv p.csv "
                       "--matrix m.csv");
    assert_string_equal(outcome.err, "");
    check_contains(outcome.out, "model: 2 digits, up to 5 stumps, trained on 300 images, digits\n"
                                "set: 400 images, digits\nleft out: ");
    check_contains(outcome.out, " of 400 images, whose digits (2, 3, 4, 5, 6, 7, 8, 9) the model "
                                "does not know; it knows 0, 1\naccuracy ");
    check_contains(outcome.out, "Each digit against the rest\n");
    check_contains(outcome.out, "\nlabel   0   1 ");
    check_file_has("p.csv", "image,predicted,label,score_0,score_1\n0,");
    check_file_has("p.csv", "\n399,");
    check_file_has("m.csv", "actual,predicted,count\n0,0,");
}

/* Another sample of the same hand is recognised: chance would be a tenth. */
TEST(ten_digits_are_told_apart) {
    double percent = 0;
    bench_ok("train --synthetic digits --images 1000 --rounds 30 --candidates 200 "
             "--model m.json --quiet");
    Outcome outcome = bench_ok("recognise m.json --synthetic digits --seed 2");
    const char *line = strstr(outcome.out, "\naccuracy ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\naccuracy %lf%%", &percent), 1);
    assert_true(percent >= 80);
    outcome = bench("recognise m.json --synthetic digits --seed 2 --rounds 1");
    check_contains(outcome.out, "model: 10 digits, the first 1 stumps,");
}

TEST(the_same_command_gives_the_same_bytes) {
    train_small("");
    assert_int_equal(rename("m.json", "first.json"), 0);
    train_small(" --threads 1");
    check_same_text("m.json", "first.json");
    train_small(" --seed 2");
    check_file_has("m.json", "\"seed\": \"2\"");
}

/* --- Interruptions ---------------------------------------------------------------------------- */

#define LONG "train --synthetic digits --rounds 400 --digits 8,9 --variant seq --model "

TEST(a_killed_training_goes_on) {
    pid_t process = bench_start(LONG "killed.json");
    assert_true(wait_for_text(process, "killed.json.checkpoint", "stumps", 60));
    kill(process, SIGKILL);
    Outcome outcome = bench_wait(process);
    assert_int_equal(outcome.code, 128 + SIGKILL);
    assert_false(file_exists("killed.json"));
    /* Other options are another training. */
    check_refused(bench("train --synthetic digits --rounds 399 --digits 8,9 --variant seq "
                        "--model killed.json"),
                  2,
                  "killed.json.checkpoint is of a training with --rounds 400, not 399; give it "
                  "the same, or --fresh");
    /* And stopped once more, by Ctrl-C. */
    process = bench_start(LONG "killed.json");
    assert_true(
        wait_for_text(process, "stderr.txt", "continues from killed.json.checkpoint: digit 8", 60));
    kill(process, SIGINT);
    outcome = bench_wait(process);
    check_code(&outcome, 130);
    check_contains(outcome.err, "bench: interrupted; the progress is in killed.json.checkpoint");
    assert_string_equal(outcome.out, "");
    check_says(bench(LONG "killed.json"), 0, "continues from killed.json.checkpoint: digit 8, ");
    outcome = bench_ok(LONG "whole.json");
    assert_null(strstr(outcome.err, "goes on"));
    check_same_text("killed.json", "whole.json");
    assert_int_equal(count_files(".checkpoint"), 0);
    assert_int_equal(count_files(".part"), 0);
}

TEST(a_checkpoint_can_be_left_alone) {
    write_file("m.json.checkpoint", "{}", 2);
    check_refused(
        bench("train " SMALL " --model m.json"), 5,
        "m.json.checkpoint is no checkpoint of a training; --fresh starts from the beginning");
    train_small(" --fresh");
    assert_false(file_exists("m.json.checkpoint"));
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void write_image(const char *path, int side, int grey) {
    char text[32 + 64 * 64];
    const int head = snprintf(text, sizeof text, "P5 %d %d 255\n", side, side);
    memset(text + head, grey, (size_t)(side * side));
    write_file(path, text, (size_t)(head + side * side));
}

TEST(sets_without_labels_are_recognised_but_not_judged) {
    train_small("");
    assert_int_equal(mkdir("bare", 0777), 0);
    write_image("bare/a.pgm", 28, 0);
    write_image("bare/b.pgm", 28, 200);
    check_prints(bench("recognise m.json bare --csv p.csv"), 0,
                 "set: 2 images, bare\nno labels: taken for\n\ndigit 0: ");
    check_refused(bench("recognise m.json bare --matrix m.csv"), 2,
                  "--matrix needs labels, which "
                  "bare does not have");
    check_refused(bench("recognise m.json bare --plot charts"), 2, "--plot needs labels");
    check_refused(bench("train bare --model n.json"), 2, "bare has no labels");
    check_refused(bench("train bare --labels none --model n.json"), 5, "none");
    assert_int_equal(mkdir("small", 0777), 0);
    write_image("small/a.pgm", 20, 0);
    check_refused(bench("recognise m.json small"), 2,
                  "the images of small are 20×20, and the model is for images of 28×28");
}

TEST(bad_models_are_one_line) {
    check_refused(bench("recognise none.json --synthetic digits"), 5, "none.json");
    write_file("m.json", "{\"format\": \"bench", 17);
    check_refused(bench("recognise m.json --synthetic digits"), 5, "not valid JSON");
    write_file("m.json", "{}", 2);
    check_refused(bench("recognise m.json --synthetic digits"), 5, "holds no recogniser");
}

TEST(wrong_arguments_say_what_is_right) {
    check_refused(bench("train --model m.json"), 2, "train: name an image set");
    check_refused(bench("train a --synthetic digits --model m.json"), 2, "name one image set");
    check_refused(bench("train a b --model m.json"), 2, "unexpected argument 'b'");
    check_refused(bench("train --synthetic digits"), 2, "as in --model digits.json");
    check_refused(bench("train --synthetic digit --model m"), 2, "did you mean 'digits'");
    check_refused(bench("train none --model m.json"), 5, "none");
    check_refused(bench("train " SMALL " --model nowhere/m.json"), 5, "nowhere/m.json");
    check_refused(bench("train " SMALL " --model m.json --rounds 0"), 2, "rounds");
    check_refused(bench("train " SMALL " --model m.json --images 0"), 2, "--images: '0'");
    check_refused(bench("train " SMALL " --model m.json --labels x"), 2, "labels of their own");
    check_refused(bench("train " SMALL " --model m.json --variant quick"), 2, "no variant");
    check_refused(bench("train " SMALL " --model m.json --digits 0,11"), 2, "is labelled 11");
    check_refused(bench("train " SMALL " --model m.json --rouns 8"), 2, "did you mean '--rounds'?");
    check_refused(bench("recognise"), 2, "recognise: name a model");
    check_refused(bench("recognise m.json"), 2, "recognise: name an image set");
    check_refused(bench("recognise m.json a b"), 2, "unexpected argument 'b'");
    assert_int_equal(count_files(".json"), 0);
    assert_int_equal(count_files(".checkpoint"), 0);
}

TEST(help_explains_the_options) {
    Outcome asked = bench("train --help");
    Outcome helped = bench("help train");
    check_code(&asked, 0);
    assert_string_equal(asked.out, helped.out);
    check_contains(asked.out, "--pictures DIR");
    asked = bench("recognise --help");
    helped = bench("help recognise");
    check_code(&asked, 0);
    assert_string_equal(asked.out, helped.out);
    check_contains(asked.out, "--matrix FILE");
}

/* --- Real digits ------------------------------------------------------------------------------ */

/* A twelfth of MNIST and 60 rounds are enough for what all of it and 200 rounds must reach. */
TEST(real_digits_are_recognised) {
    static const char folder[] = SHARED_DATA "/mnist";
    double percent = 0;
    if (!file_exists(folder)) {
        skip_needing(NEEDS_SHARED_DATA, NULL);
    }
    bench_ok("train %s/train-images-idx3-ubyte.gz --images 5000 --rounds 60 "
             "--candidates 1000 --model m.json --quiet",
             folder);
    Outcome outcome = bench_ok("recognise m.json %s/t10k-images-idx3-ubyte.gz", folder);
    const char *line = strstr(outcome.out, "\naccuracy ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\naccuracy %lf%%", &percent), 1);
    assert_true(percent >= 93);
    print_message("accuracy %.2f%%\n", percent);
}
