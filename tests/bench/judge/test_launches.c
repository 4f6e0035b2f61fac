/* Launches: what several say together, and what one says of itself. */
#include "judge_internal.h"
#include "random.h"
#include "sweep.h"
#include "test.h"
#include "times.h"
#include "two_runs.h"

/* --- Summaries -------------------------------------------------------------------------------- */

TEST(a_summary_is_of_order_statistics) {
    const double values[] = {5, 1, 9, 3, 7, 11, 2, 8, 6};
    const LaunchSummary nine = launches_summarize(values, 9); /* second to eighth */
    assert_true(nine.is_interval);
    assert_true(nine.median == 6 && nine.low == 2 && nine.high == 9);
    const LaunchSummary six = launches_summarize(values, 6);
    assert_true(six.is_interval && six.low == 1 && six.high == 11 && six.median == 6);
    const LaunchSummary five = launches_summarize(values, 5);
    assert_true(!five.is_interval && five.low == 1 && five.high == 9 && five.median == 5);
    const LaunchSummary one = launches_summarize(values, 1);
    assert_true(one.launches == 1 && isnan(one.spread));
    assert_true(isnan(launches_summarize(values, 0).median));
    const double two[] = {1, exp(0.2)};
    assert_true(fabs(launches_summarize(two, 2).spread - 0.2 / sqrt(2)) < 1e-12);
}

/* Each launch halves or doubles both times: the ratio does not notice. */
TEST(a_ratio_is_formed_within_each_launch) {
    const double bottom[] = {1, 2, 4, 1, 2, 4};
    const double top[] = {3, 6, 12, 3, 6, 12};
    const LaunchSummary ratio = launches_ratio(top, bottom, 6);
    assert_true(ratio.low == 3 && ratio.high == 3 && ratio.spread == 0);
}

TEST(the_winner_is_chosen_by_the_other_launches) {
    const double a[] = {1, 5, 5};
    const double b[] = {4, 4, 4};
    const double none[] = {NAN, NAN, NAN};
    const double *const lanes[] = {none, a, b};
    double median = 0;
    assert_int_equal(launches_winner(lanes, 3, 3, 3, &median), 2);
    assert_true(median == 4);
    assert_int_equal(launches_winner(lanes, 3, 3, 0, NULL), 2); /* a's luck does not count */
    assert_int_equal(launches_winner(lanes, 3, 3, 1, &median), 1);
    assert_true(median == 3);
    assert_int_equal(launches_winner(lanes, 1, 3, 3, NULL), 1);
}

/* --- Earlier runs ----------------------------------------------------------------------------- */

/* Turns of one launch, odd and even ones of so many milliseconds, with some noise. */
static Samples turns_of(double odd, double even) {
    Samples samples = {.seconds = NULL};
    for (uint32_t turn = 0; turn < 24; turn++) {
        const double noise = 1 + 1e-4 * (turn / 2 % 5);
        samples.origin.turn = turn;
        assert_int_equal(
            samples_add(&samples, 1e-3 * noise * (turn % 2 == ODD_TURNS ? odd : even)).code,
            STATUS_OK);
    }
    return samples;
}

/* Odd turns choose the cell that takes 9 ms there; its even turns take 11, and those of what it is
 * compared with 22. */
TEST(in_one_launch_the_turns_that_choose_do_not_time) {
    Samples cells[] = {turns_of(10, 10), turns_of(9, 11)}, reference = turns_of(20, 22);
    const Samples *const of[] = {&cells[0], &cells[1]};
    const Times slow = times_from(&reference);
    Times fast;
    assert_int_equal(times_of_fastest(of, 2, of, &fast), 1);
    const TimesRatio ratio = times_ratio(&slow, &fast);
    assert_true(fabs(ratio.ratio.value - 2) < 1e-9);
    assert_true(ratio.ratio.low > 1.99 && ratio.ratio.high < 2.01 && ratio.ratio.in_run);
    for (size_t i = 0; i < 2; i++) {
        samples_release(&cells[i]);
    }
    samples_release(&reference);
}

