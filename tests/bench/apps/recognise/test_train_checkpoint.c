/* Checkpoints: taken over by the same training, refused by any other. */
#include "bench/scratch_folder.h"
#include "bench/train_fixture.h"
#include "recognise_internal.h"
#include "test.h"

static void make_checkpoint(void) {
    static Checkpoint checkpoint;
    char model[512];
    scratch_path(test_scratch(), "m.json", model);
    assert_ok(checkpoint_name(model, &checkpoint));
    test_state = &checkpoint;
}

EACH_TEST(make_checkpoint);

/* Digit 7 with one of its two rounds. */
static void write_half(Checkpoint *checkpoint) {
    Recogniser half = fixture_recogniser();
    half.count = 1;
    half.classifiers[0].count = 1;
    assert_ok(checkpoint_write(checkpoint, &half));
}

static Recogniser beginning(void) {
    Recogniser recogniser = fixture_recogniser();
    recogniser.count = 0;
    return recogniser;
}

TEST(it_is_taken_over) {
    Checkpoint *checkpoint = test_state;
    Recogniser recogniser = beginning();
    assert_ok(checkpoint_resume(checkpoint, &recogniser));
    assert_int_equal(recogniser.count, 0);
    write_half(checkpoint);
    assert_string_equal(checkpoint->path + strlen(test_folder), "/m.json.checkpoint");
    assert_ok(checkpoint_resume(checkpoint, &recogniser));
    assert_int_equal(recogniser.count, 1);
    assert_int_equal(recogniser.classifiers[0].digit, 7);
    assert_int_equal(recogniser.classifiers[0].count, 1);
    assert_int_equal(recogniser.classifiers[0].stumps[0].candidate, 3);
    recogniser_release(&recogniser);
    checkpoint_remove(checkpoint);
    assert_int_equal(scratch_count(test_folder), 0);
}

/* The name of the input does not count: the same images may lie elsewhere. */
TEST(that_of_another_training_is_refused) {
    Checkpoint *checkpoint = test_state;
    Recogniser others[9];
    static const char *const whys[9] = {"on other images or labels (four \"images\", 4 of 4×2)",
                                        "on other images or labels",
                                        "with --rounds 2, not 3;",
                                        "with --candidates 9, not 10;",
                                        "with --min-side 2, not 1;",
                                        "with --threshold 5, not 6;",
                                        "with --seed 18446744073709551615, not 1;",
                                        "with --variant seq, not omp;",
                                        "of other --digits;"};
    for (size_t i = 0; i < 9; i++) {
        others[i] = beginning();
    }
    others[0].facts.hash++;
    others[1].facts.images = 3;
    others[2].facts.rounds = 3;
    others[3].facts.candidates = 10;
    others[4].facts.min_side = 1;
    others[5].facts.threshold = 6;
    others[6].facts.seed = 1;
    strcpy(others[7].facts.variant, "omp");
    others[8].facts.digits[1] = 3;
    write_half(checkpoint);
    for (size_t i = 0; i < 9; i++) {
        const Status status = checkpoint_resume(checkpoint, &others[i]);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_int_equal(others[i].count, 0);
        assert_says(status.why, "--fresh");
        assert_says(status.why, whys[i]);
    }
    RELEASED_BY(recogniser_release) Recogniser elsewhere = beginning();
    strcpy(elsewhere.facts.input, "elsewhere");
    assert_ok(checkpoint_resume(checkpoint, &elsewhere));
}

static void check_told(const Checkpoint *checkpoint, const char *why) {
    Recogniser recogniser = beginning();
    const Status status = checkpoint_resume(checkpoint, &recogniser);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(recogniser.count, 0);
    assert_says(status.why, "m.json.checkpoint");
    assert_says(status.why, why);
}

TEST(a_broken_one_is_told) {
    Checkpoint *checkpoint = test_state;
    test_write("m.json.checkpoint", "bench checkpoint 1 train 00");
    check_told(checkpoint, "is damaged or cut off; --fresh starts from the beginning");
    test_write("m.json.checkpoint", "{\"format\": \"bench adaboost training\", \"version\": 1}");
    check_told(checkpoint, "is a checkpoint of an earlier version, which nothing shows to be "
                           "undamaged; --fresh starts from the beginning");
}

/* Most would still be JSON, of another classifier. */
TEST(every_flipped_bit_is_told) {
    Checkpoint *checkpoint = test_state;
    write_half(checkpoint);
    char *text = test_read("m.json.checkpoint");
    const size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        FILE *file = fopen(checkpoint->path, "wb");
        assert_non_null(file);
        text[i] ^= (char)(1 << i % 7);
        assert_int_equal(fwrite(text, 1, size, file), size);
        text[i] ^= (char)(1 << i % 7);
        assert_int_equal(fclose(file), 0);
        check_told(checkpoint, "m.json.checkpoint is ");
    }
}
