/* Trainings as a whole: what they give, and that one stopped after every round gives the same. */
#include <signal.h>

#include "bench/scratch_folder.h"
#include "bench/train_fixture.h"
#include "harness.h"
#include "interrupt.h"
#include "recognise_internal.h"
#include "status_checks.h"
#include "test.h"

static const ImageSetRequest digits = {.synthetic = "digits", .images = 120, .seed = 1};

/* A small training to <folder>/<name>. */
static TrainRequest request_of(const char *name, char path[512], FILE *notes) {
    scratch_path(test_scratch(), name, path);
    return (TrainRequest){.digits = "3,8",
                          .rounds = "4",
                          .candidates = "40",
                          .threads = "2",
                          .model = path,
                          .quiet = true,
                          .notes = notes};
}

static Status run(const TrainRequest *request, const Workload *set) {
    RELEASED_BY(recogniser_release) Recogniser recogniser;
    const Status status = train(request, set, &recogniser);
    return status;
}

TEST(a_training_that_is_stopped_goes_on) {
    FILE *notes = tmpfile();
    char whole_path[512], pieces_path[512];
    Workload set;
    assert_non_null(notes);
    assert_ok(image_set_load(&digits, &set));
    const TrainRequest whole = request_of("whole.json", whole_path, notes);
    const TrainRequest pieces = request_of("pieces.json", pieces_path, notes);
    assert_ok(run(&whole, &set));
    assert_int_equal(scratch_count(test_folder), 1);
    int stops = 0;
    for (; stops < 20; stops++) {
        interrupt_watch();
        raise(SIGINT);
        const Status status = run(&pieces, &set);
        if (status.code == STATUS_OK) {
            break;
        }
        assert_int_equal(status.code, STATUS_INTERRUPTED);
        assert_says(status.why, "interrupted; ");
        assert_says(status.why, "pieces.json.checkpoint, and the same command continues");
    }
    assert_int_equal(stops, 8); /* once after each round of both */
    interrupt_watch();          /* forgets the last signal */
    char *want = test_read("whole.json");
    char *got = test_read("pieces.json");
    assert_true(strlen(want) > 1000);
    assert_string_equal(got, want);
    assert_int_equal(scratch_count(test_folder), 2); /* no checkpoint is left */
    workload_release(&set);
    fclose(notes);
}

/* Every variant of the CPU takes the same stumps. */
TEST(variants_agree) {
    char path[512];
    RELEASED_BY(workload_release) Workload set;
    Recogniser by_seq, by_best;
    TrainRequest request = request_of("model.json", path, stderr);
    assert_ok(image_set_load(&digits, &set));
    assert_ok(train(&request, &set, &by_best));
    request.variant = "seq";
    request.threads = NULL;
    assert_ok(train(&request, &set, &by_seq));
    assert_string_equal(by_seq.facts.variant, "seq");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(by_seq.classifiers[i].count, by_best.classifiers[i].count);
        for (size_t k = 0; k < by_seq.classifiers[i].count; k++) {
            check_stump(&by_seq.classifiers[i].stumps[k], &by_best.classifiers[i].stumps[k]);
        }
    }
    recogniser_release(&by_seq);
    recogniser_release(&by_best);
}

/* --- Trainings that end early ----------------------------------------------------------------- */

enum { HALVES = 8, SIDE = 28 };

/* Images with one half white: of image i the left one when `left` has bit i. */
static Workload halves(uint8_t *pixels, uint8_t *labels, unsigned left) {
    for (int i = 0; i < HALVES * SIDE * SIDE; i++) {
        const bool wanted = (left >> (i / (SIDE * SIDE)) & 1) != 0;
        pixels[i] = (i % SIDE < SIDE / 2) == wanted ? 255 : 0;
    }
    return (Workload){.kind = WORKLOAD_IMAGE_SET,
                      .input = "halves",
                      .image = {SIDE, HALVES * SIDE, SIDE, pixels},
                      .set = {HALVES, SIDE, SIDE, labels},
                      .seed = 1};
}

/* One feature tells them apart; with that both classifiers are done, and what is stored of them is
 * taken for done. */
