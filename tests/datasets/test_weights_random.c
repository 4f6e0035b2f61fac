#include "test.h"
#include "weights_fixtures.h"

/* SplitMix64 from 1234567, as published (test_synthetic.c), put through the same steps in Python's
 * whole numbers. */
TEST(random_weights_are_the_same_everywhere) {
    static const float boxes[] = {6, 16, 8, 26, 2, 0, 18, 10, 14, 24, 3, 0};
    Weights weights;
    assert_ok(weights_random(&bad_weights, FEW, 1234567, &weights));
    assert_memory_equal(weights.values, boxes, sizeof boxes);
    assert_string_equal(weights.name, "random");
    weights_free(&weights);
    assert_ok(weights_random(&hashsift_weights, MANY, 1234567, &weights));
    const float *row = weights.values;
    assert_true(row[0] == 28 * 962758 / 65536.0F);
    assert_true(row[1] == 68548 / 65536.0F && row[2] == -7509 / 65536.0F);
    assert_true(row[128] == 7696 / 65536.0F);
    row += WEIGHTS_HASHSIFT_COLUMNS;
    assert_true(row[0] == 28 * 647027 / 65536.0F);
    assert_true(row[1] == -89072 / 65536.0F && row[128] == 51121 / 65536.0F);
    weights_free(&weights);
    static const float pairs[] = {-5, -10, 1, -8, 12, -2, 3, -7};
    assert_ok(weights_random(&orb_weights, FEW, 1234567, &weights));
    assert_memory_equal(weights.values, pairs, sizeof pairs);
    weights_free(&weights);
}

/* Mean 0 and variance 1 within four standard errors, and one number in 22 beyond two deviations. */
TEST(random_factors_are_normal) {
    RELEASED_BY(weights_free) Weights weights;
    assert_ok(weights_random(&hashsift_weights, MANY, 42, &weights));
    double sum = 0;
    double squares = 0;
    double beyond = 0;
    const double count = MANY * (WEIGHTS_HASHSIFT_COLUMNS - 1);
    for (int32_t i = 0; i < MANY * WEIGHTS_HASHSIFT_COLUMNS; i++) {
        const double value = i % WEIGHTS_HASHSIFT_COLUMNS == 0 ? 0 : (double)weights.values[i];
        sum += value;
        squares += value * value;
        beyond += fabs(value) > 2;
    }
    assert_true(fabs(sum / count) < 4 / sqrt(count));
    assert_true(fabs(squares / count - 1) < 4 * sqrt(2 / count));
    assert_true(fabs(beyond / count - 0.0455) < 0.004);
}

/* Writing them and reading them back checks every box; each radius occurs. */
TEST(random_boxes_are_allowed, fixture_setup, fixture_teardown) {
    const char *path = fixture_path(test_state, "boxes.csv");
    for (uint64_t seed = 0; seed < 8; seed++) {
        Weights weights, again;
        unsigned radii = 0;
        assert_ok(weights_random(&bad_weights, MANY, seed, &weights));
        assert_ok(weights_write(path, &weights, NULL));
        assert_ok(weights_read(path, test_kinds, &again));
        assert_same(&again, &weights);
        for (int32_t i = 0; i < MANY; i++) {
            const float *row = again.values + i * WEIGHTS_BAD_COLUMNS;
            assert_false(row[0] == row[2] && row[1] == row[3]);
            assert_true(row[5] == 0);
            radii |= 1U << (unsigned)row[4];
        }
        assert_int_equal(radii, 0xff);
        weights_free(&again);
        weights_free(&weights);
    }
}

/* All positions occur, and no pair at one place. */
TEST(random_pairs_are_allowed, fixture_setup, fixture_teardown) {
    const char *path = fixture_path(test_state, "pairs.csv");
    bool seen[31] = {false};
    Weights weights, again;
    assert_ok(weights_random(&orb_weights, MANY, 3, &weights));
    assert_ok(weights_write(path, &weights, NULL));
    assert_ok(weights_read(path, test_kinds, &again));
    assert_same(&again, &weights);
    for (int32_t i = 0; i < MANY; i++) {
        const float *row = again.values + i * WEIGHTS_ORB_COLUMNS;
        assert_false(row[0] == row[2] && row[1] == row[3]);
        for (int32_t c = 0; c < WEIGHTS_ORB_COLUMNS; c++) {
            seen[(int)row[c] + 15] = true;
        }
    }
    for (size_t i = 0; i < 31; i++) {
        assert_true(seen[i]);
    }
    weights_free(&again);
    weights_free(&weights);
}

TEST(random_weights_of_nothing_are_refused) {
    Weights weights;
    assert_refused(weights_random(&bad_weights, 128, 1, &weights), STATUS_USAGE, "128 bits",
                   "256 or 512");
    assert_refused(weights_random(&bad_weights, -256, 1, &weights), STATUS_USAGE, "-256",
                   "256 or 512");
    assert_null(weights.values);
}
