/* fast9: what is computed of single pixels, by hand, by brute force and against OpenCV. */
#include <unistd.h>

#include "cpu/fast9_points.h"
#include "datasets.h"
#include "fast9_internal.h"
#include "needs.h"
#include "test.h"

static const int circle_x[FAST9_CIRCLE] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
static const int circle_y[FAST9_CIRCLE] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};

enum { SIDE = 48, MIDDLE = SIDE / 2 };

/* Corners of all rows by a kernel, as a map of score + 1; 0: none. */
static void find_with(const Fast9Kernel *kernel, const Image *image, int32_t threshold,
                      uint8_t *map) {
    Fast9Hit *hits = malloc((size_t)image->width * sizeof *hits);
    assert_non_null(hits);
    memset(map, 0, image_pixel_count(image));
    for (int32_t y = FAST9_BORDER; y < image->height - FAST9_BORDER; y++) {
        const int32_t count =
            kernel->find_row(image_row(image, y), image->stride, image->width, threshold, hits);
        for (int32_t i = 0; i < count; i++) {
            assert_true(i == 0 || hits[i].x > hits[i - 1].x);
            assert_in_range(hits[i].x, FAST9_BORDER, image->width - FAST9_BORDER - 1);
            map[(size_t)y * (size_t)image->width + (size_t)hits[i].x] =
                (uint8_t)(hits[i].score + 1);
        }
    }
    free(hits);
}

/* The definition, arc by arc. */
static bool arc_agrees(const uint8_t *pixel, size_t stride, int first, int32_t t, int sign) {
    for (int i = first; i < first + 9; i++) {
        const ptrdiff_t at = circle_y[i % 16] * (ptrdiff_t)stride + circle_x[i % 16];
        if (sign * (pixel[at] - *pixel) <= t) {
            return false;
        }
    }
    return true;
}

static bool brute_force_corner(const uint8_t *pixel, size_t stride, int32_t t) {
    for (int first = 0; first < 16; first++) {
        if (arc_agrees(pixel, stride, first, t, 1) || arc_agrees(pixel, stride, first, t, -1)) {
            return true;
        }
    }
    return false;
}

/* A corner at one threshold is one at every lower threshold. */
static int32_t brute_force_score(const uint8_t *pixel, size_t stride) {
    int32_t score = -1;
    while (brute_force_corner(pixel, stride, score + 1)) {
        score++;
    }
    return score;
}

/* Everything that finds corners, on one image. */
static void check_kernels(const Image *image, int32_t threshold) {
    uint8_t *map = malloc(image_pixel_count(image));
    assert_non_null(map);
    for (const Fast9Kernel *const *kernel = fast9_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported()) {
            continue;
        }
        find_with(*kernel, image, threshold, map);
        for (int32_t y = FAST9_BORDER; y < image->height - FAST9_BORDER; y++) {
            for (int32_t x = FAST9_BORDER; x < image->width - FAST9_BORDER; x++) {
                const int32_t score = brute_force_score(fast9_pixel(image, x, y), image->stride);
                const int32_t want = score >= threshold ? score + 1 : 0;
                const int32_t got = map[(size_t)y * (size_t)image->width + (size_t)x];
                if (got != want) {
                    fail_msg("%s: (%d, %d) of %d×%d at %d: %d instead of %d", (*kernel)->name, x, y,
                             image->width, image->height, threshold, got, want);
                }
            }
        }
    }
    free(map);
}

/* 8 neighbours are none, 9 are a corner, wherever on the circle they begin; brighter or darker. */
TEST(nine_of_the_circle_make_a_corner) {
    for (int length = 7; length <= 16; length++) {
        for (int first = 0; first < FAST9_CIRCLE; first++) {
            for (int brighter = 0; brighter < 2; brighter++) {
                RELEASED_BY(test_image_free) Image image = fast9_flat_image(SIDE, SIDE, 100);
                for (int i = first; i < first + length; i++) {
                    *fast9_pixel(&image, MIDDLE + circle_x[i % 16], MIDDLE + circle_y[i % 16]) =
                        brighter ? 131 : 69;
                }
                const uint8_t *pixel = fast9_pixel(&image, MIDDLE, MIDDLE);
                assert_int_equal(fast9_is_corner(pixel, SIDE, 30), length >= 9);
                assert_int_equal(fast9_is_corner(pixel, SIDE, 31), 0);
                assert_int_equal(fast9_score(pixel, SIDE), length >= 9 ? 30 : -1);
                check_kernels(&image, 30);
                check_kernels(&image, 31);
            }
        }
    }
}

/* Of a bright square, 6 pixels at each of its corners have 9 or more darker ones in a row: those
 * 0, 1 and 2 pixels along either side from the corner, and the one diagonally inside. */
