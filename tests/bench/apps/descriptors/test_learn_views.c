/* Views: where a warp takes keypoints, what it shows, and light, by hand. */
#include "datasets.h"
#include "descriptors_internal.h"
#include "test.h"

static void check_keypoint(Keypoint got, double x, double y, double size, double angle) {
    assert_float_equal(got.x, x, 1e-4);
    assert_float_equal(got.y, y, 1e-4);
    assert_float_equal(got.size, size, 1e-4);
    assert_float_equal(got.angle, angle, 1e-3);
}

/* A quarter turn: (x, y) goes to (−y, x) and beyond, twice as large. */
TEST(a_keypoint_turns_and_grows_with_the_image) {
    const Warp warp = {.matrix = {{0, -2, 50}, {2, 0, 0}, {0, 0, 1}}};
    const Keypoint keypoint = {.x = 10, .y = 5, .size = 8, .angle = 300};
    check_keypoint(warp_keypoint(&warp, keypoint), 40, 20, 16, 30);
}

/* (x, y) / (1 + x / 100): at x = 100, half of it, a quarter along x and a half along y. */
TEST(a_tilt_shrinks_by_the_area) {
    const Warp warp = {.matrix = {{1, 0, 0}, {0, 1, 0}, {0.01, 0, 1}}};
    const Keypoint keypoint = {.x = 100, .y = 0, .size = 10, .angle = 20};
    check_keypoint(warp_keypoint(&warp, keypoint), 50, 0, 10 * sqrt(0.25 * 0.5), 20);
}

TEST(a_view_holds_the_whole_image) {
    for (uint64_t i = 0; i < 50; i++) {
        Draw draw = draw_start(1, i, 0);
        const Warp warp = warp_draw(640, 400, &draw);
        assert_in_range(warp.width, 100, WARP_SIDE_MAX);
        assert_in_range(warp.height, 100, WARP_SIDE_MAX);
        for (int corner = 0; corner < 4; corner++) {
            const Keypoint at = {.x = (float)(639 * (corner & 1)),
                                 .y = (float)(399 * (corner >> 1))};
            const Keypoint moved = warp_keypoint(&warp, at);
            assert_true(moved.x > -0.01F && moved.x < (float)warp.width + 0.01F);
            assert_true(moved.y > -0.01F && moved.y < (float)warp.height + 0.01F);
        }
    }
}

/* Half a pixel to the right: the mean of two, the last alone. */
TEST(a_view_is_bilinear) {
    uint8_t pixels[4] = {10, 20, 40, 90};
    const Image image = {.width = 4, .height = 1, .stride = 4, .pixels = pixels};
    const Warp warp = {.matrix = {{1, 0, -0.5}, {0, 1, 0}, {0, 0, 1}}, .width = 4, .height = 1};
    RELEASED_BY(image_free) Image view;
    assert_ok(warp_render(&warp, &image, &view));
    assert_memory_equal(view.pixels, ((uint8_t[]){15, 30, 65, 90}), 4);
}

/* 255·(51 / 255)²·2 + 10 = 30.4; the second is cut at 255. */
TEST(light_changes_the_tone) {
    uint8_t pixels[2] = {51, 255};
    Image image = {.width = 2, .height = 1, .stride = 2, .pixels = pixels};
    const Exposure exposure = {.gamma = 2, .gain = 2, .offset = 10};
    Draw draw = draw_start(1, 0, 0);
    assert_ok(exposure_apply(&exposure, &draw, &image));
    assert_int_equal(pixels[0], 30);
    assert_int_equal(pixels[1], 255);
}

/* A line of 200 among 100 spreads, evenly to both sides, and keeps its sum. */
TEST(blur_spreads) {
    uint8_t pixels[21 * 3];
    Image image = {.width = 21, .height = 3, .stride = 21, .pixels = pixels};
    memset(pixels, 100, sizeof pixels);
    pixels[10] = pixels[31] = pixels[52] = 200;
    const Exposure exposure = {.blur = 1, .gamma = 1, .gain = 1};
    Draw draw = draw_start(1, 0, 0);
    assert_ok(exposure_apply(&exposure, &draw, &image));
    /* exp(−d² / 2) / 2.5066 of 100: 39.9, 24.2, 5.4 */
    assert_in_range(pixels[31], 139, 141);
    assert_in_range(pixels[30], 123, 125);
    assert_in_range(pixels[29], 104, 106);
    assert_int_equal(pixels[30], pixels[32]);
    assert_int_equal(pixels[21], 100);
}

TEST(noise_has_its_deviation) {
    static uint8_t pixels[10000];
    Image image = {.width = 100, .height = 100, .stride = 100, .pixels = pixels};
    memset(pixels, 128, sizeof pixels);
    const Exposure exposure = {.gamma = 1, .gain = 1, .noise = 4};
    Draw draw = draw_start(1, 0, 0);
    double sum = 0, squares = 0;
    assert_ok(exposure_apply(&exposure, &draw, &image));
    for (size_t i = 0; i < sizeof pixels; i++) {
        sum += pixels[i] - 128.0;
        squares += (pixels[i] - 128.0) * (pixels[i] - 128.0);
    }
    assert_float_equal(sum / sizeof pixels, 0, 0.2);
    assert_float_equal(sqrt(squares / sizeof pixels), 4, 0.2);
}

