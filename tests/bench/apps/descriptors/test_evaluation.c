/* Average precision and the metrics of an evaluation, of small rankings by hand. */
#include "descriptors_internal.h"
#include "test.h"

/* --- Rankings --------------------------------------------------------------------------------- */

#define COUNT(items) (sizeof(items) / sizeof(items)[0])

/* Right at ranks 1, 3 and 6 of 6: (1 + 2/3 + 3/6) / 3. */
TEST(precision_is_averaged_at_the_right_ones) {
    Ranked items[] = {{60, true}, {10, true}, {20, false}, {30, true}, {40, false}, {50, false}};
    assert_float_equal(average_precision(items, COUNT(items), 3), (1 + 2.0 / 3 + 0.5) / 3, 1e-12);
    assert_int_equal(items[0].distance, 10);
    assert_int_equal(items[5].distance, 60);
}

/* A right one that is not in the ranking counts as 0. */
TEST(what_is_not_found_counts) {
    Ranked items[] = {{1, true}, {2, false}, {3, true}};
    assert_float_equal(average_precision(items, COUNT(items), 4), (1 + 2.0 / 3) / 4, 1e-12);
    Ranked wrong[] = {{1, false}};
    assert_float_equal(average_precision(wrong, 1, 2), 0, 0);
    assert_true(isnan(average_precision(wrong, 1, 0)));
}

/* Two right and two wrong at one distance: both right ones have 2 of 4, in any order; then one
 * more with 3 of 5. */
TEST(equal_distances_have_one_rank) {
    Ranked items[] = {{5, false}, {5, true}, {5, false}, {5, true}, {9, true}};
    Ranked turned[] = {{9, true}, {5, true}, {5, true}, {5, false}, {5, false}};
    const double want = (2 * 0.5 + 0.6) / 3;
    assert_float_equal(average_precision(items, COUNT(items), 3), want, 1e-12);
    assert_float_equal(average_precision(turned, COUNT(turned), 3), want, 1e-12);
}

/* Of 20 right ones 19 are 95%: up to the distance of the 19th lie 2 of 4 wrong ones, one of them at
 * that distance. */
TEST(wrong_ones_are_counted_up_to_95_percent) {
    Ranked items[24];
    for (uint32_t i = 0; i < 20; i++) {
        items[i] = (Ranked){10 * (i + 1), true};
    }
    items[20] = (Ranked){55, false};
    items[21] = (Ranked){190, false};
    items[22] = (Ranked){191, false};
    items[23] = (Ranked){900, false};
    average_precision(items, 24, 20);
    assert_float_equal(false_at_recall(items, 24), 0.5, 0);
    assert_true(isnan(false_at_recall(items, 0)));
}

/* --- Metrics ---------------------------------------------------------------------------------- */

enum { PLACES = 3, ROW = 8, VIEWS = 2 };

/* An image of three places far apart, and its view. */
typedef struct Scene {
    Keypoint keypoints[VIEWS * PLACES];
    uint8_t pixels[VIEWS * PLACES * ROW];
    Views views;
    Image rows;
    DescribedViews described;
} Scene;

/* Each place is described by a byte of its own, in the image and in the view. */
static void make_scene(Scene *scene) {
    memset(scene, 0, sizeof *scene);
    for (int i = 0; i < VIEWS * PLACES; i++) {
        scene->keypoints[i] = (Keypoint){.x = 100.0F * (float)(i % PLACES), .y = 50, .size = 30};
        scene->pixels[i * ROW + i % PLACES] = 0xFF;
    }
    scene->views = (Views){.points = PLACES, .views = VIEWS, .keypoints = scene->keypoints};
    scene->rows = (Image){ROW, VIEWS * PLACES, ROW, scene->pixels};
    scene->described =
        (DescribedViews){.images = 1, .views = &scene->views, .rows = &scene->rows, .seed = 1};
}

static void check_metric(const Scene *scene, EvaluationMetric metric, double want) {
    double metrics[EVALUATION_METRICS];
    assert_ok(evaluation_measure(&scene->described, metrics));
    if (fabs(metrics[metric] - want) > 1e-12) {
        fail_msg("metric %d is %.15g, not %.15g", metric, metrics[metric], want);
    }
}

TEST(equal_descriptors_are_perfect) {
    Scene scene;
    make_scene(&scene);
    check_metric(&scene, METRIC_VERIFICATION, 1);
    check_metric(&scene, METRIC_FALSE_AT_95, 0);
    check_metric(&scene, METRIC_MATCHING, 1);
    check_metric(&scene, METRIC_RETRIEVAL, 1);
}