TEST(corners_of_a_square) {
    static const int8_t inside[6][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {0, 2}, {1, 1}};
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(68, 68, 0);
    fast9_fill(&image, 28, 28, 12, 12, 200);
    uint8_t want[68 * 68] = {0};
    for (int i = 0; i < 6; i++) {
        const int x = inside[i][0];
        const int y = inside[i][1];
        want[(28 + y) * 68 + 28 + x] = want[(28 + y) * 68 + 39 - x] = 200;
        want[(39 - y) * 68 + 28 + x] = want[(39 - y) * 68 + 39 - x] = 200;
    }
    uint8_t got[68 * 68];
    for (const Fast9Kernel *const *kernel = fast9_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            find_with(*kernel, &image, 20, got);
            assert_memory_equal(got, want, sizeof want);
        }
    }
    for (int32_t i = 0; i < 68 * 68; i++) {
        const int32_t x = i % 68;
        const int32_t y = i / 68;
        if (x >= 3 && x < 65 && y >= 3 && y < 65) {
            assert_int_equal(fast9_is_corner(fast9_pixel(&image, x, y), 68, 20), want[i] != 0);
        }
    }
}

/* Smooth enough for arcs, rough enough for many scores: noise of a few grey values around waves. */
static Image waves(int32_t width, int32_t height, uint32_t seed) {
    Image image = test_image(width, height, 3, FILL_NOISE, seed);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            uint8_t *pixel = fast9_pixel(&image, x, y);
            const int32_t block = (x / 5 + y / 7 * 3) % 4 * 70;
            *pixel = (uint8_t)(block + *pixel % 40);
        }
    }
    return image;
}

TEST(scores_by_brute_force) {
    static const int32_t thresholds[] = {1, 20, 100, 254};
    for (uint32_t seed = 0; seed < 4; seed++) {
        Image images[] = {waves(33 + 61 * (int32_t)seed, 50, seed),
                          test_image(97 + (int32_t)seed, 40, seed, FILL_EXTREME, seed),
                          test_image(96 + (int32_t)seed, 40, seed, FILL_NOISE, seed),
                          test_image(161, 41, 0, FILL_RAMP, seed)};
        for (size_t i = 0; i < COUNT_OF(images); i++) {
            check_kernels(&images[i], thresholds[(i + seed) % 4]);
            for (int32_t x = 3; x < images[i].width - 3; x++) {
                const uint8_t *pixel = fast9_pixel(&images[i], x, 20);
                const int32_t score = brute_force_score(pixel, images[i].stride);
                const int32_t got = fast9_score(pixel, images[i].stride);
                assert_int_equal(got < 0 ? -1 : got, score);
                assert_int_equal(fast9_is_corner(pixel, images[i].stride, 20), score >= 20);
            }
            test_image_free(&images[i]);
        }
    }
}

static void assert_harris(const Image *image, int64_t want) {
    const uint8_t *pixel = fast9_pixel(image, MIDDLE, MIDDLE);
    assert_true(fast9_harris(pixel, image->stride) == want);
    assert_true(fast9_harris_quick(pixel, image->stride) == want);
}

TEST(harris_by_hand) {
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(SIDE, SIDE, 7);
    assert_harris(&image, 0);
    /* One pixel 10 brighter: dx is 10, 20, 10 left of it and negative right of it, dy the same
     * above and below: a = c = 2 · 600; products cancel. */
    *fast9_pixel(&image, MIDDLE, MIDDLE) = 17;
    assert_harris(&image, 25 * 1200 * 1200 - 2400 * 2400);
    *fast9_pixel(&image, MIDDLE, MIDDLE) = 7;
    /* Diagonally outside of the 7×7 pixels, of which one sees it: dx = dy = 10. */
    *fast9_pixel(&image, MIDDLE + 4, MIDDLE + 4) = 17;
    assert_harris(&image, -200 * 200);
    *fast9_pixel(&image, MIDDLE + 4, MIDDLE + 4) = 7;
    *fast9_pixel(&image, MIDDLE + 5, MIDDLE) = 255;
    *fast9_pixel(&image, MIDDLE, MIDDLE - 5) = 255;
    assert_harris(&image, 0);
    /* A step of 255: two columns of dx = 1020. */
    fast9_fill(&image, 0, 0, SIDE, SIDE, 0);
    fast9_fill(&image, MIDDLE, 0, SIDE - MIDDLE, SIDE, 255);
    const int64_t a = (int64_t)14 * 1020 * 1020;
    assert_harris(&image, -a * a);
}

/* The last kernel's are fast9_moments. */
static void assert_moments(const Image *image, int32_t x, int32_t y, int64_t m10, int64_t m01) {
    for (const Fast9Kernel *const *kernel = fast9_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            int64_t got[2] = {0};
            (*kernel)->moments(fast9_pixel(image, x, y), image->stride, &got[0], &got[1]);
            assert_int_equal(got[0], m10);
            assert_int_equal(got[1], m01);
        }
    }
}

