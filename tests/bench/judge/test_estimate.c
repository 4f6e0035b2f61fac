/* Exponents, and numbers without launches. Anchors: SciPy (stats.linregress, stats.t.ppf; the
 * quantiles are those of R's qt). */
#include "contenders.h"
#include "growth.h"
#include "harness.h"
#include "judge_internal.h"
#include "test.h"

TEST(student_quantiles) {
    assert_near(student_quantile(0.975, 1), 12.706204736174694, 1e-12);
    assert_near(student_quantile(0.975, 2), 4.302652729749462, 1e-12);
    assert_near(student_quantile(0.975, 3), 3.1824463052837078, 1e-12);
    assert_near(student_quantile(0.975, 4), 2.7764451051977934, 1e-12);
    assert_near(student_quantile(0.975, 5), 2.5705818356363146, 1e-12);
    assert_near(student_quantile(0.975, 10), 2.228138851986274, 1e-12);
    assert_near(student_quantile(0.975, 30), 2.0422724563012378, 1e-12);
    assert_near(student_quantile(0.975, 100), 1.9839715185235518, 1e-12);
    assert_near(student_quantile(0.95, 5), 2.0150483733330233, 1e-12);
}

TEST(a_power_is_found) {
    const double items[] = {172800, 307200, 921600, 2073600, 8294400};
    const double seconds[] = {0.0052, 0.0089, 0.0270, 0.0598, 0.2488};
    const PowerFit fit = power_fit(items, seconds, 5);
    assert_near(fit.exponent, 1.0005649051532726, 1e-12);
    assert_true(fabs(fit.low - 0.9771905276052015) < 1e-10);
    assert_true(fabs(fit.high - 1.0239392827013436) < 1e-10);
    const double exact[] = {1, 2, 4};
    const double squares[] = {3, 12, 48};
    const PowerFit square = power_fit(exact, squares, 3);
    assert_near(square.exponent, 2, 1e-12);
    assert_true(square.high - square.low < 1e-9);
}

TEST(two_sizes_have_no_exponent) {
    const double items[] = {100, 200, 200, 100};
    const double seconds[] = {1, 2, 2.1, 1.1};
    const PowerFit fit = power_fit(items, seconds, 4);
    assert_true(isnan(fit.exponent) && isnan(fit.low) && isnan(fit.high));
}

/* By hand: 12 ± 10% over 4 ± 1, and numbers that are of a paper. */
TEST(estimates_have_the_widest_ratio) {
    const Estimate over = {.value = 12, .low = 12 / 1.1, .high = 12 * 1.1};
    const Estimate under = {.value = 4, .low = 3, .high = 5};
    const Estimate paper = {.value = 4, .low = NAN, .high = NAN};
    const Ratio ratio = estimate_ratio(&over, &under);
    assert_near(ratio.value, 3, 1e-12);
    assert_near(ratio.low, 12 / 1.1 / 5, 1e-12);
    assert_near(ratio.high, 12 * 1.1 / 3, 1e-12);
    const Ratio bare = estimate_ratio(&over, &paper);
    assert_near(bare.value, 3, 1e-12);
    assert_true(isnan(bare.low) && isnan(bare.high));
    assert_true(estimate_has_interval(&over) && !estimate_has_interval(&paper));
}

/* Less is faster; of overlapping intervals nothing is said, of two numbers always something. */
TEST(estimates_have_sides) {
    const Estimate low = {.value = -1, .low = -2, .high = 0},
                   high = {.value = 2, .low = 1, .high = 3};
    const Estimate wide = {.value = 1, .low = -1, .high = 4},
                   bare = {.value = 0, .low = NAN, .high = NAN};
    assert_int_equal(estimate_side(&low, &high), SIDE_FASTER);
    assert_int_equal(estimate_side(&high, &low), SIDE_SLOWER);
    assert_int_equal(estimate_side(&wide, &high), SIDE_UNDECIDED);
    assert_int_equal(estimate_side(&bare, &wide), SIDE_FASTER);
    assert_int_equal(estimate_side(&bare, &bare), SIDE_UNDECIDED);
}

/* 1.96 standard errors: 10 ± 1.96 · 3 / √9; no time is below 0. */
TEST(a_mean_has_the_interval_of_its_standard_error) {
    const Estimate mean = estimate_of_mean(10, 3, 9);
    assert_near(mean.low, 8.04, 1e-12);
    assert_near(mean.high, 11.96, 1e-12);
    assert_true(estimate_of_mean(1, 3, 9).low == 0);
}

/* By hand: of six launches the least and the greatest, of five none; earlier runs demand exp(±2).
 */
TEST(times_have_the_interval_of_their_launches) {
    Samples samples = {.memory = {.time = 0}};
    Times times = {.launches = {3, 1, 2, 4, 6, 5}, .count = 6, .samples = &samples};
    Estimate of = estimate_of_times(&times);
    assert_true(of.value == 3.5 && of.low == 1 && of.high == 6);
    samples.memory.time = 2;
    of = estimate_of_times(&times);
    assert_near(of.low, 3.5 * exp(-2), 1e-12);
    assert_near(of.high, 3.5 * exp(2), 1e-12);
    times.count = 5;
    of = estimate_of_times(&times);
    assert_true(of.value == 3 && isnan(of.low) && isnan(of.high));
}

/* Against the values sorted by hand. */
TEST(values_have_their_extremes) {
    double values[] = {3, 1, 2, 7};
    const Estimate of = estimate_of_values(values, 4);
    assert_true(of.value == 2.5 && of.low == 1 && of.high == 7);
    assert_true(isnan(estimate_of_values(values, 0).value));
}

/* Of ends that touch nothing is said. */
TEST(estimates_have_an_order) {
    const Estimate low = {2, 1, 3}, middle = {4, 3, 5}, high = {7, 6, 8};
    assert_int_equal(estimate_order(&low, &high), -1);
    assert_int_equal(estimate_order(&high, &low), 1);
    assert_int_equal(estimate_order(&low, &middle), 0);
}

/* By hand: 2 (1 to 4) and 6 (3 to 8). */
TEST(a_mean_has_the_mean_of_the_intervals) {
    Estimate sum = {0, 0, 0};
    estimate_add(&sum, &(Estimate){2, 1, 4});
    estimate_add(&sum, &(Estimate){6, 3, 8});
    const Estimate mean = estimate_mean(&sum, 2);
    assert_true(mean.value == 4 && mean.low == 2 && mean.high == 6);
    estimate_add(&sum, &(Estimate){1, NAN, NAN});
    assert_true(isnan(estimate_mean(&sum, 3).low));
}
