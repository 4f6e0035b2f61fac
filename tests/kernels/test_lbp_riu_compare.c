/* lbp_riu_compare: how many bins a filtered answer may have that are others than the exact ones. */
#include "lbp_riu.h"
#include "lbp_riu_compare.h"
#include "test.h"

/* 100 × 100 pixels: 2 % are 200 and the deviation of their number is √(0.02 · 0.98 · 10000) = 14,
 * so the limit is 256; at the limit itself rounding decides. */
enum { WIDTH = 100, HEIGHT = 100, PIXELS = WIDTH * HEIGHT, BELOW_LIMIT = 255 };

typedef struct Answers {
    Point point;
    Output got, want;
    Verdict verdict;
} Answers;

static Point point_of(const char *interp, const char *store) {
    Point point = {.count = 3, .axes = {0}};
    const char *const words[] = {"8:1", interp, store};
    for (size_t i = 0; i < point.count; i++) {
        AxisValues values;
        point.axes[i] = lbp_riu_algorithm.answer[i];
        assert_ok(axis_parse(point.axes[i], words[i], NULL, &values));
        point.values[i] = values.values[0];
    }
    return point;
}

static Output answer_of(const Point *point) {
    const Workload workload = {.image = {.width = WIDTH, .height = HEIGHT, .stride = WIDTH}};
    Output output = {.data = NULL};
    assert_ok(lbp_riu_algorithm.output_layout(&workload, point, &output.layout));
    output.data = aligned_alloc(OUTPUT_ALIGNMENT, output.layout.bytes);
    assert_non_null(output.data);
    memset(output.data, 0, output.layout.bytes);
    return output;
}

/* Two equal answers: 1000 pixels in each of the ten bins of 8 points. */
static Answers make_answers(const char *interp, const char *store) {
    Answers answers = {.point = point_of(interp, store)};
    Output *const outputs[] = {&answers.got, &answers.want};
    for (size_t i = 0; i < 2; i++) {
        *outputs[i] = answer_of(&answers.point);
        for (size_t bin = 0; bin < 10; bin++) {
            lbp_riu_histogram(outputs[i])[bin] = 1000;
        }
        for (size_t pixel = 0; lbp_riu_bins(outputs[i]) != NULL && pixel < PIXELS; pixel++) {
            lbp_riu_bins(outputs[i])[pixel] = (uint8_t)(pixel % 10);
        }
    }
    return answers;
}

static void release(Answers *answers) {
    free(answers->got.data);
    free(answers->want.data);
}

static void compare(Answers *answers) {
    lbp_riu_compare_filtered(&answers->point, &answers->got, &answers->want, &answers->verdict);
}

/* The pixel goes to another bin, and is counted there. */
static void change_pixel(Answers *answers, size_t pixel) {
    uint8_t *bin = &lbp_riu_bins(&answers->got)[pixel];
    --lbp_riu_histogram(&answers->got)[*bin];
    *bin = (uint8_t)((*bin + 3) % 10);
    lbp_riu_histogram(&answers->got)[*bin]++;
}

static void move_counts(Answers *answers, uint64_t count) {
    lbp_riu_histogram(&answers->got)[2] -= count;
    lbp_riu_histogram(&answers->got)[5] += count;
}

TEST(equal_answers_agree_wholly) {
    const char *const words[][2] = {
        {"nearest", "bins"}, {"nearest", "none"}, {"bilinear", "bins"}, {"bilinear", "none"}};
    for (size_t i = 0; i < 4; i++) {
        RELEASED_BY(release) Answers answers = make_answers(words[i][0], words[i][1]);
        compare(&answers);
        assert_true(answers.verdict.accepted);
        assert_true(answers.verdict.agreement == 1);
        assert_string_equal(answers.verdict.why, "");
    }
}

TEST(some_pixels_may_differ) {
    RELEASED_BY(release) Answers answers = make_answers("bilinear", "bins");
    for (size_t i = 0; i < BELOW_LIMIT; i++) {
        change_pixel(&answers, 1203 + i);
    }
    compare(&answers);
    assert_true(answers.verdict.accepted);
    assert_true(fabs(answers.verdict.agreement - 0.9745) < 1e-12);
    change_pixel(&answers, 5000);
    change_pixel(&answers, 5001);
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_true(fabs(answers.verdict.agreement - 0.9743) < 1e-12);
    assert_string_equal(answers.verdict.why,
                        "bins (3, 12) is 6, expected 3; 257 of 10000 pixels differ");
}

TEST(without_bins_the_counts_are_compared) {
    RELEASED_BY(release) Answers answers = make_answers("bilinear", "none");
    move_counts(&answers, BELOW_LIMIT);
    compare(&answers);
    assert_true(answers.verdict.accepted);
    assert_true(fabs(answers.verdict.agreement - 0.9745) < 1e-12);
    move_counts(&answers, 2);
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_string_equal(answers.verdict.why, "histogram [2] is 743, expected 1000");
}

TEST(nearest_must_be_exact) {
    Answers answers = make_answers("nearest", "bins");
    change_pixel(&answers, 0);
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_string_equal(answers.verdict.why,
                        "bins (0, 0) is 3, expected 0; 1 of 10000 pixels differ");
    release(&answers);
    answers = make_answers("nearest", "none");
    move_counts(&answers, 1);
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_true(fabs(answers.verdict.agreement - 0.9999) < 1e-12);
    release(&answers);
}

TEST(the_histogram_must_be_that_of_the_bins) {
    const char *const interpolations[] = {"nearest", "bilinear"};
    for (size_t i = 0; i < 2; i++) {
        RELEASED_BY(release) Answers answers = make_answers(interpolations[i], "bins");
        move_counts(&answers, 1);
        compare(&answers);
        assert_false(answers.verdict.accepted);
        assert_string_equal(answers.verdict.why,
                            "histogram [2] is 999, but 1000 pixels have this bin");
    }
}

TEST(a_bin_that_there_is_not_is_refused) {
    RELEASED_BY(release) Answers answers = make_answers("bilinear", "bins");
    lbp_riu_bins(&answers.got)[19] = 200;
    --lbp_riu_histogram(&answers.got)[9];
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_string_equal(answers.verdict.why, "histogram [200] is 0, but 1 pixels have this bin");
}

TEST(every_pixel_must_be_counted) {
    RELEASED_BY(release) Answers answers = make_answers("bilinear", "none");
    --lbp_riu_histogram(&answers.got)[4];
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_string_equal(answers.verdict.why, "the histogram counts 9999 pixels of 10000");
}

/* As where nothing was written: sums that do not fit and an agreement that stays a share. */
TEST(counts_may_be_anything) {
    RELEASED_BY(release) Answers answers = make_answers("bilinear", "none");
    memset(lbp_riu_histogram(&answers.got), 0xFF, 10 * sizeof(uint64_t));
    compare(&answers);
    assert_false(answers.verdict.accepted);
    assert_true(answers.verdict.agreement == 0);
}
