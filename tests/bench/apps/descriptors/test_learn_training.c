/* Trainings of descriptors as a whole: the same when they were interrupted, better than chance, and
 * what verifying says. */
#include <signal.h>

#include "bench/scratch_folder.h"
#include "datasets.h"
#include "descriptor_weights.h"
#include "descriptors_internal.h"
#include "interrupt.h"
#include "status_checks.h"
#include "test.h"
#include "weights_files.h"

typedef Status Learner(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                       LearnCurve *curve);

typedef struct Fixture {
    ScratchFolder scratch;
    char checkpoint[512], curve[512];
    ImageFolder folder;
    LearnRequest request;
    FILE *notes;
} Fixture;

static void add_image(const ScratchFolder *scratch, const char *name, uint64_t seed) {
    char path[512];
    RELEASED_BY(image_free) Image image;
    scratch_path(scratch, name, path);
    assert_ok(synthetic_image("texture", 320, 240, seed, &image));
    assert_ok(image_write_png(path, &image));
}

static void make_fixture(void) {
    static Fixture fixture;
    fixture = (Fixture){.scratch = scratch_make(), .notes = fopen("/dev/null", "w")};
    add_image(&fixture.scratch, "a.png", 1);
    add_image(&fixture.scratch, "b.png", 2);
    assert_ok(image_folder_load(fixture.scratch.path, fixture.notes, &fixture.folder));
    assert_int_equal(fixture.folder.count, 2);
    scratch_path(&fixture.scratch, "w.checkpoint", fixture.checkpoint);
    scratch_path(&fixture.scratch, "loss.csv", fixture.curve);
    fixture.request = (LearnRequest){.folder = fixture.scratch.path,
                                     .out = "w.csv",
                                     .bits = 256,
                                     .seed = 1,
                                     .checkpoint = fixture.checkpoint,
                                     .quiet = true,
                                     .notes = fixture.notes,
                                     .steps = 120,
                                     .batch = 12,
                                     .candidates = 512};
    test_state = &fixture;
}

static void remove_fixture(void) {
    Fixture *fixture = test_state;
    image_folder_release(&fixture->folder);
    fclose(fixture->notes);
    scratch_remove_tree(fixture->scratch.path);
}

EACH_TEST(make_fixture, remove_fixture);

static Status learn_alone(Learner *learn, const LearnRequest *request, const ImageFolder *folder,
                          Weights *weights) {
    LearnCurve curve;
    const Status status = learn(request, folder, weights, &curve);
    if (status_is_ok(&status)) {
        learn_curve_release(&curve);
    }
    return status;
}

/* Stops after the first point of the curve, and again after the second. */
static void interrupt_and_go_on(Fixture *fixture, Learner *learn, Weights *weights) {
    for (int i = 0; i < 2; i++) {
        interrupt_watch();
        raise(SIGINT);
        assert_status(learn_alone(learn, &fixture->request, &fixture->folder, weights),
                      STATUS_INTERRUPTED, "interrupted");
        fixture->request.resume = true;
    }
    interrupt_watch();
    RELEASED_BY(learn_curve_release) LearnCurve curve;
    assert_ok(learn(&fixture->request, &fixture->folder, weights, &curve));
    assert_ok(learn_curve_write(fixture->curve, "loss", &curve));
}

static void check_goes_on(Fixture *fixture, Learner *learn) {
    Weights whole, resumed;
    const LearnRequest request = fixture->request;
    assert_ok(learn_alone(learn, &request, &fixture->folder, &whole));
    interrupt_and_go_on(fixture, learn, &resumed);
    assert_memory_equal(whole.values, resumed.values,
                        (size_t)whole.bits * (size_t)whole.columns * sizeof(float));
    assert_int_equal(whole.hash, resumed.hash);
    weights_free(&whole);
    weights_free(&resumed);
}

TEST(hashsift_goes_on_where_it_was_interrupted) {
    Fixture *fixture = test_state;
    setenv("BENCH_PLOT_DIR", fixture->scratch.path, 1);
    check_goes_on(fixture, learn_hashsift);
    char *curve = scratch_read(&fixture->scratch, "loss.csv");
    unsigned long long step;
    double first, last, share;
    assert_int_equal(sscanf(curve, "step,loss,share\n50,%lf,%lf\n", &first, &share), 2);
    const char *end = strstr(curve, "\n120,");
    assert_non_null(end);
    assert_int_equal(sscanf(end + 1, "%llu,%lf", &step, &last), 2);
    assert_true(last < first);
}

TEST(bad_goes_on_where_it_was_interrupted) {
    check_goes_on(test_state, learn_bad);
}

