/* copy: the answer is the image without its padding, whatever the way it was copied. */
#include "backend_runner.h"
#include "copy.h"
#include "cpu_memory.h"
#include "test.h"
#include "variant_runs.h"

TEST(layout_and_cost) {
    const Workload workload = {.image = {.width = 100, .height = 30, .stride = 128}};
    const Point none = {.count = 0};
    OutputLayout layout = {0};
    assert_ok(copy_algorithm.output_layout(&workload, &none, &layout));
    assert_int_equal(layout.count, 1);
    assert_string_equal(layout.parts[COPY_PART_COPY].name, "copy");
    assert_int_equal(layout.parts[COPY_PART_COPY].bytes, 3000);
    const Cost cost = copy_algorithm.cost(&workload, &none);
    assert_true(cost.bytes == 6000.0);
    assert_true(cost.operations == 0.0);
    assert_true(cost.items == 3000.0);
}

TEST(seq_leaves_padding_out) {
    uint8_t pixels[] = {1, 2, 3, 99, 4, 5, 6};
    const Image image = {.width = 3, .height = 2, .stride = 4, .pixels = pixels};
    RELEASED_BY(output_free)
    Output answer = variant_answer(&copy_algorithm, cpu_variant(&copy_algorithm, "seq"), &image, 1);
    assert_memory_equal(copy_pixels(&answer), ((const uint8_t[]){1, 2, 3, 4, 5, 6}), 6);
}

/* Past the cache and through it, into copies that begin at any alignment. */
static void check_rows(const Image *image, int32_t first, int32_t last, bool stream) {
    const size_t width = (size_t)image->width;
    void *memory = NULL;
    assert_ok(cpu_backend.alloc(image_pixel_count(image), &memory));
    cpu_backend.runner->poison(0xC3);
    copy_rows(image, first, last, memory, stream);
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = (const uint8_t *)memory + (size_t)y * width;
        for (size_t x = 0; x < width; x++) {
            const bool inside = y >= first && y < last;
            assert_int_equal(row[x], inside ? image_row(image, y)[x] : 0xC3);
        }
    }
    const Status guards = cpu_backend.runner->check_guards();
    assert_string_equal(guards.why, "");
    cpu_backend.release(memory);
}

TEST(both_ways_of_storing) {
    static const int32_t widths[] = {1, 63, 64, 65, 130, 1000};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (size_t padding = 0; padding < 2; padding++) {
            RELEASED_BY(test_image_free)
            Image image = test_image(widths[w], 7, padding, FILL_NOISE, 5);
            for (int32_t first = 0; first <= 7; first++) {
                check_rows(&image, first, 7, false);
                check_rows(&image, first, 7, true);
                check_rows(&image, 0, first, true);
            }
        }
    }
}

TEST(streams_only_what_exceeds_the_cache) {
    assert_true(cpu_last_level_cache_bytes() > 0);
    const Image small = {.width = 64, .height = 64, .stride = 64};
    assert_false(copy_should_stream(&small));
    const Image large = {.width = 1 << 20, .height = 1 << 15, .stride = 1 << 20};
    assert_true(copy_should_stream(&large));
}
