/*
 * lacunarity: every CPU variant and every kernel against a brute force written for this test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cpu/lacunarity_points.h"
#include "lacunarity_rows.h"
#include "variant_runs.h"

/* --- The brute force: object pixels above and left of each place ------------------------------ */

/* (width + 1) × (height + 1); the caller frees it. */
static uint64_t *integral_image(const Image *image, int threshold) {
    const size_t stride = (size_t)image->width + 1;
    uint64_t *sums = calloc(stride * ((size_t)image->height + 1), sizeof *sums);
    assert_non_null(sums);
    for (int32_t y = 0; y < image->height; ++y) {
        for (int32_t x = 0; x < image->width; ++x) {
            const size_t at = (size_t)y * stride + (size_t)x;
            const bool object = image->pixels[(size_t)y * image->stride + (size_t)x] >= threshold;
            sums[at + stride + 1] = sums[at + stride] + sums[at + 1] - sums[at] + (object ? 1 : 0);
        }
    }
    return sums;
}

/* Rows of positions first ≤ y < last. Sums of squares fit 64 bits in all that it is used for. */
static LacunarityMoments brute_force(const uint64_t *sums, const Image *image, int32_t box,
                                     int32_t first, int32_t last) {
    const size_t stride = (size_t)image->width + 1;
    LacunarityMoments moments = {.sum_s = 0};
    for (int32_t y = first; y < last; ++y) {
        for (int32_t x = 0; x + box <= image->width; ++x) {
            const uint64_t *upper = sums + (size_t)y * stride + (size_t)x;
            const uint64_t *lower = upper + (size_t)box * stride;
            const uint64_t s = lower[box] - lower[0] - upper[box] + upper[0];
            moments.sum_s += s;
            moments.sum_s2_low += s * s;
        }
    }
    return moments;
}

/* The same without the table, to test the table. */
static void the_brute_force_counts(void **state) {
    (void)state;
    Image image = test_image(13, 9, 2, FILL_NOISE, 4);
    uint64_t *sums = integral_image(&image, 100);
    for (int32_t box = 1; box <= 9; ++box) {
        LacunarityMoments want = {.sum_s = 0};
        for (int32_t y = 0; y + box <= 9; ++y) {
            for (int32_t x = 0; x + box <= 13; ++x) {
                uint64_t s = 0;
                for (int32_t i = 0; i < box * box; ++i) {
                    s += image.pixels[(y + i / box) * 15 + x + i % box] >= 100 ? 1 : 0;
                }
                want.sum_s += s;
                want.sum_s2_low += s * s;
            }
        }
        const LacunarityMoments got = brute_force(sums, &image, box, 0, 9 - box + 1);
        assert_int_equal(got.sum_s, want.sum_s);
        assert_int_equal(got.sum_s2_low, want.sum_s2_low);
    }
    free(sums);
    test_image_free(&image);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < GUARD; ++i) {
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
    for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL; ++kernel) {
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
static void kernels_agree_on_all_sizes(void **state) {
    (void)state;
    for (size_t w = 0; w < COUNT_OF(widths); ++w) {
        for (size_t h = 0; h < COUNT_OF(heights); ++h) {
            const Fill fill = (Fill)((w + h) % FILLS);
            Image image = test_image(widths[w], heights[h], paddings[(w + h) % 3], fill, 77);
            static const int thresholds[] = {128, 1, 250, 77};
            const int threshold = thresholds[(w + 2 * h) % COUNT_OF(thresholds)];
            uint64_t *sums = integral_image(&image, threshold);
            for (int32_t box = 1; box <= widths[w] && box <= heights[h]; ++box) {
                check_kernels(&image, sums, threshold, box, 0, heights[h] - box + 1);
            }
            free(sums);
            test_image_free(&image);
        }
    }
}

/* Around the box sides at which kernels change what they count in, and those of 16-bit masses with
 * the largest squares; full images have the largest masses, empty ones the smallest. */
static void kernels_agree_on_large_boxes(void **state) {
    (void)state;
    static const int32_t sides[] = {180, 181, 182, 214, 254, 255, 256, 257, 258, 300};
    static const int thresholds[] = {0, 1, 128, 255};
    Image image = test_image(613, 303, 3, FILL_NOISE, 5);
    for (size_t t = 0; t < COUNT_OF(thresholds); ++t) {
        uint64_t *sums = integral_image(&image, thresholds[t]);
        for (size_t i = 0; i < COUNT_OF(sides); ++i) {
            check_kernels(&image, sums, thresholds[t], sides[i], 0, 303 - sides[i] + 1);
        }
        free(sums);
    }
    test_image_free(&image);
}

/* A part that is full and a part that is empty: masses go from one end to the other. */
static void kernels_agree_on_halves(void **state) {
    (void)state;
    Image image = test_image(700, 600, 0, FILL_ZERO, 5);
    for (int32_t y = 0; y < 300; ++y) {
        memset(image.pixels + (size_t)y * image.stride, 255, 350);
        memset(image.pixels + (size_t)(y + 300) * image.stride + 350, 255, 350);
    }
    uint64_t *sums = integral_image(&image, 128);
    static const int32_t sides[] = {1, 2, 63, 255, 256, 300, 301, 600};
    for (size_t i = 0; i < COUNT_OF(sides); ++i) {
        check_kernels(&image, sums, 128, sides[i], 0, 600 - sides[i] + 1);
    }
    free(sums);
    test_image_free(&image);
}

/* Bands of any height, each alone. */
static void bands_make_up_the_whole(void **state) {
    (void)state;
    Image image = test_image(97, 23, 5, FILL_NOISE, 5);
    uint64_t *sums = integral_image(&image, 200);
    static const int32_t sides[] = {1, 2, 9, 22};
    for (size_t i = 0; i < COUNT_OF(sides); ++i) {
        for (int32_t first = 0; first < 23 - sides[i] + 1; ++first) {
            for (int32_t last = first + 1; last <= 23 - sides[i] + 1; ++last) {
                check_kernels(&image, sums, 200, sides[i], first, last);
            }
        }
    }
    free(sums);
    test_image_free(&image);
}

/* Rows are added modulo 2^16, in any portions; more columns than are worked on together. */
static void rows_are_counted(void **state) {
    (void)state;
    Image image = test_image(2055, 700, 9, FILL_NOISE, 8);
    uint16_t *columns = malloc(2055 * sizeof *columns);
    assert_non_null(columns);
    static const struct {
        int32_t first, last;
    } parts[] = {{0, 700}, {0, 0}, {699, 700}, {3, 258}, {3, 259}, {1, 256}, {10, 521}};
    for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL; ++kernel) {
        for (size_t i = 0; (*kernel)->supported() && i < COUNT_OF(parts); ++i) {
            memset(columns, 0xFF, 2055 * sizeof *columns);
            (*kernel)->count_rows(&image, 60, parts[i].first, parts[i].last, columns);
            for (int32_t x = 0; x < 2055; ++x) {
                int count = 65535;
                for (int32_t y = parts[i].first; y < parts[i].last; ++y) {
                    count += image.pixels[(size_t)y * image.stride + (size_t)x] >= 60 ? 1 : 0;
                }
                assert_int_equal(columns[x], count % 65536);
            }
        }
    }
    free(columns);
    test_image_free(&image);
}

