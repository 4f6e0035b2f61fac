/* lbp_riu: every kernel gives the bytes that seq gives. Variants are held to it by conformance. */
#include "cpu/lbp_riu_points.h"
#include "lbp_riu_internal.h"
#include "test.h"
#include "variant_runs.h"

static const char *const interpolations[] = {"nearest", "bilinear"};

/* What a kernel is tested on, with the answer of seq. */
typedef struct Case {
    Image image;
    Point answer;
    LbpRiuPattern pattern;
    Output want;
} Case;

static Case make_case(Image image, const char *pr, const char *interp) {
    Case made = {.image = image, .answer = make_answer(pr, interp, "bins")};
    assert_ok(lbp_riu_pattern(&made.answer, &made.pattern));
    made.want = variant_answer_at(&lbp_riu_algorithm, cpu_variant(&lbp_riu_algorithm, "seq"),
                                  &made.image, &made.answer, 1);
    return made;
}

static void case_free(Case *made) {
    output_free(&made->want);
    test_image_free(&made->image);
}

static void fail_case(const Case *made, const LbpRiuKernel *kernel, const char *what, size_t at) {
    fail_msg("kernel %s, %s %s, %d×%d, stride %zu: %s %zu is wrong", kernel->name,
             point_text(&made->answer, "pr"), point_text(&made->answer, "interp"),
             made->image.width, made->image.height, made->image.stride, what, at);
}

enum { GUARD = 256, UNTOUCHED = 0xC3 };

/* Memory that holds anything, between guard bands. The backend's own, which variants get, asks the
 * system each time what is available: too slow for as many as these. */
static uint8_t *guarded_alloc(size_t bytes) {
    const size_t total = (bytes + 2 * GUARD + 63) / 64 * 64;
    uint8_t *block = aligned_alloc(64, total);
    assert_non_null(block);
    memset(block, UNTOUCHED, total);
    return block + GUARD;
}

static void check_guards_and_free(uint8_t *memory, size_t bytes) {
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(memory[(ptrdiff_t)i - GUARD], UNTOUCHED);
        assert_int_equal(memory[bytes + i], UNTOUCHED);
    }
    free(memory - GUARD);
}

/* Rows first ≤ y < last. Rows outside the band are read but not written, and counts are added to
 * what is there. */
static void check_band(const Case *made, const LbpRiuKernel *kernel, int32_t first, int32_t last,
                       bool store) {
    enum { BEFORE = 1000 };
    const Image *image = &made->image;
    const size_t pixels = image_pixel_count(image);
    const size_t scratch_bytes = kernel->scratch_bytes(image->width, &made->pattern);
    uint8_t *bins = guarded_alloc(pixels);
    uint8_t *scratch = guarded_alloc(scratch_bytes);
    uint64_t histogram[LBP_RIU_BINS_MAX];
    uint64_t expected[LBP_RIU_BINS_MAX];
    for (int bin = 0; bin < LBP_RIU_BINS_MAX; bin++) {
        histogram[bin] = expected[bin] = BEFORE;
    }
    kernel->process(&(LbpRiuBand){.image = image,
                                  .pattern = &made->pattern,
                                  .first = first,
                                  .last = last,
                                  .bins = store ? bins : NULL,
                                  .histogram = histogram,
                                  .scratch = scratch});
    const uint8_t *want = lbp_riu_bins(&made->want);
    const size_t begin = (size_t)first * (size_t)image->width;
    const size_t end = (size_t)last * (size_t)image->width;
    for (size_t i = 0; i < pixels; i++) {
        const bool inside = i >= begin && i < end;
        if (bins[i] != (inside && store ? want[i] : UNTOUCHED)) {
            fail_case(made, kernel, "bin of pixel", i);
        }
        if (inside) {
            expected[want[i]]++;
        }
    }
    for (size_t bin = 0; bin < LBP_RIU_BINS_MAX; bin++) {
        if (histogram[bin] != expected[bin]) {
            fail_case(made, kernel, "count of bin", bin);
        }
    }
    check_guards_and_free(scratch, scratch_bytes);
    check_guards_and_free(bins, pixels);
}

static void check_kernels(const Case *made) {
    for (const LbpRiuKernel *const *kernel = lbp_riu_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            check_band(made, *kernel, 0, made->image.height, true);
        }
    }
}

static void check_kernels_on(int32_t width, int32_t height, Fill fill, const char *pr,
                             const char *interp) {
    const size_t padding = (size_t)(width + height) % 3 * 7;
    RELEASED_BY(case_free)
    Case made = make_case(test_image(width, height, padding, fill, 77), pr, interp);
    check_kernels(&made);
}