/* The same seed gives the same views; places are inside of all of them. */
TEST(views_are_seeded_and_hold_their_places) {
    const ViewRequest request = {.points = 40, .views = 3, .seed = 5};
    RELEASED_BY(image_free) Image image;
    Views views, again;
    assert_ok(synthetic_image("texture", 320, 240, 1, &image));
    assert_ok(views_make(&image, &request, &views));
    assert_ok(views_make(&image, &request, &again));
    assert_in_range(views.points, 10, 40);
    assert_int_equal(views.points, again.points);
    assert_memory_equal(views.keypoints, again.keypoints,
                        3 * (size_t)views.points * sizeof(Keypoint));
    assert_ptr_equal(views.images[0].pixels, image.pixels);
    assert_int_equal(image_hash(&views.images[2]), image_hash(&again.images[2]));
    assert_int_not_equal(image_hash(&views.images[1]), image_hash(&views.images[2]));
    for (int32_t i = 0; i < 3 * views.points; i++) {
        const Image *view = &views.images[i / views.points];
        const Keypoint *keypoint = &views.keypoints[i];
        assert_true(keypoint->x >= 0 && keypoint->x < (float)view->width);
        assert_true(keypoint->y >= 0 && keypoint->y < (float)view->height);
    }
    views_release(&views);
    views_release(&again);
}

/* A detector finds few sizes; training is to see many: from 0.4 to 1.5 of them. */
TEST(keypoints_have_sizes_of_their_own) {
    const ViewRequest request = {.points = 40, .views = 1, .seed = 5, .plain = true};
    RELEASED_BY(image_free) Image image;
    RELEASED_BY(views_release) Views views;
    assert_ok(synthetic_image("texture", 320, 240, 1, &image));
    assert_ok(views_make(&image, &request, &views));
    assert_in_range(views.points, 10, 40);
    for (int32_t i = 0; i < views.points; i++) {
        for (int32_t j = 0; j < i; j++) {
            assert_true(views.keypoints[i].size != views.keypoints[j].size);
        }
    }
}

/* Homographies alone: no value that the image has not, and keypoints where the same views have them
 * that are not moved. */
TEST(plain_views_have_no_noise) {
    ViewRequest request = {.points = 40, .views = 2, .seed = 5, .plain = true};
    RELEASED_BY(image_free) Image image;
    Views views;
    assert_ok(synthetic_image("texture", 320, 240, 1, &image));
    for (int32_t y = 0; y < image.height; y++) {
        for (int32_t x = 0; x < image.width; x++) {
            uint8_t *pixel = image.pixels + (size_t)y * image.stride + x;
            *pixel = (uint8_t)(60 + *pixel / 2); /* 60…187 */
        }
    }
    for (int plain = 0; plain < 2; plain++) {
        int outside = 0;
        request.plain = plain == 1;
        assert_ok(views_make(&image, &request, &views));
        const Image *view = &views.images[1];
        for (int32_t y = 0; y < view->height; y++) {
            for (int32_t x = 0; x < view->width; x++) {
                const int value = image_row(view, y)[x];
                outside += value < 60 || value > 187;
            }
        }
        assert_true(request.plain ? outside == 0 : outside > 0);
        views_release(&views);
    }
}

/* Two images joined by a shift: places of the first lie in the second where the shift takes them,
 * but for what a detector moves them. */
TEST(a_pair_has_its_places_where_the_homography_says) {
    enum { SHIFT = 7 };
    const ViewRequest request = {.points = 40, .views = 2, .seed = 5};
    const Warp warp = {.matrix = {{1, 0, SHIFT}, {0, 1, 0}, {0, 0, 1}}};
    Image image, other;
    Views views;
    assert_ok(synthetic_image("texture", 320, 240, 1, &image));
    assert_ok(synthetic_image("texture", 300, 240, 2, &other));
    const uint64_t hash = image_hash(&other);
    assert_ok(views_of_pair(&image, &other, &warp, &request, &views));
    assert_null(other.pixels);
    assert_int_equal(views.views, 2);
    assert_int_equal(image_hash(&views.images[1]), hash);
    assert_in_range(views.points, 10, 40);
    for (int32_t i = 0; i < views.points; i++) {
        const Keypoint *one = &views.keypoints[i], *moved = &views.keypoints[views.points + i];
        assert_true(fabsf(moved->x - one->x - SHIFT) < 0.1F * one->size);
        assert_true(fabsf(moved->y - one->y) < 0.1F * one->size);
        assert_true(moved->x < 300);
    }
    views_release(&views);
    image_free(&image);
}