TEST(orb_goes_on_where_it_was_interrupted) {
    Fixture *fixture = test_state;
    fixture->request.bits = 32; /* few, for each is compared with all before it */
    check_goes_on(fixture, learn_orb);
}

TEST(a_checkpoint_of_another_training_is_refused) {
    Fixture *fixture = test_state;
    Weights weights;
    fixture->request.steps = 10;
    assert_ok(learn_alone(learn_hashsift, &fixture->request, &fixture->folder, &weights));
    weights_free(&weights);
    fixture->request.resume = true;
    fixture->request.seed = 2;
    assert_int_equal(
        learn_alone(learn_hashsift, &fixture->request, &fixture->folder, &weights).code,
        STATUS_USAGE);
}

/* Stopped after its first point; each option alone makes another training of it. */
static void check_options(Fixture *fixture, Learner *learn, bool candidates) {
    const LearnRequest same = fixture->request;
    Weights weights;
    interrupt_watch();
    raise(SIGINT);
    assert_int_equal(learn_alone(learn, &same, &fixture->folder, &weights).code,
                     STATUS_INTERRUPTED);
    interrupt_watch();
    for (int option = 0; option < (candidates ? 4 : 3); option++) {
        LearnRequest other = same;
        ImageFolder folder = fixture->folder;
        other.resume = true;
        other.seed += option == 0;
        other.bits *= option == 1 ? 2 : 1;
        folder.hash += option == 2;
        other.candidates *= option == 3 ? 2 : 1;
        assert_int_equal(learn_alone(learn, &other, &folder, &weights).code, STATUS_USAGE);
    }
}

TEST(a_checkpoint_of_other_options_is_refused) {
    check_options(test_state, learn_bad, true);
    check_options(test_state, learn_orb, false);
}

/* Each part that is left out gives other weights, and a checkpoint of its own. */
TEST(parts_can_be_left_out) {
    Fixture *fixture = test_state;
    uint64_t hashes[LEARN_PARTS + 1];
    fixture->request.steps = 10;
    for (int i = 0; i <= LEARN_PARTS; i++) {
        Weights weights;
        fixture->request.without = i < LEARN_PARTS ? 1U << i : 0;
        assert_ok(learn_alone(learn_hashsift, &fixture->request, &fixture->folder, &weights));
        hashes[i] = weights.hash;
        weights_free(&weights);
        for (int j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
    Weights weights;
    fixture->request.resume = true;
    fixture->request.without = 1U << PART_SWAP;
    assert_int_equal(
        learn_alone(learn_hashsift, &fixture->request, &fixture->folder, &weights).code,
        STATUS_USAGE);
}

TEST(images_without_keypoints_are_refused) {
    Fixture *fixture = test_state;
    Weights weights;
    const ImageFolder none = {.count = 1, .images = fixture->folder.images};
    Image *image = &fixture->folder.images[0];
    memset(image->pixels, 90, image->stride * (size_t)image->height);
    assert_int_equal(learn_alone(learn_hashsift, &fixture->request, &none, &weights).code,
                     STATUS_NO_MATCH);
    assert_int_equal(learn_alone(learn_bad, &fixture->request, &none, &weights).code,
                     STATUS_NO_MATCH);
}

TEST(a_folder_that_is_none_is_refused) {
    const Fixture *fixture = test_state;
    RELEASED_BY(image_folder_release) ImageFolder folder;
    char path[512];
    scratch_path(&fixture->scratch, "a.png", path);
    assert_int_equal(image_folder_load(path, fixture->notes, &folder).code, STATUS_FILE);
}

/* 10 same pairs: 95% of them are within distance 3, as is one of the four different ones. */
TEST(false_positives_are_counted_at_95_percent, NULL) {
    const uint64_t same[9] = {4, 3, 2, 1, 0, 0, 0, 0, 0};
    const uint64_t different[9] = {0, 0, 0, 1, 1, 0, 0, 0, 2};
    const uint64_t most[9] = {0, 19, 0, 0, 0, 0, 1, 0, 0};
    assert_float_equal(verification_false_positives(same, different, 8), 0.25, 1e-12);
    assert_float_equal(verification_false_positives(most, different, 8), 0, 1e-12);
}

TEST(verifying_names_all_that_was_verified) {
    Fixture *fixture = test_state;
    Verification verification;
    Weights weights;
    char text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_ok(weights_random(&bad_weights, 256, 9, &weights));
    assert_ok(verification_make(&fixture->folder, &verification));
    assert_ok(verification_print(stream, &verification, &weights, &weights));
    fclose(stream);
    assert_says(text, "verified on 2 images");
    assert_says(text, "\ntrained ");
    assert_int_equal(strstr(text, "\nrandom ") != strstr(text, "\nrandom  "), 0);
    verification_release(&verification);
    weights_free(&weights);
}
