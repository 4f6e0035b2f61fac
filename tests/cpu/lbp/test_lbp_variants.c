/* lbp: tall images, and every kernel gives the bytes that seq gives; variants: conformance. */
#include "backend_runner.h"
#include "lbp.h"
#include "lbp_internal.h"
#include "test.h"
#include "variant_runs.h"

TEST(layout_and_cost) {
    const Workload workload = {.image = {.width = 100, .height = 30, .stride = 100}};
    const Point none = {.count = 0};
    OutputLayout layout = {0};
    assert_ok(lbp_algorithm.output_layout(&workload, &none, &layout));
    assert_int_equal(layout.count, 2);
    assert_string_equal(layout.parts[LBP_PART_CODES].name, "codes");
    assert_int_equal(layout.parts[LBP_PART_CODES].bytes, 3000);
    assert_string_equal(layout.parts[LBP_PART_HISTOGRAM].name, "histogram");
    assert_int_equal(layout.parts[LBP_PART_HISTOGRAM].bytes, 2048);
    const Cost cost = lbp_algorithm.cost(&workload, &none);
    assert_true(cost.bytes == 2.0 * 3000 + 2048);
    assert_true(cost.operations == 2.0 * 3000);
    assert_string_equal(cost.operation, "int32");
    assert_true(cost.items == 3000.0);
}

/* More rows than the 32-bit tables may count without being flushed. */
TEST(tall_images) {
    check_variants(&lbp_algorithm, 3, 5000, 0, FILL_NOISE);
    check_variants(&lbp_algorithm, 70, 2100, 2, FILL_CONSTANT);
}

/* Bands of any height, each alone: rows outside the band are read but not written. */
static void check_kernel_band(const LbpKernel *kernel, const Image *image, const Output *want,
                              int32_t first, int32_t last) {
    const size_t width = (size_t)image->width;
    void *scratch = NULL;
    void *codes = NULL;
    assert_ok(cpu_backend.alloc(kernel->scratch_bytes(image->width), &scratch));
    assert_ok(cpu_backend.alloc(image_pixel_count(image), &codes));
    cpu_backend.runner->poison(0xC3);
    uint64_t histogram[LBP_BINS];
    uint64_t expected[LBP_BINS];
    for (int bin = 0; bin < LBP_BINS; bin++) {
        histogram[bin] = expected[bin] = 1000; /* counts are added to what is there */
    }
    kernel->process(&(LbpBand){.image = image,
                               .first = first,
                               .last = last,
                               .codes = codes,
                               .histogram = histogram,
                               .scratch = scratch});
    for (size_t i = 0; i < image_pixel_count(image); i++) {
        const bool inside = i >= (size_t)first * width && i < (size_t)last * width;
        const uint8_t code = inside ? lbp_codes(want)[i] : 0xC3;
        if (((uint8_t *)codes)[i] != code) {
            fail_msg("kernel %s, %zu wide, rows %d to %d: code %zu is wrong", kernel->name, width,
                     first, last, i);
        }
        expected[code] += inside;
    }
    assert_memory_equal(histogram, expected, sizeof histogram);
    const Status guards = cpu_backend.runner->check_guards();
    assert_string_equal(guards.why, "");
    cpu_backend.release(codes);
    cpu_backend.release(scratch);
}

TEST(kernels_agree) {
    static const int32_t widths[] = {1,  2,  31,  32,  33,  34,  63,  64,
                                     65, 66, 127, 128, 129, 200, 1031};
    enum { HEIGHT = 11 };
    for (const LbpKernel *const *kernel = lbp_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported()) {
            print_message("not on this processor: %s\n", (*kernel)->name);
            continue;
        }
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            RELEASED_BY(test_image_free)
            Image image = test_image(widths[w], HEIGHT, w, FILL_NOISE, (uint32_t)w);
            Output want =
                variant_answer(&lbp_algorithm, cpu_variant(&lbp_algorithm, "seq"), &image, 1);
            for (int32_t first = 0; first <= HEIGHT; first++) {
                for (int32_t last = first; last <= HEIGHT; last++) {
                    check_kernel_band(*kernel, &image, &want, first, last);
                }
            }
            output_free(&want);
        }
    }
}

/* Many pixels of few codes and of all codes: whole blocks of every stream, many times. */
TEST(kernels_agree_on_large_images) {
    for (const LbpKernel *const *kernel = lbp_kernels; *kernel != NULL; kernel++) {
        for (int fill = 0; (*kernel)->supported() && fill < FILLS; fill++) {
            RELEASED_BY(test_image_free) Image image = test_image(1000, 300, 24, (Fill)fill, 99);
            Output want =
                variant_answer(&lbp_algorithm, cpu_variant(&lbp_algorithm, "seq"), &image, 1);
            check_kernel_band(*kernel, &image, &want, 0, 300);
            output_free(&want);
        }
    }
}

TEST_BEST_KERNEL(LbpKernel, lbp_kernels, lbp_kernel_best(), lbp_kernel_plain)
