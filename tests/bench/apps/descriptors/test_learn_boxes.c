/* Box choice: what the tests that are chosen are good for, by hand. */
#include "descriptors_internal.h"
#include "status_checks.h"
#include "test.h"

enum { POINTS = 64, CANDIDATES = 16, ROW = CANDIDATES / 8 };

/* What the candidates of the fixture are; the rest are always 0. */
enum { NOISY, GOOD, COPY, OTHER, OPPOSITE };

typedef struct Fixture {
    SamplePlace places[POINTS];
    uint8_t rows[POINTS * 2 * ROW];
    PlaceSet set;
    int32_t chosen[8];
    BoxChoice choice;
} Fixture;

static void put(Fixture *fixture, int32_t point, int32_t view, int32_t candidate, int bit) {
    uint8_t *row = fixture->rows + (2 * point + view) * ROW;
    row[candidate / 8] = (uint8_t)(row[candidate / 8] | bit << (7 - candidate % 8));
}

/* GOOD and OTHER are the same in both views and halve the places, each another way; NOISY is GOOD
 * but for every fourth place's second view. */
static void make_fixture(void) {
    static Fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    for (int32_t i = 0; i < POINTS; i++) {
        fixture.places[i] = (SamplePlace){.image = i, .side = 1};
        for (int32_t view = 0; view < 2; view++) {
            const int good = i & 1;
            put(&fixture, i, view, NOISY, good ^ (view == 1 && i % 4 == 0));
            put(&fixture, i, view, GOOD, good);
            put(&fixture, i, view, COPY, good);
            put(&fixture, i, view, OTHER, i >> 1 & 1);
            put(&fixture, i, view, OPPOSITE, !good);
        }
    }
    fixture.set = (PlaceSet){
        .points = POINTS, .views = 2, .row = ROW, .places = fixture.places, .rows = fixture.rows};
    assert_ok(box_choice_create(&fixture.set, 1, fixture.chosen, 8, &fixture.choice));
    test_state = &fixture;
}

static void release_fixture(void) {
    Fixture *fixture = test_state;
    box_choice_release(&fixture->choice);
}

EACH_TEST(make_fixture, release_fixture);

TEST(tests_that_hold_in_both_views_are_chosen) {
    Fixture *fixture = test_state;
    TripletLoss loss;
    assert_ok(box_choice_next(&fixture->choice, false, &loss));
    assert_ok(box_choice_next(&fixture->choice, false, &loss));
    const int32_t first = fixture->chosen[0];
    const int32_t second = fixture->chosen[1];
    assert_true(first == GOOD || first == OTHER);
    assert_true(second == GOOD || second == OTHER);
    assert_int_not_equal(first, second);
}

/* Each place once, and each stands where its point does. */
TEST(places_are_in_the_order_of_the_points) {
    const Fixture *fixture = test_state;
    int32_t sum = 0;
    for (int32_t i = 0; i < POINTS; i++) {
        assert_int_equal(fixture->choice.places[i].image, fixture->choice.order[i]);
        assert_int_equal(fixture->choice.places[i].side, 1);
        sum += fixture->choice.order[i];
    }
    assert_int_equal(sum, POINTS * (POINTS - 1) / 2);
}

/* Neither the same test twice, nor its opposite, nor one that never changes. */
TEST(tests_that_tell_nothing_new_are_passed_over) {
    Fixture *fixture = test_state;
    TripletLoss loss;
    for (int i = 0; i < 2; i++) {
        assert_ok(box_choice_next(&fixture->choice, false, &loss));
    }
    assert_ok(box_choice_next(&fixture->choice, false, &loss));
    assert_true(fixture->chosen[2] > OPPOSITE);
    assert_status(box_choice_next(&fixture->choice, false, &loss), STATUS_NO_MATCH,
                  "only 3 of the candidates");
}

/* With one bit chosen a margin is 1 or 0, which lacks 0.1 of the bits, 0.2 in likeness. */
TEST(margins_count_the_bits_that_differ) {
    Fixture *fixture = test_state;
    TripletLoss loss;
    fixture->chosen[0] = GOOD;
    assert_ok(box_choice_next(&fixture->choice, true, &loss));
    int32_t behind = 0;
    for (int32_t i = 0; i < POINTS; i++) {
        const int32_t *order = fixture->choice.order;
        const int32_t other = order[fixture->choice.triplets[i].negative % POINTS];
        assert_int_not_equal(other, order[i]);
        assert_int_equal(fixture->choice.margins[i], (other & 1) != (order[i] & 1));
        behind += fixture->choice.margins[i] == 0;
    }
    assert_float_equal(loss.share, (double)behind / POINTS, 1e-9);
    assert_float_equal(loss.mean, 0.2 * behind / POINTS, 1e-9);
}

/* Chosen again one by one, as a training that goes on does. */
TEST(given_choices_lead_to_the_same_next_one) {
    Fixture *fixture = test_state;
    TripletLoss loss, again;
    for (int i = 0; i < 3; i++) {
        assert_ok(box_choice_next(&fixture->choice, false, &loss));
    }
    const int32_t third = fixture->chosen[2];
    box_choice_release(&fixture->choice);
    assert_ok(box_choice_create(&fixture->set, 1, fixture->chosen, 8, &fixture->choice));
    fixture->chosen[2] = -1;
    for (int i = 0; i < 3; i++) {
        assert_ok(box_choice_next(&fixture->choice, i < 2, &again));
    }
    assert_int_equal(fixture->chosen[2], third);
    assert_float_equal(again.mean, loss.mean, 0);
}

TEST(candidates_lie_on_the_patch, NULL) {
    RELEASED_BY(box_candidates_release) BoxCandidates candidates;
    assert_ok(box_candidates_draw(1024, 3, &candidates));
    assert_int_equal(candidates.count, 1024);
    assert_int_equal(candidates.table_count, 2);
    for (int32_t c = 0; c < candidates.count; c++) {
        const float *row = box_candidate(&candidates, c);
        assert_in_range((uint64_t)row[4], 0, 7);
        for (int k = 0; k < 4; k++) {
            assert_true(row[k] >= row[4] && row[k] + row[4] <= 31);
        }
        assert_false(row[0] == row[2] && row[1] == row[3]);
    }
    assert_memory_equal(box_candidate(&candidates, 513), candidates.tables[1].values + 6,
                        6 * sizeof(float));
}
