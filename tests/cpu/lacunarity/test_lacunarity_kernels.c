/* lacunarity: every kernel against a brute force, and where that would take long, against closed
 * forms. */
#include "cpu/lacunarity_brute_force.h"
#include "cpu/lacunarity_points.h"
#include "lacunarity_internal.h"
#include "test.h"
#include "variant_runs.h"

enum { GUARD = 256, UNTOUCHED = 0xC3 };

/* Memory that holds anything, between guard bands. */
static void *guarded_alloc(size_t bytes) {
    const size_t total = (bytes + 2 * GUARD + 63) / 64 * 64;
    uint8_t *block = aligned_alloc(64, total);
    assert_non_null(block);
    memset(block, UNTOUCHED, total);
    return block + GUARD;
}

static void check_guards_and_free(void *memory, size_t bytes) {
    const uint8_t *at = memory;
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(at[(ptrdiff_t)i - GUARD], UNTOUCHED);
        assert_int_equal(at[bytes + i], UNTOUCHED);
    }
    free((uint8_t *)memory - GUARD);
}

/* Sums are added to what is there. */
static LacunarityMoments kernel_moments(const LacunarityKernel *kernel, const Image *image,
                                        int threshold, int32_t box, int32_t first, int32_t last) {
    const size_t columns_bytes = (size_t)image->width * sizeof(uint16_t);
    const size_t scratch_bytes = kernel->scratch_bytes(image->width);
    uint16_t *columns = guarded_alloc(columns_bytes);
    void *scratch = guarded_alloc(scratch_bytes);
    memset(columns, 0, columns_bytes);
    kernel->count_rows(image, threshold, first, first + box, columns);
    const LacunarityBand band = {.image = image,
                                 .threshold = threshold,
                                 .box = box,
                                 .first = first,
                                 .last = last,
                                 .columns = columns,
                                 .scratch = scratch};
    LacunarityMoments moments = {.sum_s = 7, .sum_s2_low = 70, .sum_s2_high = 700};
    kernel->process(&band, &moments);
    assert_int_equal(moments.sum_s2_high, 700);
    moments.sum_s -= 7;
    moments.sum_s2_low -= 70;
    check_guards_and_free(columns, columns_bytes);
    check_guards_and_free(scratch, scratch_bytes);
    return moments;
}

static void check_kernels(const Image *image, const uint64_t *sums, int threshold, int32_t box,
                          int32_t first, int32_t last) {
    const LacunarityMoments want = brute_force(sums, image, box, first, last);
    for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            const LacunarityMoments got =
                kernel_moments(*kernel, image, threshold, box, first, last);
            if (got.sum_s != want.sum_s || got.sum_s2_low != want.sum_s2_low) {
                fail_msg("kernel %s, %d×%d, stride %zu, threshold %d, box %d, rows %d…%d: wrong",
                         (*kernel)->name, image->width, image->height, image->stride, threshold,
                         box, first, last);
            }
        }
    }
}

static const int32_t widths[] = {1,  2,  3,  7,  15, 16, 17,  31,  32,  33,  34,
                                 47, 63, 64, 65, 66, 97, 127, 128, 129, 131, 193};
static const int32_t heights[] = {1, 2, 5, 13, 40};
static const size_t paddings[] = {0, 1, 61};

/* Every box of every size, on every content. */
TEST(kernels_agree_on_all_sizes) {
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        for (size_t h = 0; h < COUNT_OF(heights); h++) {
            const Fill fill = (Fill)((w + h) % FILLS);
            RELEASED_BY(test_image_free)
            Image image = test_image(widths[w], heights[h], paddings[(w + h) % 3], fill, 77);
            static const int thresholds[] = {128, 1, 250, 77};
            const int threshold = thresholds[(w + 2 * h) % COUNT_OF(thresholds)];
            uint64_t *sums = integral_image(&image, threshold);
            for (int32_t box = 1; box <= widths[w] && box <= heights[h]; box++) {
                check_kernels(&image, sums, threshold, box, 0, heights[h] - box + 1);
            }
            free(sums);
        }
    }
}

/* Around the box sides at which kernels change what they count in, and those of 16-bit masses with
 * the largest squares; full images have the largest masses, empty ones the smallest. */
