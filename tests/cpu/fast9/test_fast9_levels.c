/* fast9: sizes of levels and their pixels, by hand and by the definition. */
#include "cpu/fast9_points.h"
#include "fast9.h"
#include "fast9_internal.h"
#include "test.h"
#include "variant_runs.h"

TEST(sizes_of_levels) {
    static const int32_t widths[] = {1920, 1600, 1333, 1111, 926, 772, 643, 536};
    static const int32_t heights[] = {1080, 900, 750, 625, 521, 434, 362, 301};
    const Fast9Levels levels = fast9_levels(1920, 1080, 8);
    assert_int_equal(levels.count, 8);
    size_t offset = 0;
    for (int32_t l = 0; l < 8; l++) {
        assert_int_equal(levels.width[l], widths[l]);
        assert_int_equal(levels.height[l], heights[l]);
        assert_int_equal(levels.offset[l], offset);
        offset += (size_t)widths[l] * (size_t)heights[l];
    }
    assert_int_equal(levels.pixels, offset);
}

/* 47.5 pixels are 48; 39.17 are too few; sides of 2^26 pixels do not overflow. */
TEST(edges_of_sizes) {
    assert_int_equal(fast9_levels(57, 60, 2).width[1], 48);
    assert_int_equal(fast9_levels(57, 60, 2).height[1], 50);
    static const struct {
        int32_t width, height, asked, count;
    } cases[] = {{1, 1, 8, 0},   {39, 40, 8, 0},       {40, 39, 8, 0},    {40, 40, 8, 1},
                 {47, 47, 8, 1}, {48, 48, 8, 2},       {48, 4000, 8, 2},  {64, 64, 1, 1},
                 {64, 64, 8, 3}, {5000, 5000, 16, 16}, {400, 400, 16, 13}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const Fast9Levels levels = fast9_levels(cases[i].width, cases[i].height, cases[i].asked);
        assert_int_equal(levels.count, cases[i].count);
    }
    assert_int_equal(fast9_levels(1, 1, 8).pixels, 0);
    /* 2^26 · (5/6)^15 = 4355732.46… */
    assert_int_equal(fast9_levels(1 << 26, 1000, 16).width[15], 4355732);
}

TEST(sample_places) {
    static const struct {
        int32_t i, from, to, place;
    } cases[] = {{0, 6, 5, 25},   {2, 6, 5, 640},      {4, 6, 5, 1254},
                 {0, 1, 1, 0},    {0, 5, 10, 0},       {9, 5, 10, 1024},
                 {0, 48, 40, 25}, {39, 48, 40, 12006}, {7, 8, 8, 1792}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(fast9_sample_place(cases[i].i, cases[i].from, cases[i].to),
                         cases[i].place);
    }
}

TEST(blends) {
    assert_int_equal(fast9_blend(255, 255, 255, 255, 255, 255), 255);
    assert_int_equal(fast9_blend(9, 0, 0, 0, 0, 0), 9);
    assert_int_equal(fast9_blend(0, 255, 0, 255, 128, 0), 128);
    assert_int_equal(fast9_blend(0, 0, 255, 0, 0, 127), 127);
    assert_int_equal(fast9_blend(10, 20, 30, 40, 64, 192), 28);
}

enum { GUARD = 0x5C };

static void check_row(const Fast9Kernel *kernel, const Image *image, int32_t width, int32_t fy) {
    const size_t entries =
        ((size_t)width + FAST9_COLUMNS_AT_ONCE - 1) / FAST9_COLUMNS_AT_ONCE * FAST9_COLUMNS_AT_ONCE;
    int32_t *first = malloc(entries * sizeof *first);
    Fast9Weights *weights = malloc(entries * sizeof *weights);
    int16_t *mixed = malloc(((size_t)image->width + FAST9_MIXED_PADDING) * sizeof *mixed);
    uint8_t *got = malloc((size_t)width + 1);
    assert_true(first != NULL && weights != NULL && mixed != NULL && got != NULL);
    memset(mixed, GUARD, ((size_t)image->width + FAST9_MIXED_PADDING) * sizeof *mixed);
    for (size_t i = 0; i < entries; i++) {
        const int32_t x = (int32_t)i < width ? (int32_t)i : width - 1;
        const int32_t place = fast9_sample_place(x, image->width, width);
        first[i] = place / 256;
        weights[i] = (Fast9Weights){(int16_t)(256 - place % 256), (int16_t)(place % 256)};
    }
    const Fast9Columns columns = {first, weights};
    const Fast9RowPair rows = {image_row(image, 0), image_row(image, 1), image->width, fy};
    got[width] = GUARD;
    kernel->sample_row(&rows, &columns, width, mixed, got);
    for (int32_t x = 0; x < width; x++) {
        const int32_t a = first[x];
        const int32_t b = a + 1 < image->width ? a + 1 : a;
        const uint8_t want = fast9_blend(rows.top[a], rows.top[b], rows.bottom[a], rows.bottom[b],
                                         weights[x].right, fy);
        if (got[x] != want) {
            fail_msg("%s: pixel %d of %d from %d, fy %d: %d instead of %d", kernel->name, x, width,
                     image->width, fy, got[x], want);
        }
    }
    assert_int_equal(got[width], GUARD);
    free(first);
    free(weights);
    free(mixed);
    free(got);
}

TEST(kernels_sample_rows) {
    static const int32_t fractions[] = {0, 1, 77, 128, 255};
    for (const Fast9Kernel *const *kernel = fast9_kernels; *kernel != NULL; kernel++) {
        print_message("kernel %s: %s\n", (*kernel)->name,
                      (*kernel)->supported() ? "tested" : "not on this processor");
        for (int32_t width = 48; (*kernel)->supported() && width < 400; width++) {
            const Fill fill = width % 3 == 0 ? FILL_EXTREME : FILL_NOISE;
            RELEASED_BY(test_image_free)
            Image image = test_image(width, 2, 0, fill, (uint32_t)width);
            const Fast9Levels levels = fast9_levels(width, width, 2);
            check_row(*kernel, &image, levels.width[1], fractions[width % 5]);
        }
    }
}

TEST_BEST_KERNEL(Fast9Kernel, fast9_kernels, fast9_kernel_best(), fast9_kernel_plain)
