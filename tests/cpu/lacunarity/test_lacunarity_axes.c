/* lacunarity: what --box and --threshold take, the plan made of them, and the least work, worked
 * out by hand. */
#include "cpu/lacunarity_points.h"
#include "test.h"

static const Image shape = {.width = 40, .height = 30, .stride = 40};
static const Workload workload = {.image = {.width = 40, .height = 30, .stride = 40}};

/* "1 2 4": the boxes, or the thresholds, of a plan. */
static void assert_plan(const Image *image, const char *box, const char *threshold,
                        const char *boxes, const char *thresholds) {
    const Point answer = lacunarity_point(box, threshold);
    LacunarityPlan plan;
    const Status status = lacunarity_plan_make(image, &answer, &plan);
    assert_string_equal(status.why, "");
    char text[4096] = "";
    size_t used = 0;
    for (size_t i = 0; i < plan.box_count; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%d" : " %d", plan.boxes[i]);
    }
    assert_string_equal(text, boxes);
    used = 0;
    for (size_t i = 0; i < plan.threshold_count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%d" : " %d",
                                 plan.thresholds[i]);
    }
    assert_string_equal(text, thresholds);
    lacunarity_plan_release(&plan);
    assert_null(plan.boxes);
    lacunarity_plan_release(&plan);
}

TEST(sets_of_numbers) {
    assert_plan(&shape, "8", "128", "8", "128");
    assert_plan(&shape, "4+8+16", "0+255", "4 8 16", "0 255");
    assert_plan(&shape, "3..6", "7..7", "3 4 5 6", "7");
    assert_plan(&shape, "1..10:4", "0..255:100", "1 5 9", "0 100 200");
    assert_plan(&shape, "5..6:65535", "9..200:999999999", "5", "9");
    assert_plan(&shape, "30", "007", "30", "7");
}

/* The order is that of the first mention. */
TEST(duplicates_are_dropped) {
    assert_plan(&shape, "8+2+8+1..3", "5+4+5", "8 2 1 3", "5 4");
    assert_plan(&shape, "3+log+paper", "1..3+2..5", "3 1 2 4 8 5 6 7 9 10 11 12 13 14 15",
                "1 2 3 4 5");
}

