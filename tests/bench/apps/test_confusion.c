/* Confusion matrices of samples worked out by hand, and how they are written down. */
#include "bench/classify_fixture.h"
#include "bench/scratch_folder.h"
#include "needs.h"
#include "status_checks.h"
#include "test.h"
#include "textures_internal.h"

typedef struct Fixture {
    SampleSet set;
    Models models;
    Evaluation evaluation;
} Fixture;

static void make_fixture(void) {
    static Fixture fixture;
    fixture.set = fixture_set();
    assert_ok(
        models_make(MODEL_FIRST, &fixture_tree, &fixture_scales, &fixture.set, &fixture.models));
    assert_ok(evaluation_make(MODEL_FIRST, &fixture_tree, &fixture.set, &fixture.models,
                              &fixture.evaluation));
    test_state = &fixture;
}

static void remove_fixture(void) {
    Fixture *fixture = test_state;
    evaluation_release(&fixture->evaluation);
    models_release(&fixture->models);
    sample_set_release(&fixture->set);
}

EACH_TEST(make_fixture, remove_fixture);

static uint64_t count_in(const Evaluation *evaluation, size_t matrix, size_t row, size_t column) {
    return confusion_matrix_count(&evaluation->matrices[matrix], row, column);
}

static void check_matrix(const Evaluation *evaluation, size_t matrix, uint64_t cat_cat,
                         uint64_t cat_dog, uint64_t dog_cat, uint64_t dog_dog) {
    assert_int_equal(count_in(evaluation, matrix, 0, 0), cat_cat);
    assert_int_equal(count_in(evaluation, matrix, 0, 1), cat_dog);
    assert_int_equal(count_in(evaluation, matrix, 1, 0), dog_cat);
    assert_int_equal(count_in(evaluation, matrix, 1, 1), dog_dog);
}

/* The models are cat 3:1 | 1:3 and dog 1:3 | 3:1. With both scales two cats and a dog are as likely
 * to be either, and go to the first class. */
TEST(each_scale_and_their_sum_decide) {
    const Fixture *fixture = test_state;
    const Evaluation *evaluation = &fixture->evaluation;
    assert_int_equal(evaluation->count, 3);
    assert_int_equal(evaluation->tested, 4);
    assert_string_equal(evaluation->scales[1], "8:1");
    assert_string_equal(evaluation->scales[2], "combined");
    check_matrix(evaluation, 0, 1, 1, 0, 2);
    check_matrix(evaluation, 1, 1, 1, 1, 1);
    check_matrix(evaluation, 2, 2, 0, 1, 1);
    assert_int_equal(confusion_matrix_row_total(&evaluation->matrices[0], 1), 2);
    assert_int_equal(confusion_matrix_row_correct(&evaluation->matrices[0], 0), 1);
}

static const Scales one_scale = {
    .count = 1, .list = {{.pr = "4:1", .bins = 2}}, .bins = 2, .interp = "bilinear"};

/* With its own counts in it, the model of the first class would be as likely as the other and win;
 * without them it never saw the sample's bin. One scale alone has no combination. */
TEST(nothing_is_tested_on_what_it_was_made_of, NULL) {
    static const uint64_t counts[][2] = {{4, 0}, {0, 4}, {2, 2}, {2, 2}};
    RELEASED_BY(sample_set_release) SampleSet set = sample_set_start(2, 2);
    for (size_t i = 0; i < 4; i++) {
        uint64_t *histogram;
        const Sample sample = {.class_index = i / 2, .cell = i};
        assert_ok(sample_set_add(&set, sample, &histogram));
        memcpy(histogram, counts[i], sizeof counts[i]);
    }
    RELEASED_BY(models_release) Models models;
    RELEASED_BY(evaluation_release) Evaluation evaluation;
    assert_ok(models_make(MODEL_ALL, &fixture_tree, &one_scale, &set, &models));
    assert_ok(evaluation_make(MODEL_ALL, &fixture_tree, &set, &models, &evaluation));
    assert_int_equal(evaluation.count, 1);
    check_matrix(&evaluation, 0, 0, 2, 2, 0);
}

