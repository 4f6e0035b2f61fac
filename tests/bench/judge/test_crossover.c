/* Where one curve of times goes below another: against crossings that are worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "test.h"

enum { CURVE_MAX = 16 };

typedef struct TestCurve {
    CurvePoint points[CURVE_MAX];
    size_t count;
} TestCurve;

/* Exact times at sizes, both ended by 0. */
static TestCurve curve(const double *sizes, const double *times) {
    TestCurve made = {.count = 0};
    for (; sizes[made.count] != 0; made.count++) {
        made.points[made.count] = (CurvePoint){
            .x = sizes[made.count], .value = times[made.count], .low = NAN, .high = NAN};
    }
    return made;
}

#define CURVE(sizes, ...) curve(sizes, (const double[]){__VA_ARGS__, 0})
#define SIZES(...) ((const double[]){__VA_ARGS__, 0})

static TestCurve with_intervals(TestCurve given, double share) {
    for (size_t i = 0; i < given.count; i++) {
        given.points[i].low = given.points[i].value * (1 - share);
        given.points[i].high = given.points[i].value * (1 + share);
    }
    return given;
}

static Crossover find(const TestCurve *challenger, const TestCurve *champion) {
    return crossover_find(challenger->points, challenger->count, champion->points, champion->count);
}

static void near_to(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * expected)) {
        fail_msg("%.12g is not %.12g", value, expected);
    }
}

static void size_text(double x, char *text, size_t size) {
    if (x >= 1e6) {
        snprintf(text, size, "%.3g Mpixel", x / 1e6);
    } else {
        snprintf(text, size, "%.3g pixel", x);
    }
}

static void check_words(const Crossover *crossover, const char *expected) {
    char text[160];
    crossover_words(crossover, size_text, text, sizeof text);
    assert_string_equal(text, expected);
}

/* --- The place -------------------------------------------------------------------------------- */

/* Ten seconds at any size against one second a pixel. */
TEST(a_constant_time_meets_a_linear_one) {
    const TestCurve constant = CURVE(SIZES(1, 100), 10, 10);
    const TestCurve linear = CURVE(SIZES(1, 100), 1, 100);
    const Crossover crossover = find(&constant, &linear);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    near_to(crossover.x, 10);
    near_to(crossover.low, 10);
    near_to(crossover.high, 10);
    near_to(crossover.from, 1);
    near_to(crossover.to, 100);
    assert_int_equal(crossover.points, 2);
    check_words(&crossover, "from 10 pixel on");
}

/* x against 10: ahead below ten pixels. */
TEST(the_other_way_round_it_is_ahead_until_there) {
    const TestCurve linear = CURVE(SIZES(1, 100), 1, 100);
    const TestCurve constant = with_intervals(CURVE(SIZES(1, 100), 10, 10), 0.1);
    const Crossover crossover = find(&linear, &constant);
    assert_int_equal(crossover.kind, CROSSOVER_UNTIL);
    near_to(crossover.x, 10);
    near_to(crossover.low, 9);
    near_to(crossover.high, 11);
    check_words(&crossover, "up to 10 pixel (9 to 11)");
}

/* 9…11 against 0.9x…1.1x: first where 9 = 1.1x, last where 11 = 0.9x. */
TEST(intervals_become_an_interval_of_the_place) {
    const TestCurve constant = with_intervals(CURVE(SIZES(1, 100), 10, 10), 0.1);
    const TestCurve linear = CURVE(SIZES(1, 100), 1, 100);
    Crossover crossover = find(&constant, &linear);
    near_to(crossover.low, 9);
    near_to(crossover.high, 11);
    const TestCurve wide = with_intervals(linear, 0.1);
    crossover = find(&constant, &wide);
    near_to(crossover.x, 10);
    near_to(crossover.low, 90.0 / 11);
    near_to(crossover.high, 110.0 / 9);
    check_words(&crossover, "from 10 pixel on (8.18 to 12.2)");
}

/* 5 to 15 against 6 and 14: ahead at once at best, never at worst; 10 is met at 4^(ln(10/6) /
 * ln(14/6)). */
