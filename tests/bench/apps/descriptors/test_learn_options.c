/* The options of train-hashsift, train-bad and train-orb, and what is wrong with some. */
#include "apps.h"
#include "commands.h"
#include "descriptors_internal.h"
#include "test.h"

enum { WORDS_MAX = 32 };

static Status parse(const Command *command, const char *line, LearnOptions *options) {
    static char text[512];
    char *words[WORDS_MAX];
    int count = 0;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word != NULL && count < WORDS_MAX;
         word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return options_parse(command, count, words, options);
}

static void check_refused(const Command *command, const char *line, const char *fragment) {
    LearnOptions options;
    const Status status = parse(command, line, &options);
    assert_int_equal(status.code, STATUS_USAGE);
    if (strstr(status.why, fragment) == NULL) {
        fail_msg("%s: %s", line, status.why);
    }
}

TEST(all_is_taken) {
    LearnOptions options;
    assert_ok(parse(&command_train_hashsift,
                    "images --bits 256 --seed 7 --steps 20 --batch 64 --out w.csv "
                    "--checkpoint c --resume --curve l.csv --verify v --against a.csv",
                    &options));
    const LearnRequest *request = &options.request;
    assert_string_equal(request->folder, "images");
    assert_int_equal(request->bits, 256);
    assert_int_equal(request->seed, 7);
    assert_int_equal(request->steps, 20);
    assert_int_equal(request->batch, 64);
    assert_string_equal(request->out, "w.csv");
    assert_string_equal(request->checkpoint, "c");
    assert_true(request->resume);
    assert_string_equal(request->curve, "l.csv");
    assert_string_equal(options.verify, "v");
    assert_string_equal(options.against, "a.csv");
    assert_ok(parse(&command_train_bad, "images --candidates 1024 --out w.csv --quiet", &options));
    assert_int_equal(request->bits, 512);
    assert_int_equal(request->candidates, 1024);
    assert_true(request->quiet);
    assert_ok(parse(&command_train_orb, "images --out w.csv --verify v", &options));
    assert_int_equal(request->bits, 256);
    assert_ok(parse(&command_train_orb, "images --out w.csv --bits 512 --checkpoint c", &options));
    assert_int_equal(request->bits, 512);
    assert_string_equal(request->checkpoint, "c");
}

TEST(what_makes_no_sense_is_refused) {
    check_refused(&command_train_hashsift, "--out w.csv", "name the folder of images");
    check_refused(&command_train_hashsift, "a b --out w.csv", "unexpected argument 'b'");
    check_refused(&command_train_bad, "a", "train-bad: name the file that the weights go to");
    check_refused(&command_train_hashsift, "a --out w --bits 100", "--bits: '100'");
    check_refused(&command_train_hashsift, "a --out w --steps 0", "--steps");
    check_refused(&command_train_hashsift, "a --out w --batch 7", "--batch");
    check_refused(&command_train_hashsift, "a --out w --resume", "--resume: name the checkpoint");
    check_refused(&command_train_hashsift, "a --out w --against b", "--against: name the images");
    check_refused(&command_train_hashsift, "a --out w --candidates 512", "candidates");
    check_refused(&command_train_bad, "a --out w --candidates 600", "'600' is no multiple of 512");
    check_refused(&command_train_bad, "a --out w --steps 10", "steps");
    check_refused(&command_train_orb, "a --out w --resume", "--resume: name the checkpoint");
    check_refused(&command_train_orb, "a --out w --curve c", "curve");
    check_refused(&command_train_orb, "a", "train-orb: name the file that the weights go to");
}