TEST(moments_by_hand) {
    static const struct {
        int32_t x, y;
        bool inside;
    } pixels[] = {{15, 0, true},   {-15, 0, true},  {0, 15, true},   {0, -15, true},
                  {5, -3, true},   {12, 9, true},   {-9, -12, true}, {15, 1, false},
                  {1, -15, false}, {11, 11, false}, {13, 8, false},  {14, 5, true},
                  {14, -6, false}, {10, 11, true},  {16, 0, false}};
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(SIDE, SIDE, 255);
    assert_moments(&image, MIDDLE, MIDDLE, 0, 0);
    fast9_fill(&image, 0, 0, SIDE, SIDE, 0);
    for (size_t i = 0; i < COUNT_OF(pixels); i++) {
        uint8_t *pixel = fast9_pixel(&image, MIDDLE + pixels[i].x, MIDDLE + pixels[i].y);
        *pixel = 200;
        assert_moments(&image, MIDDLE, MIDDLE, pixels[i].inside ? 200 * pixels[i].x : 0,
                       pixels[i].inside ? 200 * pixels[i].y : 0);
        *pixel = 0;
    }
}

/* Every pixel on its own, and noise up to the largest sums. */
TEST(quick_measures_are_the_same) {
    Image images[] = {test_image(140, 90, 1, FILL_NOISE, 3), test_image(80, 70, 9, FILL_EXTREME, 4),
                      test_image(64, 64, 0, FILL_RAMP, 5), waves(70, 60, 6)};
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        const Image *image = &images[i];
        for (int32_t y = FAST9_BORDER; y < image->height - FAST9_BORDER; y++) {
            for (int32_t x = FAST9_BORDER; x < image->width - FAST9_BORDER; x++) {
                const uint8_t *pixel = fast9_pixel(image, x, y);
                int64_t m[2];
                fast9_moments(pixel, image->stride, &m[0], &m[1]);
                assert_moments(image, x, y, m[0], m[1]);
                assert_true(fast9_harris(pixel, image->stride) ==
                            fast9_harris_quick(pixel, image->stride));
            }
        }
        test_image_free(&images[i]);
    }
}

/*
 * Corners of graf1.png at threshold 20 that are FAST9_BORDER pixels from each edge, by
 * OpenCV 5.0.0: FastFeatureDetector_create(20, False, FAST_FEATURE_DETECTOR_TYPE_9_16).detect of
 * the image that cvtColor turned grey: how many, and sums of their coordinates. The sum of scores
 * is that of how many there are at each threshold from 20 to 254, for a corner of score s is one at
 * s − 19 of them.
 */
static const struct {
    uint64_t count, x, y, xy, scores_above_19;
} opencv_corners = {10399, 3817925, 4080598, 1471101033, 233280};

TEST(corners_of_opencv) {
    static const char path[] = BENCH_SHARED_DATA "/homography/graf1.png";
    if (access(path, R_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, path);
    }
    Image image;
    assert_ok(image_read(path, &image));
    assert_int_equal(image.width, 800);
    uint8_t *map = malloc(image_pixel_count(&image));
    assert_non_null(map);
    for (const Fast9Kernel *const *kernel = fast9_kernels; *kernel != NULL; kernel++) {
        uint64_t sums[5] = {0};
        if (!(*kernel)->supported()) {
            continue;
        }
        find_with(*kernel, &image, 20, map);
        for (uint64_t i = 0; i < image_pixel_count(&image); i++) {
            const uint64_t x = i % 800;
            const uint64_t y = i / 800;
            const bool inside = x >= FAST9_BORDER && x < 800 - FAST9_BORDER && y >= FAST9_BORDER &&
                                y < (uint64_t)image.height - FAST9_BORDER;
            const uint8_t *pixel = fast9_pixel(&image, (int32_t)x, (int32_t)y);
            assert_int_equal(inside && fast9_is_corner(pixel, image.stride, 20), map[i] != 0);
            sums[0] += map[i] != 0;
            sums[1] += map[i] != 0 ? x : 0;
            sums[2] += map[i] != 0 ? y : 0;
            sums[3] += map[i] != 0 ? x * y : 0;
            sums[4] += map[i] != 0 ? map[i] - 20U : 0;
        }
        assert_int_equal(sums[0], opencv_corners.count);
        assert_int_equal(sums[1], opencv_corners.x);
        assert_int_equal(sums[2], opencv_corners.y);
        assert_int_equal(sums[3], opencv_corners.xy);
        assert_int_equal(sums[4], opencv_corners.scores_above_19);
    }
    free(map);
    image_free(&image);
}