static const struct {
    int32_t width, height;
} sizes[] = {{1, 1}, {1, 17}, {17, 1}, {7, 5}, {16, 16}, {33, 31}, {65, 9}, {64, 3}, {131, 23}};

/* Every number of points with every radius and interpolation on every content, on two sizes each:
 * over the numbers of points, each radius meets all sizes. */
TEST(kernels_agree_on_all_patterns) {
    static const char *const radii[] = {"0.5", "1", "1.5", "2", "3", "5.5", "8", "16"};
    size_t turn = 0;
    for (int points = 1; points <= LBP_RIU_POINTS_MAX; points += SWEEP_STEP) {
        for (size_t r = 0; r < COUNT_OF(radii); r++) {
            char pr[AXIS_TEXT_SIZE];
            snprintf(pr, sizeof pr, "%d:%s", points, radii[r]);
            for (int fill = 0; fill < FILLS; fill++) {
                for (size_t i = 0; i < 4; i++, turn++) {
                    const size_t size = turn / 2 % COUNT_OF(sizes);
                    check_kernels_on(sizes[size].width, sizes[size].height, (Fill)fill, pr,
                                     interpolations[i % 2]);
                }
            }
        }
    }
}

TEST(kernels_agree_on_all_sizes) {
    static const char *const patterns[] = {"3:1", "8:1", "16:2", "24:3", "32:5.5"};
    for (size_t size = 0; size < COUNT_OF(sizes); size++) {
        for (size_t i = 0; i < COUNT_OF(patterns); i++) {
            for (int fill = 0; fill < FILLS; fill++) {
                check_kernels_on(sizes[size].width, sizes[size].height, (Fill)fill, patterns[i],
                                 interpolations[i % 2]);
                check_kernels_on(sizes[size].width, sizes[size].height, (Fill)fill, patterns[i],
                                 interpolations[1 - i % 2]);
            }
        }
    }
}

/* Many different weights, among them those next to 0 and next to all: the kernels split weights
 * into parts of 7 and 8 bits. Pixels 0 and 255 take every sum to its ends. */
TEST(kernels_agree_on_all_weights) {
    for (int thousandths = 1; thousandths < 2100; thousandths += thousandths < 20 ? 1 : 17) {
        char pr[AXIS_TEXT_SIZE];
        snprintf(pr, sizeof pr, "%d:%d.%03d", thousandths % 2 == 0 ? 7 : 20, thousandths / 1000,
                 thousandths % 1000);
        check_kernels_on(33, 31, FILL_EXTREME, pr, "bilinear");
        check_kernels_on(33, 31, FILL_CONSTANT, pr, "bilinear");
    }
    /* Points so close to a pixel other than the first of four that it has all weight. */
    check_kernels_on(61, 45, FILL_NOISE, "8:19.799", "bilinear");
    check_kernels_on(61, 45, FILL_NOISE, "24:19.799", "bilinear");
    check_kernels_on(140, 3, FILL_EXTREME, "32:64", "bilinear");
    check_kernels_on(140, 3, FILL_EXTREME, "31:63.999", "bilinear");
    check_kernels_on(3, 140, FILL_NOISE, "32:64", "nearest");
}

/* Several blocks to a row, of full width and of the least. */
TEST(kernels_agree_on_wide_images) {
    static const struct {
        int32_t width, height;
        const char *pr;
    } cases[] = {
        {4099, 3, "8:1"},   {1921, 4, "3:0.5"}, {3841, 2, "16:2"},  {1281, 2, "24:3"},
        {513, 37, "12:16"}, {600, 9, "32:64"},  {257, 140, "5:64"}, {2000, 1, "1:1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t j = 0; j < COUNT_OF(interpolations); j++) {
            check_kernels_on(cases[i].width, cases[i].height, FILL_NOISE, cases[i].pr,
                             interpolations[j]);
        }
        check_kernels_on(cases[i].width, cases[i].height, FILL_CONSTANT, cases[i].pr, "bilinear");
    }
}

/* Bands of any height, each alone. */
TEST(bands_make_up_the_whole) {
    static const char *const patterns[] = {"8:1", "12:2.5", "24:3", "20:16"};
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        RELEASED_BY(case_free)
        Case made = make_case(test_image(97, 9, 5, FILL_NOISE, 5), patterns[i], "bilinear");
        for (const LbpRiuKernel *const *kernel = lbp_riu_kernels; *kernel != NULL; kernel++) {
            for (int32_t first = 0; (*kernel)->supported() && first <= 9; first++) {
                for (int32_t last = first; last <= 9; last++) {
                    check_band(&made, *kernel, first, last, (first + last) % 2 == 0);
                }
            }
        }
    }
}

TEST_BEST_KERNEL(LbpRiuKernel, lbp_riu_kernels, lbp_riu_kernel_best(), lbp_riu_kernel_plain)
