/* Checkpoints of trainings of descriptors: taken over by the same training, refused by any other.
 */
#include "bench/scratch_folder.h"
#include "descriptors_internal.h"
#include "test.h"

typedef struct Fixture {
    char path[512];
    LearnCurve curve;
    float data[3];
    LearnState state;
} Fixture;

static void make_fixture(void) {
    static Fixture fixture;
    fixture = (Fixture){.path = ""};
    scratch_path(test_scratch(), "w.checkpoint", fixture.path);
    assert_ok(learn_curve_create(4, &fixture.curve));
    fixture.state = (LearnState){.training = "train-bad",
                                 .facts = 11,
                                 .curve = &fixture.curve,
                                 .data = fixture.data,
                                 .bytes = sizeof fixture.data};
    test_state = &fixture;
}

static void remove_fixture(void) {
    Fixture *fixture = test_state;
    learn_curve_release(&fixture->curve);
}

EACH_TEST(make_fixture, remove_fixture);

/* 100 steps, one point, three numbers. */
static void write_one(Fixture *fixture) {
    learn_curve_add(&fixture->curve, (LearnCurvePoint){.step = 100, .loss = 0.5, .share = 0.25});
    memcpy(fixture->data, (float[]){1, 2, 3}, sizeof fixture->data);
    fixture->state.done = 100;
    assert_ok(learn_checkpoint_write(fixture->path, &fixture->state));
    fixture->curve.count = 0;
    fixture->state.done = 0;
    memset(fixture->data, 0, sizeof fixture->data);
}

static void check_refused(Fixture *fixture, StatusCode code, const char *fragment) {
    const Status status = learn_checkpoint_read(fixture->path, &fixture->state);
    assert_int_equal(status.code, code);
    assert_says(status.why, fragment);
    assert_int_equal(fixture->state.done, 0);
    assert_int_equal(fixture->curve.count, 0);
}

TEST(it_is_taken_over) {
    Fixture *fixture = test_state;
    write_one(fixture);
    assert_ok(learn_checkpoint_read(fixture->path, &fixture->state));
    assert_int_equal(fixture->state.done, 100);
    assert_int_equal(fixture->curve.count, 1);
    assert_int_equal(fixture->curve.points[0].step, 100);
    assert_float_equal(fixture->curve.points[0].share, 0.25, 0);
    assert_memory_equal(fixture->data, ((float[]){1, 2, 3}), sizeof fixture->data);
}

TEST(another_training_refuses_it) {
    Fixture *fixture = test_state;
    write_one(fixture);
    fixture->state.facts = 12;
    check_refused(fixture, STATUS_USAGE, "with other options or images");
}

/* The bytes of the file, as many as `*size`; the caller frees them. */
static char *bytes_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(4096);
    *size = fread(bytes, 1, 4096, file);
    fclose(file);
    return bytes;
}

static void store(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* With any of them another training would go on. */
TEST(every_flipped_bit_and_every_cut_is_refused) {
    Fixture *fixture = test_state;
    size_t size = 0;
    write_one(fixture);
    char *bytes = bytes_of(fixture->path, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        store(fixture->path, bytes, size);
        check_refused(fixture, STATUS_FILE, "w.checkpoint is ");
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++) {
        store(fixture->path, bytes, cut);
        check_refused(fixture, STATUS_FILE, "w.checkpoint is ");
    }
    free(bytes);
}

TEST(what_is_no_checkpoint_of_it_is_named) {
    Fixture *fixture = test_state;
    check_refused(fixture, STATUS_FILE, "w.checkpoint");
    test_write("w.checkpoint", "something else");
    check_refused(fixture, STATUS_FILE, "is no checkpoint of a training");
    test_write("w.checkpoint", "bench learning1 and more");
    check_refused(fixture, STATUS_FILE, "is a checkpoint of an earlier version");
    test_write("w.checkpoint", "bench checkpoint 2 train-bad 0000000000000000 0123456789abcdef\n");
    check_refused(fixture, STATUS_FILE, "is a checkpoint of version 2, not 1; leave --resume out");
    write_one(fixture);
    fixture->state.training = "train-hashsift";
    check_refused(fixture, STATUS_FILE,
                  "is a checkpoint of bench train-bad, not of bench train-hashsift");
}
