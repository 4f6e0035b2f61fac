/*
 * lbp_riu: what "P:R" means, the parts of the answer and the least work, worked out by hand.
 */
#include "cpu/lbp_riu_points.h"
#include "test.h"

TEST(good_texts) {
    static const struct {
        const char *text;
        int points, thousandths;
    } cases[] = {
        {"8:1", 8, 1000},       {"16:2", 16, 2000},   {"24:3", 24, 3000},
        {"1:0.001", 1, 1},      {"32:64", 32, 64000}, {"32:64.000", 32, 64000},
        {"8:63.999", 8, 63999}, {"8:0.5", 8, 500},    {"8:0.05", 8, 50},
        {"8:0.050", 8, 50},     {"16:2.5", 16, 2500}, {"10:1.25", 10, 1250},
        {"8:1.005", 8, 1005},   {"8:10", 8, 10000},   {"8:1.0", 8, 1000},
        {"8:1.000", 8, 1000},   {"08:01.5", 8, 1500},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int points = -1;
        int thousandths = -1;
        const Status status = lbp_riu_parse_pr(cases[i].text, &points, &thousandths);
        assert_string_equal(status.why, "");
        assert_int_equal(points, cases[i].points);
        assert_int_equal(thousandths, cases[i].thousandths);
    }
}

static void assert_refused(const char *text) {
    int points = 0;
    int thousandths = 0;
    const Status status = lbp_riu_parse_pr(text, &points, &thousandths);
    if (status.code != STATUS_USAGE) {
        fail_msg("'%s' was taken for %d points at %d/1000", text, points, thousandths);
    }
    assert_says(status.why, text);
    assert_says(status.why, "1 to 32");
}

TEST(bad_texts) {
    char texts[] = ":|8|8:|:1|::|8:1:2|8;1|0:1|00:1|33:1|99:1|100:1|008:1|-8:1|+8:1|8.5:1|"
                   " 8:1|8 :1|8: 1|8:1 |8:1x|x8:1|0x8:1|8:0|8:0.0|8:0.000|8:0.0005|8:65|"
                   "8:100|8:064|8:64.001|8:1.|8:.5|8:.|8:1.5000|8:1.0000|8:1.0005|8:1..5|"
                   "8:1.-5|8:-1|8:+1|8:1e1|8:inf|8:nan|8:0x1|8:1,5|eight:one|"
                   "99999999999999999999:1|8:99999999999999999999|"
                   "8:1.99999999999999999999";
    assert_refused("");
    for (const char *text = strtok(texts, "|"); text != NULL; text = strtok(NULL, "|")) {
        assert_refused(text);
    }
}

TEST(lists_go_through_the_axis) {
    const Axis *pr = lbp_riu_algorithm.answer[0];
    AxisValues *values = calloc(1, sizeof *values);
    assert_non_null(values);
    assert_ok(axis_parse(pr, "8:1,16:2.5,8:1", NULL, values));
    assert_int_equal(values->count, 2);
    assert_string_equal(values->values[1].text, "16:2.5");
    assert_int_equal(axis_parse(pr, "8:1,33:1", NULL, values).code, STATUS_USAGE);
    free(values);
}

/* A text that no axis has checked is refused, not computed. */
TEST(a_pattern_of_a_bad_text_is_an_error) {
    const Point bad = make_answer("8:0", "bilinear", "none");
    const Point none = {.count = 0};
    LbpRiuPattern pattern;
    assert_int_equal(lbp_riu_pattern(&bad, &pattern).code, STATUS_USAGE);
    assert_int_equal(lbp_riu_pattern(&none, &pattern).code, STATUS_USAGE);
}

TEST(flags_follow_the_answer) {
    LbpRiuPattern pattern;
    Point answer = make_answer("8:1", "nearest", "bins");
    assert_ok(lbp_riu_pattern(&answer, &pattern));
    assert_int_equal(pattern.points, 8);
    assert_false(pattern.bilinear);
    assert_true(pattern.store);
    answer = make_answer("8:1", "bilinear", "none");
    assert_ok(lbp_riu_pattern(&answer, &pattern));
    assert_true(pattern.bilinear);
    assert_false(pattern.store);
}

TEST(the_layout_has_bins_when_asked_for) {
    const Workload workload = {.image = {.width = 5, .height = 3, .stride = 9}};
    Point answer = make_answer("16:2", "bilinear", "bins");
    OutputLayout layout = {.count = 0};
    assert_ok(lbp_riu_algorithm.output_layout(&workload, &answer, &layout));
    assert_int_equal(layout.count, 2);
    const OutputPart *histogram = &layout.parts[LBP_RIU_PART_HISTOGRAM];
    const OutputPart *bins = &layout.parts[LBP_RIU_PART_BINS];
    assert_int_equal(histogram->kind, OUTPUT_COUNTS_U64);
    assert_int_equal(histogram->width * histogram->height, 18);
    assert_int_equal(bins->kind, OUTPUT_IMAGE_U8);
    assert_int_equal(bins->width, 5);
    assert_int_equal(bins->height, 3);
    assert_int_equal(bins->peak, 17);
    answer = make_answer("16:2", "bilinear", "none");
    layout = (OutputLayout){.count = 0};
    assert_ok(lbp_riu_algorithm.output_layout(&workload, &answer, &layout));
    assert_int_equal(layout.count, 1);
    assert_int_equal(layout.parts[0].bytes, 18 * sizeof(uint64_t));
}

/*
 * Operations are rows of pixels with a weight. Bilinear: a point on an axis has one row and any
 * other two, except those of (12, 2) at 30°, 150°, 210° and 330°, which lie on a row:
 * (8,1) 4·1 + 4·2, (16,2) 4·1 + 12·2, (24,3) 4·1 + 20·2, (12,2) 8·1 + 4·2. Nearest: one each.
 * Bytes: 100×50 pixels in, as many bins out when stored, 8 for each of the P + 2 counts.
 */
TEST(the_least_work) {
    static const struct {
        const char *pr, *interp, *store;
        double operations, bytes;
    } cases[] = {
        {"8:1", "bilinear", "none", 12, 5080},  {"8:1", "bilinear", "bins", 12, 10080},
        {"16:2", "bilinear", "none", 28, 5144}, {"24:3", "bilinear", "none", 44, 5208},
        {"12:2", "bilinear", "none", 16, 5112}, {"8:1", "nearest", "none", 8, 5080},
        {"24:3", "nearest", "bins", 24, 10208}, {"1:1", "bilinear", "none", 1, 5024},
    };
    const Workload workload = {.image = {.width = 100, .height = 50, .stride = 128}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const Point answer = make_answer(cases[i].pr, cases[i].interp, cases[i].store);
        const Cost cost = lbp_riu_algorithm.cost(&workload, &answer);
        assert_true(cost.items == 5000);
        assert_true(cost.operations == 5000 * cases[i].operations);
        assert_true(cost.bytes == cases[i].bytes);
        assert_string_equal(cost.operation, "int32");
    }
}