TEST(kernels_agree_on_large_boxes) {
    static const int32_t sides[] = {180, 181, 182, 214, 254, 255, 256, 257, 258, 300};
    static const int thresholds[] = {0, 1, 128, 255};
    RELEASED_BY(test_image_free) Image image = test_image(613, 303, 3, FILL_NOISE, 5);
    for (size_t t = 0; t < COUNT_OF(thresholds); t++) {
        uint64_t *sums = integral_image(&image, thresholds[t]);
        for (size_t i = 0; i < COUNT_OF(sides); i++) {
            check_kernels(&image, sums, thresholds[t], sides[i], 0, 303 - sides[i] + 1);
        }
        free(sums);
    }
}

/* A part that is full and a part that is empty: masses go from one end to the other. */
TEST(kernels_agree_on_halves) {
    RELEASED_BY(test_image_free) Image image = test_image(700, 600, 0, FILL_ZERO, 5);
    for (int32_t y = 0; y < 300; y++) {
        memset(image.pixels + (size_t)y * image.stride, 255, 350);
        memset(image.pixels + (size_t)(y + 300) * image.stride + 350, 255, 350);
    }
    uint64_t *sums = integral_image(&image, 128);
    static const int32_t sides[] = {1, 2, 63, 255, 256, 300, 301, 600};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        check_kernels(&image, sums, 128, sides[i], 0, 600 - sides[i] + 1);
    }
    free(sums);
}

/* Bands of any height, each alone. */
TEST(bands_make_up_the_whole) {
    RELEASED_BY(test_image_free) Image image = test_image(97, 23, 5, FILL_NOISE, 5);
    uint64_t *sums = integral_image(&image, 200);
    static const int32_t sides[] = {1, 2, 9, 22};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        for (int32_t first = 0; first < 23 - sides[i] + 1; first++) {
            for (int32_t last = first + 1; last <= 23 - sides[i] + 1; last++) {
                check_kernels(&image, sums, 200, sides[i], first, last);
            }
        }
    }
    free(sums);
}

/* Rows are added modulo 2^16, in any portions; more columns than are worked on together. */
TEST(rows_are_counted) {
    RELEASED_BY(test_image_free) Image image = test_image(2055, 700, 9, FILL_NOISE, 8);
    uint16_t *columns = malloc(2055 * sizeof *columns);
    assert_non_null(columns);
    static const struct {
        int32_t first, last;
    } parts[] = {{0, 700}, {0, 0}, {699, 700}, {3, 258}, {3, 259}, {1, 256}, {10, 521}};
    for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL; kernel++) {
        for (size_t i = 0; (*kernel)->supported() && i < COUNT_OF(parts); i++) {
            memset(columns, 0xFF, 2055 * sizeof *columns);
            (*kernel)->count_rows(&image, 60, parts[i].first, parts[i].last, columns);
            for (int32_t x = 0; x < 2055; x++) {
                int count = 65535;
                for (int32_t y = parts[i].first; y < parts[i].last; y++) {
                    count += image.pixels[(size_t)y * image.stride + (size_t)x] >= 60 ? 1 : 0;
                }
                assert_int_equal(columns[x], count % 65536);
            }
        }
    }
    free(columns);
}

TEST_BEST_KERNEL(LacunarityKernel, lacunarity_kernels, lacunarity_kernel_best(),
                 lacunarity_kernel_plain)

/* The largest boxes that kernels count in vectors and beyond, in few positions; every position has
 * mass box². */
