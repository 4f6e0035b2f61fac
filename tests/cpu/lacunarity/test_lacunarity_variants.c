/* lacunarity: numbers of threads against a brute force, and sums above 64 bits. Variants are held
 * to the oracle by conformance. */
#include "cpu/lacunarity_brute_force.h"
#include "cpu/lacunarity_points.h"
#include "test.h"
#include "variant_runs.h"

/* The brute force itself, against counting without a table. */
TEST(the_brute_force_counts) {
    RELEASED_BY(test_image_free) Image image = test_image(13, 9, 2, FILL_NOISE, 4);
    uint64_t *sums = integral_image(&image, 100);
    for (int32_t box = 1; box <= 9; box++) {
        LacunarityMoments want = {.sum_s = 0};
        for (int32_t y = 0; y + box <= 9; y++) {
            for (int32_t x = 0; x + box <= 13; x++) {
                uint64_t s = 0;
                for (int32_t i = 0; i < box * box; i++) {
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
}

static void check_answer(const Image *image, const Variant *variant, const Point *answer,
                         int threads) {
    RELEASED_BY(output_free)
    Output output = variant_answer_at(&lacunarity_algorithm, variant, image, answer, threads);
    const LacunarityRow *row = lacunarity_rows(&output);
    for (size_t i = 0; i < output.layout.parts[0].height; i++, row++) {
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
}

/* More threads than rows of positions; more rows than bands. */
TEST(any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7, 16};
    static const char *const sides[] = {"1", "8", "60", "299", "1..300:23", "1..40"};
    const Variant *omp = cpu_variant(&lacunarity_algorithm, "omp");
    RELEASED_BY(test_image_free) Image image = test_image(700, 300, 1, FILL_NOISE, 3);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        for (size_t side = 0; side < COUNT_OF(sides); side++) {
            const Point answer = lacunarity_point(sides[side], "128");
            check_answer(&image, omp, &answer, threads[i]);
        }
    }
}

/* --- Sums of squares above 64 bits ------------------------------------------------------------ */

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
TEST(squares_above_64_bits) {
    RELEASED_BY(test_image_free) Image image = full_image(20000, 9000);
    const Point answer = lacunarity_point("4500", "255");
    static const char *const names[] = {"simd", "omp"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const Variant *variant = cpu_variant(&lacunarity_algorithm, names[i]);
        RELEASED_BY(output_free)
        Output output = variant_answer_at(&lacunarity_algorithm, variant, &image, &answer, 2);
        assert_int_equal(lacunarity_rows(&output)->positions, 69770001);
        assert_full_row(lacunarity_rows(&output), UINT64_C(1412842520250000), 1550,
                        UINT64_C(17607720812694995200));
    }
}
