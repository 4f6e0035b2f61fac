/* Scores, decisions and matrices of a recogniser by hand, and how they are written down. */
#include "bench/scratch_folder.h"
#include "bench/train_fixture.h"
#include "needs.h"
#include "recognise_internal.h"
#include "status_checks.h"
#include "test.h"

TEST(scores_are_sums_of_weights) {
    static const double want[][2] = {{0.5, -0.75}, {-1.5, 0.75}, {0.5, -0.75}, {-0.5, 0.75}};
    static const size_t predicted[] = {0, 1, 0, 1};
    const Recogniser recogniser = fixture_recogniser();
    const Workload set = fixture_images();
    Recognition got;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    for (size_t i = 0; i < 4; i++) {
        assert_true(got.scores[2 * i] == want[i][0] && got.scores[2 * i + 1] == want[i][1]);
        assert_int_equal(got.predicted[i], predicted[i]);
    }
    recognition_release(&got);
    /* The second stump of digit 7 is left out. */
    assert_ok(recognise(&recogniser, &set, 1, &got));
    assert_true(got.scores[0] == 1 && got.scores[2] == -1 && got.scores[6] == -1);
    assert_true(got.scores[1] == -0.75);
    recognition_release(&got);
}

TEST(equal_scores_go_to_the_lower_digit) {
    const Recogniser recogniser = fixture_recogniser(); /* digits 7, 2 */
    assert_int_equal(recogniser_decide(&recogniser, (double[]){1, 1}), 1);
    assert_int_equal(recogniser_decide(&recogniser, (double[]){1.5, 1}), 0);
    assert_int_equal(recogniser_decide(&recogniser, (double[]){-2, -3}), 0);
}

TEST(labels_are_held_against_what_was_recognised) {
    const Recogniser recogniser = fixture_recogniser();
    const Workload set = fixture_images();
    RELEASED_BY(recognition_release) Recognition got;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    assert_int_equal(got.confusion.rows, 2); /* 2 and 7; 5 is no digit of the model */
    assert_string_equal(got.confusion.row_names[1], "7");
    assert_int_equal(confusion_matrix_count(&got.confusion, 0, 0), 1); /* image 2, for a 7 */
    assert_int_equal(confusion_matrix_count(&got.confusion, 0, 1), 1);
    assert_int_equal(confusion_matrix_count(&got.confusion, 1, 0), 1);
    assert_int_equal(confusion_matrix_total(&got.confusion), 3);
    assert_int_equal(confusion_matrix_correct(&got.confusion), 2);
    assert_int_equal(confusion_matrix_row_correct(&got.confusion, 1), 1);
    assert_int_equal(got.unknown, 1);
    const OneAgainstRest seven = got.each[0], two = got.each[1];
    assert_int_equal(seven.digits, 1);
    assert_int_equal(seven.others, 2);
    assert_int_equal(seven.misses, 0);
    assert_int_equal(seven.false_alarms, 1);
    assert_int_equal(two.digits, 2);
    assert_int_equal(two.misses, 1);
    assert_int_equal(two.false_alarms, 0);
}

TEST(a_score_of_nothing_says_yes) {
    Stump stumps[] = {fixture_sevens[0], fixture_sevens[1]};
    Recogniser recogniser = fixture_recogniser();
    const Workload set = fixture_images();
    RELEASED_BY(recognition_release) Recognition got;
    stumps[1].alpha = 1; /* +1 −1 for images 0 and 2, −1 +1 for image 3 */
    recogniser.classifiers[0].stumps = stumps;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    assert_int_equal(got.each[0].misses, 0);
    assert_int_equal(got.each[0].false_alarms, 1);
}

TEST(images_of_other_sides_are_refused) {
    const Recogniser recogniser = fixture_recogniser();
    Workload set = fixture_images();
    RELEASED_BY(recognition_release) Recognition got;
    set.set.count = 2;
    set.set.height = 4;
    assert_status_is(recognise(&recogniser, &set, 0, &got), STATUS_USAGE,
                     "the images of hand are 4×4, and the model is for images "
                     "of 4×2");
}

/* --- Reports ---------------------------------------------------------------------------------- */

typedef Status (*Writer)(const char *path, const Recognition *recognition);