TEST(ends_beyond_the_sizes_measured_are_not_numbers) {
    const TestCurve challenger = with_intervals(CURVE(SIZES(1, 4), 10, 10), 0.5);
    const TestCurve champion = CURVE(SIZES(1, 4), 6, 14);
    const Crossover crossover = find(&challenger, &champion);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    assert_true(isnan(crossover.low) && isnan(crossover.high));
    assert_int_equal(crossover.open, 2);
    assert_true(crossover_is_even(&crossover));
    check_words(&crossover, "undecided at every size (1 to 4 pixel)");
}

/* Ahead by the medians at every size; by the intervals at none, at one of three, at all. */
TEST(always_and_never_look_at_intervals) {
    const TestCurve slow = CURVE(SIZES(1, 2, 4), 10, 20, 40);
    TestCurve fast = with_intervals(CURVE(SIZES(1, 2, 4), 9, 18, 36), 0.2);
    Crossover crossover = find(&fast, &slow);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    assert_true(crossover.unsure && crossover_is_even(&crossover));
    check_words(&crossover, "undecided at every size (1 to 4 pixel)");
    crossover = find(&slow, &fast);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    assert_true(crossover.unsure && crossover_is_even(&crossover));
    check_words(&crossover, "undecided at every size (1 to 4 pixel)");
    fast = with_intervals(CURVE(SIZES(1, 2, 4), 5, 10, 20), 0.1);
    fast.points[2].high = 41;
    crossover = find(&fast, &slow);
    assert_true(crossover.kind == CROSSOVER_ALWAYS && crossover.unsure && crossover.open == 1);
    check_words(&crossover, "at every size (1 to 4 pixel); undecided at 1 of 3");
    crossover = find(&slow, &fast);
    assert_true(crossover.kind == CROSSOVER_NEVER &&
                !crossover.unsure); /* possibly from there on */
    fast.points[2].high = 22;
    crossover = find(&fast, &slow);
    assert_true(crossover.kind == CROSSOVER_ALWAYS && !crossover.unsure && crossover.open == 0);
    check_words(&crossover, "at every size (1 to 4 pixel)");
}

/* One size has a winner only beyond the intervals. */
TEST(one_size_is_told_apart_or_not) {
    const TestCurve slow = CURVE(SIZES(100), 10);
    TestCurve fast = with_intervals(CURVE(SIZES(100), 9), 0.2);
    Crossover crossover = find(&fast, &slow);
    check_words(&crossover, "undecided at the one size measured (100 pixel)");
    fast = with_intervals(CURVE(SIZES(100), 9), 0.05);
    crossover = find(&fast, &slow);
    check_words(&crossover, "at the one size measured (100 pixel)");
}

/* A launch of 10 µs and 1 ns a pixel against 11 ns a pixel: equal at 1000 pixels, which lie between
 * 100 and 10000, where the straight lines between the points meet at another place: the difference
 * of logarithms is ln(10100/1100) at 100 pixels and ln(20000/110000) at 10000. */
TEST(a_launch_costs_small_sizes) {
    const TestCurve gpu = CURVE(SIZES(100, 10000, 1e6), 10100, 20000, 1010000);
    const TestCurve cpu = CURVE(SIZES(100, 10000, 1e6), 1100, 110000, 11e6);
    const Crossover crossover = find(&gpu, &cpu);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    near_to(log10(crossover.x), 2 + 2 * log(10100.0 / 1100) / log(10100.0 / 1100 * 5.5));
    const TestCurve dense = CURVE(SIZES(100, 1000, 10000), 10100, 11000, 20000);
    const TestCurve dense_cpu = CURVE(SIZES(100, 1000, 10000), 1100, 11000, 110000);
    near_to(find(&dense, &dense_cpu).x, 1000);
}

TEST(only_sizes_that_both_have_count) {
    const TestCurve challenger = CURVE(SIZES(0.5, 1, 7, 100), 1e-6, 10, 1e-6, 10);
    const TestCurve champion = CURVE(SIZES(1, 30, 100, 1000), 1, 1e-6, 100, 1e-6);
    const Crossover crossover = find(&challenger, &champion);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    assert_int_equal(crossover.points, 2);
    near_to(crossover.x, 10);
    near_to(crossover.from, 1);
    near_to(crossover.to, 100);
}

/* --- Where there is none ---------------------------------------------------------------------- */

