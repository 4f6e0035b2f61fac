/* integral: tables by hand, sums of boxes by an independent program, sums beyond 2^32; variants on
 * wide images, and every kernel. */
#include "axis.h"
#include "backend_runner.h"
#include "datasets.h"
#include "integral.h"
#include "integral_rows.h"
#include "needs.h"
#include "test.h"
#include "variant_runs.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static Point sum_point(int bits) {
    Point point = {.count = 1, .axes = {integral_algorithm.answer[0]}};
    point.values[0].number = bits == 64;
    snprintf(point.values[0].text, AXIS_TEXT_SIZE, "%d", bits);
    return point;
}

static uint64_t entry(const void *table, int bits, size_t index) {
    return bits == 64 ? ((const uint64_t *)table)[index] : ((const uint32_t *)table)[index];
}

static Output table_of(const char *variant, const Image *image, int bits, int threads) {
    const Point point = sum_point(bits);
    return variant_answer_at(&integral_algorithm, cpu_variant(&integral_algorithm, variant), image,
                             &point, threads);
}

/* === What it is =============================================================================== */

TEST(layout_and_cost) {
    const Workload workload = {.image = {.width = 100, .height = 30, .stride = 128}};
    for (int bits = 32; bits <= 64; bits += 32) {
        const Point point = sum_point(bits);
        OutputLayout layout = {0};
        assert_ok(integral_algorithm.output_layout(&workload, &point, &layout));
        assert_int_equal(layout.count, 1);
        const OutputPart *part = &layout.parts[INTEGRAL_PART_TABLE];
        assert_string_equal(part->name, "table");
        assert_int_equal(part->kind, bits == 64 ? OUTPUT_ARRAY_U64 : OUTPUT_ARRAY_U32);
        assert_int_equal(part->width, 101);
        assert_int_equal(part->height, 31);
        const size_t bytes = 101 * 31 * (size_t)bits / 8;
        assert_int_equal(part->bytes, bytes);
        const Cost cost = integral_algorithm.cost(&workload, &point);
        assert_true(cost.bytes == 3000.0 + (double)bytes);
        assert_true(cost.operations == 3000.0 * bits / 32);
        assert_true(cost.items == 3000.0);
        assert_string_equal(cost.operation, "int32");
    }
    /* 32 bits unless 64 are asked for, and nothing else. */
    AxisValues values;
    const Axis *axis = integral_algorithm.answer[0];
    assert_ok(axis_parse(axis, axis->defaults, &workload, &values));
    assert_int_equal(values.count, 1);
    assert_string_equal(values.values[0].text, "32");
    assert_int_equal(axis_parse(axis, "16", &workload, &values).code, STATUS_USAGE);
}

static const struct {
    int32_t width, height;
    uint8_t pixels[8];
    uint64_t table[15];
} by_hand[] = {
    {1, 1, {255}, {0, 0, 0, 255}},
    {4, 1, {1, 2, 250, 255}, {0, 0, 0, 0, 0, 0, 1, 3, 253, 508}},
    {1, 3, {9, 255, 7}, {0, 0, 0, 9, 0, 264, 0, 271}},
    /* 1 2 3
     * 4 5 6 */
    {3, 2, {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 1, 3, 6, 0, 5, 12, 21}},
    {2,
     4,
     {0, 255, 255, 0, 1, 0, 0, 2},
     {0, 0, 0, 0, 0, 255, 0, 255, 510, 0, 256, 511, 0, 256, 513}},
};

TEST(tables_by_hand) {
    for (size_t i = 0; i < COUNT_OF(by_hand) * 6; i++) {
        const int bits = i % 2 == 0 ? 32 : 64;
        const size_t which = i / 6;
        const Variant *variant = &integral_algorithm.cpu.rows[i / 2 % 3];
        const int32_t width = by_hand[which].width;
        const int32_t height = by_hand[which].height;
        Image image = {.width = width, .height = height, .stride = (size_t)width};
        uint8_t pixels[sizeof by_hand[which].pixels];
        memcpy(pixels, by_hand[which].pixels, sizeof pixels);
        image.pixels = pixels;
        RELEASED_BY(output_free) Output got = table_of(variant->name, &image, bits, 2);
        for (size_t e = 0; e < (size_t)(width + 1) * (size_t)(height + 1); e++) {
            assert_int_equal(entry(integral_table(&got), bits, e), by_hand[which].table[e]);
        }
    }
}

