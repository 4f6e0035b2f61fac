/*
 * How samples behave. Anchors: outliers by hand, rank autocorrelation by SciPy 1.x (rankdata), dips
 * by the Python package diptest, which holds to R's.
 */
#include "random.h"
#include "results_internal.h"
#include "test.h"

static Behaviour look(const double *values, size_t n) {
    RELEASED_BY(samples_release) Samples samples = {.count = 0};
    Behaviour behaviour;
    for (size_t i = 0; i < n; i++) {
        assert_ok(samples_add(&samples, values[i]));
    }
    assert_ok(behaviour_of(&samples, &behaviour));
    for (size_t i = 0; i < n; i++) {
        assert_true(samples.seconds[i] == values[i]);
    }
    return behaviour;
}

/* Quartiles 4.5 and 11.5: the fences are at -6 and 22, -16.5 and 32.5. */
TEST(outliers_are_beyond_the_fences) {
    const double values[] = {2, 60, 3, 4, 5, -7, 6, 7, 8, 25, 9, 10, 11, 12, 13};
    const Behaviour behaviour = look(values, 15);
    assert_int_equal(behaviour.outliers_mild, 2);
    assert_int_equal(behaviour.outliers_severe, 1);
    const double on_the_fence[] = {2, 3, 4, 5, 1, 6, 7, 8, 22, 9, 10, 11, 12, 13, 14};
    assert_int_equal(look(on_the_fence, 15).outliers_mild, 0);
}

TEST(few_samples_say_nothing) {
    const double values[] = {1, 1, 9, 1, 1, 1, 1};
    Behaviour behaviour = look(values, 0);
    assert_true(isnan(behaviour.autocorrelation));
    behaviour = look(values, 4);
    assert_int_equal(behaviour.outliers_mild + behaviour.outliers_severe, 0);
    behaviour = look(values, 7);
    assert_int_equal(behaviour.outliers_severe, 1);
    assert_true(isnan(behaviour.autocorrelation));
    assert_false(behaviour.autocorrelated || behaviour.multimodal);
}

