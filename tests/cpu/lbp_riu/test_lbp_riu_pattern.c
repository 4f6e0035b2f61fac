/*
 * lbp_riu: where the points lie and with which weights. The numbers were worked out by hand or by
 * integer arithmetic in another language; see each test.
 */
#include "cpu/lbp_riu_points.h"
#include "test.h"

static LbpRiuPattern make_pattern(const char *pr, const char *interp) {
    const Point answer = make_answer(pr, interp, "none");
    LbpRiuPattern pattern;
    const Status status = lbp_riu_pattern(&answer, &pattern);
    assert_string_equal(status.why, "");
    return pattern;
}

static LbpRiuPattern pattern_of(int points, int thousandths, const char *interp) {
    char pr[AXIS_TEXT_SIZE];
    snprintf(pr, sizeof pr, "%d:%d.%03d", points, thousandths / 1000, thousandths % 1000);
    return make_pattern(pr, interp);
}

typedef struct ExpectedTap {
    int32_t dx, dy, weight[4];
} ExpectedTap;

static void assert_taps(const char *pr, const ExpectedTap *expected, size_t count) {
    const LbpRiuPattern pattern = make_pattern(pr, "bilinear");
    assert_int_equal(pattern.points, count);
    for (size_t p = 0; p < count; p++) {
        const LbpRiuTap *tap = &pattern.taps[p];
        if (tap->dx != expected[p].dx || tap->dy != expected[p].dy ||
            memcmp(tap->weight, expected[p].weight, sizeof tap->weight) != 0) {
            fail_msg("%s, point %zu: (%d, %d) %d %d %d %d", pr, p, tap->dx, tap->dy, tap->weight[0],
                     tap->weight[1], tap->weight[2], tap->weight[3]);
        }
    }
}

/* Right, up, left, down: whole pixels. */
TEST(four_points_at_one) {
    static const ExpectedTap expected[] = {
        {1, 0, {16384, 0, 0, 0}},
        {0, -1, {16384, 0, 0, 0}},
        {-1, 0, {16384, 0, 0, 0}},
        {0, 1, {16384, 0, 0, 0}},
    };
    assert_taps("4:1", expected, COUNT_OF(expected));
}

/*
 * Diagonal points are at ±0.70711: the weights are 0.70711² = 0.5000045521, 0.70711·0.29289 =
 * 0.2071054479 twice and 0.29289² = 0.0857845521, times 16384: 8192.07, 3393.22, 3393.22, 1405.49.
 * Rounded down they lack one unit, which goes to the largest remainder: 1406. The pixel that is
 * further from the centre is the nearest to the point.
 */
TEST(eight_points_at_one) {
    static const ExpectedTap expected[] = {
        {1, 0, {16384, 0, 0, 0}},  {0, -1, {3393, 8192, 1406, 3393}},
        {0, -1, {16384, 0, 0, 0}}, {-1, -1, {8192, 3393, 3393, 1406}},
        {-1, 0, {16384, 0, 0, 0}}, {-1, 0, {3393, 1406, 8192, 3393}},
        {0, 1, {16384, 0, 0, 0}},  {0, 0, {1406, 3393, 3393, 8192}},
    };
    assert_taps("8:1", expected, COUNT_OF(expected));
    const LbpRiuPattern pattern = make_pattern("8:1", "bilinear");
    assert_true(pattern.taps[1].x == 0.70711 && pattern.taps[1].y == -0.70711);
    assert_true(pattern.taps[6].x == 0 && pattern.taps[6].y == 1);
}

/*
 * By integer arithmetic in Python, ties by hand: at 45° the two pixels beside the diagonal have
 * equal remainders and one unit between them. It goes to the one further anticlockwise: from
 * (1.41421, −1.41421) that is (1, −2), at 63° against 27° of (2, −1).
 */
TEST(sixteen_points_at_two) {
    static const ExpectedTap expected[] = {
        {2, 0, {16384, 0, 0, 0}},           {1, -1, {1909, 10631, 585, 3259}},
        {1, -2, {3976, 2811, 5622, 3975}},  {0, -2, {3259, 10631, 585, 1909}},
        {0, -2, {16384, 0, 0, 0}},          {-1, -2, {10631, 3259, 1909, 585}},
        {-2, -2, {2811, 3975, 3976, 5622}}, {-2, -1, {10631, 1909, 3259, 585}},
        {-2, 0, {16384, 0, 0, 0}},          {-2, 0, {3259, 585, 10631, 1909}},
        {-2, 1, {3975, 5622, 2811, 3976}},  {-1, 1, {1909, 585, 10631, 3259}},
        {0, 2, {16384, 0, 0, 0}},           {0, 1, {585, 1909, 3259, 10631}},
        {1, 1, {5622, 3976, 3975, 2811}},   {1, 0, {585, 3259, 1909, 10631}},
    };
    assert_taps("16:2", expected, COUNT_OF(expected));
}

