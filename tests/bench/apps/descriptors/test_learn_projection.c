/* Projection: its gradient against finite differences, and that steps lower the loss. */
#include "descriptor_weights.h"
#include "descriptors_internal.h"
#include "test.h"
#include "weights_files.h"

enum { BITS = 256, PLACES = 12 };

/* Each place has values of its own, and each view of it some noise. */
static void fill(Projection *projection) {
    Draw draw = draw_start(7, 0, 0);
    for (int32_t i = 0; i < PLACES; i++) {
        projection->places[i] = (SamplePlace){.image = i, .side = 1};
        for (int32_t k = 0; k < PROJECTION_COLUMNS; k++) {
            float *first = projection->inputs + (size_t)i * PROJECTION_COLUMNS + (size_t)k;
            float *second = first + PLACES * PROJECTION_COLUMNS;
            const double value = draw_between(&draw, 0, 0.6);
            *first = k == 0 ? 1 : (float)(value + draw_between(&draw, -0.2, 0.2));
            *second = k == 0 ? 1 : (float)(value + draw_between(&draw, -0.2, 0.2));
        }
    }
}

static double loss_now(Projection *projection, double margin) {
    projection_codes(projection, 2 * PLACES);
    return projection_gradient(projection, PLACES, margin).mean;
}

static void make_projection(void) {
    static Projection projection;
    assert_ok(projection_create(BITS, PLACES, 3, &projection));
    fill(&projection);
    test_state = &projection;
}

static void release_projection(void) {
    projection_release(test_state);
}

EACH_TEST(make_projection, release_projection);

/* Of every bit, what an average input gives is 0, and the deviation 0.7. */
TEST(bits_begin_balanced) {
    Projection *projection = test_state;
    projection_standardise(projection, 2 * PLACES);
    for (int32_t b = 0; b < BITS; b++) {
        const float *row = projection->factors + (size_t)b * PROJECTION_COLUMNS;
        double sum = 0, squares = 0;
        for (int32_t i = 0; i < 2 * PLACES; i++) {
            double response = 0;
            for (int32_t k = 0; k < PROJECTION_COLUMNS; k++) {
                response += row[k] * projection->inputs[i * PROJECTION_COLUMNS + k];
            }
            sum += response;
            squares += response * response;
        }
        assert_float_equal(sum / (2 * PLACES), 0, 1e-3);
        assert_float_equal(sqrt(squares / (2 * PLACES)), 0.7, 1e-3);
    }
}

/* Triplets stay as they are while the factors move. */
TEST(the_gradient_is_that_of_finite_differences) {
    static const double margin = 1.5, small = 1e-2;
    static const int32_t probes[] = {0, 1, 128, 129, 5000, BITS * PROJECTION_COLUMNS - 1};
    Projection *projection = test_state;
    projection_standardise(projection, 2 * PLACES);
    projection_step(projection, PLACES, (ProjectionRate){.steps = 10, .margin = margin});
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        float *factor = &projection->factors[probes[i]];
        const float before = *factor;
        loss_now(projection, margin);
        const double slope = projection->of_factors[probes[i]];
        *factor = before + (float)small;
        const double above = loss_now(projection, margin);
        *factor = before - (float)small;
        const double below = loss_now(projection, margin);
        *factor = before;
        assert_float_equal(slope, (above - below) / (2 * small), 1e-6 + 0.02 * fabs(slope));
        assert_true(fabs(slope) > 1e-7);
    }
}

TEST(steps_lower_the_loss) {
    Projection *projection = test_state;
    projection_standardise(projection, 2 * PLACES);
    ProjectionRate rate = {.steps = 40, .rate = 0.02, .margin = 1.5};
    const double before = projection_step(projection, PLACES, rate).mean;
    double after = before;
    for (rate.step = 1; rate.step < rate.steps; rate.step++) {
        after = projection_step(projection, PLACES, rate).mean;
    }
    assert_true(before > 0);
    assert_true(after < 0.8 * before);
}

/* Factors are for values that are not divided by anything. */
TEST(weights_are_for_the_values_themselves) {
    const Projection *projection = test_state;
    RELEASED_BY(weights_free) Weights weights;
    assert_ok(projection_weights(projection, "w.csv", &weights));
    assert_string_equal(weights.kind, WEIGHTS_HASHSIFT);
    assert_int_equal(weights.bits, BITS);
    assert_float_equal(weights.values[129], projection->factors[129], 0);
    assert_float_equal(weights.values[130] * 100, projection->factors[130], 1e-6);
}