TEST(a_perfect_stump_is_the_last) {
    char path[512], text[2048] = "";
    uint8_t pixels[HALVES * SIDE * SIDE], labels[HALVES] = {0, 1, 0, 1, 0, 1, 0, 1};
    const Workload set = halves(pixels, labels, 0xAA);
    Recogniser got;
    FILE *notes = fmemopen(text, sizeof text, "w");
    assert_non_null(notes);
    TrainRequest request = request_of("model.json", path, notes);
    request.digits = NULL;
    request.quiet = false;
    interrupt_watch();
    raise(SIGINT);
    assert_int_equal(train(&request, &set, &got).code, STATUS_INTERRUPTED);
    recogniser_release(&got);
    interrupt_watch();
    assert_ok(train(&request, &set, &got));
    fclose(notes);
    assert_int_equal(got.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const Classifier *classifier = &got.classifiers[i];
        assert_int_equal(classifier->count, 1);
        assert_int_equal(classifier->stumps[0].error, 0);
        assert_int_equal(classifier->stumps[0].misses + classifier->stumps[0].false_alarms, 0);
    }
    recogniser_release(&got);
    assert_ok(recogniser_read(path, RECOGNISER_FILE, &got));
    recogniser_release(&got);
    assert_says(text, "model.json.checkpoint: digit 0, 1 of 4 rounds\n");
    assert_says(text, "[0/8] digit 0, sorting its candidates");
    assert_says(text, "[2/2] digit 1, round 1 of 4, training error 0.00%");
}

TEST(images_that_do_not_differ_cannot_be_told_apart) {
    char path[512];
    uint8_t pixels[HALVES * SIDE * SIDE], labels[HALVES] = {0, 1, 0, 1, 0, 1, 0, 1};
    const Workload set = halves(pixels, labels, 0);
    TrainRequest request = request_of("model.json", path, stderr);
    request.digits = NULL;
    assert_status(run(&request, &set), STATUS_NO_MATCH,
                  "no feature separates digit 0 from the rest");
    assert_int_equal(scratch_count(test_folder), 0);
}

/* --- Requests --------------------------------------------------------------------------------- */

static void check_refused(const TrainRequest *request, const Workload *set, StatusCode code,
                          const char *fragment) {
    const Status status = run(request, set);
    assert_int_equal(status.code, code);
    assert_says(status.why, fragment);
}

TEST(requests_that_make_no_sense_are_refused) {
    char path[512];
    Workload set;
    assert_ok(image_set_load(&digits, &set));
    const TrainRequest good = request_of("model.json", path, stderr);
    TrainRequest request = good;
    request.digits = "3,10";
    check_refused(&request, &set, STATUS_USAGE, "none of the 120 images of digits is labelled 10");
    request.digits = "256";
    check_refused(&request, &set, STATUS_USAGE, "256");
    request = good;
    request.rounds = "4,5";
    check_refused(&request, &set, STATUS_USAGE, "--rounds: '4,5' are several values");
    request.rounds = "0";
    check_refused(&request, &set, STATUS_USAGE, "0");
    request = good;
    request.threshold = "many";
    check_refused(&request, &set, STATUS_USAGE, "many");
    request = good;
    request.variant = "seq";
    check_refused(&request, &set, STATUS_USAGE, "--threads: seq has no such axis");
    request.variant = "fast";
    check_refused(&request, &set, STATUS_USAGE, "'fast' is no variant of adaboost");
    Workload bare = set;
    bare.set.labels = NULL;
    check_refused(&good, &bare, STATUS_USAGE, "digits has no labels");
    uint8_t threes[120];
    memset(threes, 3, sizeof threes);
    bare.set.labels = threes;
    request = good;
    request.digits = NULL;
    check_refused(&request, &bare, STATUS_USAGE, "each of the 120 images of digits is labelled 3");
    workload_release(&set);
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(a_table_says_what_was_trained) {
    char text[1024] = "";
    Stump stumps[] = {{.misses = 9, .false_alarms = 9}, {.misses = 1, .false_alarms = 4}};
    Recogniser recogniser = {.facts = {.width = 28,
                                       .height = 20,
                                       .input = "some",
                                       .images = 200,
                                       .candidates = 30,
                                       .variant = "omp"},
                             .count = 1,
                             .classifiers = {{.digit = 6, .count = 2, .stumps = stumps}}};
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_ok(training_print(stream, &recogniser));
    fclose(stream);
    assert_string_equal(text, "adaboost, omp: 200 images of 28×20 pixels, some; 30 candidates\n\n"
                              "digit  stumps  training error  misses  false alarms\n"
                              "-----  ------  --------------  ------  ------------\n"
                              "    6       2           2.50%       1             4\n");
}
