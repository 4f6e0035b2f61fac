

#include "bench/match_fixture.h"
#include "match_images_internal.h"
#include "test.h"

static const Colour black = {0, 0, 0};

static const uint8_t *pixel(const Canvas *canvas, int32_t x, int32_t y) {
    return canvas->rgb + 3 * (y * canvas->width + x);
}

static void check_grey(const Canvas *canvas, int32_t x, int32_t y, int grey) {
    const uint8_t *at = pixel(canvas, x, y);
    if (abs(at[0] - grey) > 1 || at[1] != at[0] || at[2] != at[0]) {
        fail_msg("(%d, %d) is %d %d %d, not %d", x, y, at[0], at[1], at[2], grey);
    }
}

/* --- The canvas ------------------------------------------------------------------------------- */

TEST(lines_cover_the_pixels_they_run_through) {
    const Pen pen = {.colour = black, .share = 1, .width = 1};
    RELEASED_BY(canvas_release) Canvas canvas;
    assert_ok(canvas_create(9, 7, &canvas));
    canvas_line(&canvas, 2, 1, 6, 1, pen);
    check_grey(&canvas, 1, 1, 255);
    for (int x = 2; x <= 6; x++) {
        check_grey(&canvas, x, 0, 255);
        check_grey(&canvas, x, 1, 0);
        check_grey(&canvas, x, 2, 255);
    }
    check_grey(&canvas, 7, 1, 255);
    /* Between two rows half of it falls on either. */
    canvas_line(&canvas, 3, 4.5, 5, 4.5, pen);
    check_grey(&canvas, 4, 4, 127);
    check_grey(&canvas, 4, 5, 127);
    check_grey(&canvas, 4, 3, 255);
    /* Upright, from below, and half as strong. */
    canvas_line(&canvas, 8, 6, 8, 2, (Pen){.colour = black, .share = 0.5, .width = 1});
    check_grey(&canvas, 8, 2, 127);
    check_grey(&canvas, 8, 6, 127);
    check_grey(&canvas, 8, 1, 255);
}

TEST(a_slanting_line_has_no_gaps) {
    RELEASED_BY(canvas_release) Canvas canvas;
    assert_ok(canvas_create(60, 20, &canvas));
    canvas_line(&canvas, 0, 2, 59, 17, (Pen){.colour = black, .share = 1, .width = 1});
    for (int x = 0; x < 60; x++) {
        int covered = 0;
        for (int y = 0; y < 20; y++) {
            covered += 255 - pixel(&canvas, x, y)[0];
        }
        /* One pixel wide across its direction: a little more in each column. */
        assert_in_range(covered, 240, 300);
    }
}

TEST(what_is_outside_is_not_drawn) {
    const Pen pen = {.colour = black, .share = 1, .width = 3};
    RELEASED_BY(canvas_release) Canvas canvas;
    assert_ok(canvas_create(5, 4, &canvas));
    canvas_line(&canvas, -1e6, -10, 1e6, -10, pen);
    canvas_line(&canvas, 20, 1, 30, 2, pen);
    canvas_ring(&canvas, -40, 2, 5, pen);
    canvas_ring(&canvas, 2, 1e9, 5, pen);
    for (int i = 0; i < 20; i++) {
        check_grey(&canvas, i % 5, i / 5, 255);
    }
    canvas_line(&canvas, -3, 2, 9, 2, pen);
    check_grey(&canvas, 0, 2, 0);
    check_grey(&canvas, 4, 3, 0);
    check_grey(&canvas, 4, 0, 255);
}

