/* The lines of haar/cuda_fast as laid out on the host: nothing that can pass the threshold is left
 * out, nothing is there twice, and lines are no longer looked at than they have to be. */
#include <stdlib.h>

#include "haar_features.h"
#include "haar_plan.h"
#include "test.h"

enum { SIDES = HAAR_SIDE_MAX + 1, DIRECTIONS = 2, CELLS_MAX = 3 };

typedef struct Case {
    int32_t width, height, min_side;
} Case;

static const Case cases[] = {
    {28, 28, 4}, {28, 28, 5}, {28, 28, 1},  {5, 5, 1},       {5, 5, 4},  {5, 5, 5},
    {40, 33, 4}, {12, 28, 4}, {28, 12, 13}, {255, 255, 230}, {60, 9, 3}, {1, 1, 1},
};
static const int32_t thresholds[] = {0, 500, 18400, 16777215};

typedef struct Plan {
    HaarLine *lines;
    int32_t count;
} Plan;

static Plan plan_of(int32_t width, int32_t height, int32_t min_side, int32_t threshold) {
    Plan plan;
    assert_ok(haar_plan_lines(width, height, min_side, threshold, &plan.lines, &plan.count));
    return plan;
}

/* Calls `check` with the plan of each case and threshold. */
static void with_each_plan(void (*check)(const Case *one, int32_t threshold, const Plan *plan)) {
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t t = 0; t < sizeof thresholds / sizeof thresholds[0]; t++) {
            const Case *one = &cases[c];
            Plan plan = plan_of(one->width, one->height, one->min_side, thresholds[t]);
            check(one, thresholds[t], &plan);
            free(plan.lines);
        }
    }
}

/* The line of each place and side across, of two or three cells that lead down or across. */
typedef const HaarLine *LineOf[DIRECTIONS][CELLS_MAX + 1][SIDES][SIDES];

static void enter_lines(const Plan *plan, LineOf of) {
    memset(of, 0, sizeof(LineOf));
    for (int32_t i = 0; i < plan->count; i++) {
        const HaarLine *line = &plan->lines[i];
        assert_in_range(line->rows, 0, 1);
        assert_in_range(line->cells, 2, CELLS_MAX);
        for (int32_t side = line->side; side < line->side + line->sides; side++) {
            assert_int_equal(line->size, side / line->cells);
            assert_null(of[line->rows][line->cells][line->place][side]);
            of[line->rows][line->cells][line->place][side] = line;
        }
    }
}

/* Whether the line of a feature of this type is looked at where it is `length` long. */
static bool looks_at(LineOf of, int32_t type, int32_t place, int32_t side, int32_t length) {
    const bool rows = type == HAAR_TWO_ROWS || type == HAAR_THREE_ROWS;
    const int32_t cells = type == HAAR_THREE_COLUMNS || type == HAAR_THREE_ROWS ? 3 : 2;
    const HaarLine *line = of[rows ? 1 : 0][cells][place][side];
    if (line == NULL) {
        return false;
    }
    return type == HAAR_CHECKER ? line->least_cell > 0 && length / 2 >= line->least_cell
                                : line->least > 0 && length >= line->least;
}

/* All sides and lengths of a type, at all places across. */
static void check_type(const Case *one, int32_t threshold, LineOf of, int32_t type) {
    const bool rows = type == HAAR_TWO_ROWS || type == HAAR_THREE_ROWS;
    const int32_t extent = rows ? one->height : one->width;
    const int32_t most = rows ? one->width : one->height;
    for (int32_t side = one->min_side; side <= extent; side++) {
        for (int32_t length = one->min_side; length <= most; length++) {
            const bool passes = (rows ? haar_reach(type, length, side)
                                      : haar_reach(type, side, length)) > threshold;
            for (int32_t place = 0; place + side <= extent; place++) {
                assert_int_equal(looks_at(of, type, place, side, length), passes);
            }
        }
    }
}

static void check_features(const Case *one, int32_t threshold, const Plan *plan) {
    static LineOf of;
    enter_lines(plan, of);
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        check_type(one, threshold, of, type);
    }
}

TEST(features_are_looked_at_where_they_can_pass_and_only_there) {
    with_each_plan(check_features);
}

/* How far a line reaches across; lanes beside each other then have about as much to do. */
static int32_t reach_of(const HaarLine *line) {
    return (line->cells - 1) * line->size;
}

static void check_order(const Case *one, int32_t threshold, const Plan *plan) {
    for (int32_t i = 0; i < plan->count; i++) {
        const HaarLine *line = &plan->lines[i];
        const int32_t extent = line->rows != 0 ? one->height : one->width;
        assert_true(line->place + line->side + line->sides - 1 <= extent);
        assert_true(line->least > 0 || line->least_cell > 0);
        assert_true(i == 0 || reach_of(line) <= reach_of(line - 1));
    }
    (void)threshold;
}

TEST(lines_lie_in_the_image_the_widest_cells_first) {
    with_each_plan(check_order);
}

/* Sides 4 and 5 both have cells of 2 and of 1. In 5 × 5 pixels there are four lines of each
 * direction: of two and of three cells at places 0 and 1. */
TEST(sides_with_equal_cells_share_a_line) {
    Plan plan = plan_of(5, 5, 4, 0);
    assert_int_equal(plan.count, 8);
    for (int32_t i = 0; i < plan.count; i++) {
        assert_int_equal(plan.lines[i].side, 4);
        assert_int_equal(plan.lines[i].sides, plan.lines[i].place == 0 ? 2 : 1);
    }
    free(plan.lines);
}

TEST(the_largest_images_have_fewer_lines_than_their_numbers_have_bits) {
    for (int32_t width = 1; width <= HAAR_SIDE_MAX; width++) {
        const int32_t tallest = HAAR_PLAN_PIXELS_MAX / width;
        const int32_t height = tallest < HAAR_SIDE_MAX ? tallest : HAAR_SIDE_MAX;
        Plan plan = plan_of(width, height, 1, 0);
        assert_true(plan.count < HAAR_PLAN_LINES_MAX);
        free(plan.lines);
    }
}

TEST(nothing_to_look_at_has_no_lines) {
    static const int32_t empty[][4] = {
        {28, 28, 4, 16777215}, {28, 28, 29, 0}, {28, 12, 13, 0}, {12, 28, 13, 0}, {1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        Plan plan = plan_of(empty[i][0], empty[i][1], empty[i][2], empty[i][3]);
        assert_int_equal(plan.count, 0);
        assert_null(plan.lines);
    }
}