/* Place 0 is described in the view as place 1 is in the image, and place 1 as place 0. Place 0's
 * nearest is wrong at distance 0, as place 1's; place 2's is right at distance 0: of the three at
 * one rank one is right, 1/3 over 3 places. Retrieval of place 0: its own at 16 bits, where place 1
 * (0) and 2 (16) are as near: 1 of 3; the same of place 1; place 2's own is first: (1/3 + 1/3 +
 * 1)/3.
 */
TEST(places_that_change_their_looks_are_confused) {
    Scene scene;
    make_scene(&scene);
    uint8_t *view = scene.pixels + PLACES * ROW;
    memset(view, 0, 2 * ROW);
    view[1] = 0xFF;   /* place 0 */
    view[ROW] = 0xFF; /* place 1 */
    check_metric(&scene, METRIC_MATCHING, 1.0 / 3 / 3);
    check_metric(&scene, METRIC_RETRIEVAL, (1.0 / 3 + 1.0 / 3 + 1) / 3);
}

/* As numbers (0, 3) is nearer to (1, 2), 2, than to (0, 0), 9; as bits (3 is 11) it is as near to
 * both: 1 + 1 and 2. */
TEST(bytes_are_numbers_or_bits) {
    Scene scene;
    make_scene(&scene);
    memset(scene.pixels, 0, sizeof scene.pixels);
    uint8_t *image = scene.pixels, *view = scene.pixels + PLACES * ROW;
    image[1] = 3; /* place 0 is (0, 3) */
    view[0] = 1;
    view[1] = 2;                          /* and (1, 2) in the view */
    image[ROW + 4] = view[ROW + 4] = 200; /* place 1 differs elsewhere */
    image[2 * ROW] = 9;                   /* place 2, whose view is (0, 0) */
    scene.described.euclidean = true;
    /* Place 0: 2 before 9. Place 1 its own. Place 2, (9, 0): (1, 2) at 68 before (0, 0) at 81, and
     * before place 1. */
    check_metric(&scene, METRIC_RETRIEVAL, (1 + 1 + 0.5) / 3);
    scene.described.euclidean = false;
    /* Place 0: both at 2 bits, 1 of 2. Place 1 its own. Place 2, 1001: (1, 2) at 2 bits, its own
     * (0, 0) at 2: 1 of 2. */
    check_metric(&scene, METRIC_RETRIEVAL, (0.5 + 1 + 0.5) / 3);
}

/* A near place is neither a wrong pair nor in a retrieval, and a match with a place within 3 pixels
 * is right. */
TEST(near_places_are_no_mistakes) {
    Scene scene;
    make_scene(&scene);
    uint8_t *view = scene.pixels + PLACES * ROW;
    memset(view, 0, 2 * ROW);
    view[1] = 0xFF; /* the two first places change their looks, as above */
    view[ROW] = 0xFF;
    for (int v = 0; v < VIEWS; v++) {
        scene.keypoints[v * PLACES + 1].x = 2; /* 2 pixels from place 0 */
    }
    check_metric(&scene, METRIC_MATCHING, 1);
    /* Place 0: its own and place 2 at 16 bits, 1 of 2; the same of place 1. */
    check_metric(&scene, METRIC_RETRIEVAL, (0.5 + 0.5 + 1) / 3);
    scene.keypoints[1].x = scene.keypoints[4].x = 10; /* near, but another place */
    check_metric(&scene, METRIC_MATCHING, 1.0 / 3 / 3);
    check_metric(&scene, METRIC_RETRIEVAL, (0.5 + 0.5 + 1) / 3);
}

/* Every wrong pair of place 0 is as near as its right one, of the others none: up to distance 0 lie
 * two of three right pairs and nothing else. */
TEST(verification_ranks_right_pairs_against_wrong_ones) {
    Scene scene;
    make_scene(&scene);
    scene.pixels[PLACES * ROW] = 0;
    scene.pixels[PLACES * ROW + 5] = 0xFF; /* place 0 in the view is like no other: 16 bits */
    /* 2 right at distance 0; at 16 the third right and all 15 wrong: 3 of 18. */
    check_metric(&scene, METRIC_VERIFICATION, (1 + 1 + 3.0 / 18) / 3);
    check_metric(&scene, METRIC_FALSE_AT_95, 1);
}

TEST(without_places_there_is_no_number) {
    Scene scene;
    make_scene(&scene);
    scene.views.points = 0;
    double metrics[EVALUATION_METRICS];
    assert_ok(evaluation_measure(&scene.described, metrics));
    for (int i = 0; i < EVALUATION_METRICS; i++) {
        assert_true(isnan(metrics[i]));
    }
}
