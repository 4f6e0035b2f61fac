/* Recognisers as files: what is written is read back, and what is wrong with a file is said. */
#include "bench/scratch_folder.h"
#include "bench/train_fixture.h"
#include "recognise_internal.h"
#include "status_checks.h"
#include "test.h"

static void check_facts(const TrainingFacts *got, const TrainingFacts *want) {
    assert_int_equal(got->width, want->width);
    assert_int_equal(got->height, want->height);
    assert_string_equal(got->input, want->input);
    assert_true(got->hash == want->hash);
    assert_int_equal(got->images, want->images);
    assert_true(got->seed == want->seed);
    assert_int_equal(got->rounds, want->rounds);
    assert_int_equal(got->candidates, want->candidates);
    assert_int_equal(got->min_side, want->min_side);
    assert_int_equal(got->threshold, want->threshold);
    assert_string_equal(got->variant, want->variant);
    assert_int_equal(got->digit_count, want->digit_count);
    assert_memory_equal(got->digits, want->digits, want->digit_count);
}

TEST(what_is_written_is_read_back) {
    Recogniser want = fixture_recogniser(), got;
    const double alpha = fixture_sevens[0].alpha;
    fixture_sevens[0].alpha = stump_alpha(1); /* 17 digits */
    const char *path = test_path("model.json");
    assert_ok(recogniser_write(path, RECOGNISER_FILE, &want));
    assert_ok(recogniser_read(path, RECOGNISER_FILE, &got));
    check_facts(&got.facts, &want.facts);
    assert_int_equal(got.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(got.classifiers[i].digit, want.classifiers[i].digit);
        assert_int_equal(got.classifiers[i].count, want.classifiers[i].count);
        for (size_t k = 0; k < got.classifiers[i].count; k++) {
            check_stump(&got.classifiers[i].stumps[k], &want.classifiers[i].stumps[k]);
        }
    }
    fixture_sevens[0].alpha = alpha;
    /* And the same bytes again. */
    char *text = test_read("model.json");
    assert_ok(recogniser_write(path, RECOGNISER_FILE, &got));
    char *again = test_read("model.json");
    assert_string_equal(text, again);
    recogniser_release(&got);
    assert_int_equal(scratch_count(test_folder), 1);
    assert_int_equal(recogniser_write("/nowhere/m.json", RECOGNISER_FILE, &want).code, STATUS_FILE);
}

/* A checkpoint is no model, and a model no checkpoint; it may lack classifiers. */
TEST(checkpoints_are_files_of_their_own) {
    Recogniser half = fixture_recogniser(), got;
    half.count = 1;
    const char *path = test_path("half");
    assert_ok(recogniser_write(path, CHECKPOINT_FILE, &half));
    assert_int_equal(recogniser_read(path, RECOGNISER_FILE, &got).code, STATUS_FILE);
    assert_ok(recogniser_read(path, CHECKPOINT_FILE, &got));
    assert_int_equal(got.count, 1);
    assert_int_equal(got.facts.digit_count, 2);
    recogniser_release(&got);
    assert_ok(recogniser_write(path, RECOGNISER_FILE, &half));
    assert_int_equal(recogniser_read(path, CHECKPOINT_FILE, &got).code, STATUS_FILE);
    assert_status(recogniser_read(path, RECOGNISER_FILE, &got), STATUS_FILE,
                  "has not one classifier for each of its digits");
}

/* --- Wrong files ------------------------------------------------------------------------------ */

/* `text` with the first `from` replaced. */
static char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("there is no %s", from);
    }
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(changed);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

