/* The work of haar/cuda_fast as laid out on the host: nothing that can pass the threshold is left
 * out, nothing is there twice, and no chunk is larger than its limits. */
#include "haar_features.h"
#include "haar_plan.h"
#include "test.h"

enum { SIDES = HAAR_SIDE_MAX + 1, COLUMNS_LEAST = 3, COLUMNS_PLENTY = 4096, NO_UNIT = -1 };

typedef struct Case {
    int32_t width, height, min_side;
} Case;

static const Case cases[] = {
    {28, 28, 4}, {28, 28, 5}, {28, 28, 1},  {5, 5, 1},       {5, 5, 4},  {5, 5, 5},
    {40, 33, 4}, {12, 28, 4}, {28, 12, 13}, {255, 255, 230}, {60, 9, 3}, {1, 1, 1},
};
static const int32_t thresholds[] = {0, 500, 18400, 16777215};
static const int32_t limits[] = {COLUMNS_LEAST, 4, 17, 200, COLUMNS_PLENTY};

/* Calls `check` with the plan of each case, threshold and limit of columns. */
static void with_each_plan(void (*check)(const Case *one, int32_t threshold, int32_t limit,
                                         const HaarPlan *plan)) {
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t t = 0; t < sizeof thresholds / sizeof thresholds[0]; t++) {
            for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
                const Case *one = &cases[c];
                HaarPlan plan;
                const Status status = haar_plan_make(one->width, one->height, one->min_side,
                                                     thresholds[t], limits[l], &plan);
                assert_true(status_is_ok(&status));
                check(one, thresholds[t], limits[l], &plan);
                haar_plan_release(&plan);
            }
        }
    }
}

/* Whether any feature of this width in the image can pass: every height and type is tried. */
static bool can_pass(const Case *one, int32_t w, int32_t threshold) {
    for (int32_t h = one->min_side; h <= one->height; h++) {
        for (int32_t type = 0; type < HAAR_TYPES; type++) {
            if (haar_reach(type, w, h) > threshold) {
                return true;
            }
        }
    }
    return false;
}

static void check_items(const Case *one, int32_t threshold, int32_t limit, const HaarPlan *plan) {
    (void)limit;
    static uint8_t times[SIDES][SIDES];
    memset(times, 0, sizeof times);
    for (int32_t i = 0; i < plan->item_count; i++) {
        times[plan->items[i].x][plan->items[i].w]++;
    }
    int32_t expected = 0;
    for (int32_t w = one->min_side; w <= one->width; w++) {
        const bool passes = can_pass(one, w, threshold);
        for (int32_t x = 0; x + w <= one->width; x++) {
            assert_int_equal(times[x][w], passes ? 1 : 0);
            expected += passes ? 1 : 0;
        }
    }
    assert_int_equal(plan->item_count, expected);
}

TEST(each_rectangle_that_can_pass_is_an_item_once) {
    with_each_plan(check_items);
}

static void assert_column(const HaarPlan *plan, const HaarChunk *chunk, uint16_t column,
                          HaarColumnKind kind, int32_t x, int32_t cell) {
    assert_true(column < chunk->columns);
    const HaarColumn *found = &plan->columns[chunk->first_column + column];
    assert_int_equal(found->kind, kind);
    assert_int_equal(found->x, x);
    assert_int_equal(found->cell, cell);
}

static void check_columns(const Case *one, int32_t threshold, int32_t limit, const HaarPlan *plan) {
    (void)one;
    (void)threshold;
    (void)limit;
    for (int32_t c = 0; c < plan->chunk_count; c++) {
        const HaarChunk *chunk = &plan->chunks[c];
        for (int32_t i = 0; i < chunk->items; i++) {
            const HaarItem item = plan->items[chunk->first_item + i];
            assert_column(plan, chunk, item.whole, HAAR_COLUMN_WHOLE, item.x, item.w);
            assert_column(plan, chunk, item.halves, HAAR_COLUMN_HALVES, item.x, item.w / 2);
            assert_column(plan, chunk, item.thirds, HAAR_COLUMN_THIRDS, item.x, item.w / 3);
        }
    }
}

TEST(items_have_the_columns_of_their_place_and_cells) {
    with_each_plan(check_columns);
}

static void check_chunks(const Case *one, int32_t threshold, int32_t limit, const HaarPlan *plan) {
    (void)one;
    (void)threshold;
    int32_t items = 0, columns = 0, units = 0, most = 0;
    for (int32_t c = 0; c < plan->chunk_count; c++) {
        const HaarChunk *chunk = &plan->chunks[c];
        assert_int_equal(chunk->first_item, items);
        assert_int_equal(chunk->first_column, columns);
        assert_int_equal(chunk->first_unit, units);
        assert_in_range(chunk->items, 1, HAAR_PLAN_ITEMS_MAX);
        assert_in_range(chunk->columns, 1, limit);
        items += chunk->items;
        columns += chunk->columns;
        units += chunk->units;
        most = chunk->columns > most ? chunk->columns : most;
    }
    assert_int_equal(plan->item_count, items);
    assert_int_equal(plan->column_count, columns);
    assert_int_equal(plan->unit_count, units);
    assert_int_equal(plan->columns_most, most);
}

TEST(chunks_follow_each_other_within_their_limits) {
    with_each_plan(check_chunks);
}