TEST(kernels_agree_on_the_largest_boxes) {
    static const struct {
        int32_t box, width, height;
        uint64_t sum_s, high, low;
    } cases[] = {
        {16384, 40000, 16390, UINT64_C(44377481150464), UINT64_C(645),
         UINT64_C(14339461213547659264)},
        {23171, 40000, 23180, UINT64_C(90359469060300), UINT64_C(2629),
         UINT64_C(17078747979400833836)},
        {32767, 70000, 32770, UINT64_C(159909051778504), UINT64_C(9307),
         UINT64_C(6710197038227801544)},
        {32768, 40000, 32770, UINT64_C(23299123838976), UINT64_C(1356),
         UINT64_C(3458764513820540928)},
        {65535, 66000, 65537, UINT64_C(6004181042550), UINT64_C(1397),
         UINT64_C(16872772029762766198)},
        {32767, 32767, 32767, UINT64_C(1073676289), UINT64_C(0), UINT64_C(1152780773560811521)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Image image = full_image(cases[i].width, cases[i].height);
        uint16_t *columns = malloc((size_t)image.width * sizeof *columns);
        assert_non_null(columns);
        for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL;
             kernel++) {
            if (!(*kernel)->supported()) {
                continue;
            }
            for (int32_t x = 0; x < image.width; x++) {
                columns[x] = (uint16_t)cases[i].box;
            }
            const size_t bytes = (*kernel)->scratch_bytes(image.width);
            void *scratch = guarded_alloc(bytes);
            LacunarityMoments moments = {.sum_s = 0};
            (*kernel)->process(&(LacunarityBand){.image = &image,
                                                 .threshold = 128,
                                                 .box = cases[i].box,
                                                 .first = 0,
                                                 .last = image.height - cases[i].box + 1,
                                                 .columns = columns,
                                                 .scratch = scratch},
                               &moments);
            assert_int_equal(moments.sum_s, cases[i].sum_s);
            assert_int_equal(moments.sum_s2_high, cases[i].high);
            assert_int_equal(moments.sum_s2_low, cases[i].low);
            check_guards_and_free(scratch, bytes);
        }
        free(columns);
        test_image_free(&image);
    }
}

/*
 * Masses that change by most of the box side from a row to the next. Rows of pixels are one byte
 * apart, so that pixel (x, y) is pixel x + y of one line, whose first or second half is object. The
 * mass at (x, y) is then the sum, over the line, of pixel x + y + i times min(i + 1, 2·box - 1 -
 * i).
 */
static LacunarityMoments moments_of_line(const uint8_t *line, int32_t box, int32_t columns,
                                         int32_t rows) {
    LacunarityMoments moments = {.sum_s = 0};
    for (int32_t k = 0; k < columns + rows - 1; k++) {
        uint64_t s = 0;
        for (int32_t i = 0; i < 2 * box - 1; i++) {
            s += line[k + i] == 0 ? 0 : (uint64_t)(i < box ? i + 1 : 2 * box - 1 - i);
        }
        for (int32_t y = 0; y < rows; y++) {
            if (k - y >= 0 && k - y < columns) {
                lacunarity_moments_add_position(&moments, s);
            }
        }
    }
    return moments;
}

static void check_line(const LacunarityKernel *kernel, const Image *image, int32_t box,
                       const LacunarityMoments *want) {
    const size_t bytes = kernel->scratch_bytes(image->width);
    void *scratch = guarded_alloc(bytes);
    uint16_t *columns = calloc((size_t)image->width, sizeof *columns);
    assert_non_null(columns);
    for (int32_t i = 0; i < box; i++) {
        columns[0] = (uint16_t)(columns[0] + (image->pixels[i] != 0));
    }
    for (int32_t x = 1; x < image->width; x++) {
        columns[x] = (uint16_t)(columns[x - 1] - (image->pixels[x - 1] != 0) +
                                (image->pixels[x - 1 + box] != 0));
    }
    LacunarityMoments got = {.sum_s = 0};
    kernel->process(&(LacunarityBand){.image = image,
                                      .threshold = 1,
                                      .box = box,
                                      .first = 0,
                                      .last = image->height - box + 1,
                                      .columns = columns,
                                      .scratch = scratch},
                    &got);
    assert_memory_equal(&got, want, sizeof got);
    free(columns);
    check_guards_and_free(scratch, bytes);
}

TEST(kernels_agree_on_steep_changes) {
    static const int32_t sides[] = {255, 256, 9000, 32767, 32768, 40000};
    enum { COLUMNS = 100, ROWS = 3 };
    for (size_t i = 0; i < 2 * COUNT_OF(sides); i++) {
        const int32_t box = sides[i / 2];
        Image image = {.width = box + COLUMNS - 1, .height = box + ROWS - 1, .stride = 1};
        const size_t length = (size_t)image.width + (size_t)image.height;
        image.pixels = malloc(length);
        assert_non_null(image.pixels);
        memset(image.pixels, i % 2 == 0 ? 0 : 9, length);
        memset(image.pixels + box + COLUMNS / 2, i % 2 == 0 ? 9 : 0, length / 2 - COLUMNS);
        const LacunarityMoments want = moments_of_line(image.pixels, box, COLUMNS, ROWS);
        for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL;
             kernel++) {
            if ((*kernel)->supported()) {
                check_line(*kernel, &image, box, &want);
            }
        }
        free(image.pixels);
    }
}