static const struct {
    const char *from, *to, *why;
} changes[] = {
    {"adaboost recogniser", "lbp_riu models", "holds no recogniser"},
    {"\"version\": 1", "\"version\": 2", "is not of version 1"},
    {"\"width\": 4", "\"width\": 0", "no \"width\" that is a whole number from 1 to 255"},
    {"\"height\": 2", "\"height\": 256", "no \"height\""},
    {"\"height\": 2", "\"height\": 1", "stump 1 of digit 7 has no \"h\""},
    {"four", "f\\u00e4", NULL},
    {"\"four \\\"images\\\"\"", "\"\"", "has no \"input\" of 1 to 127 characters"},
    {"fedcba9876543210", "fedcba987654321", "\"hash\" that is not 16 hexadecimal digits"},
    {"fedcba9876543210", "Fedcba987654321g", "\"hash\" that is not 16 hexadecimal digits"},
    {"\"18446744073709551615\"", "\"18446744073709551616\"", "\"seed\" that is no whole number"},
    {"\"18446744073709551615\"", "\"-1\"", "\"seed\" that is no whole number"},
    {"\"18446744073709551615\"", "1", "has no \"seed\""},
    {"\"images\": 4", "\"images\": 0", "no \"images\""},
    {"\"images\": 4", "\"images\": 1", "stump 1 of digit 7 has no \"false_alarms\""},
    {"\"rounds\": 2", "\"rounds\": 1", "digit 7 has not 1 to 1 stumps, as many as rounds"},
    {"\"rounds\": 2", "\"rounds\": 1e9", "no \"rounds\""},
    {"\"candidates\": 9", "\"candidates\": 8", "stump 2 of digit 7 has no \"candidate\""},
    {"\"min_side\": 2", "\"min_side\": 2.5", "no \"min_side\""},
    {"\"threshold\": 5", "\"threshold\": -1", "no \"threshold\""},
    {"\"variant\": \"seq\"", "\"variant\": null", "no \"variant\""},
    {"[7, 2]", "[7, 7]", "not different numbers from 0 to 255"},
    {"[7, 2]", "[7, 256]", "not different numbers from 0 to 255"},
    {"[7, 2]", "[7, 1.5]", "not different numbers from 0 to 255"},
    {"[7, 2]", "[]", "has no list of \"digits\""},
    {"[7, 2]", "[7]", "has not one classifier for each of its digits"},
    {"[7, 2]", "[7, 2, 3]", "has not one classifier for each of its digits"},
    {"[7, 2]", "[2, 7]", "classifier 1 is not that of digit 2"},
    {"two_columns", "two", "stump 1 of digit 7 has a \"type\" that no feature has"},
    {"\"x\": 0", "\"x\": 1", "stump 1 of digit 7 has a feature that is not inside the image"},
    {"\"x\": 0", "\"x\": -1", "no \"x\""},
    {"\"w\": 4", "\"w\": 0", "no \"w\""},
    {"\"threshold\": 10", "\"threshold\": 99999999", "no \"threshold\""},
    {"\"polarity\": 1", "\"polarity\": 2", "no \"polarity\""},
    {"\"alpha\": 1", "\"alpha\": 1e999", "stump 1 of digit 7 has no \"alpha\" above 0"},
    {"\"alpha\": 1", "\"alpha\": 0", "no \"alpha\" above 0"},
    {"\"alpha\": 0.75", "\"alpha\": -0.75", "stump 1 of digit 2 has no \"alpha\" above 0"},
    {"\"error\": 0.001953125", "\"error\": 0.5", "stump 2 of digit 7 has no \"error\" from 0"},
    {"\"error\": 0.001953125", "\"error\": 0.001", "in whole units of 2^-40"},
    {"\"misses\": 1", "\"misses\": 0.5", "no \"misses\""},
    {"\"digit\": 2", "\"digit\": \"2\"", "classifier 2 is not that of digit 2"},
    {"]}\n", "", "is not valid JSON"},
};

TEST(what_is_wrong_with_a_file_is_said) {
    const Recogniser want = fixture_recogniser();
    Recogniser got;
    const char *path = test_path("model.json");
    assert_ok(recogniser_write(path, RECOGNISER_FILE, &want));
    char *text = test_read("model.json");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *changed = replaced(text, changes[i].from, changes[i].to);
        test_write("model.json", changed);
        free(changed);
        const Status status = recogniser_read(path, RECOGNISER_FILE, &got);
        if (changes[i].why == NULL) {
            assert_ok(status);
            recogniser_release(&got);
            continue;
        }
        assert_int_equal(status.code, STATUS_FILE);
        assert_int_equal(got.count, 0);
        if (strstr(status.why, changes[i].why) == NULL || strstr(status.why, path) == NULL) {
            fail_msg("%s -> %s: %s", changes[i].from, changes[i].to, status.why);
        }
    }
    assert_int_equal(recogniser_read("/nowhere/m.json", RECOGNISER_FILE, &got).code, STATUS_FILE);
}

/* ½ ln((1 − e) / e): ½ ln 3 at a quarter; half a unit stands for no error. */
TEST(alpha_is_half_the_logarithm_of_the_odds) {
    const double quarter = stump_alpha(UINT64_C(1) << 38) - 0.549306144334054846;
    const double none = stump_alpha(0) - 14.2095172014786515;
    assert_true(quarter < 1e-15 && quarter > -1e-15);
    assert_true(none < 1e-12 && none > -1e-12);
}
