/* Feature images: which features are drawn, over what, and in which colours. */
#include "bench/scratch_folder.h"
#include "bench/train_fixture.h"
#include "canvas.h"
#include "datasets.h"
#include "recognise_internal.h"
#include "test.h"

TEST(the_best_are_those_of_most_weight) {
    size_t best[FEATURE_IMAGES_BEST];
    /* The third has the feature of the second, and less weight. */
    Stump stumps[] = {{.alpha = 0.5, .w = 1},
                      {.alpha = 2, .w = 2},
                      {.alpha = 1, .w = 2},
                      {.alpha = 0.5, .w = 3},
                      {.alpha = 0.7, .w = 2, .type = 1}};
    const Classifier classifier = {.count = 5, .stumps = stumps};
    assert_int_equal(best_features(&classifier, best), 4);
    assert_int_equal(best[0], 1);
    assert_int_equal(best[1], 4);
    assert_int_equal(best[2], 0);
    assert_int_equal(best[3], 3);
}

TEST(no_more_than_ten_are_taken) {
    size_t best[FEATURE_IMAGES_BEST];
    Stump stumps[12];
    for (int i = 0; i < 12; i++) {
        stumps[i] = (Stump){.alpha = i + 1, .x = i};
    }
    const Classifier classifier = {.count = 12, .stumps = stumps};
    assert_int_equal(best_features(&classifier, best), 10);
    assert_int_equal(best[0], 11);
    assert_int_equal(best[9], 2);
}

/* Images 1 and 2 are twos: their sums are 10, 0, 10, 10 and 0, 0, 10, 10. */
TEST(means_are_rounded_to_the_nearest) {
    const Workload set = fixture_images();
    uint8_t mean[8];
    mean_image(&set, 2, mean);
    assert_memory_equal(mean, ((const uint8_t[]){5, 0, 5, 5, 0, 0, 5, 5}), 8);
    fixture_pixels[16] = 9;
    mean_image(&set, 2, mean);
    fixture_pixels[16] = 10;
    assert_int_equal(mean[0], 5);
    mean_image(&set, 9, mean);
    assert_memory_equal(mean, ((const uint8_t[8]){0}), 8);
}

TEST(a_canvas_is_mixed_and_clipped) {
    RELEASED_BY(canvas_release) Canvas canvas;
    assert_ok(canvas_create(3, 2, &canvas));
    assert_int_equal(canvas.rgb[0], 255);
    canvas_fill(&canvas, (Box){-1, 1, 2, 9}, (Colour){0, 100, 255}, 0.5);
    assert_memory_equal(canvas.rgb + 9, ((const uint8_t[]){128, 178, 255, 255, 255, 255}), 6);
    assert_int_equal(canvas.rgb[0], 255);
}

static uint8_t pixel(const Image *image, int32_t x, int32_t y) {
    return image_row(image, y)[x];
}

/*
 * Greys by hand: white 255; a positive cell over 10 is (120, 69, 6), a negative one over 0 is
 * (0, 50, 115), each R + 587 G + 114 B of a thousand; their edges (255, 140, 0) and (0, 110, 255).
 */
TEST(panels_are_drawn_over_the_mean) {
    const Recogniser recogniser = fixture_recogniser();
    const Workload set = fixture_images();
    char path[512];
    Image image;
    assert_ok(feature_images_write(test_folder, &recogniser, &set));
    assert_int_equal(scratch_count(test_folder), 3);
    scratch_path(test_scratch(), "digit-7.png", path);
    assert_ok(image_read(path, &image));
    /* Five panels of 4·56 across and two of 2·56 down, 8 between and around. */
    assert_int_equal(image.width, 5 * 232 + 8);
    assert_int_equal(image.height, 2 * 120 + 8);
    assert_int_equal(pixel(&image, 0, 0), 255);
    assert_int_equal(pixel(&image, 8 + 50, 8 + 30), 77);
    assert_int_equal(pixel(&image, 8 + 170, 8 + 30), 42);
    assert_int_equal(pixel(&image, 8 + 1, 8 + 30), 158);
    assert_int_equal(pixel(&image, 8 + 222, 8 + 30), 94);
    assert_int_equal(pixel(&image, 8 + 232 + 50, 8 + 30), 77);      /* the second one's top row */
    assert_int_equal(pixel(&image, 8 + 2 * 232 + 50, 8 + 30), 255); /* there is no third one */
    image_free(&image);
    scratch_path(test_scratch(), "digits.png", path);
    assert_ok(image_read(path, &image));
    assert_int_equal(image.width, 10 * 116 + 4);
    assert_int_equal(image.height, 2 * 60 + 4);
    assert_int_equal(pixel(&image, 4 + 20, 4 + 30), 77);
    image_free(&image);
    assert_int_equal(feature_images_write("/nowhere", &recogniser, &set).code, STATUS_FILE);
}