/* Of a white image: entry (x, y) is 255·x·y. */
static void check_white(int32_t width, int32_t height, int bits) {
    const uint64_t pitch = (uint64_t)width + 1;
    RELEASED_BY(test_image_free) Image image = test_image(width, height, 0, FILL_ZERO, 1);
    memset(image.pixels, 255, image_pixel_count(&image));
    for (size_t i = 0; i < integral_algorithm.cpu.count; i++) {
        const char *variant = integral_algorithm.cpu.rows[i].name;
        RELEASED_BY(output_free) Output got = table_of(variant, &image, bits, 3);
        const void *table = integral_table(&got);
        for (uint64_t y = 0; y <= (uint64_t)height; y++) {
            for (uint64_t x = y % 7; x < pitch; x += 7) {
                const uint64_t sum = 255 * x * y;
                const uint64_t want = bits == 64 ? sum : sum & UINT32_MAX;
                if (entry(table, bits, y * pitch + x) != want) {
                    fail_msg("%s, %d bits: entry (%d, %d) is wrong", variant, bits, (int)x, (int)y);
                }
            }
        }
    }
}

/* Images whose sums, and one whose rows alone, are beyond 2^32 at their end. */
TEST(sums_beyond_32_bits) {
    check_white(4200, 4200, 32);
    check_white(4200, 4200, 64);
    check_white(17000000, 1, 64);
}

/* === An independent program =================================================================== */

static uint32_t box(const uint32_t *table, size_t pitch, int row0, int col0, int row1, int col1) {
    const uint32_t *top = table + (size_t)row0 * pitch;
    const uint32_t *bottom = table + (size_t)row1 * pitch;
    return bottom[col1] - bottom[col0] - top[col1] + top[col0];
}

TEST(sums_of_boxes_by_an_independent_program) {
    FILE *file = fopen(BENCH_SHARED_DATA "/oracles/rect_sums.csv", "r");
    if (file == NULL) {
        skip_needing(NEEDS_SHARED_DATA, "oracles/rect_sums.csv");
    }
    static const char *const names[] = {"brick", "grass"};
    Image images[COUNT_OF(names)];
    Output tables[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[512];
        snprintf(path, sizeof path, BENCH_SHARED_DATA "/textures/%s.png", names[i]);
        assert_ok(image_read(path, &images[i]));
        tables[i] = table_of("omp", &images[i], 32, 3);
    }
    char line[128];
    int checked = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        char name[16];
        int row0, col0, row1, col1, sum;
        assert_int_equal(
            sscanf(line, "%15[^,],%d,%d,%d,%d,%d", name, &row0, &col0, &row1, &col1, &sum), 6);
        const size_t i = strcmp(name, names[0]) == 0 ? 0 : 1;
        assert_string_equal(name, names[i]);
        assert_int_equal(
            box(integral_table(&tables[i]), (size_t)images[i].width + 1, row0, col0, row1, col1),
            sum);
        checked++;
    }
    assert_int_equal(checked, 64);
    fclose(file);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        output_free(&tables[i]);
        image_free(&images[i]);
    }
}

/* === Variants and kernels ===================================================================== */

/* Bands of fewer rows than a thread has in all: several sheets, the last one with empty bands, and
 * images that are too wide for a band to stay in a cache. */
TEST(several_sheets) {
    check_variants(&integral_algorithm, 4099, 300, 0, FILL_NOISE);
    check_variants(&integral_algorithm, 70001, 9, 3, FILL_NOISE);
    const Point point = sum_point(64);
    check_variants_at(&integral_algorithm, &point, 20000, 70, 0, FILL_NOISE);
}

/* A band of rows alone, below a row that is given: the rows around it and what lies between rows
 * stay as they are. */