/* Enters the units of a chunk by item and upper edge; none may be entered where another one is. */
static void enter_units(const Case *one, const HaarPlan *plan, const HaarChunk *chunk,
                        int32_t of[HAAR_PLAN_ITEMS_MAX][SIDES]) {
    memset(of, 0xFF, (size_t)chunk->items * sizeof of[0]); /* NO_UNIT everywhere */
    for (int32_t u = chunk->first_unit; u < chunk->first_unit + chunk->units; u++) {
        const HaarUnit *unit = &plan->units[u];
        assert_in_range(unit->items, 1, HAAR_PLAN_LANES);
        assert_true(unit->first_item + unit->items <= chunk->items);
        assert_true(unit->y < one->height);
        assert_true(unit->height >= one->min_side && unit->half >= 1 && unit->third >= 1);
        for (int32_t i = unit->first_item; i < unit->first_item + unit->items; i++) {
            for (int32_t y = unit->y; y < unit->y + HAAR_PLAN_ROWS && y < one->height; y++) {
                assert_int_equal(of[i][y], NO_UNIT);
                of[i][y] = u;
            }
        }
    }
}

static bool looks_at(const HaarUnit *unit, int32_t type, int32_t h) {
    switch (type) {
    case HAAR_TWO_COLUMNS:
    case HAAR_THREE_COLUMNS: return h >= unit->height;
    case HAAR_THREE_ROWS: return h / 3 >= unit->third;
    default: return h / 2 >= unit->half;
    }
}

/* All upper edges, heights and types of one item. */
static void check_item(const Case *one, int32_t threshold, const HaarPlan *plan, int32_t w,
                       const int32_t of[SIDES]) {
    for (int32_t h = one->min_side; h <= one->height; h++) {
        for (int32_t type = 0; type < HAAR_TYPES; type++) {
            if (haar_reach(type, w, h) <= threshold) {
                continue;
            }
            for (int32_t y = 0; y + h <= one->height; y++) {
                assert_int_not_equal(of[y], NO_UNIT);
                assert_true(looks_at(&plan->units[of[y]], type, h));
            }
        }
    }
}

static void check_units(const Case *one, int32_t threshold, int32_t limit, const HaarPlan *plan) {
    (void)limit;
    static int32_t of[HAAR_PLAN_ITEMS_MAX][SIDES];
    for (int32_t c = 0; c < plan->chunk_count; c++) {
        const HaarChunk *chunk = &plan->chunks[c];
        enter_units(one, plan, chunk, of);
        for (int32_t i = 0; i < chunk->items; i++) {
            check_item(one, threshold, plan, plan->items[chunk->first_item + i].w, of[i]);
        }
    }
}

TEST(each_feature_that_can_pass_is_in_one_unit) {
    with_each_plan(check_units);
}

static HaarPlan plan_of(int32_t width, int32_t height, int32_t min_side, int32_t threshold,
                        int32_t limit) {
    HaarPlan plan;
    const Status status = haar_plan_make(width, height, min_side, threshold, limit, &plan);
    assert_true(status_is_ok(&status));
    return plan;
}

/* The study's counts: 325² and 300² rectangles in 28 × 28, so 325 and 300 in one direction. */
TEST(items_are_as_many_as_the_study_counts) {
    HaarPlan plan = plan_of(28, 28, 4, 0, COLUMNS_PLENTY);
    assert_int_equal(plan.item_count, 325);
    assert_int_equal(plan.chunk_count, 1);
    haar_plan_release(&plan);
    plan = plan_of(28, 28, 5, 0, COLUMNS_PLENTY);
    assert_int_equal(plan.item_count, 300);
    haar_plan_release(&plan);
}

/* Widths 4 and 5 both have cells of 2 and of 1: of the three items of 5 × 5 pixels, two of width 4
 * and one of width 5, the latter shares its columns of halves and thirds with the one of width 4
 * at its place. */
TEST(widths_with_equal_cells_share_columns) {
    HaarPlan plan = plan_of(5, 5, 4, 0, COLUMNS_PLENTY);
    assert_int_equal(plan.item_count, 3);
    assert_int_equal(plan.column_count, 3 + 2 + 2);
    haar_plan_release(&plan);
}

/* 28 × 28 with every width has 406 items: as many chunks where only one item fits into each. */
TEST(the_least_limit_gives_a_chunk_to_each_item) {
    HaarPlan plan = plan_of(28, 28, 1, 0, COLUMNS_LEAST);
    assert_int_equal(plan.item_count, 406);
    assert_int_equal(plan.chunk_count, 406);
    haar_plan_release(&plan);
}

/* 40 × 33 with every width has 820 items, more than a chunk holds however many columns fit. */
TEST(a_chunk_holds_no_more_items_than_its_most) {
    HaarPlan plan = plan_of(40, 33, 1, 0, COLUMNS_PLENTY);
    assert_int_equal(plan.item_count, 820);
    assert_int_equal(plan.chunk_count, 2);
    assert_int_equal(plan.chunks[0].items, HAAR_PLAN_ITEMS_MAX);
    haar_plan_release(&plan);
}

TEST(nothing_to_look_at_has_no_chunks) {
    static const int32_t empty[][4] = {
        {28, 28, 4, 16777215}, {28, 28, 29, 0}, {28, 12, 13, 0}, {12, 28, 13, 0}, {1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        HaarPlan plan = plan_of(empty[i][0], empty[i][1], empty[i][2], empty[i][3], COLUMNS_PLENTY);
        assert_int_equal(plan.chunk_count, 0);
        assert_int_equal(plan.item_count, 0);
        assert_int_equal(plan.unit_count, 0);
        haar_plan_release(&plan);
    }
}