TEST(always_and_never_are_said) {
    const TestCurve fast = CURVE(SIZES(1, 10, 2e6), 1, 10, 1e6);
    const TestCurve slow = CURVE(SIZES(1, 10, 2e6), 2, 20, 2e6);
    Crossover crossover = find(&fast, &slow);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    assert_true(isnan(crossover.x) && isnan(crossover.low) && isnan(crossover.high));
    check_words(&crossover, "at every size (1 pixel to 2 Mpixel)");
    crossover = find(&slow, &fast);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    assert_true(isnan(crossover.x) && isnan(crossover.low) && isnan(crossover.high));
    check_words(&crossover, "at no size (1 pixel to 2 Mpixel)");
}

/* 20 against 1 and 18: behind; 17 against 18 at best: 17/1 is ahead of none, 17/18 is. */
TEST(never_may_be_possible_within_the_intervals) {
    const TestCurve challenger = with_intervals(CURVE(SIZES(1, 100), 20, 20), 0.5);
    const TestCurve champion = CURVE(SIZES(1, 100), 1, 100 / 5.5);
    Crossover crossover = find(&challenger, &champion);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    /* 10 against x^a with 100^a = 100/5.5. */
    near_to(log(crossover.low), log(10) * log(100) / log(100 / 5.5));
    check_words(&crossover, "at no size (1 to 100 pixel); possibly from 38.7 pixel on given the "
                            "intervals");
    crossover = find(&champion, &challenger);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    assert_true(isnan(crossover.high));
}

TEST(equal_times_count_as_behind) {
    const TestCurve one = CURVE(SIZES(1, 10, 100), 5, 6, 7);
    assert_int_equal(find(&one, &one).kind, CROSSOVER_NEVER);
    const TestCurve better = CURVE(SIZES(1, 10, 100), 5, 6, 6);
    const Crossover crossover = find(&better, &one);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    near_to(crossover.x, 10);
    const Crossover opposite = find(&one, &better);
    assert_int_equal(opposite.kind, CROSSOVER_NEVER);
}

TEST(one_size_is_enough_to_say_which) {
    const TestCurve fast = CURVE(SIZES(3), 1);
    const TestCurve slow = CURVE(SIZES(3), 2);
    Crossover crossover = find(&fast, &slow);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    check_words(&crossover, "at the one size measured (3 pixel)");
    crossover = find(&slow, &fast);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    check_words(&crossover, "not at the one size measured (3 pixel)");
}

TEST(nothing_in_common_is_unknown) {
    const TestCurve left = CURVE(SIZES(1, 3), 1, 1);
    const TestCurve right = CURVE(SIZES(2, 4), 1, 1);
    const Crossover crossover = find(&left, &right);
    assert_int_equal(crossover.kind, CROSSOVER_UNKNOWN);
    assert_int_equal(crossover.points, 0);
    assert_true(isnan(crossover.from) && isnan(crossover.x));
    check_words(&crossover, "not known: no size has both");
    assert_int_equal(crossover_find(NULL, 0, NULL, 0).kind, CROSSOVER_UNKNOWN);
}

/* --- More than one change --------------------------------------------------------------------- */

TEST(several_changes_are_told_by_the_last) {
    const double *sizes = SIZES(1, 100, 1e4, 1e6);
    const TestCurve flat = CURVE(sizes, 10, 10, 10, 10);
    const TestCurve wave = CURVE(sizes, 1, 100, 1, 100);
    Crossover crossover = find(&flat, &wave);
    assert_int_equal(crossover.kind, CROSSOVER_MIXED);
    near_to(crossover.x, 1e5);
    check_words(&crossover, "back and forth, for good from 1e+05 pixel on");
    crossover = find(&wave, &flat);
    assert_int_equal(crossover.kind, CROSSOVER_MIXED);
    assert_true(isnan(crossover.x) && isnan(crossover.low) && isnan(crossover.high));
    check_words(&crossover, "back and forth, not at the end of this range (1 pixel to 1 Mpixel)");
}

/* --- Over launches ---------------------------------------------------------------------------- */

/* A challenger that takes 1 s at every size crosses one that takes size / place seconds at the
 * place. A place of 0 or INFINITY: ahead at every size, or at none. */
static Crossover launch_at(double place) {
    const double *sizes = SIZES(50, 400);
    const TestCurve flat = CURVE(sizes, 1, 1);
    const TestCurve rising = place == 0     ? CURVE(sizes, 2, 3)
                             : isinf(place) ? CURVE(sizes, 0.5, 0.9)
                                            : CURVE(sizes, 50 / place, 400 / place);
    return find(&flat, &rising);
}