TEST(an_interval_is_at_least_as_wide_as_earlier_runs_demand) {
    const LaunchMemory memory = {.time = log(2)};
    const LaunchMemory fresh = {.within = 60};
    const LaunchMemory of_file = {.time = NAN, .ratio = NAN, .within = NAN};
    Summary six = {.launches = 6,
                   .median = 10,
                   .ci_low = 9,
                   .ci_high = 30,
                   .launch_low = 9,
                   .launch_high = 30};
    Summary three = {.launches = 3,
                     .median = 10,
                     .ci_low = NAN,
                     .ci_high = NAN,
                     .launch_low = 4,
                     .launch_high = 11};
    Summary one = {.launches = 1, .median = 10, .ci_low = 9, .ci_high = 11};
    for (int time = 0; time < 2; time++) {
        summary_remember(&memory, &six);
        summary_remember(&memory, &three);
        summary_remember(&memory, &one);
        assert_true(fabs(six.ci_low - 5) < 1e-12 && six.ci_high == 30 && six.remembered);
        assert_true(isnan(three.ci_low) && three.launch_low == 4);
        assert_true(fabs(three.launch_high - 20) < 1e-12);
        assert_true(one.ci_low == 9 && one.ci_high == 11 && !one.remembered);
    }
    summary_remember(&fresh, &six);
    assert_true(six.within == 60 && !six.remembered && six.ci_high == 30);
    summary_remember(&of_file, &six);
    assert_true(six.within == 0 && !six.remembered && six.ci_high == 30);
}

/* The memory of ratios counts; without one both sides' times are off. */
TEST(a_ratio_is_as_wide_as_earlier_runs_demand) {
    const LaunchSummary launches = {.median = 4, .low = 3.9, .high = 4.1};
    Samples slow = {.memory = {.time = 0.3, .ratio = 5}};
    Samples fast = {.memory = {.time = 0.4, .ratio = log(2)}};
    Ratio ratio = ratio_over_launches(&launches, &slow, &fast);
    assert_true(fabs(ratio.low - 2) < 1e-12 && fabs(ratio.high - 8) < 1e-12 && ratio.within == 0);
    fast.memory.ratio = 0;
    ratio = ratio_over_launches(&launches, &slow, &fast);
    assert_true(fabs(ratio.high - 4 * exp(0.5)) < 1e-12);
    slow.memory = (LaunchMemory){.within = 60};
    fast.memory = (LaunchMemory){.time = NAN, .ratio = NAN, .within = NAN};
    ratio = ratio_over_launches(&launches, &slow, &fast);
    assert_true(ratio.low == 3.9 && ratio.high == 4.1 && ratio.within == 60);
    slow.memory = (LaunchMemory){.time = 1};
    ratio = ratio_over_launches(&launches, &slow, &slow);
    assert_true(ratio.low == 3.9 && ratio.high == 4.1);
    ratio = ratio_over_launches(&launches, NULL, NULL);
    assert_true(ratio.low == 3.9 && ratio.high == 4.1 && ratio.extremes);
}

/* The launches of another run are further away. */
TEST(more_launches_are_not_those_that_earlier_runs_are_about) {
    RELEASED_BY(samples_release) Samples samples = {.memory = {.time = 1}};
    RELEASED_BY(samples_release) Samples copy;
    assert_ok(samples_add(&samples, 1));
    assert_ok(samples_copy(&samples, &copy));
    assert_true(copy.memory.time == 1);
    assert_ok(samples_append(&samples, &copy, 1));
    assert_true(samples.memory.time == 0);
}

/* --- What a launch measures ------------------------------------------------------------------- */

/* A tenth of the time and of the samples, but at least eight; ceilings in the first alone. */
TEST(a_launch_has_its_share_of_the_run) {
    RunOptions options = {.launches = 10, .min_reps = 201, .max_time = 5, .roof = true};
    for (options.pass = 1; options.pass <= 2; options.pass++) {
        const RunOptions own = launch_options(&options);
        assert_int_equal(own.min_reps, 21);
        assert_int_equal(own.reps, 0);
        assert_true(own.max_time == 0.5);
        assert_int_equal(own.roof, options.pass == 1);
    }
    options.reps = 30;
    assert_int_equal(launch_options(&options).min_reps, 8);
    assert_int_equal(launch_options(&options).reps, 0);
}

/* --- Within a launch -------------------------------------------------------------------------- */

enum { LONG = 40000 };

static double values[LONG];
static SampleOrigin turns[LONG];