/* As above; ties at points 3, 9, 15 and 21. */
TEST(twenty_four_points_at_three) {
    static const ExpectedTap expected[] = {
        {3, 0, {16384, 0, 0, 0}},           {2, -1, {1301, 11421, 374, 3288}},
        {2, -2, {3293, 4899, 3293, 4899}},  {2, -3, {1747, 241, 12650, 1746}},
        {1, -3, {4899, 4899, 3293, 3293}},  {0, -3, {3288, 11421, 374, 1301}},
        {0, -3, {16384, 0, 0, 0}},          {-1, -3, {11421, 3288, 1301, 374}},
        {-2, -3, {4899, 4899, 3293, 3293}}, {-3, -3, {241, 1746, 1747, 12650}},
        {-3, -2, {4899, 3293, 4899, 3293}}, {-3, -1, {11421, 1301, 3288, 374}},
        {-3, 0, {16384, 0, 0, 0}},          {-3, 0, {3288, 374, 11421, 1301}},
        {-3, 1, {4899, 3293, 4899, 3293}},  {-3, 2, {1746, 12650, 241, 1747}},
        {-2, 2, {3293, 3293, 4899, 4899}},  {-1, 2, {1301, 374, 11421, 3288}},
        {0, 3, {16384, 0, 0, 0}},           {0, 2, {374, 1301, 3288, 11421}},
        {1, 2, {3293, 3293, 4899, 4899}},   {2, 2, {12650, 1747, 1746, 241}},
        {2, 1, {3293, 4899, 3293, 4899}},   {2, 0, {374, 3288, 1301, 11421}},
    };
    assert_taps("24:3", expected, COUNT_OF(expected));
}

/* Radii that are no multiples of one another, from the smallest to the largest. */
static int next_radius(int thousandths) {
    return thousandths + 1 + thousandths / 50;
}

TEST(weights_are_a_share_of_the_whole) {
    for (int points = 1; points <= LBP_RIU_POINTS_MAX; points++) {
        for (int radius = 1; radius <= LBP_RIU_RADIUS_MAX * 1000; radius = next_radius(radius)) {
            const LbpRiuPattern pattern = pattern_of(points, radius, "bilinear");
            for (int p = 0; p < points; p++) {
                const int32_t *weight = pattern.taps[p].weight;
                assert_int_equal(weight[0] + weight[1] + weight[2] + weight[3], LBP_RIU_WEIGHT_SUM);
                for (int i = 0; i < 4; i++) {
                    assert_in_range(weight[i], 0, LBP_RIU_WEIGHT_SUM);
                }
            }
            assert_in_range(pattern.reach, 0, (radius + 999) / 1000);
        }
    }
}

/* Each weight is the real one, times 2^14, rounded up or down. */
TEST(weights_are_less_than_a_unit_off) {
    for (int points = 1; points <= LBP_RIU_POINTS_MAX; points++) {
        for (int radius = 1; radius <= 16000; radius = next_radius(radius)) {
            const LbpRiuPattern pattern = pattern_of(points, radius, "bilinear");
            for (int p = 0; p < points; p++) {
                const LbpRiuTap *tap = &pattern.taps[p];
                for (int i = 0; i < 4; i++) {
                    const int32_t x = tap->dx + i % 2;
                    const int32_t y = tap->dy + i / 2;
                    const double far_x = fabs(tap->x - x);
                    const double far_y = fabs(tap->y - y);
                    const double real = (1 - far_x) * (1 - far_y) * LBP_RIU_WEIGHT_SUM;
                    assert_true(far_x < 1 + 1e-9 && far_y < 1 + 1e-9);
                    assert_true(fabs(real - tap->weight[i]) < 1);
                }
            }
        }
    }
}

static int32_t weight_at(const LbpRiuTap *tap, int32_t x, int32_t y) {
    const int32_t column = x - tap->dx;
    const int32_t row = y - tap->dy;
    return column < 0 || column > 1 || row < 0 || row > 1 ? 0 : tap->weight[2 * row + column];
}

/* A quarter turn anticlockwise moves (x, y) to (y, −x), as y points down. */
static bool is_turned(const LbpRiuTap *tap, const LbpRiuTap *turned) {
    bool same = turned->x == tap->y && turned->y == -tap->x;
    for (int i = 0; i < 4; i++) {
        const int32_t x = tap->dx + i % 2;
        const int32_t y = tap->dy + i / 2;
        same = same && weight_at(turned, y, -x) == tap->weight[i];
    }
    return same;
}

