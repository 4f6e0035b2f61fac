/*
 * lbp_riu/seq: what follows from the definition for every image: turning it turns the bins,
 * brightening it leaves them, every pixel is counted once.
 */
#include "cpu/lbp_riu_points.h"
#include "test.h"

static const char *const interpolations[] = {"nearest", "bilinear"};
static const char *const radii[] = {"0.5", "0.73", "1", "1.5", "2", "2.999", "3", "5.5", "8"};

/* Values 0…`most` at random; few values make many ties. */
static Image random_image(int32_t width, int32_t height, unsigned most, uint32_t seed) {
    Image image = {.width = width, .height = height, .stride = (size_t)width};
    image.pixels = malloc(image_pixel_count(&image));
    assert_non_null(image.pixels);
    for (size_t i = 0; i < image_pixel_count(&image); i++) {
        seed = seed * 1664525U + 1013904223U;
        image.pixels[i] = (uint8_t)((seed >> 16) % (most + 1));
    }
    return image;
}

/* A quarter turn anticlockwise: (x, y) goes to (y, width − 1 − x). */
static void turn(const uint8_t *from, int32_t width, int32_t height, uint8_t *to) {
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            to[(width - 1 - x) * height + y] = from[y * width + x];
        }
    }
}

/* Calls `check` for all radii and interpolations and every `step`th number of points. */
static void for_patterns(const Image *image, int step,
                         void (*check)(const Image *image, int points, const char *pr,
                                       const char *interp)) {
    for (int points = step; points <= LBP_RIU_POINTS_MAX; points += step) {
        for (size_t r = 0; r < COUNT_OF(radii); r++) {
            char pr[AXIS_TEXT_SIZE];
            snprintf(pr, sizeof pr, "%d:%s", points, radii[r]);
            for (size_t i = 0; i < COUNT_OF(interpolations); i++) {
                check(image, points, pr, interpolations[i]);
            }
        }
    }
}

static void check_turned(const Image *image, int points, const char *pr, const char *interp) {
    (void)points;
    const size_t pixels = image_pixel_count(image);
    Image turned = random_image(image->height, image->width, 0, 1);
    turn(image->pixels, image->width, image->height, turned.pixels);
    Output want = seq_answer(image, pr, interp, "bins");
    Output got = seq_answer(&turned, pr, interp, "bins");
    uint8_t *bins = malloc(pixels);
    assert_non_null(bins);
    turn(lbp_riu_bins(&want), image->width, image->height, bins);
    if (memcmp(bins, lbp_riu_bins(&got), pixels) != 0) {
        fail_msg("%s %s: the bins do not turn with the image", pr, interp);
    }
    assert_memory_equal(lbp_riu_histogram(&got), lbp_riu_histogram(&want),
                        got.layout.parts[LBP_RIU_PART_HISTOGRAM].bytes);
    free(bins);
    free(got.data);
    free(want.data);
    free(turned.pixels);
}

/* The points turn onto each other when P is a multiple of 4. */
TEST(bins_turn_with_the_image) {
    static const unsigned most[] = {255, 3, 1};
    for (size_t i = 0; i < COUNT_OF(most); i++) {
        Image image = random_image(23, 18, most[i], 5);
        for_patterns(&image, 4, check_turned);
        free(image.pixels);
    }
}

/* Further than this from the border nothing outside is looked at. */
static int reach_of(const char *pr, const char *interp) {
    const Point answer = make_answer(pr, interp, "none");
    LbpRiuPattern pattern;
    assert_ok(lbp_riu_pattern(&answer, &pattern));
    return pattern.reach;
}

static void check_brightened(const Image *image, int points, const char *pr, const char *interp) {
    (void)points;
    Image brighter = random_image(image->width, image->height, 0, 1);
    for (size_t i = 0; i < image_pixel_count(image); i++) {
        brighter.pixels[i] = (uint8_t)(image->pixels[i] + 55);
    }
    Output want = seq_answer(image, pr, interp, "bins");
    Output got = seq_answer(&brighter, pr, interp, "bins");
    const int reach = reach_of(pr, interp);
    for (int32_t y = reach; y < image->height - reach; y++) {
        for (int32_t x = reach; x < image->width - reach; x++) {
            const size_t at = (size_t)y * (size_t)image->width + (size_t)x;
            if (lbp_riu_bins(&got)[at] != lbp_riu_bins(&want)[at]) {
                fail_msg("%s %s: the bin of (%d, %d) changes", pr, interp, x, y);
            }
        }
    }
    free(got.data);
    free(want.data);
    free(brighter.pixels);
}

TEST(a_constant_changes_nothing_inside) {
    Image image = random_image(26, 21, 200, 9);
    for_patterns(&image, 1, check_brightened);
    free(image.pixels);
}

/* A code of up to three bits has at most two transitions. */
static void check_counts(const Image *image, int points, const char *pr, const char *interp) {
    Output answer = seq_answer(image, pr, interp, "none");
    const uint64_t *histogram = lbp_riu_histogram(&answer);
    uint64_t sum = 0;
    for (int bin = 0; bin < points + 2; bin++) {
        sum += histogram[bin];
    }
    assert_int_equal(sum, image_pixel_count(image));
    assert_true(points > 3 || histogram[points + 1] == 0);
    free(answer.data);
}

TEST(every_pixel_is_counted_once) {
    static const int32_t sizes[][2] = {{1, 1}, {2, 1}, {1, 7}, {31, 3}, {17, 19}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        Image image = random_image(sizes[i][0], sizes[i][1], 255, 77);
        for_patterns(&image, 1, check_counts);
        free(image.pixels);
    }
}
