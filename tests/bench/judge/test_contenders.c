/* Which number of a table leads, and that its time is free of the luck that chose it. */
#include <math.h>
#include <string.h>

#include "contenders.h"
#include "random.h"
#include "ratio.h"
#include "samples.h"
#include "test.h"
#include "times.h"
#include "winners.h"

enum { WAYS = 4, LAUNCHES = 6, REPEATS = 2000, TURNS = 24 };

static const char runs[2];

static void contend(Times *times, double unit, const void *run, Contender *one) {
    const double median = launches_summarize(times->launches, times->count).median;
    *one = (Contender){
        .number = {.value = unit * median, .low = NAN, .high = NAN}, .times = times, .run = run};
}

static void draw(Random *random, double mean, Times *times) {
    *times = times_none();
    for (times->count = 0; times->count < LAUNCHES; times->count++) {
        times->launches[times->count] = mean * exp(0.05 * random_normal(random));
    }
}

/* Four ways of one speed. The least median is too small, the leader's time is not, whether the
 * ways were measured in one run or in two. */
static void check_luck(bool two_runs) {
    Random random;
    double least = 0, fair = 0, factor = 0;
    bool mixed = false; /* a leader's launches are of two runs */
    random_seed(&random, 5);
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        Times times[WAYS];
        Contender all[WAYS];
        RELEASED_BY(lead_release) Lead lead;
        for (size_t i = 0; i < WAYS; i++) {
            draw(&random, 1, &times[i]);
            contend(&times[i], 1000, &runs[two_runs && i % 2 == 1], &all[i]);
        }
        contenders_lead(all, WAYS, &lead);
        const Contender first = lead_contender(&lead);
        least += log(all[lead.first].number.value / 1000) / REPEATS;
        fair += log(first.number.value / 1000) / REPEATS;
        factor += log(lead_factor(&lead, &all[lead.second])) / REPEATS;
        assert_true(first.run == NULL || first.run == all[lead.first].run);
        mixed |= first.run == NULL;
        assert_true(lead_factor(&lead, &all[lead.slowest]) >=
                    lead_factor(&lead, &all[lead.second]));
    }
    assert_int_equal(mixed, two_runs);
    assert_true(least < -0.015);
    assert_true(fabs(fair) < 0.004);
    assert_true(factor < 0.012);
}

TEST(a_lead_owes_nothing_to_luck) {
    check_luck(false);
    check_luck(true);
}

/* A clear leader keeps its own time, and the unit of the numbers does not matter. */
TEST(a_clear_lead_is_as_it_was_measured) {
    Random random;
    Times times[3];
    Contender all[3];
    RELEASED_BY(lead_release) Lead lead;
    random_seed(&random, 6);
    for (size_t i = 0; i < 3; i++) {
        draw(&random, 3 - (double)i, &times[i]);
        contend(&times[i], i == 1 ? 1100 : 1000, runs, &all[i]); /* a mean of 1.1 medians */
    }
    contenders_lead(all, 3, &lead);
    const Contender first = lead_contender(&lead);
    assert_int_equal(lead.first, 2);
    assert_int_equal(lead.second, 1);
    assert_int_equal(lead.slowest, 0);
    assert_false(lead.tie);
    assert_true(fabs(first.number.value / all[2].number.value - 1) < 1e-12);
    assert_int_equal(contender_side(&first, &all[1]), SIDE_FASTER);
    assert_int_equal(contender_side(&all[0], &first), SIDE_SLOWER);
}

/* Half the time, each with an interval of its own: that of a run says nothing of another. */
static SpeedSide side_of_half(size_t launches, const void *run, Disturber disturber) {
    Times times[2];
    Contender both[2];
    for (size_t i = 0; i < 2; i++) {
        times[i] = times_none();
        for (times[i].count = 0; times[i].count < launches; times[i].count++) {
            times[i].launches[times[i].count] = (i == 0 ? 1 : 2) + 0.01 * (double)times[i].count;
        }
        contend(&times[i], 1000, i == 0 ? runs : run, &both[i]);
        both[i].number.low = 0.99 * both[i].number.value;
        both[i].number.high = 1.01 * both[i].number.value;
    }
    times[1].disturber = disturber;
    assert_true(contenders_are_known(&both[0], &both[1]));
    return contender_side(&both[0], &both[1]);
}

