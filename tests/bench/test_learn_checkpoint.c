/* Checkpoints of trainings of descriptors: taken over by the same training, refused by any other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/scratch_folder.h"
#include "descriptors_internal.h"

typedef struct Fixture {
    ScratchFolder folder;
    char path[512];
    LearnCurve curve;
    float data[3];
    LearnState state;
} Fixture;

static int make_fixture(void **state) {
    static Fixture fixture;
    fixture = (Fixture){.folder = scratch_make()};
    scratch_path(&fixture.folder, "w.checkpoint", fixture.path);
    assert_int_equal(learn_curve_create(4, &fixture.curve).code, STATUS_OK);
    fixture.state = (LearnState){
        .facts = 11, .curve = &fixture.curve, .data = fixture.data, .bytes = sizeof fixture.data};
    *state = &fixture;
    return 0;
}

static int remove_fixture(void **state) {
    Fixture *fixture = *state;
    learn_curve_release(&fixture->curve);
    scratch_remove_tree(fixture->folder.path);
    return 0;
}

/* 100 steps, one point, three numbers. */
static void write_one(Fixture *fixture) {
    learn_curve_add(&fixture->curve, (LearnCurvePoint){.step = 100, .loss = 0.5, .share = 0.25});
    memcpy(fixture->data, (float[]){1, 2, 3}, sizeof fixture->data);
    fixture->state.done = 100;
    assert_int_equal(learn_checkpoint_write(fixture->path, &fixture->state).code, STATUS_OK);
    fixture->curve.count = 0;
    fixture->state.done = 0;
    memset(fixture->data, 0, sizeof fixture->data);
}

static void check_refused(Fixture *fixture, StatusCode code, const char *fragment) {
    const Status status = learn_checkpoint_read(fixture->path, &fixture->state);
    assert_int_equal(status.code, code);
    if (strstr(status.why, fragment) == NULL) {
        fail_msg("%s: %s", fragment, status.why);
    }
    assert_int_equal(fixture->state.done, 0);
    assert_int_equal(fixture->curve.count, 0);
}

static void it_is_taken_over(void **state) {
    Fixture *fixture = *state;
    write_one(fixture);
    assert_int_equal(learn_checkpoint_read(fixture->path, &fixture->state).code, STATUS_OK);
    assert_int_equal(fixture->state.done, 100);
    assert_int_equal(fixture->curve.count, 1);
    assert_int_equal(fixture->curve.points[0].step, 100);
    assert_float_equal(fixture->curve.points[0].share, 0.25, 0);
    assert_memory_equal(fixture->data, ((float[]){1, 2, 3}), sizeof fixture->data);
}

static void another_training_refuses_it(void **state) {
    Fixture *fixture = *state;
    write_one(fixture);
    fixture->state.facts = 12;
    check_refused(fixture, STATUS_USAGE, "with other options or images");
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    Fixture *fixture = *state;
    check_refused(fixture, STATUS_FILE, "w.checkpoint");
    write_one(fixture);
    assert_int_equal(truncate(fixture->path, 70), 0);
    check_refused(fixture, STATUS_FILE, "is not whole: 70 bytes are there");
    scratch_write(&fixture->folder, "w.checkpoint", "something else");
    check_refused(fixture, STATUS_FILE, "is no checkpoint of a training");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_taken_over, make_fixture, remove_fixture),
        cmocka_unit_test_setup_teardown(another_training_refuses_it, make_fixture, remove_fixture),
        cmocka_unit_test_setup_teardown(a_file_that_is_cut_off_is_refused, make_fixture,
                                        remove_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
