/* Claims: what the times of another run say about a ratio, a side or a course. */
#include <math.h>

#include "judge.h"
#include "test.h"

enum { LAUNCHES = 6, PLACES = 8 };

/* Launches of a median with this standard deviation of their logarithms. */
static Times draw_times(Random *random, double median, double spread) {
    Times times = times_none();
    for (times.count = 0; times.count < LAUNCHES; times.count++) {
        times.launches[times.count] = median * exp(spread * random_normal(random));
    }
    return times;
}

static TimesRatio draw_ratio(Random *random, double ratio, double spread) {
    static const Samples slow_cell, fast_cell;
    Times slow = draw_times(random, ratio, spread / sqrt(2));
    Times fast = draw_times(random, 1, spread / sqrt(2));
    slow.samples = &slow_cell;
    fast.samples = &fast_cell;
    return times_ratio(&slow, &fast);
}

enum { CLAIMS = 40 };

static ClaimTest test_number(const TimesRatio *claimed, const TimesRatio *here) {
    ClaimTest test;
    assert_int_equal(claim_of_number(claimed, here, CLAIMS, &test).code, STATUS_OK);
    return test;
}

/* Of 150 runs that are measured twice, each with 40 claims of 10× or no difference, less than 2%
 * have a claim that fails. */
TEST(what_did_not_change_does_not_fail) {
    enum { RUNS = 150 };
    Random random;
    random_seed(&random, 1);
    size_t wrong = 0;
    for (size_t run = 0; run < RUNS; run++) {
        bool fails = false;
        for (size_t i = 0; i < CLAIMS; i++) {
            const double ratio = i % 2 == 0 ? 1 : 10;
            const TimesRatio claimed = draw_ratio(&random, ratio, 0.1);
            const TimesRatio here = draw_ratio(&random, ratio, 0.1);
            fails |= test_number(&claimed, &here).verdict == CLAIM_FAILS;
        }
        wrong += fails;
    }
    assert_true(wrong < RUNS / 50);
}

/* Six launches a side, which nearly all stored runs have, reach no limit of Holm's method from five
 * claims on: so the widest interval decides, and claims do not depend on one another. */
TEST(six_launches_reach_no_limit_of_many_claims) {
    assert_true(mann_whitney_least_p(LAUNCHES, LAUNCHES) < judge_criteria.alpha / 4);
    assert_true(mann_whitney_least_p(LAUNCHES, LAUNCHES) > judge_criteria.alpha / 5);
}

/* A change of that size is found in 80 of 100 comparisons. */
TEST(what_is_detectable_is_found) {
    enum { RUNS = 400 };
    Random random;
    random_seed(&random, 6);
    double detectable = 0;
    size_t found = 0;
    for (size_t run = 0; run < RUNS; run++) {
        const TimesRatio claimed = draw_ratio(&random, 10, 0.03);
        const TimesRatio here = draw_ratio(&random, 10, 0.03);
        detectable += test_number(&claimed, &here).detectable / RUNS;
    }
    for (size_t run = 0; run < RUNS; run++) {
        const TimesRatio claimed = draw_ratio(&random, 10, 0.03);
        const TimesRatio here = draw_ratio(&random, 10 * (1 + detectable), 0.03);
        found += test_number(&claimed, &here).reason == CLAIM_CHANGED;
    }
    if (found < 72 * RUNS / 100 || found > 88 * RUNS / 100) {
        fail_msg("%zu of %d changes of %g are found", found, RUNS, detectable);
    }
}

TEST(a_fifth_more_is_found) {
    enum { RUNS = 500 };
    Random random;
    random_seed(&random, 2);
    size_t found = 0;
    for (size_t run = 0; run < RUNS; run++) {
        const TimesRatio claimed = draw_ratio(&random, 10, 0.03);
        const TimesRatio here = draw_ratio(&random, 12, 0.03);
        found += test_number(&claimed, &here).reason == CLAIM_CHANGED;
    }
    assert_true(found > 8 * RUNS / 10);
}