TEST(two_runs_of_few_launches_have_no_side) {
    assert_int_equal(side_of_half(LAUNCHES, &runs[1], DISTURBER_NONE), SIDE_FASTER);
    assert_int_equal(side_of_half(LAUNCHES - 1, &runs[1], DISTURBER_NONE), SIDE_UNDECIDED);
    assert_int_equal(side_of_half(1, &runs[1], DISTURBER_NONE), SIDE_UNDECIDED);
    assert_int_equal(side_of_half(1, &runs[0], DISTURBER_NONE), SIDE_FASTER);
}

TEST(a_disturbed_number_has_no_side) {
    assert_int_equal(side_of_half(LAUNCHES, &runs[1], DISTURBER_GUESTS), SIDE_UNDECIDED);
    assert_int_equal(side_of_half(LAUNCHES, &runs[0], DISTURBER_GUESTS), SIDE_UNDECIDED);
    assert_int_equal(side_of_half(1, &runs[0], DISTURBER_GUESTS), SIDE_UNDECIDED);
}

/* A leader that is ahead in every launch is of its own run, whose others are its pairs. */
TEST(a_clear_lead_is_of_its_run) {
    Random random;
    Times times[3];
    Contender all[3];
    RELEASED_BY(lead_release) Lead lead;
    random_seed(&random, 7);
    for (size_t i = 0; i < 3; i++) {
        draw(&random, 3 - (double)i, &times[i]);
        contend(&times[i], 1000, &runs[i == 0], &all[i]);
    }
    contenders_lead(all, 3, &lead);
    assert_int_equal(lead.first, 2);
    assert_true(lead.run == &runs[0]);
}

/* The odd turns of the second way are fast by luck, and its even ones as slow as the first's. */
TEST(in_one_launch_odd_turns_choose_and_even_ones_time) {
    Samples samples[2];
    Times times[2];
    Contender all[2];
    Lead lead;
    memset(samples, 0, sizeof samples);
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            samples[i].origin.turn = turn;
            const double noise = 0.02 * (turn / 2 % 5); /* the same in either half */
            const double seconds = 1 + noise - (i == 1 && turn % 2 == 1 ? 0.01 : 0);
            assert_ok(samples_add(&samples[i], seconds));
        }
        times[i] = times_from(&samples[i]);
        contend(&times[i], 1, runs, &all[i]);
    }
    contenders_lead(all, 2, &lead);
    assert_int_equal(lead.first, 1);
    assert_true(all[1].number.value < all[0].number.value);
    assert_true(fabs(lead.number.value / all[0].number.value - 1) < 1e-12);
    assert_true(lead.times.samples->count == TURNS / 2);
    lead_release(&lead);
    for (size_t i = 0; i < 2; i++) {
        samples_release(&samples[i]);
    }
}

/* As a paper prints them: taken as they are, and within 10% undecided. */
TEST(numbers_alone_lead_as_they_are) {
    static const double printed[] = {NAN, 4, 2, 2.1, 2};
    Contender all[5];
    Lead lead;
    for (size_t i = 0; i < 5; i++) {
        all[i] = (Contender){.number = {.value = printed[i], .low = NAN, .high = NAN}};
    }
    contenders_lead(all, 4, &lead);
    assert_true(lead.first == 2 && lead.second == 3 && lead.slowest == 1 && !lead.tie);
    assert_true(lead_factor(&lead, &all[1]) == 2);
    assert_int_equal(contender_side(&all[2], &all[3]), SIDE_UNDECIDED);
    assert_int_equal(contender_side(&all[2], &all[1]), SIDE_FASTER);
    contenders_lead(all, 5, &lead);
    assert_true(lead.first == 2 && lead.second == 4 && lead.tie);
    contenders_lead(all, 1, &lead);
    assert_true(lead.first == WINNER_NONE && lead.second == WINNER_NONE);
}