static void check_turns(int points, int radius, const char *interp) {
    const LbpRiuPattern pattern = pattern_of(points, radius, interp);
    for (int p = 0; p < points; p++) {
        if (!is_turned(&pattern.taps[p], &pattern.taps[(p + points / 4) % points])) {
            fail_msg("%d points at %d/1000, %s: point %d", points, radius, interp, p);
        }
    }
}

TEST(weights_turn_with_the_point) {
    for (int points = 4; points <= LBP_RIU_POINTS_MAX; points += 4) {
        for (int radius = 1; radius <= 16000; radius++) {
            check_turns(points, radius, "nearest");
            check_turns(points, radius, "bilinear");
        }
    }
}

/* The radii whose offsets come closest to the edge between two roundings, found by a search with 50
 * digits over all: 4e-9 of a unit at (29, 18.965). Offsets by arithmetic of 64 bits or more. */
TEST(offsets_are_rounded_the_right_way) {
    static const int closest[][2] = {{29, 18965}, {31, 57189}, {15, 54932}, {29, 6496}, {26, 4896}};
    const long double turn = 6.283185307179586476925286766559L;
    for (int points = 1; points <= LBP_RIU_POINTS_MAX; points++) {
        for (size_t i = 0; i < 400 + COUNT_OF(closest); i++) {
            const int radius = i < 400 ? 1 + 160 * (int)i + points : closest[i - 400][1];
            const int count = i < 400 ? points : closest[i - 400][0];
            const LbpRiuPattern pattern = pattern_of(count, radius, "nearest");
            for (int p = 0; p < count; p++) {
                const long double angle = turn * p / count;
                assert_int_equal(llround(pattern.taps[p].x * 1e5),
                                 llroundl(100 * radius * cosl(angle)));
                assert_int_equal(llround(pattern.taps[p].y * 1e5),
                                 llroundl(-100 * radius * sinl(angle)));
            }
        }
    }
}

static void assert_nearest(const char *pr, const int32_t (*expected)[2]) {
    const LbpRiuPattern pattern = make_pattern(pr, "nearest");
    for (int p = 0; p < pattern.points; p++) {
        const LbpRiuTap *tap = &pattern.taps[p];
        assert_int_equal(tap->dx, expected[p][0]);
        assert_int_equal(tap->dy, expected[p][1]);
        assert_int_equal(tap->weight[0], LBP_RIU_WEIGHT_SUM);
        assert_int_equal(tap->weight[1] | tap->weight[2] | tap->weight[3], 0);
    }
}

/* With 12 points at 1, those at 30° are (0.86603, −0.5), at 60° (0.5, −0.86603) and so on. */
TEST(nearest_rounds_halves_away_from_zero) {
    assert_nearest("4:0.499", (const int32_t[][2]){{0, 0}, {0, 0}, {0, 0}, {0, 0}});
    assert_nearest("4:0.5", (const int32_t[][2]){{1, 0}, {0, -1}, {-1, 0}, {0, 1}});
    assert_nearest("4:1.499", (const int32_t[][2]){{1, 0}, {0, -1}, {-1, 0}, {0, 1}});
    assert_nearest("4:2.5", (const int32_t[][2]){{3, 0}, {0, -3}, {-3, 0}, {0, 3}});
    assert_nearest(
        "8:1",
        (const int32_t[][2]){{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}});
    assert_nearest("12:1", (const int32_t[][2]){{1, 0},
                                                {1, -1},
                                                {1, -1},
                                                {0, -1},
                                                {-1, -1},
                                                {-1, -1},
                                                {-1, 0},
                                                {-1, 1},
                                                {-1, 1},
                                                {0, 1},
                                                {1, 1},
                                                {1, 1}});
}

/* Pixels without weight are not reached; at (4, 0.499) nearest takes the centre itself. */
TEST(reach_is_that_of_the_furthest_weight) {
    static const struct {
        const char *pr;
        int nearest, bilinear;
    } cases[] = {{"8:1", 1, 1},   {"16:2", 2, 2},    {"24:3", 3, 3},    {"4:0.499", 0, 1},
                 {"4:0.5", 1, 1}, {"8:1.001", 1, 2}, {"8:1.5", 2, 2},   {"3:2", 2, 2},
                 {"1:1", 1, 1},   {"8:5.5", 6, 6},   {"7:5.499", 5, 6}, {"32:64", 64, 64}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(make_pattern(cases[i].pr, "nearest").reach, cases[i].nearest);
        assert_int_equal(make_pattern(cases[i].pr, "bilinear").reach, cases[i].bilinear);
    }
}
