
#include "judge_internal.h"
#include "random.h"
#include "test.h"

static Samples made_of(const double *values, size_t count) {
    Samples samples = {0};
    for (size_t i = 0; i < count; i++) {
        assert_ok(samples_add(&samples, values[i]));
    }
    return samples;
}

/* Type 7 at (n - 1)·p: for 4 values and p = 0.25 the position is 0.75 between the first two. */
TEST(quantiles_interpolate_between_order_statistics) {
    const double sorted[] = {10, 20, 40, 80};
    assert_float_equal(quantile_sorted(sorted, 4, 0), 10, 0);
    assert_float_equal(quantile_sorted(sorted, 4, 0.25), 17.5, 1e-12);
    assert_float_equal(quantile_sorted(sorted, 4, 0.5), 30, 1e-12);
    assert_float_equal(quantile_sorted(sorted, 4, 0.75), 50, 1e-12);
    assert_float_equal(quantile_sorted(sorted, 4, 0.99), 78.8, 1e-12); /* 40 + 0.97·40 */
    assert_float_equal(quantile_sorted(sorted, 4, 1), 80, 0);
    assert_float_equal(quantile_sorted(sorted, 1, 0.99), 10, 0);
    assert_true(isnan(quantile_sorted(sorted, 0, 0.5)));
}

static void check_ranks(size_t n, size_t want_low, size_t want_high) {
    size_t low = 0;
    size_t high = 0;
    assert_true(median_interval_ranks(n, &low, &high));
    assert_int_equal(low, want_low);
    assert_int_equal(high, want_high);
}

/*
 * The rank k is the largest with P(B ≤ k - 1) ≤ 0.025 for B binomial (n, 1/2):
 * n = 6:  P(B ≤ 0) = 1/64 = 0.0156, P(B ≤ 1) = 7/64 = 0.109            → k = 1
 * n = 8:  P(B ≤ 0) = 1/256 = 0.0039, P(B ≤ 1) = 9/256 = 0.0352         → k = 1
 * n = 9:  P(B ≤ 1) = 10/512 = 0.0195, P(B ≤ 2) = 46/512 = 0.0898       → k = 2
 * n = 10: P(B ≤ 1) = 11/1024 = 0.0107, P(B ≤ 2) = 56/1024 = 0.0547     → k = 2
 * n = 15: P(B ≤ 3) = (1+15+105+455)/32768 = 576/32768 = 0.0176,
 *         P(B ≤ 4) = (576+1365)/32768 = 0.0592                         → k = 4
 * n = 20: P(B ≤ 5) = 21700/1048576 = 0.0207, P(B ≤ 6) = 60460/1048576 = 0.0577 → k = 6
 */
TEST(ranks_are_exact_for_few_samples) {
    check_ranks(6, 1, 6);
    check_ranks(8, 1, 8);
    check_ranks(9, 2, 8);
    check_ranks(10, 2, 9);
    check_ranks(15, 4, 12);
    check_ranks(20, 6, 15);
    /* Tables of the sign test (Conover) give 18 for n = 50: rank 18, 33 from above. */
    check_ranks(50, 18, 33);
}

/* floor(n/2 - 0.98·√n): 100 → 50 - 9.8 → 40; 70 → 35 - 8.199 → 26; 10000 → 5000 - 98 → 4902. */
TEST(ranks_are_normal_for_many_samples) {
    check_ranks(70, 26, 45);
    check_ranks(100, 40, 61);
    check_ranks(10000, 4902, 5099);
}

TEST(five_samples_have_no_interval) {
    size_t low = 0;
    size_t high = 0;
    for (size_t n = 0; n < 6; n++) {
        assert_false(median_interval_ranks(n, &low, &high));
    }
}

/* 1…15 in a shuffled order: mean 8, Σ(x - 8)² = 2·(1+4+9+16+25+36+49) = 280, stddev √20. */
TEST(a_summary_is_that_of_the_values) {
    const double values[] = {8, 3, 15, 1, 12, 6, 10, 2, 14, 5, 9, 13, 4, 11, 7};
    RELEASED_BY(samples_release) Samples samples = made_of(values, 15);
    Summary summary;
    assert_ok(summarize(&samples, &summary));
    assert_int_equal(summary.count, 15);
    assert_float_equal(summary.min, 1, 0);
    assert_float_equal(summary.p25, 4.5, 1e-12);
    assert_float_equal(summary.median, 8, 0);
    assert_float_equal(summary.p75, 11.5, 1e-12);
    assert_float_equal(summary.p99, 14.86, 1e-12);
    assert_float_equal(summary.mean, 8, 1e-12);
    assert_float_equal(summary.stddev, sqrt(20), 1e-12);
    assert_float_equal(summary.ci_low, 4, 0);
    assert_float_equal(summary.ci_high, 12, 0);
    double width = 0;
    samples_half_width(&samples, &width);
    assert_float_equal(width, 0.5, 1e-12);        /* (12 - 4) / 2 / 8 */
    assert_float_equal(samples.seconds[0], 8, 0); /* the order taken is kept */
}

TEST(what_samples_do_not_support_is_empty) {
    const Samples none = {0};
    Summary summary;
    summarize(&none, &summary);
    assert_int_equal(summary.count, 0);
    assert_true(isnan(summary.median) && isnan(summary.min) && isnan(summary.ci_low));
    const double values[] = {2, 1};
    RELEASED_BY(samples_release) Samples two = made_of(values, 2);
    summarize(&two, &summary);
    assert_float_equal(summary.median, 1.5, 0);
    assert_float_equal(summary.stddev, sqrt(0.5), 1e-12);
    assert_true(isnan(summary.ci_low) && isnan(summary.ci_high));
    double width = 0;
    samples_half_width(&two, &width);
    assert_true(isnan(width));
    two.count = 1;
    summarize(&two, &summary);
    assert_float_equal(summary.median, 2, 0);
    assert_true(isnan(summary.stddev));
}

