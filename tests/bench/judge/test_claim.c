/* Claims: what the times of another run say about a ratio, a side or a crossover. */
#include "claim.h"
#include "crossover.h"
#include "random.h"
#include "test.h"
#include "times.h"
#include "two_runs.h"

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
    assert_ok(claim_of_number(claimed, here, CLAIMS, &test));
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

/* The first `count` of the launches. */
static TimesRatio first_launches(const Times *slow, const Times *fast, size_t count) {
    Times a = *slow, b = *fast;
    a.count = b.count = count;
    for (size_t i = count; i < LAUNCHES_MAX; i++) {
        a.launches[i] = b.launches[i] = NAN;
    }
    return times_ratio(&a, &b);
}

/* `reproduce --budget` looks after six, nine and twelve launches, and ends when no claim is
 * undecided. Of 100 runs that are measured again so, each with 12 claims of 10×, of a tenth or of
 * 1.2×, less than 2% have a claim that fails. */
TEST(looking_three_times_makes_no_claim_fail) {
    enum { RUNS = 100, MOST = 12, FEW_CLAIMS = 12 };
    static const double ratios[] = {0.1, 1.2, 10};
    Random random;
    random_seed(&random, 1);
    size_t wrong = 0, early = 0;
    for (size_t run = 0; run < RUNS; run++) {
        TimesRatio claimed[FEW_CLAIMS];
        Times slow[FEW_CLAIMS], fast[FEW_CLAIMS];
        for (size_t i = 0; i < FEW_CLAIMS; i++) {
            claimed[i] = draw_ratio(&random, ratios[i % 3], 0.1);
            slow[i] = fast[i] = times_none();
            for (slow[i].count = 0; slow[i].count < MOST; slow[i].count++) {
                slow[i].launches[slow[i].count] =
                    ratios[i % 3] * exp(0.1 / sqrt(2) * random_normal(&random));
                fast[i].launches[slow[i].count] = exp(0.1 / sqrt(2) * random_normal(&random));
            }
        }
        size_t undecided = 1, fails = 0, looked = LAUNCHES;
        for (; undecided > 0 && looked <= MOST; looked += 3) {
            undecided = fails = 0;
            for (size_t i = 0; i < FEW_CLAIMS; i++) {
                const TimesRatio here = first_launches(&slow[i], &fast[i], looked);
                const ClaimTest test = test_number(&claimed[i], &here);
                undecided += claim_is_undecided(&test);
                fails += test.verdict == CLAIM_FAILS;
            }
        }
        wrong += fails > 0;
        early += looked - 3 < MOST;
    }
    assert_true(wrong < RUNS / 50);
    assert_true(early > 0);
}

/* What more launches may decide, and what they cannot. */
TEST(a_claim_may_be_undecided) {
    Random random;
    random_seed(&random, 2);
    const TimesRatio clear = draw_ratio(&random, 10, 0.01), none = draw_ratio(&random, 1, 0.5);
    const ClaimTest open = claim_of_side(&clear, &none), holds = claim_of_side(&clear, &clear);
    const ClaimTest nothing = claim_of_side(&none, &clear);
    assert_true(claim_is_undecided(&open));
    assert_false(claim_is_undecided(&holds));
    assert_int_equal(nothing.verdict, CLAIM_UNTESTED);
    assert_false(claim_is_undecided(&nothing));
}

/* What was disturbed says nothing of a claim, however far it is. */
TEST(disturbed_times_test_nothing) {
    Random random;
    char why[CLAIM_REASON_SIZE];
    random_seed(&random, 1);
    const TimesRatio claimed = draw_ratio(&random, 10, 0.01);
    for (size_t i = 0; i < 3; i++) {
        static const double ratios[] = {10, 1, 0.1};
        TimesRatio here = draw_ratio(&random, ratios[i], 0.01);
        here.ratio.disturber = DISTURBER_GUESTS;
        here.side = ratio_side(&here.ratio);
        assert_int_equal(here.side, SIDE_UNDECIDED);
        const ClaimTest number = test_number(&claimed, &here);
        const ClaimTest side = claim_of_side(&claimed, &here);
        assert_int_equal(number.verdict, CLAIM_UNTESTED);
        assert_int_equal(side.verdict, CLAIM_UNTESTED);
        claim_reason_words(&number, why);
        assert_string_equal(why, "undecided here: other guests had the processors");
        assert_int_equal(test_number(&here, &claimed).reason, CLAIM_WITHOUT_SIDE);
    }
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

TEST(a_crossover_holds_unless_a_place_says_otherwise) {
    static const SpeedSide sides[PLACES] = {SIDE_SLOWER, SIDE_SLOWER, SIDE_UNDECIDED, SIDE_FASTER,
                                            SIDE_FASTER, SIDE_SAME,   SIDE_UNDECIDED, SIDE_FASTER};
    const Crossover claimed = crossover_of(sides, PLACES);
    for (size_t place = 0; place < PLACES; place++) {
        ClaimVerdict here[PLACES] = {CLAIM_HOLDS};
        here[place] = CLAIM_FAILS;
        const bool counts = side_is_decided(sides[place]);
        assert_int_equal(claim_of_crossover(&claimed, sides, here), counts ? place : SIZE_MAX);
        here[place] = CLAIM_UNTESTED;
        const bool needed = place == claimed.before || place == claimed.after;
        assert_int_equal(claim_of_crossover(&claimed, sides, here), needed ? place : SIZE_MAX);
    }
    static const SpeedSide ahead[] = {SIDE_FASTER, SIDE_SAME, SIDE_FASTER};
    const Crossover always = crossover_of(ahead, 3);
    const ClaimVerdict last[] = {CLAIM_HOLDS, CLAIM_UNTESTED, CLAIM_UNTESTED};
    assert_int_equal(claim_of_crossover(&always, ahead, last), 2);
}