static void check_file(Writer write, const Recognition *recognition, const char *want) {
    const ScratchFolder folder = scratch_make();
    char path[512];
    scratch_path(&folder, "out.csv", path);
    assert_ok(write(path, recognition));
    char *text = scratch_read(&folder, "out.csv");
    assert_string_equal(text, want);
    assert_int_equal(scratch_count(folder.path), 1);
    scratch_remove_tree(folder.path);
    assert_int_equal(write("/nowhere/out.csv", recognition).code, STATUS_FILE);
}

TEST(files_have_every_image_and_cell) {
    const Recogniser recogniser = fixture_recogniser();
    Workload set = fixture_images();
    Recognition got;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    check_file(recognition_write_csv, &got,
               "image,predicted,label,score_7,score_2\n0,7,7,0.5,-0.75\n1,2,2,-1.5,0.75\n"
               "2,7,2,0.5,-0.75\n3,2,5,-0.5,0.75\n");
    check_file(recognition_write_matrix, &got,
               "actual,predicted,count\n2,7,1\n2,2,1\n7,7,1\n7,2,0\n");
    recognition_release(&got);
    set.set.labels = NULL;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    check_file(recognition_write_csv, &got,
               "image,predicted,label,score_7,score_2\n0,7,,0.5,-0.75\n1,2,,-1.5,0.75\n"
               "2,7,,0.5,-0.75\n3,2,,-0.5,0.75\n");
    recognition_release(&got);
}

static void check_print(const Recognition *recognition, const char *want) {
    char text[2048] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_ok(recognition_print(stream, recognition));
    fclose(stream);
    assert_string_equal(text, want);
}

TEST(the_table_says_how_often_it_was_right) {
    const Recogniser recogniser = fixture_recogniser();
    Workload set = fixture_images();
    Recognition got;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    check_print(&got, "model: 2 digits, up to 2 stumps, trained on 4 images, four \"images\"\n"
                      "set: 4 images, hand\n"
                      "left out: 1 of 4 images, whose digits (5) the model does not know; it "
                      "knows 2, 7\n"
                      "accuracy 66.67% (2 of 3 right; 95% interval 20.77 … 93.85%)\n\n"
                      "Each digit against the rest\n"
                      "digit  stumps  images  misses  false alarms   error\n"
                      "-----  ------  ------  ------  ------------  ------\n"
                      "    7       2       1       0             1  33.33%\n"
                      "    2       1       2       1             0  33.33%\n\n"
                      "Taken for\n"
                      "label  7  2    right\n"
                      "-----  -  -  -------\n"
                      "    2  1  1   50.00%\n"
                      "    7  1  0  100.00%\n");
    recognition_release(&got);
    set.set.labels = NULL;
    assert_ok(recognise(&recogniser, &set, 1, &got));
    check_print(&got, "model: 2 digits, the first 1 stumps, trained on 4 images, four \"images\"\n"
                      "set: 4 images, hand\nno labels: taken for\n\ndigit 7: 2\ndigit 2: 2\n");
    recognition_release(&got);
}

TEST(a_set_of_unknown_digits_has_no_accuracy) {
    const Recogniser recogniser = fixture_recogniser();
    Workload set = fixture_images();
    uint8_t labels[] = {5, 5, 0, 0};
    RELEASED_BY(recognition_release) Recognition got;
    set.set.labels = labels;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    check_print(&got, "model: 2 digits, up to 2 stumps, trained on 4 images, four \"images\"\n"
                      "set: 4 images, hand\n"
                      "left out: 4 of 4 images, whose digits (0, 5) the model does not know; it "
                      "knows 2, 7\n");
    assert_int_equal(recognition_draw(".", &got).code, STATUS_NO_MATCH);
}

TEST(a_heat_map_is_drawn) {
    const Recogniser recogniser = fixture_recogniser();
    const Workload set = fixture_images();
    Recognition got;
    assert_ok(recognise(&recogniser, &set, 0, &got));
    const Status status = recognition_draw(test_folder, &got);
    recognition_release(&got);
    if (status.code == STATUS_SKIP) {
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
    assert_int_equal(scratch_count(test_folder), 2);
    assert_says(test_read("confusion-digits.svg"), "66.7% of 3 right");
}