TEST(words_stand_for_the_shape) {
    static const struct {
        int32_t width, height;
        const char *log, *paper;
    } cases[] = {
        {40, 30, "1 2 4 8", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
        {32, 900, "1 2 4 8 16", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"},
        {7, 6, "1 2", "1 2 3"},
        {900, 3, "1", "1"},
        {2, 2, "1", "1"},
        {1, 1, "1", "1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const Image image = {.width = cases[i].width, .height = cases[i].height};
        assert_plan(&image, "log", "128", cases[i].log, "128");
        assert_plan(&image, "paper", "128", cases[i].paper, "128");
    }
}

/* The sides are limited, so that masses fit 32 bits. */
TEST(words_keep_to_the_largest_box) {
    const Image image = {.width = 200000, .height = 140000};
    const Point answer = lacunarity_point("paper", "128");
    RELEASED_BY(lacunarity_plan_release) LacunarityPlan plan;
    assert_ok(lacunarity_plan_make(&image, &answer, &plan));
    assert_int_equal(plan.box_count, 65535);
    assert_int_equal(plan.boxes[65534], 65535);
}

/* Every pixel 9 or 200: the classes part at 10; see test_lacunarity_answer.c. */
TEST(otsu_is_found_in_the_pixels) {
    uint8_t pixels[] = {9, 200, 9, 200};
    const Image image = {.width = 2, .height = 2, .stride = 2, .pixels = pixels};
    assert_plan(&image, "1", "otsu", "1", "10");
    assert_plan(&image, "1", "otsu+10+otsu+11", "1", "10 10 11");
    assert_plan(&shape, "1", "otsu+10", "1", "0 10");
}

static void assert_refused(size_t axis, const char *text) {
    AxisValues *values = calloc(1, sizeof *values);
    assert_non_null(values);
    const Axis *list = lacunarity_algorithm.answer[axis];
    const Status status = axis_parse(list, text, &workload, values);
    if (status.code != STATUS_USAGE) {
        fail_msg("--%s %s was taken", list->name, text);
    }
    char option[16];
    snprintf(option, sizeof option, "--%s", list->name);
    assert_says(status.why, option);
    assert_null(strchr(status.why, '\n'));
    free(values);
}

TEST(bad_texts) {
    char texts[] = "|,|8,|+|8+|+8|8++9|x|8x|x8|-8|8.5|1.2|8..|..8|8...9|1..8:|1..8:0|1..8:-1|"
                   "8..1|8:2|1..8:2:2|1-8| 8|8 |0x8|1e2|99999999999|1..99999999999|"
                   "1..8:99999999999|each:|each:+|each:x|each:each:8|each8|8+each:8|logs|Log|"
                   "1+2+3+4+5+6+7+8+9+10+11+12+13+14";
    for (size_t axis = 0; axis < 2; axis++) {
        char copy[sizeof texts];
        memcpy(copy, texts, sizeof texts);
        char *rest = copy;
        for (char *text = strsep(&rest, "|"); text != NULL; text = strsep(&rest, "|")) {
            assert_refused(axis, text);
        }
    }
    assert_refused(0, "0");
    assert_refused(0, "65536");
    assert_refused(0, "0..8");
    assert_refused(0, "1..65536");
    assert_refused(0, "otsu");
    assert_refused(1, "256");
    assert_refused(1, "0..256");
    assert_refused(1, "log");
    assert_refused(1, "paper");
    assert_refused(1, "0..255+otsu");
}

TEST(errors_say_what_would_be_right) {
    AxisValues *values = calloc(1, sizeof *values);
    assert_non_null(values);
    Status status = axis_parse(lacunarity_algorithm.answer[0], "4,8+ten", &workload, values);
    assert_string_equal(
        status.why, "--box takes sides from 1 to 65535 pixels (8), ranges (1..64, 8..64:8), log "
                    "and paper, joined by + for one cell, with each: in front for a cell of "
                    "each; not 'ten'");
    status = axis_parse(lacunarity_algorithm.answer[1], "300", &workload, values);
    assert_string_equal(status.why,
                        "--threshold takes grey values from 0 to 255 (128), ranges (1..64, "
                        "0..255:16) and otsu, joined by + for one cell, with each: in front for a "
                        "cell of each; not '300'");
    status = axis_parse(lacunarity_algorithm.answer[0], "9..3", &workload, values);
    assert_string_equal(status.why, "--box: a range goes from the smaller to the larger number in "
                                    "steps of at least 1, unlike '9..3'");
    status = axis_parse(lacunarity_algorithm.answer[1], "0..255+otsu", &workload, values);
    assert_string_equal(status.why,
                        "--threshold takes at most 256 values in a set, '0..255+otsu' is more");
    free(values);
}

static void assert_values(size_t axis, const char *list, const Workload *of, const char *expected) {
    AxisValues *values = calloc(1, sizeof *values);
    assert_non_null(values);
    const Status status = axis_parse(lacunarity_algorithm.answer[axis], list, of, values);
    assert_string_equal(status.why, "");
    char text[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < values->count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, i == 0 ? "%s" : " %s",
                                 values->values[i].text);
    }
    assert_string_equal(text, expected);
    free(values);
}

TEST(a_value_is_a_cell) {
    assert_values(0, "4,8,16", &workload, "4 8 16");
    assert_values(0, "4+8+16,log", &workload, "4+8+16 log");
    assert_values(0, "1..128", &workload, "1..128");
    assert_values(1, "0..255:16,otsu", &workload, "0..255:16 otsu");
    assert_values(0, "each:4+8+4,8,each:2..3", &workload, "4 8 2 3");
    assert_values(0, "each:log", &workload, "1 2 4 8");
    assert_values(1, "each:otsu+1..3,otsu", &workload, "otsu 1 2 3");
    assert_values(0, lacunarity_algorithm.answer[0]->defaults, &workload, "log");
    assert_values(1, lacunarity_algorithm.answer[1]->defaults, &workload, "128");
}

TEST(too_many_cells_are_refused) {
    AxisValues *values = calloc(1, sizeof *values);
    assert_non_null(values);
    const Axis *box = lacunarity_algorithm.answer[0];
    assert_ok(axis_parse(box, "each:1..1024", &workload, values));
    assert_int_equal(values->count, 1024);
    assert_int_equal(axis_parse(box, "each:1..1025", &workload, values).code, STATUS_USAGE);
    free(values);
}

TEST(the_layout_is_a_row_for_each_pair) {
    const Point answer = lacunarity_point("4+8+16", "otsu+1");
    OutputLayout layout = {.count = 0};
    assert_ok(lacunarity_algorithm.output_layout(&workload, &answer, &layout));
    assert_int_equal(layout.count, 1);
    assert_string_equal(layout.parts[0].name, "curve");
    assert_int_equal(layout.parts[0].kind, OUTPUT_TABLE_U64);
    assert_int_equal(layout.parts[0].width, 6);
    assert_int_equal(layout.parts[0].height, 6);
    assert_int_equal(layout.parts[0].bytes, 6 * 6 * 8);
}

/* A box may fill the image, in either direction; one larger than that has no position. */
TEST(a_box_that_does_not_fit_is_a_skip) {
    OutputLayout layout = {.count = 0};
    Point answer = lacunarity_point("30", "128");
    assert_ok(lacunarity_algorithm.output_layout(&workload, &answer, &layout));
    answer = lacunarity_point("4+31", "128");
    const Status wide = lacunarity_algorithm.output_layout(&workload, &answer, &layout);
    assert_int_equal(wide.code, STATUS_SKIP);
    assert_string_equal(wide.why, "a box of 31×31 pixels does not fit into an image of 40×30");
    const Workload upright = {.image = {.width = 30, .height = 40}};
    assert_int_equal(lacunarity_algorithm.output_layout(&upright, &answer, &layout).code,
                     STATUS_SKIP);
}

/* 2^18 pixels a side: 196610² positions of up to 65535² each are more than 2^64, 262143² of 4 are
 * not. */
TEST(masses_beyond_64_bits_are_a_skip) {
    OutputLayout layout = {.count = 0};
    const Workload huge = {.image = {.width = 1 << 18, .height = 1 << 18}};
    Point answer = lacunarity_point("2", "128");
    assert_ok(lacunarity_algorithm.output_layout(&huge, &answer, &layout));
    answer = lacunarity_point("2+65535", "128");
    const Status status = lacunarity_algorithm.output_layout(&huge, &answer, &layout);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why,
                        "the masses of boxes of side 65535 may add up to more than 64 bits");
}

/* A text that no axis has checked is refused, not computed. */
TEST(a_plan_of_a_bad_text_is_an_error) {
    const Point bad[] = {lacunarity_point("0", "128"), lacunarity_point("8", "256"),
                         lacunarity_point("", "128"), lacunarity_point("8", "")};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        RELEASED_BY(lacunarity_plan_release) LacunarityPlan plan;
        assert_int_equal(lacunarity_plan_make(&shape, &bad[i], &plan).code, STATUS_USAGE);
    }
}

/*
 * 40×30 pixels. Box 4 has 37·27 = 999 positions, box 16 has 25·15 = 375; two thresholds: 2748
 * positions, two operations each. The oracle counts (999·16 + 375·256)·2 = 223968 pixels. The
 * answer has four rows of 48 bytes.
 */
TEST(the_least_work) {
    const Point answer = lacunarity_point("4+16", "otsu+7");
    const Cost cost = lacunarity_algorithm.cost(&workload, &answer);
    assert_true(cost.bytes == 1200 + 4 * 48);
    assert_true(cost.operations == 5496);
    assert_true(cost.items == 2748);
    assert_true(cost.oracle_work == 223968);
    assert_string_equal(cost.operation, "int32");
    assert_string_equal(lacunarity_algorithm.item, "position");
}
