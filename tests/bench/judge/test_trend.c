/* Trends of series whose intervals are a tenth to either side, found by hand. */
#include "contenders.h"
#include "test.h"

enum { NUMBERS_MAX = 6 };

TEST(trends_turn_beyond_their_intervals) {
    static const struct {
        double numbers[NUMBERS_MAX];
        size_t count;
        Trend times, counts;
    } cases[] = {
        {{1, 2, 3}, 3, {.direction = 1, .peak = 0}, {.direction = 1, .peak = 2}},
        {{3, 2, 1}, 3, {.direction = -1, .peak = 2}, {.direction = -1, .peak = 0}},
        {{1, 1.05, 1.1}, 3, {.level = 2, .peak = 0}, {.level = 2, .peak = 2}},
        {{1, 1.15, 1.3},
         3,
         {.direction = 1, .level = 2, .peak = 0},
         {.direction = 1, .level = 2, .peak = 2}},
        {{1, 2, 1.9, 3},
         4,
         {.direction = 1, .level = 1, .peak = 0},
         {.direction = 1, .level = 1, .peak = 3}},
        {{1, 2, 1.9, 1.6},
         4,
         {.direction = 1, .level = 2, .turns = 1, .turn = 1, .peak = 0},
         {.direction = 1, .level = 2, .turns = 1, .turn = 1, .peak = 1}},
        {{1, 3, 2, 4, 1},
         5,
         {.direction = 1, .turns = 3, .turn = 1, .peak = 0},
         {.direction = 1, .turns = 3, .turn = 1, .peak = 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Contender series[NUMBERS_MAX];
        for (int times = 0; times < 2; times++) {
            for (size_t j = 0; j < cases[i].count; j++) {
                const double number = cases[i].numbers[j];
                series[j] = (Contender){.number = {number, 0.9 * number, 1.1 * number},
                                        .plain = times == 0};
            }
            const Trend got = trend_of(series, cases[i].count, times == 1);
            const Trend *want = times == 1 ? &cases[i].times : &cases[i].counts;
            assert_int_equal(got.direction, want->direction);
            assert_int_equal(got.level, want->level);
            assert_int_equal(got.turns, want->turns);
            assert_int_equal(got.turn, want->turn);
            assert_int_equal(got.peak, want->peak);
        }
    }
}

/* Of two counts without intervals something is said however close they are, of two times not. */
TEST(a_direction_is_that_of_its_kind) {
    Contender low = {.number = {1, NAN, NAN}}, high = {.number = {1.05, NAN, NAN}};
    assert_int_equal(contender_direction(&low, &high), 0);
    low.plain = high.plain = true;
    assert_int_equal(contender_direction(&low, &high), 1);
    assert_int_equal(contender_direction(&high, &low), -1);
}