static Crossover over_launches(double whole, const double *places, size_t count) {
    Crossover launches[8];
    const Crossover of_medians = launch_at(whole);
    for (size_t i = 0; i < count; i++) {
        launches[i] = launch_at(places[i]);
    }
    return crossover_over_launches(&of_medians, launches, count);
}

#define OVER_LAUNCHES(whole, ...)                                                                  \
    over_launches(whole, (const double[]){__VA_ARGS__},                                            \
                  sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* The middle two are 120 and 130; of six the interval is the least to the greatest. */
TEST(six_launches_give_median_and_interval) {
    const Crossover crossover = OVER_LAUNCHES(126, 130, 100, 150, 120, 110, 140);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    assert_int_equal(crossover.launches, 6);
    near_to(crossover.x, 125);
    near_to(crossover.low, 100);
    near_to(crossover.high, 150);
    check_words(&crossover, "from 125 pixel on (100 to 150)");
}

/* A launch that is ahead everywhere comes before all others, one that never is behind them. */
TEST(launches_without_a_crossing_are_at_the_ends) {
    Crossover crossover = OVER_LAUNCHES(126, 130, 0, INFINITY, 120, 110, 140);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    near_to(crossover.x, 125);
    check_words(&crossover, "from 125 pixel on (before 50 to beyond 400)");
    crossover = OVER_LAUNCHES(300, INFINITY, INFINITY, INFINITY, 300, 200, INFINITY);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    assert_false(crossover.unsure);
    check_words(&crossover, "at no size (50 to 400 pixel); possibly from 200 pixel on "
                            "given the intervals");
    crossover = OVER_LAUNCHES(INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    assert_true(crossover.unsure);
    check_words(&crossover, "at no size (50 to 400 pixel); not in every launch");
    crossover = OVER_LAUNCHES(0, 0, 0, 0, 0, 90, 60);
    assert_int_equal(crossover.kind, CROSSOVER_ALWAYS);
    check_words(&crossover, "at every size (50 to 400 pixel); surely only from 90 pixel on "
                            "given the intervals");
    crossover = OVER_LAUNCHES(0, 0, 0, 0, 0, 0, 0);
    check_words(&crossover, "at every size (50 to 400 pixel)");
}

/* Three launches below all sizes, three beyond: the medians over launches decide. */
TEST(split_launches_leave_the_medians_place) {
    const Crossover crossover = OVER_LAUNCHES(100, 0, 0, 0, INFINITY, INFINITY, INFINITY);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    check_words(&crossover, "from 100 pixel on (before 50 to beyond 400)");
}

/* Who falls behind with size: the same launches with the sides exchanged. */
TEST(launches_that_fall_behind_are_ordered_too) {
    const double *sizes = SIZES(50, 400);
    const double places[] = {100, 150, 120, 110, 140, 130};
    Crossover launches[6];
    for (size_t i = 0; i < 6; i++) {
        const TestCurve flat = CURVE(sizes, 1, 1);
        const TestCurve rising = CURVE(sizes, 50 / places[i], 400 / places[i]);
        launches[i] = find(&rising, &flat);
    }
    Crossover crossover = crossover_over_launches(&launches[2], launches, 6);
    assert_int_equal(crossover.kind, CROSSOVER_UNTIL);
    check_words(&crossover, "up to 125 pixel (100 to 150)");
    const TestCurve least = CURVE(sizes, 0.5, 0.5);
    const TestCurve one = CURVE(sizes, 1, 1);
    launches[3] = find(&least, &one); /* ahead to the end and beyond */
    crossover = crossover_over_launches(&launches[2], launches, 6);
    check_words(&crossover, "up to 135 pixel (100 to beyond 400)");
    launches[0] = launches[1] = launches[4] = launches[3];
    crossover = crossover_over_launches(&launches[2], launches, 6);
    check_words(&crossover, "at every size (50 to 400 pixel); not in every launch");
}

/* Three launches: the least and the greatest, of which the caller says what they are. */
TEST(few_launches_give_their_extremes) {
    const Crossover crossover = OVER_LAUNCHES(120, 200, 120, 110);
    assert_int_equal(crossover.launches, 3);
    check_words(&crossover, "from 120 pixel on (110 to 200)");
    const Crossover one = launch_at(120);
    const Crossover none = crossover_over_launches(&one, NULL, 0);
    assert_int_equal(none.launches, 0);
    near_to(none.x, 120);
}

/* --- What the interval is called -------------------------------------------------------------- */

static void check_interval_words(size_t least, size_t most, const char *expected) {
    LaunchRange range = {.most = 0};
    char text[96];
    launch_range_add(&range, most);
    launch_range_add(&range, least);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(intervals_are_called_by_their_launches) {
    char text[96];
    check_interval_words(6, 6, "95% of 6 launches");
    check_interval_words(6, 9, "95% of 6 to 9 launches");
    check_interval_words(5, 5, "least to greatest of 5 launches");
    check_interval_words(2, 3, "least to greatest of 2 to 3 launches");
    check_interval_words(3, 6, "95% or least to greatest of 3 to 6 launches");
    check_interval_words(1, 1, "95% in this run");
    check_interval_words(0, 0, "95% in this run");
    interval_words(&(LaunchRange){.most = 0}, text, sizeof text);
    assert_string_equal(text, "");
}

/* A cell of which no earlier run is known speaks for all. */
TEST(intervals_of_launches_that_followed_each_other_say_so) {
    const Summary fresh = {.launches = 3, .within = 41.3};
    const Summary known = {.launches = 3, .remembered = true};
    LaunchRange range = {.most = 0};
    LaunchRange both = {.most = 0};
    char text[96];
    launch_range_add_summary(&range, &known);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, "least to greatest of 3 launches and earlier runs");
    launch_range_add_summary(&range, &fresh);
    interval_words(&range, text, sizeof text);
    assert_string_equal(text, "least to greatest of 3 launches in these 42 s");
    launch_range_add(&both, 6);
    launch_range_join(&both, &range);
    interval_words(&both, text, sizeof text);
    assert_string_equal(text, "95% or least to greatest of 3 to 6 launches in these 42 s");
}

/* --- What is not as it should be -------------------------------------------------------------- */

TEST(times_that_are_none_are_passed_over) {
    const double *sizes = SIZES(1, 2, 3, 4, 5, 100);
    const TestCurve challenger = CURVE(sizes, 10, NAN, -1, INFINITY, 1e-3, 10);
    TestCurve champion = CURVE(sizes, 1, 99, 99, 99, NAN, 100);
    champion.points[0].low = 0; /* no time: the value stands for it */
    const Crossover crossover = find(&challenger, &champion);
    assert_int_equal(crossover.kind, CROSSOVER_AT);
    assert_int_equal(crossover.points, 2);
    near_to(crossover.x, 10);
    near_to(crossover.high, 10);
}

TEST(any_order_and_any_size_is_taken) {
    const TestCurve sorted = CURVE(SIZES(1, 100), 10, 10);
    const double odd[] = {100, NAN, -3, 1, 1, INFINITY, 1e-300, 1e300, 0};
    const TestCurve messy = curve(odd, (const double[]){100, 1, 1, 1, 2, 3, 1e-300, 1e300});
    (void)find(&messy, &sorted);
    (void)find(&sorted, &messy);
    const Crossover crossover = find(&messy, &messy);
    assert_int_equal(crossover.kind, CROSSOVER_NEVER);
    assert_int_equal(crossover.points, 5);
}

TEST(words_are_cut_to_their_room) {
    const TestCurve constant = CURVE(SIZES(1, 100), 10, 10);
    const TestCurve linear = CURVE(SIZES(1, 100), 1, 100);
    const Crossover crossover = find(&constant, &linear);
    char text[8];
    memset(text, 'x', sizeof text);
    crossover_words(&crossover, size_text, text, 7);
    assert_string_equal(text, "from 1");
    assert_int_equal(text[7], 'x');
}

/* Units that differ are all written. */
TEST(units_that_differ_are_written) {
    const Crossover crossover = {
        .kind = CROSSOVER_AT, .x = 1.2e6, .low = 9e5, .high = 1.5e6, .from = 1, .to = 2e6};
    check_words(&crossover, "from 1.2 Mpixel on (9e+05 pixel to 1.5 Mpixel)");
    const Crossover same = {
        .kind = CROSSOVER_AT, .x = 3e6, .low = 2.5e6, .high = NAN, .from = 1, .to = 4e6};
    check_words(&same, "from 3 Mpixel on (2.5 to beyond 4)");
}