/* Models of a file may be more classes, in another order. */
TEST(classes_are_matched_by_name) {
    const Fixture *fixture = test_state;
    static const char *const names[] = {"eel", "dog", "cat"};
    static const uint64_t counts[][FIXTURE_BINS] = {{2, 2, 2, 2}, {1, 3, 3, 1}, {3, 1, 1, 3}};
    RELEASED_BY(models_release) Models models;
    Evaluation evaluation;
    assert_ok(models_create(&fixture_scales, 3, &models));
    for (size_t i = 0; i < 3; i++) {
        models.names[i] = strdup(names[i]);
        memcpy(model_histograms(&models, i), counts[i], sizeof counts[i]);
    }
    assert_ok(evaluation_make(MODEL_STORED, &fixture_tree, &fixture->set, &models, &evaluation));
    assert_int_equal(evaluation.tested, 7);
    assert_int_equal(evaluation.matrices[0].columns, 3);
    assert_int_equal(count_in(&evaluation, 0, 0, 2), 2); /* cats taken for cats at 4:1 */
    assert_int_equal(count_in(&evaluation, 0, 0, 0), 1); /* 2 2: an eel */
    assert_int_equal(confusion_matrix_row_correct(&evaluation.matrices[0], 1), 3);
    evaluation_release(&evaluation);
    free(models.names[1]);
    models.names[1] = strdup("emu");
    assert_status_is(
        evaluation_make(MODEL_STORED, &fixture_tree, &fixture->set, &models, &evaluation),
        STATUS_NO_MATCH, "there is no model of: dog");
    evaluation_release(&evaluation);
}

TEST(one_class_alone_is_refused) {
    const Fixture *fixture = test_state;
    const ClassTree tree = {.count = 1, .classes = fixture_classes};
    RELEASED_BY(models_release) Models models;
    RELEASED_BY(evaluation_release) Evaluation evaluation;
    assert_ok(models_create(&fixture_scales, 1, &models));
    models.names[0] = strdup("cat");
    assert_status(evaluation_make(MODEL_STORED, &tree, &fixture->set, &models, &evaluation),
                  STATUS_NO_MATCH, "'cat' is the only class");
}

/* --- Reports ---------------------------------------------------------------------------------- */

TEST(the_csv_has_every_cell) {
    const Fixture *fixture = test_state;
    strcpy(fixture_dog, "d,g");
    assert_ok(evaluation_write_csv(test_path("confusion.csv"), &fixture->evaluation));
    strcpy(fixture_dog, "dog");
    char *text = test_read("confusion.csv");
    assert_string_equal(text, "scale,actual,predicted,count\n"
                              "4:1,cat,cat,1\n4:1,cat,dog,1\n4:1,\"d,g\",cat,0\n4:1,\"d,g\",dog,2\n"
                              "8:1,cat,cat,1\n8:1,cat,dog,1\n8:1,\"d,g\",cat,1\n8:1,\"d,g\",dog,1\n"
                              "combined,cat,cat,2\ncombined,cat,dog,0\n"
                              "combined,\"d,g\",cat,1\ncombined,\"d,g\",dog,1\n");
    assert_int_equal(scratch_count(test_folder), 1);
}

TEST(the_table_has_classes_and_scales) {
    const Fixture *fixture = test_state;
    char text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_ok(evaluation_print(stream, &fixture->evaluation));
    fclose(stream);
    assert_string_equal(text, "class         4:1         8:1    combined\n"
                              "-----  ----------  ----------  ----------\n"
                              "cat    1/2  50.0%  1/2  50.0%  2/2 100.0%\n"
                              "dog    2/2 100.0%  1/2  50.0%  1/2  50.0%\n"
                              "all    3/4  75.0%  2/4  50.0%  3/4  75.0%\n");
}

/* A name from a file may have control characters. */
TEST(names_are_fit_for_a_terminal) {
    const Fixture *fixture = test_state;
    char name[] = "a\033b\tccccccccccccccccccccccccccccccccccccé";
    char text[1024] = "";
    Evaluation evaluation = fixture->evaluation;
    const char *names[] = {name, "dog"};
    evaluation.matrices[0].row_names = names;
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_ok(evaluation_print(stream, &evaluation));
    fclose(stream);
    assert_says(text, "\na\\x1bb\\x09ccccccccccccccccccccccccccccccccccccé  1/2");
}

TEST(heat_maps_are_drawn) {
    const Fixture *fixture = test_state;
    strcpy(fixture_cat, "c\"t");
    const Status status = evaluation_draw(test_folder, &fixture->evaluation);
    strcpy(fixture_cat, "cat");
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
    assert_int_equal(scratch_count(test_folder), 6); /* SVG and PNG of each, and nothing else */
    char *svg = test_read("confusion-4-1.svg");
    assert_says(svg, "(P, R) = (4, 1): 75.0% of 4 right");
    assert_says(svg, "Predicted class");
    assert_says(svg, "c\"t");
    assert_says(svg, "dog");
    svg = test_read("confusion-combined.svg");
    assert_says(svg, "Scales combined: 75.0% of 4 right");
    char *png = test_read("confusion-8-1.png");
    assert_memory_equal(png, "\x89PNG", 4);
}

TEST(what_cannot_be_written_is_said) {
    const Fixture *fixture = test_state;
    assert_status(evaluation_draw("/nowhere/charts", &fixture->evaluation), STATUS_FILE,
                  "/nowhere/charts");
    Status status = evaluation_write_csv("/nowhere/c.csv", &fixture->evaluation);
    assert_int_equal(status.code, STATUS_FILE);
}