TEST(neighbours_are_correlated_by_rank) {
    const double pi_digits[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    Behaviour behaviour = look(pi_digits, 12);
    assert_float_equal(behaviour.autocorrelation, -0.06964285714285715, 1e-12);
    assert_false(behaviour.autocorrelated);
    double values[20];
    for (size_t i = 0; i < 20; i++) {
        values[i] = (double)(i + 1);
    }
    values[19] = 1e9; /* of ranks, so that this is the same as 20 */
    behaviour = look(values, 20);
    assert_float_equal(behaviour.autocorrelation, 0.85, 1e-12);
    assert_true(behaviour.autocorrelated);
    for (size_t i = 0; i < 20; i++) {
        values[i] = 1 + (double)(i % 2);
    }
    behaviour = look(values, 20);
    assert_float_equal(behaviour.autocorrelation, -0.95, 1e-12);
    assert_true(behaviour.autocorrelated);
}

/* Of 20 independent samples -1/20 is expected, and 1.96/sqrt(20) = 0.43827 to both sides of it:
 * from -0.48827 to 0.38827. */
TEST(the_expected_correlation_is_below_zero) {
    const double above[] = {18, 15, 14, 12, 16, 20, 11, 10, 17, 3, 1, 4, 9, 13, 7, 6, 5, 2, 8, 19};
    Behaviour behaviour = look(above, 20);
    assert_float_equal(behaviour.autocorrelation, 0.42894736842105263, 1e-12);
    assert_true(behaviour.autocorrelated);
    const double within[] = {11, 18, 8, 5, 4, 20, 3, 9, 7, 19, 1, 14, 10, 2, 16, 6, 13, 12, 15, 17};
    behaviour = look(within, 20);
    assert_float_equal(behaviour.autocorrelation, -0.40037593984962405, 1e-12);
    assert_false(behaviour.autocorrelated);
}

TEST(equal_samples_have_no_correlation_and_one_mode) {
    double values[30];
    for (size_t i = 0; i < 30; i++) {
        values[i] = 0.25;
    }
    const Behaviour behaviour = look(values, 30);
    assert_true(isnan(behaviour.autocorrelation));
    assert_false(behaviour.autocorrelated || behaviour.multimodal);
    assert_int_equal(behaviour.outliers_mild + behaviour.outliers_severe, 0);
}

TEST(dips_are_those_of_others) {
    const double two[] = {1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.29, 1.30, 1.31, 1.32, 1.33, 1.34};
    assert_float_equal(dip_of(two, 12), 0.2068965517241379, 1e-12);
    const double three[] = {1, 2, 3, 4, 10, 20, 30, 40, 100, 101, 102, 103, 104};
    assert_float_equal(dip_of(three, 13), 0.18028846153846154, 1e-12);
    double squares[20];
    for (size_t i = 0; i < 20; i++) {
        squares[i] = (double)((i + 1) * (i + 1));
    }
    /* convex: nothing but the steps, 1/(2n) */
    assert_float_equal(dip_of(squares, 20), 0.025, 1e-12);
    const double pair[] = {1, 2};
    assert_float_equal(dip_of(pair, 2), 0.25, 1e-12);
}

/* Of the table in the package diptest, which is made of a million samples at each size. */
TEST(critical_dips_are_those_of_others) {
    static const struct {
        size_t n;
        double dip;
    } table[] = {{15, 0.118760769203664},  {20, 0.105130218270636},   {30, 0.0881689143126666},
                 {50, 0.0702737877191269}, {100, 0.0511279442868827}, {200, 0.0368418413878307}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_true(fabs(dip_critical(table[i].n) / table[i].dip - 1) < 0.004);
    }
}

/* --- Simulated samples ----------------------------------------------------------------------- */

static double log_normal(Random *random) {
    return exp(0.02 * random_normal(random));
}

static double wide_log_normal(Random *random) {
    return exp(0.3 * random_normal(random));
}

static double with_stragglers(Random *random) {
    const double time = log_normal(random);
    return random_unit(random) < 0.05 ? time * (1 + 3 * random_unit(random)) : time;
}

/* 5 µs ± 1% on a clock with steps of 32 ns. */
static double in_steps(Random *random) {
    return round(5e-6 * exp(0.01 * random_normal(random)) / 32e-9) * 32e-9;
}

static double two_modes(Random *random) {
    return (random_unit(random) < 0.5 ? 1 : 1.16) * exp(0.02 * random_normal(random));
}

/* Share of 400 sets of n samples that are called multimodal. */
static double called_multimodal(double (*draw)(Random *), size_t n, double *correlated) {
    Random random;
    size_t modes = 0;
    size_t runs = 0;
    double values[1000];
    random_seed(&random, n);
    for (size_t set = 0; set < 400; set++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = draw(&random);
        }
        const Behaviour behaviour = look(values, n);
        modes += behaviour.multimodal;
        runs += behaviour.autocorrelated;
    }
    *correlated = (double)runs / 400;
    return (double)modes / 400;
}

TEST(one_mode_is_seldom_called_two) {
    static double (*const draws[])(Random *) = {log_normal, wide_log_normal, with_stragglers,
                                                in_steps};
    static const size_t sizes[] = {12, 15, 30, 100, 1000};
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            double correlated;
            assert_true(called_multimodal(draws[i], sizes[k], &correlated) <= 0.05);
            assert_true(correlated <= 0.09); /* 5% and three standard errors */
        }
    }
}

TEST(two_modes_are_found) {
    double correlated;
    assert_true(called_multimodal(two_modes, 30, &correlated) >= 0.9);
    assert_true(called_multimodal(two_modes, 100, &correlated) >= 0.9);
    assert_true(called_multimodal(two_modes, 1000, &correlated) >= 0.9);
}
