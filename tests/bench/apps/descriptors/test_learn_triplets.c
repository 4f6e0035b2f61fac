/* Triplets: the hardest negative, the anchor swap, loss and gradient, by hand. */
#include "descriptors_internal.h"
#include "test.h"

enum { PLACES = 3, ROWS = 2 * PLACES };

static const TripletRule whole = {0};

/* Three places of one image, far from each other. */
static const SamplePlace apart[PLACES] = {
    {.x = 100, .y = 100, .side = 20}, {.x = 200, .y = 100, .side = 20}, {.x = 300, .side = 20}};

static void check(Triplet triplet, int32_t anchor, int32_t positive, int32_t negative) {
    assert_int_equal(triplet.anchor, anchor);
    assert_int_equal(triplet.positive, positive);
    assert_int_equal(triplet.negative, negative);
}

static void set(float likeness[ROWS][ROWS], int32_t left, int32_t right, float value) {
    likeness[left][right] = likeness[right][left] = value;
}

TEST(the_most_alike_of_the_other_places_is_the_negative) {
    float likeness[ROWS][ROWS] = {{0}};
    Triplet triplets[PLACES];
    set(likeness, 0, 3, 1); /* the same place: no negative, however alike */
    set(likeness, 0, 4, 0.5F);
    set(likeness, 0, 2, 0.25F);
    set(likeness, 2, 1, 0.75F);
    triplets_choose(likeness[0], apart, PLACES, whole, triplets);
    check(triplets[0], 0, 3, 4);
    check(triplets[1], 1, 4, 2);
    check(triplets[2], 2, 5, 1);
}

TEST(the_code_that_is_nearer_to_the_negative_becomes_the_anchor) {
    float likeness[ROWS][ROWS] = {{0}};
    Triplet triplets[PLACES];
    set(likeness, 0, 1, 0.25F);
    set(likeness, 3, 2, 0.5F); /* the second view of place 0 */
    triplets_choose(likeness[0], apart, PLACES, whole, triplets);
    check(triplets[0], 3, 0, 2);
    check(triplets[1], 1, 4, 0);
    check(triplets[2], 2, 5, 3);
}

/* The first view's, and of it the first row. */
TEST(of_equal_ones_the_first_is_taken) {
    float likeness[ROWS][ROWS] = {{0}};
    Triplet triplets[PLACES];
    triplets_choose(likeness[0], apart, PLACES, whole, triplets);
    check(triplets[0], 0, 3, 1);
    check(triplets[1], 1, 4, 0);
    check(triplets[2], 2, 5, 0);
}

TEST(without_the_swap_the_first_code_is_the_anchor) {
    float likeness[ROWS][ROWS] = {{0}};
    Triplet triplets[PLACES];
    set(likeness, 0, 1, 0.25F);
    set(likeness, 3, 2, 0.5F);
    triplets_choose(likeness[0], apart, PLACES, (TripletRule){.no_swap = true}, triplets);
    check(triplets[0], 0, 3, 1);
}

/* Every code of another place comes, whatever its likeness, about as often as another; the nearer
 * of the two codes is still the anchor. */
TEST(negatives_may_be_drawn_at_random) {
    enum { SEEDS = 400 };
    float likeness[ROWS][ROWS] = {{0}};
    int drawn[ROWS] = {0};
    set(likeness, 0, 4, 1);
    set(likeness, 3, 5, 0.5F);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Triplet triplets[PLACES];
        triplets_choose(likeness[0], apart, PLACES,
                        (TripletRule){.any_negative = true, .seed = seed}, triplets);
        drawn[triplets[0].negative]++;
        assert_int_equal(triplets[0].anchor, triplets[0].negative == 5 ? 3 : 0);
        assert_int_equal(triplets[0].positive, triplets[0].negative == 5 ? 0 : 3);
    }
    assert_int_equal(drawn[0] + drawn[3], 0);
    for (int row = 1; row < ROWS; row++) {
        assert_true(row == 3 || (drawn[row] > SEEDS / 6 && drawn[row] < SEEDS / 3));
    }
}

/* Nearer than 0.3 of the larger patch's side; another image is never near. */
TEST(places_that_overlap_are_no_negatives) {
    const SamplePlace places[PLACES] = {{.x = 100, .y = 100, .side = 20},
                                        {.x = 105, .y = 100, .side = 10},
                                        {.image = 1, .x = 100, .y = 100, .side = 20}};
    float likeness[ROWS][ROWS] = {{0}};
    Triplet triplets[PLACES];
    set(likeness, 0, 1, 0.5F);
    set(likeness, 0, 2, 0.25F);
    triplets_choose(likeness[0], places, PLACES, whole, triplets);
    check(triplets[0], 0, 3, 2);
    SamplePlace further = places[1];
    further.x = 106.5F;
    assert_true(places_are_near(&places[0], &places[1]));
    assert_false(places_are_near(&places[0], &further));
    assert_false(places_are_near(&places[0], &places[2]));
}

TEST(a_place_without_any_negative_has_no_gradient) {
    const float likeness[4] = {1, 0, 0, 1};
    const float codes[4] = {0.5F, -0.5F, 0.25F, 1};
    float gradient[4];
    Triplet triplet;
    triplets_choose(likeness, apart, 1, whole, &triplet);
    check(triplet, 0, 1, 1);
    const TripletLoss loss = triplets_loss(codes, 2, &triplet, 1, 0.25, gradient);
    assert_float_equal(loss.mean, 0.25, 1e-7);
    for (int i = 0; i < 4; i++) {
        assert_float_equal(gradient[i], 0, 1e-7);
    }
}

/*
 * Two places, two bits. The first place's likeness to its positive is (1 + 0) / 2 = 0.5, to its
 * negative (0.5 − 0.5) / 2 = 0; the second place has none that counts.
 */
TEST(the_loss_is_what_the_margin_lacks) {
    const float codes[8] = {1, 0.5F, 0.5F, -1, 1, 0, 0, 0};
    const Triplet triplets[2] = {{0, 2, 1}, {3, 1, 1}};
    const double expected[8] = {-0.5 / 4, -1.0 / 4, 1.0 / 4, 0.5 / 4, -1.0 / 4, -0.5 / 4, 0, 0};
    float gradient[8];
    TripletLoss loss = triplets_loss(codes, 2, triplets, 2, 0.75, gradient);
    assert_float_equal(loss.mean, (0.25 + 0.75) / 2, 1e-7);
    assert_float_equal(loss.share, 1, 1e-7);
    for (int i = 0; i < 8; i++) {
        assert_float_equal(gradient[i], expected[i], 1e-7);
    }
    loss = triplets_loss(codes, 2, triplets, 2, 0.5, gradient);
    assert_float_equal(loss.mean, 0.5 / 2, 1e-7);
    assert_float_equal(loss.share, 0.5, 1e-7);
    assert_float_equal(gradient[0], 0, 0);
}
