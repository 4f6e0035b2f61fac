/* p values are those of SciPy 1.17.1, scipy.stats.mannwhitneyu(a, b, method=…), its default
 * continuity correction included; the first case is the example of its documentation. Those with
 * ties were counted over all splits of the values, in fractions. */
#include "judge_internal.h"
#include "test.h"
#include "two_runs.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static MannWhitney test_of(const double *a, size_t n, const double *b, size_t m) {
    MannWhitney test;
    assert_ok(mann_whitney(a, n, b, m, &test));
    return test;
}

static void check(const MannWhitney *test, double u, double p, bool exact) {
    if (fabs(test->u - u) > 1e-12 || fabs(test->p - p) > 1e-10 * p || test->exact != exact) {
        fail_msg("U %.17g, p %.17g, exact %d", test->u, test->p, test->exact);
    }
}

TEST(the_published_example) {
    static const double males[] = {19, 22, 16, 29, 24};
    static const double females[] = {20, 11, 17, 12};
    MannWhitney test = test_of(males, COUNT(males), females, COUNT(females));
    check(&test, 17, 0.1111111111111111, true);
    test = test_of(females, COUNT(females), males, COUNT(males));
    check(&test, 3, 0.1111111111111111, true);
}

TEST(ties_are_exact) {
    static const double a[] = {1.01, 1.03, 1.02, 1.07, 1.05, 1.04, 1.10, 1.00,
                               1.06, 1.08, 1.09, 1.11, 1.02, 1.03, 1.01};
    static const double b[] = {1.02, 1.04, 1.12, 1.13, 1.15, 1.14, 1.11, 1.16,
                               1.09, 1.18, 1.17, 1.05, 1.12, 1.20, 1.19};
    MannWhitney test = test_of(a, COUNT(a), b, COUNT(b));
    check(&test, 28, 5183.0 / 25852920, true);
    static const double few[] = {1, 2, 2};
    static const double fewer[] = {2, 3};
    test = test_of(few, COUNT(few), fewer, COUNT(fewer));
    check(&test, 1, 0.6, true);
}

/* The ranks 2, 2, 2, 4, 5, two of them chosen: three sums are 4, three 6, three 7 and one is 9.
 * From the mean, 6, three lie as far below as 4, and one above. */
TEST(tails_of_ties_may_differ) {
    static const double a[] = {1, 1};
    static const double b[] = {1, 2, 3};
    MannWhitney test = test_of(a, COUNT(a), b, COUNT(b));
    check(&test, 1, 0.4, true);
    test = test_of(b, COUNT(b), a, COUNT(a));
    check(&test, 5, 0.4, true);
}

/* From the formula, in Python: variance n·m/12 · (N + 1 - Σ(t³ - t) / (N·(N - 1))). */
TEST(ties_of_many_values_correct_the_variance) {
    double a[MANN_WHITNEY_EXACT_MAX + 1];
    double b[MANN_WHITNEY_EXACT_MAX + 1];
    for (size_t i = 0; i < COUNT(a); i++) {
        a[i] = (double)(i / 2);
        b[i] = (double)((i + 11) / 2);
    }
    const MannWhitney test = test_of(a, COUNT(a), b, COUNT(b));
    check(&test, 801, 0.0008328901285196392, false);
}

TEST(equal_values_prove_nothing) {
    static const double ones[] = {1, 1, 1, 1};
    const MannWhitney test = test_of(ones, 3, ones, 4);
    check(&test, 6, 1, true);
}

TEST(tiny_samples) {
    static const double a[] = {1, 2, 3, 4, 5, 6};
    static const double b[] = {7, 8, 9, 10, 11, 12};
    MannWhitney test = test_of(a, 1, b, 1);
    check(&test, 0, 1, true);
    static const double middle[] = {2.5};
    test = test_of(middle, 1, a, 3);
    check(&test, 2, 1, true);
    test = test_of(a, 6, b, 6); /* 2 of the C(12, 6) = 924 orders */
    check(&test, 0, 2.0 / 924, true);
    assert_true(fabs(mann_whitney_least_p(6, 6) - 2.0 / 924) < 1e-15);
    assert_true(mann_whitney_least_p(1, 1) == 1);
}

static void ramp(double *values, size_t count, double start, double step) {
    for (size_t i = 0; i < count; i++) {
        values[i] = start + step * (double)i;
    }
}

TEST(the_exact_distribution_reaches_up_to_its_limit) {
    double a[MANN_WHITNEY_EXACT_MAX + 1];
    double b[MANN_WHITNEY_EXACT_MAX + 1];
    ramp(a, 15, 1, 0.001);
    ramp(b, 15, 1.0035, 0.001);
    MannWhitney test = test_of(a, 15, b, 15);
    check(&test, 66, 0.05552963972090322, true);
    ramp(a, COUNT(a), 0, 3);
    ramp(b, COUNT(b), 20.5, 3);
    test = test_of(a, 50, b, 50);
    check(&test, 946, 0.03601780786488047, true);
    test = test_of(a, 51, b, 51);
    check(&test, 990, 0.03801070520397336, false);
    /* One side alone beyond the limit is enough. */
    ramp(a, 6, 10.5, 1);
    ramp(b, COUNT(b), 1, 1);
    test = test_of(a, 6, b, 50);
    check(&test, 75, 0.046542740771375615, true);
    test = test_of(a, 6, b, 51);
    check(&test, 75, 0.04388395948160821, false);
    test = test_of(b, 51, a, 6);
    check(&test, 231, 0.04388395948160821, false);
}