static void check_band(const IntegralKernel *kernel, const Image *image, int bits, bool stream,
                       int32_t first, int32_t last) {
    const size_t bytes = (size_t)bits / 8;
    const size_t width = (size_t)image->width;
    /* Every third table has rows whose entry 1 begins a line. */
    const size_t of_line = 64 / bytes;
    const bool lines = last % 3 == 0;
    const size_t pitch =
        lines ? (width + of_line) / of_line * of_line : width + 1 + (size_t)(first % 4);
    const size_t before = lines ? of_line - 1 : 0;
    const size_t entries = before + pitch * ((size_t)image->height + 1);
    const IntegralWork *work = integral_work(kernel, bits);
    void *memory = NULL;
    void *above = NULL;
    assert_ok(cpu_backend.alloc(entries * bytes, &memory));
    assert_ok(cpu_backend.alloc(width * bytes, &above));
    cpu_backend.runner->poison(0xC3);
    void *table = (uint8_t *)memory + before * bytes;
    /* What the first row stands on wraps past 2^32. */
    uint64_t *want = calloc(pitch, sizeof *want);
    for (size_t x = 1; x <= width; x++) {
        want[x] = UINT32_MAX - 1000 + 3 * x;
        if (bits == 64) {
            ((uint64_t *)above)[x - 1] = want[x];
        } else {
            ((uint32_t *)above)[x - 1] = (uint32_t)want[x];
        }
    }
    work->fill(&(IntegralBand){image, first, last, table, pitch, above, stream});
    const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
    const uint64_t poison = UINT64_C(0xC3C3C3C3C3C3C3C3) & mask;
    for (int32_t y = -1; y < image->height; y++) {
        uint64_t sum = 0;
        for (size_t x = 0; x < pitch; x++) {
            const bool inside = y >= first && y < last && x <= width;
            sum += inside && x > 0 ? image_row(image, y)[x - 1] : 0;
            want[x] += sum;
            const uint64_t got = entry(table, bits, (size_t)(y + 1) * pitch + x);
            if (got != (inside ? want[x] & mask : poison)) {
                fail_msg("%s, %d bits, %d wide, rows %d to %d: entry (%zu, %d) is wrong",
                         kernel->name, bits, image->width, first, last, x, y + 1);
            }
        }
    }
    for (size_t x = 1; x <= width; x++) {
        assert_int_equal(entry(above, bits, x - 1), want[x] & mask);
    }
    assert_string_equal(cpu_backend.runner->check_guards().why, "");
    free(want);
    cpu_backend.release(above);
    cpu_backend.release(memory);
}

/* Widths around those of vectors and lines, so that rows begin at every offset to them. */
TEST(kernels_fill_bands) {
    static const int32_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 63, 200};
    enum { HEIGHT = 10 };
    for (const IntegralKernel *const *kernel = integral_kernels; *kernel != NULL; kernel++) {
        print_message("kernel %s: %s\n", (*kernel)->name,
                      (*kernel)->supported() ? "tested" : "not on this processor");
        for (size_t w = 0; (*kernel)->supported() && w < COUNT_OF(widths); w++) {
            RELEASED_BY(test_image_free)
            Image image = test_image(widths[w], HEIGHT, w, FILL_NOISE, (uint32_t)w);
            for (int32_t first = 0; first <= HEIGHT; first += 3) {
                for (int32_t last = first; last <= HEIGHT; last++) {
                    check_band(*kernel, &image, 32, last % 2 == 0, first, last);
                    check_band(*kernel, &image, 64, last % 2 != 0, first, last);
                }
            }
        }
    }
}

/* Of columns, onto what is there; and along a row. */
static void check_sums(const IntegralKernel *kernel, int32_t width, int bits) {
    enum { HEIGHT = 11, FIRST = 2, LAST = 9 };
    const IntegralWork *work = integral_work(kernel, bits);
    RELEASED_BY(test_image_free) Image image = test_image(width, HEIGHT, 5, FILL_NOISE, 3);
    void *sums = NULL;
    assert_ok(cpu_backend.alloc((size_t)width * (size_t)bits / 8, &sums));
    memset(sums, 0xFF, (size_t)width * (size_t)bits / 8); /* -1 */
    const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
    work->add_columns(
        &(IntegralBand){.image = &image, .first = FIRST, .last = LAST, .above = sums});
    uint64_t along = 0;
    for (int round = 0; round < 2; round++) {
        for (int32_t x = 0; x < width; x++) {
            uint64_t want = UINT64_MAX;
            for (int32_t y = FIRST; y < LAST; y++) {
                want += image_row(&image, y)[x];
            }
            along = round == 0 ? want : along + want;
            assert_int_equal(entry(sums, bits, (size_t)x), along & mask);
        }
        along = 0;
        if (round == 0) {
            work->add_along(sums, width);
        }
    }
    assert_string_equal(cpu_backend.runner->check_guards().why, "");
    cpu_backend.release(sums);
}

TEST(kernels_add_up_columns_and_rows) {
    static const int32_t widths[] = {1, 3, 7, 8, 15, 16, 17, 33, 64, 131};
    for (const IntegralKernel *const *kernel = integral_kernels; *kernel != NULL; kernel++) {
        for (size_t w = 0; (*kernel)->supported() && w < COUNT_OF(widths); w++) {
            check_sums(*kernel, widths[w], 32);
            check_sums(*kernel, widths[w], 64);
        }
    }
}

TEST_BEST_KERNEL(IntegralKernel, integral_kernels, integral_kernel_best(), integral_kernel_plain)