/* AR(1) with factor f: 1 + 2·(f + f² + …) = (1 + f) / (1 - f). */
TEST(correlation_time_of_a_known_process) {
    Random random;
    random_seed(&random, 3);
    double before = 0;
    for (size_t i = 0; i < LONG; i++) {
        values[i] = random_normal(&random);
    }
    assert_true(correlation_time(values, LONG) < 1.1);
    for (size_t i = 0; i < LONG; i++) {
        values[i] = before = 0.5 * before + random_normal(&random);
    }
    assert_true(fabs(correlation_time(values, LONG) / 3 - 1) < 0.1);
    for (size_t i = 0; i < LONG; i++) {
        values[i] = i % 2 == 0 ? 1 : -1; /* neighbours differ: no less than independent */
    }
    assert_true(correlation_time(values, LONG) == 1);
    assert_true(correlation_time(values, 1) == 1);
}

/* By hand: turns {1, 3} and {5, 7}: between 16, within (2 + 2) / 2 = 2, so (16 - 2) / (16 + 2). */
TEST(turn_correlation_by_hand) {
    const double few[] = {1, 3, 5, 7};
    const SampleOrigin pairs[] = {{0, 0}, {0, 0}, {0, 1}, {0, 1}};
    const SampleOrigin one[] = {{0, 4}, {0, 4}, {0, 4}, {0, 4}};
    const SampleOrigin four[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
    double size = 0;
    assert_true(fabs(turn_correlation(few, pairs, 4, &size) - 7.0 / 9) < 1e-12);
    assert_true(size == 2);
    assert_true(turn_correlation(few, one, 4, &size) == 0 && size == 4);
    assert_true(turn_correlation(few, four, 4, &size) == 0 && size == 1);
}

/* Turns of 10 samples with half of the variance between them: 1 + 9·0.5. */
TEST(samples_of_a_turn_count_for_few) {
    Random random;
    random_seed(&random, 5);
    double level = 0;
    for (size_t i = 0; i < LONG; i++) {
        level = i % 10 == 0 ? random_normal(&random) : level;
        values[i] = level + random_normal(&random);
        turns[i].turn = (uint32_t)(i / 10);
    }
    double size = 0;
    assert_true(fabs(turn_correlation(values, turns, LONG, &size) - 0.5) < 0.03);
    const double tau = samples_tau(values, turns, LONG);
    assert_true(fabs(tau / 5.5 - 1) < 0.15);
}

TEST(ranks_widen_with_tau) {
    size_t low = 0;
    size_t high = 0;
    assert_true(run_interval_ranks(100, 1, &low, &high)); /* (100 - 19.6) / 2 = 40.2 */
    assert_true(low == 40 && high == 61);
    assert_true(run_interval_ranks(100, 4, &low, &high)); /* (100 - 39.2) / 2 = 30.4 */
    assert_true(low == 30 && high == 71);
    assert_false(run_interval_ranks(15, 4, &low, &high));
}

/* Launches of two runs: 2^0, 2^10 … over 2^0, 2^1 …, so that the ratios in their order are 2^-(m-1)
 * … 2^0, 2^(10-(m-1)) … 2^10 and so on. Of 6 and 6 launches printed tables of the two-sided
 * Mann-Whitney test at 5% reject up to U = 5, of 8 and 8 up to 13, of 6 and 8 up to 8. */
TEST(launches_of_two_runs_have_the_interval_of_the_rank_test) {
    const struct {
        size_t n, m;
        double low, high; /* powers of 2 */
        bool extremes;
    } cases[] = {{6, 6, 0, 45, false},
                 {8, 8, 8, 55, false},
                 {6, 8, 3, 40, false},
                 {5, 6, -5, 40, true},
                 {1, 2, -1, 0, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double above[9], below[9];
        for (size_t i = 0; i < cases[c].n; i++) {
            above[i] = ldexp(1, 10 * (int)((i * 7) % cases[c].n));
        }
        for (size_t i = 0; i < cases[c].m; i++) {
            below[i] = ldexp(1, (int)i);
        }
        above[cases[c].n] = NAN; /* a launch that did not measure it */
        Ratio ratio;
        double level = 0;
        assert_ok(launches_ratio_between(above, cases[c].n + 1, below, cases[c].m, &ratio, &level));
        assert_int_equal(ratio.extremes, cases[c].extremes);
        assert_int_equal(isnan(level), cases[c].extremes);
        assert_true(ratio.low == ldexp(1, (int)cases[c].low));
        assert_true(ratio.high == ldexp(1, (int)cases[c].high));
        assert_true(ratio.low <= ratio.value && ratio.value <= ratio.high);
    }
    Ratio none;
    const double nothing = NAN;
    double level = 0;
    assert_ok(launches_ratio_between(&nothing, 1, &nothing, 1, &none, &level));
    assert_true(isnan(none.value) && isnan(none.low));
}