static void the_best_kernel_is_the_first_supported(void **state) {
    (void)state;
    const LacunarityKernel *best = NULL;
    for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL; ++kernel) {
        const bool supported = (*kernel)->supported();
        print_message("kernel %s: %s\n", (*kernel)->name,
                      supported ? "tested" : "not on this processor");
        best = best == NULL && supported ? *kernel : best;
    }
    assert_ptr_equal(lacunarity_kernel_best(), best);
    assert_true(lacunarity_kernel_plain.supported());
}

/* --- Variants --------------------------------------------------------------------------------- */

static void check_answer(const Image *image, const Variant *variant, const Point *answer,
                         int threads) {
    Output output = variant_answer_at(&lacunarity_algorithm, variant, image, answer, threads);
    const LacunarityRow *row = lacunarity_rows(&output);
    for (size_t i = 0; i < output.layout.parts[0].height; ++i, ++row) {
        const int32_t box = (int32_t)row->box;
        uint64_t *sums = integral_image(image, (int)row->threshold);
        const LacunarityMoments want = brute_force(sums, image, box, 0, image->height - box + 1);
        free(sums);
        if (row->sum_s != want.sum_s || row->sum_s2_low != want.sum_s2_low ||
            row->sum_s2_high != 0 || row->positions != lacunarity_positions(image, box)) {
            fail_msg("%s, %d threads, %d×%d, box %s, threshold %s: the row of %d, %d is wrong",
                     variant->name, threads, image->width, image->height, point_text(answer, "box"),
                     point_text(answer, "threshold"), (int)row->threshold, box);
        }
    }
    output_free(&output);
}

static void check_all(int32_t width, int32_t height, size_t padding, Fill fill, const char *box,
                      const char *threshold) {
    Image image = test_image(width, height, padding, fill, 99);
    const Point answer = lacunarity_point(box, threshold);
    for (size_t i = 0; i < lacunarity_algorithm.cpu.count; ++i) {
        const Variant *variant = &lacunarity_algorithm.cpu.rows[i];
        const int most = variant->tuning == NULL ? 1 : 5;
        for (int threads = 1; threads <= most; ++threads) {
            check_answer(&image, variant, &answer, threads);
        }
    }
    test_image_free(&image);
}

