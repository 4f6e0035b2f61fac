#include "fixtures.h"
#include "test.h"

#include <sys/mman.h>
#include <unistd.h>

static void assert_rescaled(int32_t width, int32_t height, const uint8_t *pixels, int32_t new_width,
                            int32_t new_height, const uint8_t *want) {
    uint8_t copy[64];
    memcpy(copy, pixels, (size_t)(width * height));
    const Image source = {
        .width = width, .height = height, .stride = (size_t)width, .pixels = copy};
    RELEASED_BY(image_free) Image image;
    assert_ok(image_rescale(&source, new_width, new_height, &image));
    assert_pixels(&image, new_width, new_height, want);
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

TEST(shrinking_averages_areas) {
    assert_rescaled(2, 2, BYTES(10, 20, 30, 41), 1, 1, BYTES(25)); /* 25.25 */
    assert_rescaled(2, 2, BYTES(10, 20, 30, 42), 1, 1, BYTES(26)); /* 25.5 */
    /* Three pixels on two: each output covers one and a half. */
    assert_rescaled(3, 1, BYTES(0, 90, 180), 2, 1, BYTES(30, 150));
    assert_rescaled(1, 3, BYTES(0, 90, 180), 1, 2, BYTES(30, 150));
    /* Five on two: (0 + 10 + 20/2) / 2.5 = 8, (20/2 + 30 + 40) / 2.5 = 32. */
    assert_rescaled(5, 1, BYTES(0, 10, 20, 30, 40), 2, 1, BYTES(8, 32));
}

TEST(growing_interpolates_between_centres) {
    assert_rescaled(2, 1, BYTES(0, 100), 4, 1, BYTES(0, 25, 75, 100));
    assert_rescaled(1, 2, BYTES(0, 100), 1, 4, BYTES(0, 25, 75, 100));
    assert_rescaled(2, 1, BYTES(0, 100), 3, 1, BYTES(0, 50, 100));
    /* The second centre is 0.1 of the way: 409.6 / 4096, nearest 410, of 255 is 25.52. */
    assert_rescaled(2, 1, BYTES(0, 255), 5, 1, BYTES(0, 26, 128, 229, 255));
    assert_rescaled(1, 2, BYTES(0, 255), 1, 5, BYTES(0, 26, 128, 229, 255));
    /* 0.75² · 0 + 0.75 · 0.25 · (40 + 80) + 0.25² · 120 = 30 at (1, 1). */
    assert_rescaled(2, 2, BYTES(0, 40, 80, 120), 4, 4,
                    BYTES(0, 10, 30, 40, 20, 30, 50, 60, 60, 70, 90, 100, 80, 90, 110, 120));
}

TEST(axes_are_treated_on_their_own) {
    assert_rescaled(2, 2, BYTES(0, 100, 50, 150), 4, 1, BYTES(25, 50, 100, 125));
    assert_rescaled(2, 2, BYTES(0, 50, 100, 150), 1, 4, BYTES(25, 50, 100, 125));
    assert_rescaled(2, 2, BYTES(0, 100, 50, 150), 2, 1, BYTES(25, 125));
}

TEST(the_same_size_is_the_same_image) {
    RELEASED_BY(image_free) Image source;
    RELEASED_BY(image_free) Image image;
    assert_ok(synthetic_image("noise", 37, 23, 1, &source));
    assert_ok(image_rescale(&source, 37, 23, &image));
    assert_true(image_hash(&image) == image_hash(&source));
}

TEST(row_padding_is_not_read) {
    uint8_t rows[] = {10, 20, 255, 30, 40, 255};
    const Image source = {.width = 2, .height = 2, .stride = 3, .pixels = rows};
    RELEASED_BY(image_free) Image image;
    assert_ok(image_rescale(&source, 1, 1, &image));
    assert_int_equal(image.pixels[0], 25);
}

/* Behind the last pixel of the source no memory may be touched. */
TEST(nothing_behind_the_image_is_read) {
    enum { SIDE = 12 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    const Image source = {.width = SIDE,
                          .height = SIDE,
                          .stride = SIDE,
                          .pixels = pages + page - (ptrdiff_t)SIDE * SIDE};
    static const int32_t sides[] = {1, 2, 3, 5, 6, 7, 11, 12, 13, 24, 25};
    for (size_t i = 0; i < 121; i++) {
        RELEASED_BY(image_free) Image image;
        assert_ok(image_rescale(&source, sides[i % 11], sides[i / 11], &image));
    }
    assert_int_equal(munmap(pages, 2 * page), 0);
}

TEST(constants_stay) {
    static const int32_t sides[][2] = {{1, 1}, {7, 200}, {200, 7}, {64, 64}, {1, 300}, {31, 29}};
    static const uint8_t values[] = {0, 1, 128, 254, 255};
    for (size_t v = 0; v < sizeof values; v++) {
        RELEASED_BY(image_free) Image source;
        assert_ok(image_create(29, 31, 1, &source));
        memset(source.pixels, values[v], 29 * 31);
        for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
            RELEASED_BY(image_free) Image image;
            assert_ok(image_rescale(&source, sides[s][0], sides[s][1], &image));
            for (size_t i = 0; i < image_pixel_count(&image); i++) {
                assert_int_equal(image.pixels[i], values[v]);
            }
        }
    }
}

/* How much source pixel `j` counts for output pixel `i`, by the definition, in real numbers. */
static double weight(int i, int j, int in, int out) {
    const double ratio = (double)in / out;
    if (out < in) {
        const double begin = fmax(i * ratio, j);
        const double end = fmin((i + 1) * ratio, j + 1);
        return fmax(end - begin, 0.0) / ratio;
    }
    const double centre = fmin(fmax((i + 0.5) * ratio - 0.5, 0.0), in - 1.0);
    return fmax(1.0 - fabs(centre - j), 0.0);
}

TEST(any_size_follows_the_definition) {
    enum { WIDTH = 13, HEIGHT = 11 };
    static const int32_t sides[][2] = {{5, 4}, {40, 31}, {5, 31}, {40, 4}, {12, 12}, {1, 1}};
    RELEASED_BY(image_free) Image source;
    assert_ok(synthetic_image("noise", WIDTH, HEIGHT, 3, &source));
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
        RELEASED_BY(image_free) Image image;
        assert_ok(image_rescale(&source, sides[s][0], sides[s][1], &image));
        for (int y = 0; y < image.height; y++) {
            for (int x = 0; x < image.width; x++) {
                double want = 0.0;
                for (int v = 0; v < HEIGHT; v++) {
                    for (int u = 0; u < WIDTH; u++) {
                        want += weight(x, u, WIDTH, image.width) *
                                weight(y, v, HEIGHT, image.height) * image_row(&source, v)[u];
                    }
                }
                /* Half for rounding, the rest for weights of 1/4096 on both axes. */
                assert_true(fabs(want - image_row(&image, y)[x]) < 0.5 + 2 * 255.0 / 8192);
            }
        }
    }
}

TEST(impossible_sizes_are_refused) {
    uint8_t pixel[] = {1};
    const Image source = {.width = 1, .height = 1, .stride = 1, .pixels = pixel};
    Image image;
    assert_refused(image_rescale(&source, 0, 4, &image), STATUS_USAGE, "0x4", "1 to");
    assert_null(image.pixels);
}