TEST(a_ring_is_empty_inside) {
    RELEASED_BY(canvas_release) Canvas canvas;
    assert_ok(canvas_create(11, 11, &canvas));
    canvas_ring(&canvas, 5, 5, 4, (Pen){.colour = black, .share = 1, .width = 1});
    check_grey(&canvas, 1, 5, 0);
    check_grey(&canvas, 5, 9, 0);
    check_grey(&canvas, 5, 5, 255);
    check_grey(&canvas, 3, 5, 255);
    check_grey(&canvas, 0, 5, 255);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* The gap between the images is white where no line crosses it. */
enum { IN_GAP = FIXTURE_WIDTH + 4 };

static void check_line(const Canvas *canvas, int32_t y, int channel) {
    const uint8_t *at = pixel(canvas, IN_GAP, y);
    for (int i = 0; i < 3; i++) {
        assert_true(i == channel ? at[i] > 220 : at[i] < 200);
    }
}

TEST(inliers_are_drawn_from_one_image_to_the_other) {
    MatchFixture fixture;
    Canvas canvas;
    match_fixture(&fixture);
    assert_ok(match_draw(&fixture.match, &fixture.match.methods[0], 1, &canvas));
    assert_int_equal(canvas.width, FIXTURE_WIDTH + 8 + FIXTURE_WIDTH);
    assert_int_equal(canvas.height, FIXTURE_HEIGHT);
    check_line(&canvas, 5, 1);
    check_line(&canvas, 15, 0);
    check_grey(&canvas, IN_GAP, 25, 255);
    /* Left of the line's end and right of its other one. */
    check_grey(&canvas, 3, 5, 128);
    check_grey(&canvas, FIXTURE_WIDTH + 8 + 20, 5, 128);
    canvas_release(&canvas);
    fixture.match.has_truth = false;
    assert_ok(match_draw(&fixture.match, &fixture.match.methods[0], 1, &canvas));
    check_line(&canvas, 15, 1);
    canvas_release(&canvas);
}

/* A keypoint without a match is seen in both images, as long as there is one. */
TEST(keypoints_are_marked) {
    MatchFixture fixture;
    RELEASED_BY(canvas_release) Canvas canvas;
    match_fixture(&fixture);
    fixture.keypoints[0].x = -50;
    assert_ok(match_draw(&fixture.match, &fixture.match.methods[0], 1, &canvas));
    const uint8_t *at = pixel(&canvas, 12, 25);
    assert_true(at[0] > 150 && at[2] < 100);
    check_grey(&canvas, FIXTURE_WIDTH + 8 + 12, 25, 128);
}

enum { TALL = 3000, MANY = 1000 };

TEST(many_lines_are_a_choice_by_seed) {
    static uint8_t pixels[2 * TALL];
    static KeypointMatch matches[MANY];
    static Correspondence places[MANY];
    static bool inlier[MANY];
    MatchFixture fixture;
    match_fixture(&fixture);
    MethodResult *method = &fixture.match.methods[0];
    *method = (MethodResult){.matches = matches, .places = places, .inlier = inlier, .count = MANY};
    fixture.match.has_truth = false;
    for (int i = 0; i < MANY; i++) {
        places[i] = (Correspondence){0, 3 * i, 1, 3 * i};
        inlier[i] = true;
    }
    for (int i = 0; i < 2; i++) {
        fixture.match.inputs[i].image = (Image){2, TALL, 2, pixels};
        fixture.match.inputs[i].keypoints.count = 0;
    }
    bool drawn[3][MANY];
    for (int pass = 0; pass < 3; pass++) {
        RELEASED_BY(canvas_release) Canvas canvas;
        int lines = 0;
        assert_ok(match_draw(&fixture.match, method, pass < 2 ? 1 : 2, &canvas));
        for (int i = 0; i < MANY; i++) {
            drawn[pass][i] = pixel(&canvas, 6, 3 * i)[0] < 200;
            lines += drawn[pass][i];
        }
        assert_int_equal(lines, MATCH_DRAWING_LINES);
    }
    assert_memory_equal(drawn[0], drawn[1], sizeof drawn[0]);
    assert_memory_not_equal(drawn[0], drawn[2], sizeof drawn[0]);
}

/* 6000 pixels of image and the gap come down to 2400; places with them. */
TEST(large_images_are_shrunk) {
    enum { WIDE = 3000, HIGH = 50 };
    static uint8_t pixels[WIDE * HIGH];
    MatchFixture fixture;
    RELEASED_BY(canvas_release) Canvas canvas;
    match_fixture(&fixture);
    for (int i = 0; i < 2; i++) {
        fixture.match.inputs[i].image = (Image){WIDE, HIGH, WIDE, pixels};
    }
    fixture.places[0] = (Correspondence){2000, 10, 1000, 10};
    assert_ok(match_draw(&fixture.match, &fixture.match.methods[0], 1, &canvas));
    assert_in_range(canvas.width, MATCH_DRAWING_WIDTH - 2, MATCH_DRAWING_WIDTH);
    assert_int_equal(canvas.height, 20);
    /* y = 10.5 × 0.399 − 0.5 = 3.7 */
    assert_true(pixel(&canvas, 1000, 4)[1] > 80);
    assert_true(pixel(&canvas, 700, 4)[1] == 0);
}