/* The median of three draws from {0, 1, 2} is 0 when two or three draws are: 3·(1/9)(2/3) + 1/27 =
 * 7/27; by symmetry 2 the same, and 1 the rest, 13/27. */
TEST(an_odd_bootstrap_median_has_the_right_distribution) {
    const double sorted[] = {0, 1, 2};
    int seen[3] = {0};
    Random random;
    random_seed(&random, 42);
    const int draws = 100000;
    for (int i = 0; i < draws; i++) {
        seen[(int)bootstrap_median(sorted, 3, &random)]++;
    }
    const double tolerance = 0.008; /* five standard errors of a share near a half */
    assert_float_equal((double)seen[0] / draws, 7.0 / 27, tolerance);
    assert_float_equal((double)seen[1] / draws, 13.0 / 27, tolerance);
    assert_float_equal((double)seen[2] / draws, 7.0 / 27, tolerance);
}

/*
 * Four draws from {0, 1, 2, 4}; the median is the mean of the second and the third of them. It is 0
 * when at least three draws are 0: 4·(1/64)(3/4) + 1/256 = 13/256. It is 4 as often. Exactly two 0
 * and the next a 4, mean 2, or both middle draws 2, also mean 2: counted over the 256 outcomes by
 * the loop, which is independent of the method.
 */
TEST(an_even_bootstrap_median_has_the_right_distribution) {
    const double sorted[] = {0, 1, 2, 4};
    int want[9] = {0};
    for (int outcome = 0; outcome < 256; outcome++) {
        int counts[4] = {0};
        for (int i = 0; i < 4; i++) {
            counts[(outcome >> (2 * i)) & 3]++;
        }
        int draws[4];
        int drawn = 0;
        for (int value = 0; value < 4; value++) {
            for (int i = 0; i < counts[value]; i++) {
                draws[drawn++] = value;
            }
        }
        want[(int)(sorted[draws[1]] + sorted[draws[2]])]++;
    }
    assert_int_equal(want[0], 13);
    assert_int_equal(want[8], 13);
    int seen[9] = {0};
    Random random;
    random_seed(&random, 7);
    const int draws = 100000;
    for (int i = 0; i < draws; i++) {
        seen[(int)(2 * bootstrap_median(sorted, 4, &random))]++;
    }
    for (int i = 0; i < 9; i++) {
        assert_float_equal((double)seen[i] / draws, want[i] / 256.0, 0.008);
    }
}

TEST(a_ratio_has_the_value_of_the_medians) {
    double slow_values[20];
    double fast_values[20];
    for (int i = 0; i < 20; i++) {
        slow_values[i] = 100 + i; /* median 109.5 */
        fast_values[i] = 10;
    }
    RELEASED_BY(samples_release) Samples slow = made_of(slow_values, 20);
    RELEASED_BY(samples_release) Samples fast = made_of(fast_values, 20);
    Ratio ratio;
    Ratio again;
    assert_ok(ratio_of_medians(&slow, &fast, 3, &ratio));
    ratio_of_medians(&slow, &fast, 3, &again);
    assert_float_equal(ratio.value, 10.95, 1e-12);
    assert_true(ratio.low >= 10.0 && ratio.low < ratio.value);
    assert_true(ratio.high <= 11.9 && ratio.high > ratio.value);
    assert_true(ratio.low == again.low && ratio.high == again.high);
    fast.count = 5;
    ratio_of_medians(&slow, &fast, 3, &ratio);
    assert_float_equal(ratio.value, 10.95, 1e-12);
    assert_true(isnan(ratio.low) && isnan(ratio.high));
    fast.count = 0;
    ratio_of_medians(&slow, &fast, 3, &ratio);
    assert_true(isnan(ratio.value));
}

/* Whether the interval keeps what it promises: 300 pairs of samples from one distribution, whose
 * ratio of medians is 1. A percentile interval of 31 samples covers 1 in about 95% of the cases. */
TEST(the_interval_covers_the_truth) {
    Random random;
    random_seed(&random, 99);
    int covered = 0;
    for (int pair = 0; pair < 300; pair++) {
        double values[2][31];
        for (int i = 0; i < 62; i++) {
            values[i / 31][i % 31] = 1 - log(random_unit(&random));
        }
        RELEASED_BY(samples_release) Samples left = made_of(values[0], 31);
        RELEASED_BY(samples_release) Samples right = made_of(values[1], 31);
        Ratio ratio;
        ratio_of_medians(&left, &right, (uint64_t)pair, &ratio);
        covered += ratio.low <= 1 && 1 <= ratio.high;
    }
    assert_in_range(covered, 273, 299);
}

TEST(a_copy_is_independent) {
    const double values[] = {1, 2, 3};
    Samples samples = made_of(values, 3);
    Samples copy;
    samples_copy(&samples, &copy);
    samples.seconds[0] = 9;
    assert_int_equal(copy.count, 3);
    assert_float_equal(copy.seconds[0], 1, 0);
    samples_release(&samples);
    samples_release(&copy);
    assert_null(copy.seconds);
    samples_copy(&samples, &copy);
    assert_int_equal(copy.count, 0);
}