/* Each variant runs twice in poisoned memory; see variant_runs.h. Sets of boxes, and single ones
 * that bands count themselves or all threads together. */
static void variants_agree(void **state) {
    (void)state;
    static const struct {
        int32_t width, height;
        size_t padding;
        const char *box, *threshold;
    } cases[] = {
        {1, 1, 0, "1", "128"},
        {1, 1, 0, "log", "0+255"},
        {131, 67, 3, "1..67:6", "128"},
        {131, 67, 3, "67", "100"},
        {67, 131, 0, "paper", "99"},
        {400, 300, 1, "2", "otsu"},
        {400, 300, 1, "30", "0..255:50"},
        {400, 300, 0, "299", "200"},
        {400, 300, 0, "300", "1"},
        {1000, 70, 5, "3+64+1", "7+128"},
        {70, 1000, 0, "68+5", "254"},
        {2100, 40, 0, "40", "128"},
        {400, 300, 1, "1+20+70", "128"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        check_all(cases[i].width, cases[i].height, cases[i].padding, FILL_NOISE, cases[i].box,
                  cases[i].threshold);
    }
    for (int fill = 0; fill < FILLS; ++fill) {
        check_all(129, 31, 2, (Fill)fill, "log", "0..255:32");
    }
}

/* More threads than rows of positions; more rows than bands. */
static void any_number_of_threads(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 7, 16};
    static const char *const sides[] = {"1", "8", "60", "299", "1..300:23", "1..40"};
    const Variant *omp = cpu_variant(&lacunarity_algorithm, "omp");
    Image image = test_image(700, 300, 1, FILL_NOISE, 3);
    for (size_t i = 0; i < COUNT_OF(threads); ++i) {
        for (size_t side = 0; side < COUNT_OF(sides); ++side) {
            const Point answer = lacunarity_point(sides[side], "128");
            check_answer(&image, omp, &answer, threads[i]);
        }
    }
    test_image_free(&image);
}

/* --- Sums of squares above 64 bits ------------------------------------------------------------ */

/* An image of nothing but object pixels in little memory: all its rows are one. */
static Image full_image(int32_t width, int32_t height) {
    Image image = {.width = width, .height = height, .stride = 0, .pixels = malloc((size_t)width)};
    assert_non_null(image.pixels);
    memset(image.pixels, 255, (size_t)width);
    return image;
}

static void assert_full_row(const LacunarityRow *row, uint64_t sum_s, uint64_t high, uint64_t low) {
    assert_int_equal(row->sum_s, sum_s);
    assert_int_equal(row->sum_s2_high, high);
    assert_int_equal(row->sum_s2_low, low);
    assert_true(lacunarity_value(row) == 1);
}

/*
 * 20000×9000, box 4500: 15501·4501 = 69770001 positions of mass 20250000:
 * Σs = 1412842520250000,
 * Σs² = 28610061035062500000000 = 1550·2^64 + 17607720812694995200.
 */
static void squares_above_64_bits(void **state) {
    (void)state;
    Image image = full_image(20000, 9000);
    const Point answer = lacunarity_point("4500", "255");
    static const char *const names[] = {"simd", "omp"};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        const Variant *variant = cpu_variant(&lacunarity_algorithm, names[i]);
        Output output = variant_answer_at(&lacunarity_algorithm, variant, &image, &answer, 2);
        assert_int_equal(lacunarity_rows(&output)->positions, 69770001);
        assert_full_row(lacunarity_rows(&output), UINT64_C(1412842520250000), 1550,
                        UINT64_C(17607720812694995200));
        output_free(&output);
    }
    test_image_free(&image);
}

/* The largest boxes that kernels count in vectors and beyond, in few positions; every position has
 * mass box². */
static void kernels_agree_on_the_largest_boxes(void **state) {
    (void)state;
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
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        Image image = full_image(cases[i].width, cases[i].height);
        uint16_t *columns = malloc((size_t)image.width * sizeof *columns);
        assert_non_null(columns);
        for (const LacunarityKernel *const *kernel = lacunarity_kernels; *kernel != NULL;
             ++kernel) {
            if (!(*kernel)->supported()) {
                continue;
            }
            for (int32_t x = 0; x < image.width; ++x) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_kernel_is_the_first_supported),
        cmocka_unit_test(the_brute_force_counts),
        cmocka_unit_test(kernels_agree_on_all_sizes),
        cmocka_unit_test(kernels_agree_on_large_boxes),
        cmocka_unit_test(kernels_agree_on_halves),
        cmocka_unit_test(bands_make_up_the_whole),
        cmocka_unit_test(rows_are_counted),
        cmocka_unit_test(variants_agree),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(squares_above_64_bits),
        cmocka_unit_test(kernels_agree_on_the_largest_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