/* What is said of the slowdown is said of the speedup, in whatever unit times are. */
TEST(a_claim_is_the_same_either_way_round) {
    Random random;
    random_seed(&random, 3);
    for (int i = 0; i < 500; i++) {
        Times cells[4];
        static const Samples own[4];
        for (size_t j = 0; j < 4; j++) {
            cells[j] = draw_times(&random, 1 + 0.3 * random_unit(&random), 0.05);
            cells[j].samples = &own[j];
        }
        const TimesRatio claimed = times_ratio(&cells[0], &cells[1]);
        const TimesRatio here = times_ratio(&cells[2], &cells[3]);
        const TimesRatio claimed_inverse = times_ratio(&cells[1], &cells[0]);
        const TimesRatio here_inverse = times_ratio(&cells[3], &cells[2]);
        assert_int_equal(claimed.side, side_inverse(claimed_inverse.side));
        assert_int_equal(claim_of_side(&claimed, &here).verdict,
                         claim_of_side(&claimed_inverse, &here_inverse).verdict);
        assert_int_equal(test_number(&claimed, &here).verdict,
                         test_number(&claimed_inverse, &here_inverse).verdict);
        for (size_t j = 0; j < 2 * LAUNCHES; j++) {
            cells[2 + j / LAUNCHES].launches[j % LAUNCHES] *= 1000;
        }
        const TimesRatio scaled = times_ratio(&cells[2], &cells[3]);
        assert_int_equal(test_number(&claimed, &scaled).verdict,
                         test_number(&claimed, &here).verdict);
    }
}

/* Here ten times as slow as claimed and slower still: a verdict does not get better. */
TEST(what_becomes_slower_never_holds_again) {
    static const int rank[CLAIM_VERDICTS] = {
        [CLAIM_HOLDS] = 0, [CLAIM_UNTESTED] = 1, [CLAIM_FAILS] = 2};
    Random random;
    random_seed(&random, 4);
    for (int i = 0; i < 100; i++) {
        const TimesRatio claimed = draw_ratio(&random, 2, 0.02);
        const TimesRatio start = draw_ratio(&random, 2, 0.02);
        int worst = 0;
        for (double slower = 1; slower < 10; slower *= 1.1) {
            TimesRatio here = start;
            here.ratio.value /= slower;
            here.ratio.low /= slower;
            here.ratio.high /= slower;
            here.side = ratio_side(&here.ratio);
            const int now = rank[claim_of_side(&claimed, &here).verdict];
            assert_true(now >= worst);
            worst = now;
        }
        assert_int_equal(worst, rank[CLAIM_FAILS]);
    }
}

TEST(a_course_holds_unless_a_place_says_otherwise) {
    static const SpeedSide sides[PLACES] = {SIDE_SLOWER, SIDE_SLOWER, SIDE_UNDECIDED, SIDE_FASTER,
                                            SIDE_FASTER, SIDE_SAME,   SIDE_UNDECIDED, SIDE_FASTER};
    const Course claimed = course_of(sides, PLACES);
    for (size_t place = 0; place < PLACES; place++) {
        ClaimVerdict here[PLACES] = {CLAIM_HOLDS};
        here[place] = CLAIM_FAILS;
        const bool counts = side_is_decided(sides[place]);
        assert_int_equal(claim_of_course(&claimed, sides, here), counts ? place : SIZE_MAX);
        here[place] = CLAIM_UNTESTED;
        const bool needed = place == claimed.before || place == claimed.after;
        assert_int_equal(claim_of_course(&claimed, sides, here), needed ? place : SIZE_MAX);
    }
    static const SpeedSide ahead[] = {SIDE_FASTER, SIDE_SAME, SIDE_FASTER};
    const Course always = course_of(ahead, 3);
    const ClaimVerdict last[] = {CLAIM_HOLDS, CLAIM_UNTESTED, CLAIM_UNTESTED};
    assert_int_equal(claim_of_course(&always, ahead, last), 2);
}
