/* Change points: against tests/history/e_divisive.py, which follows the definition, and on planted
 * steps and noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history_internal.h"
#include "random.h"

enum { VALUES = 30, SEQUENCES = 400 };

static size_t find(const double *values, size_t count, double alpha, ChangePoint *points) {
    size_t found = SIZE_MAX;
    const Status status = change_points_find(values, count, alpha, points, &found);
    assert_true(status_is_ok(&status));
    return found;
}

/* What tests/history/e_divisive.py prints; p is over all orders there, over 999 here. The first by
 * hand: 2·2/4 · (2·4.5 − 1 − 4) = 4. */
static void anchors_of_the_definition(void **state) {
    (void)state;
    static const struct {
        double values[8];
        size_t count, at;
        double q, p, alpha;
    } anchors[] = {
        {{1, 2, 4, 8}, 4, 2, 4, 0.333333, 0.5},
        {{3, 1, 4, 1, 5, 9, 2, 6}, 8, 4, 4.88888888889, 0.450397, 0.6},
        {{1, 1.2, 0.9, 1.1, 3, 3.3, 2.9, 3.1}, 8, 4, 7.33333333333, 0.0285714, 0.06},
        {{1, 2, 1, 2, 9, 8, 9, 2}, 8, 4, 22.2857142857, 0.0464286, 0.1},
        {{5, 5.1, 4.9, 2, 2.1, 2.2}, 6, 3, 8.3, 0.1, 0.2},
    };
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        ChangePoint points[4];
        const size_t found = find(anchors[i].values, anchors[i].count, anchors[i].alpha, points);
        size_t place = 0;
        while (place < found && points[place].at != anchors[i].at) {
            place++;
        }
        assert_true(place < found);
        assert_true(fabs(points[place].q - anchors[i].q) < 1e-9);
        const double spread = sqrt(anchors[i].p * (1 - anchors[i].p) / CHANGE_PERMUTATIONS);
        assert_true(fabs(points[place].p - anchors[i].p) < 4 * spread + 0.001);
    }
}

static void few_values_have_none(void **state) {
    (void)state;
    static const double values[] = {1, 9, 1};
    ChangePoint points[4];
    assert_int_equal(find(values, 0, 0.9, points), 0);
    assert_int_equal(find(values, 3, 0.9, points), 0);
    static const double equal[] = {2, 2, 2, 2, 2, 2};
    assert_int_equal(find(equal, 6, 0.9, points), 0);
}

/* Noise of 2% around levels; with `tails` one value in ten is up to half as much again. */
static void fill(double *values, uint64_t seed, const double *levels, bool tails) {
    Random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = log(levels[i]) + 0.02 * random_normal(&random);
        if (tails && random_unit(&random) < 0.1) {
            values[i] += 0.4 * random_unit(&random);
        }
    }
}

/* At alpha 5% so many as 5% and three standard deviations more. */
static void noise_has_few(void **state) {
    (void)state;
    double levels[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        levels[i] = 1;
    }
    for (int tails = 0; tails < 2; tails++) {
        size_t alarms = 0;
        for (uint64_t seed = 0; seed < SEQUENCES; seed++) {
            double values[VALUES];
            ChangePoint points[VALUES];
            fill(values, seed, levels, tails != 0);
            alarms += find(values, VALUES, 0.05, points) > 0;
        }
        assert_true(alarms > 0 && alarms <= 33);
    }
}

static bool has(const ChangePoint *points, size_t found, size_t at) {
    for (size_t i = 0; i < found; i++) {
        if (points[i].at + 1 >= at && points[i].at <= at + 1) {
            return true;
        }
    }
    return false;
}

/* Of +10% and of +10% and back, five standard deviations each. */
static void planted_steps_are_found(void **state) {
    (void)state;
    double one[VALUES];
    double two[VALUES];
    size_t of_one = 0;
    size_t of_two = 0;
    for (size_t i = 0; i < VALUES; i++) {
        one[i] = i < 20 ? 1 : 1.1;
        two[i] = i < 10 || i >= 20 ? 1 : 1.1;
    }
    for (uint64_t seed = 0; seed < 100; seed++) {
        double values[VALUES];
        ChangePoint points[VALUES];
        fill(values, seed, one, false);
        of_one += has(points, find(values, VALUES, 0.05, points), 20);
        fill(values, seed, two, false);
        const size_t found = find(values, VALUES, 0.05, points);
        of_two += has(points, found, 10) && has(points, found, 20);
        for (size_t i = 1; i < found; i++) {
            assert_true(points[i - 1].at < points[i].at);
        }
    }
    assert_true(of_one >= 98);
    assert_true(of_two >= 95);
}

static void the_same_values_give_the_same_points(void **state) {
    (void)state;
    double levels[VALUES];
    double values[VALUES];
    ChangePoint first[VALUES];
    ChangePoint second[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        levels[i] = i < 12 ? 1 : 1.05;
    }
    fill(values, 7, levels, true);
    const size_t found = find(values, VALUES, 0.3, first);
    assert_true(found > 0);
    assert_int_equal(find(values, VALUES, 0.3, second), found);
    for (size_t i = 0; i < found; i++) {
        assert_int_equal(first[i].at, second[i].at);
        assert_true(first[i].p == second[i].p && first[i].q == second[i].q);
    }
}

static void dates_have_zones(void **state) {
    (void)state;
    assert_true(date_seconds("1970-01-02T00:00:01Z") == 86401);
    assert_true(date_seconds("1970-01-02T00:00:01") == 86401);
    assert_true(date_seconds("1970-01-02T01:30:01+01:30") == 86401);
    assert_true(date_seconds("1970-01-01T23:00:01-01:00") == 86401);
    assert_true(isnan(date_seconds("")));
    assert_true(isnan(date_seconds("1970-01-02")));
    assert_true(isnan(date_seconds("1970-01-02T00:00:01 yesterday")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anchors_of_the_definition),
        cmocka_unit_test(few_values_have_none),
        cmocka_unit_test(noise_has_few),
        cmocka_unit_test(planted_steps_are_found),
        cmocka_unit_test(the_same_values_give_the_same_points),
        cmocka_unit_test(dates_have_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
